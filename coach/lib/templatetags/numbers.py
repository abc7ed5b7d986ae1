"""`{{ value|decimal:2 }}` in templates."""

from __future__ import annotations

from django import template

from coach.lib.numbers import decimal as _decimal
from coach.lib.numbers import percent as _percent

register = template.Library()


@register.filter
def decimal(value: float | None, places: int = 1) -> str:
    """A number as the reader writes it; nothing where there is none."""
    return "" if value is None else _decimal(float(value), places)


@register.filter
def percent(share: float | None) -> str:
    """A share of one in per cent; nothing where there is none."""
    return "" if share is None else _percent(float(share))
