"""Models of the review queue: reviews with claims, times, and the comment bank."""

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
"""The time for which a take stays reserved after a hand-over (rule of thumb)."""


class Review(models.Model):
    """A requested answer to a take. A coach claims it, with a lease that the open page renews.

    Permission to answer does not come from this row, but from the owners' grants.
    """

    class Cards(models.TextChoices):
        """Whether a drawn take comes to its coach with automatic cards."""

        WITH = "with"
        WITHOUT = "without"

    rehearsal = models.OneToOneField(Rehearsal, on_delete=models.CASCADE, related_name="review")
    # The grant by which the take was sent: start of the wait, and promised reply time.
    grant = models.ForeignKey(AccessGrant, on_delete=models.CASCADE, related_name="reviews")
    # Inputs of its priority, from the draft when it was sent.
    uncertainty = models.FloatField(default=0)
    is_on_trial = models.BooleanField(default=False)
    is_first = models.BooleanField(default=False)
    # Whether it was drawn to come with or without automatic cards (`coach.review.comparing`); empty
    # if nothing is compared. Only drawn takes are timed as a whole.
    cards = models.CharField(max_length=8, choices=Cards.choices, blank=True, db_default="")
    # When the coach had written their own cards and had the automatic ones shown, and the active
    # seconds at the review page up to then.
    cards_shown_at = models.DateTimeField(null=True, blank=True)
    own_seconds = models.FloatField(null=True, blank=True)
    # The active seconds of all coaches at the review page, up to the first release.
    desk_seconds = models.FloatField(default=0, db_default=0)
    # Whether it is in the sample for a second opinion (`coach.review.second`).
    wants_second = models.BooleanField(default=False)
    # The lease: the take is free if it is missing or expired.
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviews",
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    # The time up to which an open page has reported work on items (`ItemTime`).
    timed_until = models.DateTimeField(null=True, blank=True)
    # Ids of the newest reports, because one whose response was lost is sent again.
    timed_reports = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    # The coach to whom a colleague handed it over, reserved for a while.
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
    # The coach who returned it to the queue, and is offered others first.
    given_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # The time that the coach had it, from which the length of leases is estimated.
    finished_at = models.DateTimeField(null=True, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    handled_seconds = models.FloatField(null=True, blank=True)
    # The reason and the author of a flag, which stays through claims until it is settled.
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
        """The time of the hand-over that reserves the take, or None."""
        if self.handed_by_id is None or self.meant_until is None:
            return None
        return self.meant_until - KEPT_FOR_COLLEAGUE

    def is_held(self, now: datetime | None = None) -> bool:
        """Return whether a coach has the take now."""
        if self.coach_id is None or self.until is None:
            return False
        return self.until > (now or timezone.now())


class ItemTime(models.Model):
    """The seconds that one coach worked on one item; deleted with the coach's account.

    Only active time counts: from opening the item until turning to something else, on
    a visible page (`static/js/item-time.js`). Watching the talk counts for no item. Never
    more than the elapsed time (`item_times`).
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
    """A frequent sentence of a coach: private, or shared with the coaches of a group."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bank_comments"
    )
    # The group whose coaches may also use it; only its owner changes it.
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
