"""Models of coaches' ratings of talks."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from coach.rehearsals.models import Goal, Rehearsal
from coach.review.rubric.words import HIGHEST, LOWEST


class Occasion(models.TextChoices):
    """The occasion of a rating. A coach can rate a talk once on each."""

    REVIEW = "review"
    SECOND = "second"
    CALIBRATION = "calibration"
    RESOLUTION = "resolution"


class Rating(models.Model):
    """A coach's levels for a talk, autosaved, and final from `finished_at`."""

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="ratings")
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="ratings"
    )
    occasion = models.CharField(max_length=12, choices=Occasion.choices)
    saved_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rehearsal", "coach", "occasion"], name="a_coach_rates_a_talk_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coach} on {self.rehearsal}"


class Judgement(models.Model):
    """The level of one quality in a rating; None if this recording does not show it."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="judgements")
    quality = models.CharField(max_length=20)
    level = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rating", "quality"], name="a_quality_once_a_rating"),
            models.CheckConstraint(
                name="a_level_is_one_of_five",
                condition=models.Q(level__isnull=True)
                | models.Q(level__gte=LOWEST, level__lte=HIGHEST),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quality}: {self.level}"


class Priority(models.Model):
    """A coach's own priority for the trainee: at most three, ranked."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="priorities")
    rank = models.PositiveSmallIntegerField()
    goal = models.CharField(max_length=20, choices=Goal.choices, blank=True)
    words = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(fields=["rating", "rank"], name="a_rank_once_a_rating"),
            models.CheckConstraint(
                name="at_most_three_priorities", condition=models.Q(rank__gte=1, rank__lte=3)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}: {self.words or self.goal}"
