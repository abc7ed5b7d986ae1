"""Times of a recording as people read and write them: the only place that does either."""

from __future__ import annotations

import re

# Seven digits of seconds are four months: more is no time, and very many are no number.
_WRITTEN = re.compile(r"([0-9]{1,7}:){0,2}[0-9]{1,7}(\.[0-9]{0,9})?")
_A_HAIR = 1e-6
"""A sum of floats that should be a whole second may lie a hair under it."""


def clock(seconds: float) -> str:
    """`75.4` -> `1:15`; an hour and more -> `1:02:03`."""
    whole = max(int(seconds + _A_HAIR), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def seconds_of(text: str) -> float:
    """`1:15` -> 75.0; `75`, `75.5` and `1:02:03` are read too. Raises ValueError."""
    written = text.strip().replace(",", ".")
    if not _WRITTEN.fullmatch(written):
        raise ValueError(text)
    numbers = [float(part) for part in written.split(":")]
    if any(number >= 60 for number in numbers[1:]):
        raise ValueError(text)
    return sum(number * 60.0**place for place, number in enumerate(reversed(numbers)))
