"""Video clock: length and steadiness of the frame rate, from presentation times."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from statistics import mean, median

# A single time stamp this far ahead of the rest is damage unless another one follows it.
_LEAP_SECONDS = 60.0
_TIMES_TO_KEEP = 3000
# A rate is steady if at most one interval in twenty deviates by more than a fifth. Recorders with a
# variable rate are far outside; rounding to milliseconds and a lost frame now and then are inside.
_OFF_SHARE, _OFF_LIMIT = 0.2, 0.05
# A stated rate is believed if the measured one agrees this closely.
_AGREEMENT = 0.005


@dataclass(slots=True)
class PictureClock:
    """Collector of the presentation times of a video stream, in any order."""

    end: float = 0.0
    beyond: int = 0
    _times: list[float] = field(default_factory=list)
    _leapt: bool = False

    def add(self, time: float, duration: float, *, limit: float) -> None:
        """Add a packet; count it in `beyond` if it is past the limit (seconds)."""
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
        """Return the presentation time of the first picture in seconds."""
        return min(self._times, default=0.0)

    def steady_rate(self, stated: tuple[Fraction | None, ...]) -> float | None:
        """Return frames per second; None if the rate varies or there are too few frames."""
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
