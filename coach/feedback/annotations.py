"""What people write beside a report: notes at a time, and corrections of what was measured."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from coach.rehearsals.models import Goal


class TimedNote(models.Model):
    """A coach's note at a time of the recording; the trainee reads it once the version is released.

    `end` stands where the coach marked a stretch. A note that was removed keeps its row, so that
    removing can be undone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="notes"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Kept beside the reference, which goes when the coach's account is erased.
    author_name = models.CharField(max_length=120)
    start = models.FloatField()
    end = models.FloatField(null=True, blank=True)
    text = models.TextField(max_length=2000)
    tag = models.CharField(max_length=20, choices=Goal.choices, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["start", "created_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="a_note_ends_after_it_starts",
                condition=Q(start__gte=0) & (Q(end=None) | Q(end__gt=F("start"))),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.text[:60]}"


class Correction(models.Model):
    """A person says that one thing of a report is not so; the report itself stays as it was.

    One row is one label: what the machine said (`before`, `event`, `probability`), where (seconds
    of the media), what is so (`after`), who says it and when. Undoing marks the row.
    """

    class Kind(models.TextChoices):
        """What is corrected."""

        NOT_A_FILLER = "not_a_filler", _("Not a filler")
        NOT_A_LOOK_AWAY = "not_a_look_away", _("Not a look away")
        WORD = "word", _("Another word")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="corrections"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    # Of `analysis.events`: filled_pause, filler_word, look_away; empty for a word.
    event = models.CharField(max_length=30, blank=True)
    start = models.FloatField()
    end = models.FloatField()
    before = models.CharField(max_length=200, blank=True)
    after = models.CharField(max_length=200, blank=True)
    # What the machine gave it.
    probability = models.FloatField(null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["start", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["feedback", "kind", "event", "start"],
                condition=Q(undone_at=None),
                name="one_standing_correction_a_place",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.start:.2f}"


class CorrectedCard(models.Model):
    """What the rule of an item writes once the corrections that stand are taken into account.

    Laid over the item's own document, which stays as it was drafted. Where `holds` is false the
    rule has nothing to say any more, and the coach decides what becomes of the item.
    """

    item = models.OneToOneField(
        "feedback.Item", on_delete=models.CASCADE, primary_key=True, related_name="corrected"
    )
    document = models.JSONField(default=dict)
    holds = models.BooleanField(default=True)
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"Corrected: {self.item_id}"
