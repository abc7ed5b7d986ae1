"""File sizes as words, on pages and in scripts alike, in steps of 1024."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from coach.lib.words.numbers import decimal

_KILO, _MEGA, _GIGA = 2**10, 2**20, 2**30


def size_units() -> dict[str, str]:
    """Return the units with a placeholder for the number, by their name in `words.js`."""
    return {"kilo": _("{n} kB"), "mega": _("{n} MB"), "giga": _("{n} GB")}


def size_words(count: int) -> str:
    """Return a size, such as 168 kB, 16.0 MB or 6.0 GB, with a no-break space, as
    `words.js` does.
    """
    units = size_units()
    if count < _MEGA:
        said = units["kilo"].format(n=math.ceil(count / _KILO))
    elif count < _GIGA:
        said = units["mega"].format(n=decimal(count / _MEGA))
    else:
        said = units["giga"].format(n=decimal(count / _GIGA))
    return said.replace(" ", "\u00a0")
