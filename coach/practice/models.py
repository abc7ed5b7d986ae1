"""What somebody practised between takes."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from coach.rehearsals.models import Rehearsal


class ExerciseDone(models.Model):
    """Somebody did an exercise to its end, by their own word."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exercises_done"
    )
    # Its id in `coach.practice.exercises.catalogue`.
    exercise = models.CharField(max_length=40)
    # The take whose card led to it; it goes with it.
    rehearsal = models.ForeignKey(
        Rehearsal,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="exercises_done",
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["user", "-at"], name="exercises_of_a_person")]

    def __str__(self) -> str:
        return f"{self.exercise} by {self.user_id}"
