"""Times of a recording, in words people read."""

from __future__ import annotations

import re

from django.utils.translation import ngettext


def clock(seconds: float) -> str:
    """`75.4` -> `1:15`; an hour and more -> `1:02:03`."""
    whole = max(int(seconds), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def seconds_of(text: str) -> float:
    """`1:15` -> 75.0; `75`, `75.5` and `1:02:03` are read too. Raises ValueError."""
    parts = text.strip().replace(",", ".").split(":")
    if len(parts) > 3 or not all(re.fullmatch(r"\d+", part) for part in parts[:-1]):
        raise ValueError(text)
    if not re.fullmatch(r"\d+(\.\d*)?", parts[-1]):
        raise ValueError(text)
    numbers = [float(part) for part in parts]
    if len(parts) > 1 and any(number >= 60 for number in numbers[1:]):
        raise ValueError(text)
    return sum(number * 60.0**place for place, number in enumerate(reversed(numbers)))


def about(seconds: float) -> str:
    """A duration without false precision: about 40 seconds, about 3 minutes."""
    if seconds < 50:
        tens = max(int(round(seconds / 10) * 10), 10)
        return ngettext("about %(n)s second", "about %(n)s seconds", tens) % {"n": tens}
    minutes = max(round(seconds / 60), 1)
    return ngettext("about %(n)s minute", "about %(n)s minutes", minutes) % {"n": minutes}
