"""The version of Rostrum in templates."""

from __future__ import annotations

from django import template

from analysis import __version__

register = template.Library()


@register.simple_tag
def rostrum_version() -> str:
    """Return the version that this site runs."""
    return __version__
