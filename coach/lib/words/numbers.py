"""Numbers in the reader's format, 2.5 or −2,5; not for files that programs read."""

from __future__ import annotations

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _

MINUS = "\u2212"
"""A hyphen for a minus is hardly seen, and lines are broken at it."""


def decimal(value: float, places: int = 1, *, signed: bool = False) -> str:
    """Return a rounded number with the reader's decimal mark; zero has no sign."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return typeset(text if float(text) else text.lstrip("+-"))


def typeset(number: str) -> str:
    """Return a number from a program with a typographic minus sign and the reader's decimal
    mark.
    """
    return number.replace("-", MINUS).replace(".", str(get_format("DECIMAL_SEPARATOR")))


def grouped(value: int) -> str:
    """Return a count with the reader's thousands separator: 5,000 or 5 000."""
    return str(number_format(value, use_l10n=True, force_grouping=True))


def percent(share: float, places: int = 0) -> str:
    """Return a share of 1 as per cent, with the space that the language needs."""
    return _("%(number)s%%") % {"number": decimal(share * 100, places)}
