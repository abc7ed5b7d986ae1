"""Change of one measure between two recordings, and whether it exceeds the measurement error.

Both values carry a central 80% interval. The interval of their difference is built from the two by
MOVER (Zou & Donner 2008, Statistics in Medicine 27:1693-1702), which needs only those, and is
widened to 95% as a normal error would be: at 80%, one reported change in five would be none. It
covers the uncertainty of counting and detecting, not the natural variation between two talks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import hypot

_WIDEN = 1.96 / 1.2816
"""From the central 80% of a normal distribution to 95%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A measured value with its central 80% interval, if there is one."""

    value: float
    low: float | None = None
    high: float | None = None


class Verdict(Enum):
    """Conclusion about a change."""

    LESS = "less"
    MORE = "more"
    CANNOT_TELL = "cannot_tell"
    """It may be measuring error alone."""
    NO_ERROR_KNOWN = "no_error_known"
    """How large the error is is not known for one of the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Later value minus earlier value, in the unit of the measure, with its 95% interval if
    there is one.
    """

    difference: float
    verdict: Verdict
    low: float | None = None
    high: float | None = None

    @property
    def is_clear(self) -> bool:
        """Return whether the change exceeds the measurement error."""
        return self.verdict in {Verdict.LESS, Verdict.MORE}


def change_between(before: Value, after: Value) -> Change:
    """Return the change between two values."""
    difference = after.value - before.value
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return Change(difference=difference, verdict=Verdict.NO_ERROR_KNOWN)
    down = hypot(after.value - after.low, before.high - before.value)
    up = hypot(after.high - after.value, before.value - before.low)
    low, high = difference - _WIDEN * down, difference + _WIDEN * up
    return Change(difference=difference, low=low, high=high, verdict=_verdict(low, high))


def _verdict(low: float, high: float) -> Verdict:
    if low > 0:
        return Verdict.MORE
    return Verdict.LESS if high < 0 else Verdict.CANNOT_TELL
