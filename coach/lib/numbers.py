"""Numbers as the reader writes them: 2.5 or 2,5."""

from __future__ import annotations

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _


def decimal(value: float, places: int = 1, *, signed: bool = False) -> str:
    """Rounded to so many places, with the reader's decimal mark."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return text.replace(".", str(get_format("DECIMAL_SEPARATOR")))


def grouped(value: int) -> str:
    """A count with its thousands set apart as the reader's language does: 5,000 or 5 000."""
    return str(number_format(value, use_l10n=True, force_grouping=True))


def percent(share: float, places: int = 0) -> str:
    """A share of one in per cent, with the space that the reader's language asks for."""
    return _("%(number)s%%") % {"number": decimal(share * 100, places)}
