"""Works out from presentation times how long a picture lasts and whether its rate is steady."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from statistics import mean, median

# A lone time stamp this far ahead of the rest is damage until another one follows it there.
_LEAP_SECONDS = 60.0
_TIMES_TO_KEEP = 3000
# A rate is steady when at most one interval in twenty is off by more than a fifth: recorders that
# vary their rate lie far outside, rounding to milliseconds and a lost frame now and then inside.
_OFF_SHARE, _OFF_LIMIT = 0.2, 0.05
# A stated rate is believed when the measured one agrees this closely.
_AGREEMENT = 0.005


@dataclass(slots=True)
class PictureClock:
    """Collects the presentation times of a picture stream, in any order."""

    end: float = 0.0
    beyond: int = 0
    _times: list[float] = field(default_factory=list)
    _leapt: bool = False

    def add(self, time: float, duration: float, *, limit: float) -> None:
        """Take in one packet; count it in `beyond` when it lies past the limit."""
        if time < 0:
            return
        if time > limit:
            self.beyond += 1
        if time - self.end > _LEAP_SECONDS and not self._leapt:
            self._leapt = True
            return
        self._leapt = False
        self.end = max(self.end, time + duration)
        if len(self._times) < _TIMES_TO_KEEP:
            self._times.append(time)

    @property
    def start(self) -> float:
        """When the first picture is shown."""
        return min(self._times, default=0.0)

    def steady_rate(self, stated: tuple[Fraction | None, ...]) -> float | None:
        """Frames per second, or None where the rate varies or there are too few frames to tell."""
        times = sorted(set(self._times))
        intervals = [later - earlier for earlier, later in pairwise(times)]
        if not intervals:
            return next((float(rate) for rate in stated if rate), None)
        usual = median(intervals)
        off = sum(abs(interval - usual) > _OFF_SHARE * usual for interval in intervals)
        if off > _OFF_LIMIT * len(intervals):
            return None
        measured = 1 / mean(interval for interval in intervals if interval < 1.5 * usual)
        for rate in stated:
            if rate and abs(float(rate) - measured) <= _AGREEMENT * measured:
                return round(float(rate), 3)
        return round(measured, 3)
