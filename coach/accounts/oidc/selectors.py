"""Queries about accounts of the provider."""

from __future__ import annotations

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import QuerySet

from coach.accounts.models import User


def provider_accounts_for(user: User) -> QuerySet[SocialAccount]:
    """Return the person's own accounts of the present provider."""
    found: QuerySet[SocialAccount] = SocialAccount.objects.filter(
        user=user, provider=settings.OIDC_ISSUER or None
    )
    return found


def confirms_at_provider(user: User) -> bool:
    """Return whether this person confirms by signing in at the provider: they have no password."""
    if not settings.OIDC_ISSUER or user.has_usable_password():
        return False
    return provider_accounts_for(user).exists()
