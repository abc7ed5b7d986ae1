"""Models of annotations to a report: timed notes, corrections, verdicts and actions on review."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.rehearsals.models import Goal


class TimedNote(models.Model):
    """A coach's note at a time of the recording, readable for the trainee after the release.

    `end` is set if the coach marked a span. A removed note keeps its row, so that
    the removal can be undone.
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
    # The same note in the version that this one corrects; what was written under it stays.
    former = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="later"
    )
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
    """A correction of one part of a report by the owner or a coach; the stored report stays
    unchanged.

    One row is one label: the machine's result (`before`, `event`, `probability`), place (seconds
    of the media), the corrected value (`after`), the author and the time. Undoing marks the row.
    """

    class Side(models.TextChoices):
        """The side that corrects: the owner of the take, or a coach who has it."""

        OWNER = "owner"
        COACH = "coach"

    class Kind(models.TextChoices):
        """The kind of a correction."""

        NOT_A_FILLER = "not_a_filler", _("Not a filler")
        NOT_A_LOOK_AWAY = "not_a_look_away", _("Not a look away")
        WORD = "word", _("Another word")
        MISSED_FILLER = "missed_filler", _("A missed filler")
        MEANT_PAUSE = "meant_pause", _("A pause that was meant")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="corrections"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    # A kind of `analysis.events`: filled_pause, filler_word, look_away, silent_pause; empty for a
    # word.
    event = models.CharField(max_length=30, blank=True)
    start = models.FloatField()
    end = models.FloatField()
    before = models.CharField(max_length=200, blank=True)
    after = models.CharField(max_length=200, blank=True)
    # The probability that the analysis gave.
    probability = models.FloatField(null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_by_name = models.CharField(max_length=120)
    made_as = models.CharField(max_length=5, choices=Side.choices, default=Side.COACH)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    # Empty while it is in force, and for rows undone before sides were recorded.
    undone_as = models.CharField(max_length=5, choices=Side.choices, blank=True)

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
    """A cached report with a set of corrections applied, because recalculation takes seconds.

    It can be deleted at any time and recalculated from the report and the corrections.
    """

    run = models.ForeignKey(
        "feedback.Run", on_delete=models.CASCADE, related_name="corrected_reports"
    )
    # The digest of the corrections and of the version of the code that applies them.
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
    """The card of an item's rule, recalculated with the corrections in force.

    It overrides the item's own document, which stays as drafted. If `holds` is false, the
    rule no longer fires, and the coach decides on the item. An empty `document` of a rule that
    holds changes nothing.
    """

    item = models.OneToOneField(
        "feedback.Item", on_delete=models.CASCADE, primary_key=True, related_name="corrected"
    )
    document = models.JSONField(default=dict)
    holds = models.BooleanField(default=True)
    # The same for the owner before the release, with the owner's own corrections only; None
    # changes nothing.
    owner_document = models.JSONField(null=True)
    holds_for_owner = models.BooleanField(default=True)
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"Corrected: {self.item_id}"


class RejectReason(models.TextChoices):
    """The reason why a coach rejects an item. Rule statistics need stable codes."""

    WRONG_MEASUREMENT = "wrong_measurement", _("The measurement is wrong")
    UNIMPORTANT = "unimportant", _("Right, but not important here")
    WRONG_CONTEXT = "wrong_context", _("Does not fit this talk")
    TONE = "tone", _("I would not say it like this")
    DUPLICATE = "duplicate", _("Says the same as another item")
    OTHER_MEANING = "other_meaning", _("Right, but it does not mean that")


class Verdict(models.Model):
    """A coach's decision on an item. Rows are only added; undoing marks the row."""

    class Kind(models.TextChoices):
        """The kind of a verdict.

        Replacing rejects an item and adds the coach's own in its place. Holding back is no
        judgement of the item: there was no room for it.
        """

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
    # The new wording of the edited fields, and the moments; None (null) restores the
    # machine's moments.
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
        indexes = [
            models.Index(
                fields=["-at", "-id"], condition=~Q(note=""), name="verdicts_with_written_reasons"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coach_name}: {self.kind}"


class DeskAct(models.Model):
    """A coach's action on a draft, for undo (`u`) and for naming the author of a conflict.

    `before` and `after` are the data that its kind needs for undo (`coach.feedback.undoing`). An
    undo is a row of its own, of kind "undo", so that the newest row always has the last author.
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
