"""Models of people and groups that an identity provider manages by SCIM (`coach.scim`)."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Upper


class ProvisionedPerson(models.Model):
    """A person as the identity provider knows them.

    A deleted one stays: their account is closed, and the provider may bring them back.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="provisioned"
    )
    # The provider's own names for the person; empty once it has deleted them.
    user_name = models.CharField(max_length=254, blank=True)
    external_id = models.CharField(max_length=255, blank=True, db_index=True)
    # As the provider sent it; people choose their language themselves afterwards.
    preferred_language = models.CharField(max_length=40, blank=True)
    # Whether the provider closed the account; it opens no account that an administrator closed.
    has_closed = models.BooleanField(default=False)
    added_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["added_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                Upper("user_name"),
                condition=models.Q(deleted_at__isnull=True),
                name="a_user_name_once_at_the_provider",
            ),
        ]

    def __str__(self) -> str:
        return self.user_name


class ProvisionedGroup(models.Model):
    """A group as the identity provider knows it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cohort = models.OneToOneField(
        "accounts.Cohort", on_delete=models.CASCADE, related_name="provisioned"
    )
    external_id = models.CharField(max_length=255, blank=True, db_index=True)
    added_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return str(self.cohort)
