"""Models of dry runs and of the changes that they find in each report."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.feedback.models import Feedback
from coach.lib.work.leases import Leased
from coach.rulesets.models import RuleSetRelease


class DryRun(Leased):
    """A trial of rules on every stored report, batch by batch, under a lease.

    The row stores its progress: a dead worker loses one batch, and the sweeper enqueues it again.
    """

    class State(models.TextChoices):
        """The state of a dry run."""

        QUEUED = "queued", _("Waiting for a worker")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        CANCELLED = "cancelled", _("Cancelled")
        FAILED = "failed", _("Stopped")

    GOING_ON = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    base = models.ForeignKey(RuleSetRelease, on_delete=models.PROTECT, related_name="+")
    # The version of each tried rule, and the digest of the whole rule set.
    versions = models.JSONField()
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    # The primary key of the last examined draft; drafts are examined in key order.
    cursor = models.BigIntegerField(default=0)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "dry run")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["base", "digest"],
                condition=models.Q(state__in=["queued", "running"]),
                name="one_dry_run_of_the_same_at_a_time",
            ),
            models.CheckConstraint(
                name="a_running_dry_run_has_a_lease",
                condition=~models.Q(state="running")
                | models.Q(lease__isnull=False, lease_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title


def _rules() -> ArrayField[list[str], list[str]]:
    return ArrayField(models.CharField(max_length=20), default=list, blank=True)


class Examined(models.Model):
    """The changes to one take's draft. Deleted with the take, so that it leaves the counts too."""

    dry_run = models.ForeignKey(DryRun, on_delete=models.CASCADE, related_name="examined")
    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="+")
    # Old reports that this version cannot read are counted apart, and in no other count.
    is_readable = models.BooleanField(default=True)
    is_changed = models.BooleanField(default=False)
    gained = _rules()
    lost = _rules()
    moved = _rules()
    reworded = _rules()
    newly_waiting = _rules()
    no_longer_waiting = _rules()
    # Rules left out now because a firing rule contradicts them (`never_with`).
    contradicting = _rules()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["dry_run", "feedback"], name="one_row_a_take"),
        ]

    def __str__(self) -> str:
        return f"{self.feedback} in {self.dry_run}"
