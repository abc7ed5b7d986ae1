"""Receipts of deleted data, hidden first steps, requests for an account, and invitations."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.accounts.models import Cohort, Language


class Receipt(models.Model):
    """Receipt for a deleted take or account: counts and times, without a name.

    The keys of deleted takes identify nobody; with them the deletion can be checked again.
    """

    class What(models.TextChoices):
        """The kind of deletion."""

        TAKE = "take"
        EVERYTHING = "everything"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # For a take: its owner, while they have an account. For an account: None; its URL opens it.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="receipts"
    )
    what = models.CharField(max_length=12, choices=What.choices)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    takes = ArrayField(models.UUIDField(), default=list)
    # Interview recordings in which the person speaks, by their storage keys.
    interviews = ArrayField(models.UUIDField(), default=list)
    # Deleted rows by model; then the rows still found in a check right after.
    rows = models.JSONField(default=dict)
    rows_left = models.PositiveIntegerField(default=0)
    # Earlier copies of research data that may contain it
    # (`coach.research.exports.ledger.ExportedCopy`).
    copies = models.JSONField(default=list)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.what} deleted on {self.made_at:%Y-%m-%d}"


class HiddenSteps(models.Model):
    """A part of the site whose first steps a person has hidden."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hidden_steps"
    )
    part = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "part"], name="first_steps_hidden_once"),
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.user}"


class GroupCode(models.Model):
    """A code with which people make themselves an account as trainees of a group."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="codes")
    code = models.CharField(max_length=12, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    most_uses = models.PositiveSmallIntegerField()
    uses = models.PositiveSmallIntegerField(default=0)
    # Ended by an administrator before its time.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "invitation code")
        ordering = ["-made_at"]
        constraints = [
            models.CheckConstraint(
                name="a_code_is_used_as_often_as_allowed",
                condition=models.Q(uses__lte=models.F("most_uses")),
            ),
        ]

    def __str__(self) -> str:
        return f"code of group {self.cohort_id}"


class AccessRequest(models.Model):
    """A request for an account by a person who has none; deleted with its answer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120)
    reason = models.TextField(max_length=300, blank=True)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.ENGLISH)
    # An administrator decides; otherwise the person confirms the address by a link.
    needs_approval = models.BooleanField(default=True)
    # The code of the group that the person joins with the account.
    code = models.ForeignKey(
        GroupCode, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = pgettext_lazy("thing", "request for an account")
        ordering = ["asked_at"]

    def __str__(self) -> str:
        return f"request {self.pk}"


class InvitationList(models.Model):
    """Invitations that an administrator sent together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    # People who had an account already and were added to a group.
    joined = models.PositiveIntegerField(default=0)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "list of invitations")
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"invitations of {self.made_at:%Y-%m-%d %H:%M}"


class Invitation(models.Model):
    """An email with a link to choose a password, until the relay has accepted it."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitation"
    )
    list = models.ForeignKey(
        InvitationList, null=True, on_delete=models.SET_NULL, related_name="invitations"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    mailed_at = models.DateTimeField(null=True, blank=True)
    # The relay refused the address for good.
    refused_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return f"invitation {self.pk}"
