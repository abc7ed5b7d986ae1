"""What people write beside a report: notes at a time, and corrections of what was measured."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

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
        verbose_name = pgettext_lazy("thing", "note")
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
        verbose_name = pgettext_lazy("thing", "correction")
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


class CorrectedReport(models.Model):
    """A report with a set of corrections over it, kept because measuring anew takes seconds.

    Nothing rests on it: it can be made again at any time from the report and the corrections.
    """

    run = models.ForeignKey(
        "feedback.Run", on_delete=models.CASCADE, related_name="corrected_reports"
    )
    # Of the corrections, and of the way they are laid over a report.
    digest = models.CharField(max_length=64)
    document = models.JSONField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "digest"], name="one_report_for_corrections")
        ]

    def __str__(self) -> str:
        return f"Corrected report of {self.run_id}"


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


class RejectReason(models.TextChoices):
    """Why a coach rejects an item. Codes are stable: rule statistics rest on them."""

    WRONG_MEASUREMENT = "wrong_measurement", _("The measurement is wrong")
    UNIMPORTANT = "unimportant", _("Right, but not important here")
    WRONG_CONTEXT = "wrong_context", _("Does not fit this talk")
    TONE = "tone", _("I would not say it like this")
    DUPLICATE = "duplicate", _("Says the same as another item")


class Verdict(models.Model):
    """What a coach did to an item. Rows are only added; undoing marks the row."""

    class Kind(models.TextChoices):
        """The acts. To replace is to reject with words of one's own in its place; to hold back says
        nothing against an item: there was no room for it."""

        ACCEPT = "accept"
        EDIT = "edit"
        REJECT = "reject"
        REPLACE = "replace"
        ADD = "add"
        HOLD = "hold"

    item = models.ForeignKey("feedback.Item", on_delete=models.CASCADE, related_name="verdicts")
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    coach_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    # The new wording of the fields that an edit changed, and its moments; none (null) where the
    # machine's stand once more.
    wording = models.JSONField(default=dict)
    reason = models.CharField(max_length=20, choices=RejectReason.choices, blank=True)
    note = models.TextField(blank=True, max_length=2000)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="a_rejection_has_a_reason",
                condition=~Q(kind__in=["reject", "replace"]) | ~Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coach_name}: {self.kind}"


class DeskAct(models.Model):
    """One act of a coach on a draft: what `u` takes back, and whom a conflict names.

    `before` and `after` are what its kind needs to take it back (`coach.feedback.undoing`). Taking
    back is a row of its own, of kind "undo", so that the newest row always says who was here last.
    """

    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="desk_acts"
    )
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    coach_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=20)
    item = models.ForeignKey(
        "feedback.Item", null=True, blank=True, on_delete=models.CASCADE, related_name="desk_acts"
    )
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.coach_name}: {self.kind}"
