"""The ease of speaking in the owner's words, shown to nobody else."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class HowEasy(models.TextChoices):
    """The ease in words, because a number would look like a grade."""

    VERY_HARD = "very_hard", _("Very hard")
    RATHER_HARD = "rather_hard", _("Rather hard")
    IN_BETWEEN = "in_between", _("In between")
    RATHER_EASY = "rather_easy", _("Rather easy")
    VERY_EASY = "very_easy", _("Very easy")


class Ease(models.Model):
    """The answers before and after a take; empty if not given."""

    rehearsal = models.OneToOneField(
        "Rehearsal", primary_key=True, on_delete=models.CASCADE, related_name="ease"
    )
    before = models.CharField(max_length=12, choices=HowEasy.choices, blank=True)
    after = models.CharField(max_length=12, choices=HowEasy.choices, blank=True)

    def __str__(self) -> str:
        return f"Before and after {self.rehearsal_id}"
