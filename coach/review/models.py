"""Queue of takes that wait for an answer, and their claims."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort
from coach.feedback.models import Item
from coach.rehearsals.models import AccessGrant, Goal, Rehearsal

KEPT_FOR_COLLEAGUE = timedelta(hours=24)
"""So long others leave what was handed over by name (rule of thumb)."""


class Review(models.Model):
    """An answer that was asked for. A coach claims it, by a lease that their open desk renews.

    Whose takes a coach may answer is not said here but by the grants of their owners.
    """

    rehearsal = models.OneToOneField(Rehearsal, on_delete=models.CASCADE, related_name="review")
    # By which the take was sent: since when it waits, and within how many hours it is answered.
    grant = models.ForeignKey(AccessGrant, on_delete=models.CASCADE, related_name="reviews")
    # What its priority is made of, as the draft stood when it was sent.
    uncertainty = models.FloatField(default=0)
    is_on_trial = models.BooleanField(default=False)
    is_first = models.BooleanField(default=False)
    # In the sample that a second coach judges as well (`coach.review.second`).
    wants_second = models.BooleanField(default=False)
    # The lease: free where nobody has it or it has run out.
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviews",
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    # Up to when an open desk has told how long its coach worked on each item (`ItemTime`).
    timed_until = models.DateTimeField(null=True, blank=True)
    # The names of the newest reports: one whose answer was lost comes again.
    timed_reports = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    # A colleague handed it over; it is kept for this coach for a while.
    meant_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    meant_until = models.DateTimeField(null=True, blank=True)
    handed_note = models.CharField(max_length=500, blank=True)
    handed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # Who put it back into the queue: they are given the others first.
    given_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # Once it is answered: how long the coach had it, which the length of leases is made from.
    finished_at = models.DateTimeField(null=True, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    handled_seconds = models.FloatField(null=True, blank=True)
    # Why a coach flagged it, and who: it stays flagged, whoever has it, until that is settled.
    flag = models.CharField(max_length=500, blank=True)
    flagged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    flagged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["grant"],
                condition=models.Q(finished_at__isnull=True),
                name="reviews_that_wait",
            ),
            models.Index(
                fields=["-finished_at"],
                condition=models.Q(handled_seconds__isnull=False),
                name="reviews_handled_lately",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coach or 'Nobody'} on {self.rehearsal}"

    @property
    def handed_at(self) -> datetime | None:
        """When a coach handed it to a colleague, for whom it is kept since."""
        if self.handed_by_id is None or self.meant_until is None:
            return None
        return self.meant_until - KEPT_FOR_COLLEAGUE

    def is_held(self, now: datetime | None = None) -> bool:
        """Return whether a coach has the take now."""
        if self.coach_id is None or self.until is None:
            return False
        return self.until > (now or timezone.now())


class ItemTime(models.Model):
    """Seconds that one coach worked on one item; deleted with the coach's account.

    Attentive time alone: from when its coach turned to it until they turned to something else, at
    a desk that could be seen (`static/js/item-time.js`). Watching the talk is no item's. Never
    more than has passed (`item_times`).
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="times")
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="item_times"
    )
    seconds = models.FloatField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "coach"], name="one_time_an_item_and_coach"),
        ]

    def __str__(self) -> str:
        return f"{self.coach} on {self.item_id}: {self.seconds:.0f} s"


class BankComment(models.Model):
    """A sentence that a coach says often: their own, or shared with the coaches of a group."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bank_comments"
    )
    # Whose coaches may use it as well; only its owner changes it.
    cohort = models.ForeignKey(
        Cohort, null=True, blank=True, on_delete=models.SET_NULL, related_name="bank_comments"
    )
    tag = models.CharField(max_length=20, choices=Goal.choices, blank=True)
    text = models.CharField(max_length=600)
    uses = models.PositiveIntegerField(default=0)
    used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "kept comment")
        ordering = ["tag", "-uses", "text", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "text"], name="a_comment_kept_once_by_an_owner"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]
