"""Template filters for numbers: `{{ value

decimal:2 }}`.
"""

from __future__ import annotations

from django import template

from coach.lib.words.numbers import decimal as _decimal
from coach.lib.words.numbers import percent as _percent

register = template.Library()

_MOST_PLACES = 2


@register.filter
def decimal(value: float | None, places: int = 1) -> str:
    """Return a number in the reader's format; empty for None."""
    return "" if value is None else _decimal(float(value), places)


@register.filter
def percent(share: float | None) -> str:
    """Return a share of 1 as per cent; 0% and 100% only if exact, and empty for None."""
    if share is None:
        return ""
    value, places = float(share), 0
    while 0 < value < 1 and places < _MOST_PLACES and round(value * 100, places) in {0, 100}:
        places += 1
    return _percent(value, places)
