"""A change of a measure in words that claim no more than is known."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.feedback.pages.measures import number_words
from coach.lib.words.measure_words import unit_words
from coach.lib.words.numbers import MINUS, decimal
from coach.practice.change import Change, Verdict


def change_words(change: Change, unit: str) -> tuple[str, str]:
    """Return what can be said about a change, and its basis."""
    if change.verdict is Verdict.NO_ERROR_KNOWN:
        return _("We cannot tell whether this changed."), _(
            "We do not know how exact this measure is for so little speech."
        )
    low, high = change.low or 0.0, change.high or 0.0
    if unit == "share":
        low, high = max(low, -1.0), min(high, 1.0)
    held = _("The change is between %(low)s and %(high)s%(unit)s (in 95 of 100 cases).") % {
        "low": signed(low, unit),
        "high": signed(high, unit),
        "unit": _suffix(unit, max(abs(low), abs(high))),
    }
    if change.verdict is Verdict.CANNOT_TELL:
        return _("We cannot tell whether this changed."), held + " " + _(
            "This range includes no change at all: the difference could be measurement error."
        )
    lead = {
        Verdict.MORE: _("It went up by more than the measurement error."),
        Verdict.LESS: _("It went down by more than the measurement error."),
    }[change.verdict]
    return lead, held


def signed(value: float, unit: str) -> str:
    """Return a difference with its sign; shares in percentage points."""
    if unit == "share":
        return decimal(value * 100, 0, signed=True)
    text = number_words(abs(value), unit)
    if not text.strip("0.,"):
        return number_words(0.0, unit)
    return f"{'+' if value > 0 else MINUS}{text}"


def _suffix(unit: str, number: float) -> str:
    if unit == "share":
        return " " + _("percentage points")
    return "" if unit in {"ratio", "count"} else f" {unit_words(unit, number)}"
