"""Who is working on what."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from coach.rehearsals.models import Rehearsal


class Claim(models.Model):
    """A coach's lease on a rehearsal in the queue, taken over by others when it expires."""

    rehearsal = models.OneToOneField(Rehearsal, on_delete=models.CASCADE, related_name="claim")
    coach = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims"
    )
    claimed_at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.coach} on {self.rehearsal}"
