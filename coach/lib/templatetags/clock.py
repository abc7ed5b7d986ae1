"""`{{ seconds|clock }}` in templates."""

from __future__ import annotations

from django import template

from coach.lib.clock import clock as _clock

register = template.Library()


@register.filter
def clock(seconds: float) -> str:
    """Seconds as m:ss."""
    return _clock(seconds)
