"""Times of a recording, in words people read."""

from __future__ import annotations

from django.utils.translation import ngettext


def clock(seconds: float) -> str:
    """`75.4` -> `1:15`; an hour and more -> `1:02:03`."""
    whole = max(int(seconds), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def about(seconds: float) -> str:
    """A duration without false precision: about 40 seconds, about 3 minutes."""
    if seconds < 50:
        tens = max(int(round(seconds / 10) * 10), 10)
        return ngettext("about %(n)s second", "about %(n)s seconds", tens) % {"n": tens}
    minutes = max(round(seconds / 60), 1)
    return ngettext("about %(n)s minute", "about %(n)s minutes", minutes) % {"n": minutes}
