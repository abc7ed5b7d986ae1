"""Template tags for the ways to an account, and the trial, that this site offers."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def access_ways() -> frozenset[str]:
    """Return the ways besides an invitation that a visitor can take alone; usually empty."""
    return frozenset(settings.ACCESS) & {"request", "domain"}


@register.simple_tag
def has_trial() -> bool:
    """Return whether visitors may try the site without an account."""
    return "trial" in settings.ACCESS
