"""What trainee and coach ask and answer each other: part of `coach.feedback.models`."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MOST_CHARACTERS = 2000


class Answered(models.Model):
    """What somebody answered; once, and never written over."""

    answer = models.TextField(blank=True, max_length=MOST_CHARACTERS)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # Kept beside the reference, which goes when the account is erased.
    answered_by_name = models.CharField(max_length=120, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    # Whoever said it took it back; without an answer, the row goes instead.
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether an answer is still waited for."""
        return self.answered_at is None and self.withdrawn_at is None


class Dispute(Answered):
    """A trainee says that an item is not right or not helpful."""

    class Reason(models.TextChoices):
        """What is wrong with it."""

        NOT_RIGHT = "not_right", _("This is not what happened")
        NOT_HELPFUL = "not_helpful", _("Right, but it does not help me")

    item = models.ForeignKey("feedback.Item", on_delete=models.CASCADE, related_name="disputes")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    note = models.TextField(blank=True, max_length=MOST_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item"], name="one_dispute_per_item"),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.item}"


class Question(Answered):
    """A trainee asks about an item, or a coach asks the trainee before releasing (no item)."""

    rehearsal = models.ForeignKey(
        "rehearsals.Rehearsal", on_delete=models.CASCADE, related_name="questions"
    )
    feedback = models.ForeignKey(
        "feedback.Feedback", on_delete=models.CASCADE, related_name="questions"
    )
    item = models.ForeignKey(
        "feedback.Item", null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    asker_name = models.CharField(max_length=120)
    text = models.TextField(max_length=MOST_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item"], name="one_question_about_an_item"),
            models.UniqueConstraint(
                fields=["feedback"],
                condition=Q(item__isnull=True),
                name="one_question_of_a_coach_about_a_draft",
            ),
        ]
        indexes = [
            models.Index(
                fields=["rehearsal"],
                condition=Q(item__isnull=True),
                name="questions_of_coaches",
            ),
            models.Index(
                fields=["at"],
                condition=Q(item__isnull=False, answered_at__isnull=True),
                name="questions_unanswered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asker_name} asks about {self.rehearsal}"
