"""Models of access tokens, and of answers to requests that may be repeated."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.api.scopes import Scope


class ApiToken(models.Model):
    """An access token of a person. Only its hash is stored: we show the token once."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    # What the person calls it.
    name = models.CharField(max_length=60)
    # SHA-256. The token has 256 random bits, so nobody can guess it from its hash.
    digest = models.CharField(max_length=64, unique=True)
    # Its last characters, by which the person recognises it.
    ending = models.CharField(max_length=4)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    # Exact to ten minutes; None if it was never used.
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "access token")
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["user", "-created_at"], name="tokens_of_a_person")]

    def __str__(self) -> str:
        return f"{self.name} …{self.ending}"

    @property
    def is_valid(self) -> bool:
        """Whether a program can use it now."""
        return self.revoked_at is None and self.ends_at > timezone.now()


class RepeatedRequest(models.Model):
    """The answer to a request with an `Idempotency-Key`, so that its repetition changes nothing.

    Deleted after a day.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="repeated_requests"
    )
    key = models.CharField(max_length=255)
    # SHA-256 of method, path and body: the same key with another request is an error.
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "key"], name="one_answer_for_each_idempotency_key"
            ),
        ]

    def __str__(self) -> str:
        return self.key
