"""Models of rule proposals, mutes and cached statistics."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.curation.dry_runs.models import DryRun, Examined
from coach.rulesets.models import RuleSetRelease, RuleVersion

__all__ = ["DryRun", "Examined", "KeptStatistics", "Mute", "Proposal"]


class KeptStatistics(models.Model):
    """The cached statistics of all rules in one period, from the last scheduled count.

    Only used while there are too many firings to count for each page.
    """

    # 0 means since the beginning.
    days = models.PositiveSmallIntegerField(primary_key=True)
    takes = models.PositiveIntegerField()
    rules = models.JSONField()
    groups = models.JSONField()
    counted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.days} days"


class Proposal(models.Model):
    """A rule version proposed for publication, with the decision on it."""

    class State(models.TextChoices):
        """The state of a proposal; only an open one can be decided on, only an approved one
        published."""

        OPEN = "open", _("Waiting for a second curator")
        APPROVED = "approved", _("Approved, not yet published")
        SENT_BACK = "sent_back", _("Sent back")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        REPLACED = "replaced", _("Replaced by a newer version")
        PUBLISHED = "published", _("Published")

    rule = models.CharField(max_length=20)
    version = models.OneToOneField(RuleVersion, on_delete=models.PROTECT, related_name="proposal")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_by_name = models.CharField(max_length=120, blank=True)
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, max_length=2000)
    # Card texts whose old number is confirmed as a study's figure.
    figures_kept = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True
    )
    published_in = models.ForeignKey(
        RuleSetRelease, null=True, on_delete=models.PROTECT, related_name="proposals"
    )

    class Meta:
        verbose_name = pgettext_lazy("thing", "proposal for a rule")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "state"],
                condition=models.Q(state__in=["open", "approved"]),
                name="one_open_and_one_approved_proposal_a_rule",
            ),
            models.CheckConstraint(
                name="sent_back_with_a_reason",
                condition=~models.Q(state="sent_back") | ~models.Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} ({self.state})"


class Mute(models.Model):
    """A rule that a curator silenced at once; lifting the mute publishes `version` again."""

    rule = models.CharField(max_length=20)
    version = models.ForeignKey(RuleVersion, on_delete=models.PROTECT, related_name="+")
    muted_at = models.DateTimeField(auto_now_add=True)
    muted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    muted_by_name = models.CharField(max_length=120)
    why = models.TextField(max_length=2000)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    lifted_by_name = models.CharField(max_length=120, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "muted rule")
        ordering = ["-muted_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["rule"],
                condition=models.Q(lifted_at__isnull=True),
                name="one_standing_mute_a_rule",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule} muted by {self.muted_by_name}"
