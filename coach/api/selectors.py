"""Queries about a person's access tokens."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.api.models import ApiToken


def tokens_for(user: User) -> QuerySet[ApiToken]:
    """Return the person's own tokens, newest first, also those that have ended."""
    return ApiToken.objects.filter(user=user)


def valid_tokens_for(user: User) -> QuerySet[ApiToken]:
    """Return the person's tokens that programs can use."""
    return tokens_for(user).filter(revoked_at=None, ends_at__gt=timezone.now())
