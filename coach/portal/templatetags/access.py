"""Template tag for the ways to an account that this site offers."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def access_ways() -> frozenset[str]:
    """Return the ways besides an invitation that a visitor can take alone; usually empty."""
    return frozenset(settings.ACCESS) - {"invitation"}
