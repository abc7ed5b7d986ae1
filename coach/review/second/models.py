"""Models of coaches' independent opinions on a take, and of calibration clips."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

from coach.feedback.models import Feedback, Item, RejectReason
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.models import Rating


class Place(models.TextChoices):
    """The role of an opinion."""

    FIRST = "first"
    SECOND = "second"
    CALIBRATION = "calibration"
    RESOLUTION = "resolution"


class Opinion(models.Model):
    """A coach's levels and decisions on one version of a draft.

    The first coach's is stored from their release and never changes, whatever happens to
    the feedback. A second opinion is held by a lease, like a claim in the queue.
    """

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="opinions")
    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="opinions")
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="opinions"
    )
    place = models.CharField(max_length=12, choices=Place.choices)
    rating = models.OneToOneField(
        Rating, null=True, blank=True, on_delete=models.SET_NULL, related_name="opinion"
    )
    begun_at = models.DateTimeField(auto_now_add=True)
    # The end of the lease of a second opinion.
    until = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # The opinion that counts if two differ, and with which new coaches compare theirs.
    is_authoritative = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rehearsal"],
                condition=models.Q(is_authoritative=True),
                name="one_authoritative_opinion_a_take",
            ),
            models.UniqueConstraint(
                fields=["rehearsal", "place"],
                condition=models.Q(place__in=["first", "second"], given_up_at__isnull=True),
                name="one_first_and_one_second_opinion_a_take",
            ),
            models.UniqueConstraint(
                fields=["rehearsal", "coach", "place"], name="a_coach_gives_an_opinion_once"
            ),
            models.CheckConstraint(
                name="only_what_is_handed_in_counts",
                condition=models.Q(is_authoritative=False) | models.Q(submitted_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coach} on {self.rehearsal} ({self.place})"


class Decision(models.Model):
    """A coach's decision to keep or reject a machine's item, with the reason."""

    class Kind(models.TextChoices):
        """The kind of a decision. Reworded counts as kept, replaced as rejected."""

        KEEP = "keep"
        REJECT = "reject"

    opinion = models.ForeignKey(Opinion, on_delete=models.CASCADE, related_name="decisions")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    reason = models.CharField(max_length=20, choices=RejectReason.choices, blank=True)
    # The coach's own moments, in a document's format; empty if the machine's are unchanged.
    clips = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    # False for decisions from before moments were stored, and for items held back before 0007.
    tells_where = models.BooleanField(default=True, db_default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["opinion", "item"], name="one_decision_an_item"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.kind}"

    @property
    def own_moments(self) -> tuple[tuple[float, float], ...]:
        """The coach's own moments as starts and ends in seconds; empty without any."""
        return tuple((clip["start"], clip["end"]) for clip in self.clips)

    @property
    def moments(self) -> tuple[tuple[float, float], ...]:
        """The coach's own moments, else the machine's."""
        drafted = tuple((clip.start, clip.end) for clip in self.item.card.clips)
        return self.own_moments or drafted


class DisagreementMessage(models.Model):
    """A message about two opinions on a take; one that settles them has the reason for it."""

    rehearsal = models.ForeignKey(
        Rehearsal, on_delete=models.CASCADE, related_name="disagreement_messages"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="disagreement_messages",
    )
    text = models.CharField(max_length=1000)
    # The place of the opinion that this made authoritative; empty for a plain message.
    settled = models.CharField(max_length=12, choices=Place.choices, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "message about two opinions")
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.author} on {self.rehearsal}"


class CalibrationTake(models.Model):
    """An answered take on which new coaches of its group practise rating."""

    rehearsal = models.OneToOneField(
        Rehearsal, on_delete=models.CASCADE, related_name="calibration_take"
    )
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    marked_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.rehearsal)
