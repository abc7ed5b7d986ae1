"""Clock times of a recording: the only place that formats or parses them."""

from __future__ import annotations

import re

# Seven digits of seconds are four months; longer input is not a time.
_WRITTEN = re.compile(r"([0-9]{1,7}:){0,2}[0-9]{1,7}(\.[0-9]{0,9})?")
_A_HAIR = 1e-6
"""Tolerance: a sum of floats that should be a whole second may be slightly less."""


def clock(seconds: float) -> str:
    """Format seconds: `75.4` as `1:15`; from an hour on as `1:02:03`."""
    whole = max(int(seconds + _A_HAIR), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def seconds_of(text: str) -> float:
    """Parse `1:15` to 75.0; also `75`, `75.5` and `1:02:03`. Raises ValueError."""
    written = text.strip().replace(",", ".")
    if not _WRITTEN.fullmatch(written):
        raise ValueError(text)
    numbers = [float(part) for part in written.split(":")]
    if any(number >= 60 for number in numbers[1:]):
        raise ValueError(text)
    return sum(number * 60.0**place for place, number in enumerate(reversed(numbers)))
