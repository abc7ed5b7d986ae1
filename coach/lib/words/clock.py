"""Times and durations of a recording as words."""

from __future__ import annotations

from django.utils.translation import ngettext

from analysis.clock import clock, seconds_of

__all__ = ["about", "clock", "seconds_of"]


def about(seconds: float) -> str:
    """Return a rounded duration: about 40 seconds, about 3 minutes."""
    if seconds < 50:
        tens = max(int(round(seconds / 10) * 10), 10)
        return ngettext("about %(n)s second", "about %(n)s seconds", tens) % {"n": tens}
    minutes = max(round(seconds / 60), 1)
    return ngettext("about %(n)s minute", "about %(n)s minutes", minutes) % {"n": minutes}
