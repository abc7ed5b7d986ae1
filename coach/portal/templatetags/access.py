"""Template tags for the ways to an account, and the trial, that this site offers."""

from __future__ import annotations

from allauth.socialaccount.models import SocialAccount
from django import template
from django.conf import settings
from django.db.models import QuerySet
from django.template import Context

from coach.accounts.oidc.selectors import provider_accounts_for
from coach.accounts.second_factor.required import needs_second_factor
from coach.lti.keys import is_on
from coach.lti.models import PlatformAccount
from coach.lti.selectors import platform_accounts_for
from coach.webhooks.keys import is_on as signs_webhooks

register = template.Library()


@register.simple_tag
def access_ways() -> frozenset[str]:
    """Return the ways besides an invitation that a visitor can take alone; usually empty."""
    return frozenset(settings.ACCESS) & {"request", "domain"}


@register.simple_tag(takes_context=True)
def second_factor_is_required(context: Context) -> bool:
    """Return whether the site requires a second factor of the person."""
    return needs_second_factor(context["user"])


@register.simple_tag
def institution() -> str:
    """Return the name of the provider at which people can sign in, or an empty string."""
    return settings.OIDC_NAME if settings.OIDC_ISSUER else ""


@register.simple_tag(takes_context=True)
def institution_account(context: Context) -> SocialAccount | None:
    """Return the person's account at that provider, or None."""
    return provider_accounts_for(context["user"]).first()


@register.simple_tag
def has_emergency_access() -> bool:
    """Return whether administrators may open a recording in an emergency."""
    return settings.EMERGENCY_ACCESS


@register.simple_tag
def has_api() -> bool:
    """Return whether programs can use this site with access tokens."""
    return settings.API


@register.simple_tag
def has_webhooks() -> bool:
    """Return whether administrators may set webhooks."""
    return signs_webhooks()


@register.simple_tag
def has_platforms() -> bool:
    """Return whether people may come from learning platforms."""
    return is_on()


@register.simple_tag(takes_context=True)
def platform_accounts(context: Context) -> QuerySet[PlatformAccount]:
    """Return the person's accounts at learning platforms."""
    return platform_accounts_for(context["user"])


@register.simple_tag
def has_trial() -> bool:
    """Return whether visitors may try the site without an account."""
    return "trial" in settings.ACCESS
