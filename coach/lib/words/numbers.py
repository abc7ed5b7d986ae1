"""Numbers as the reader writes them, 2.5 or −2,5; what programs read is not made here."""

from __future__ import annotations

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _

MINUS = "\u2212"
"""A hyphen for a minus is hardly seen, and lines are broken at it."""


def decimal(value: float, places: int = 1, *, signed: bool = False) -> str:
    """Rounded to so many places, with the reader's decimal mark; a nought has no sign."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return typeset(text if float(text) else text.lstrip("+-"))


def typeset(number: str) -> str:
    """A number as programs write it, with the minus sign and decimal mark that people read."""
    return number.replace("-", MINUS).replace(".", str(get_format("DECIMAL_SEPARATOR")))


def grouped(value: int) -> str:
    """A count with its thousands set apart as the reader's language does: 5,000 or 5 000."""
    return str(number_format(value, use_l10n=True, force_grouping=True))


def percent(share: float, places: int = 0) -> str:
    """A share of one in per cent, with the space that the reader's language asks for."""
    return _("%(number)s%%") % {"number": decimal(share * 100, places)}
