"""A small chart of one measure over takes: coordinates for an SVG, without styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from coach.lib.words.dates import written
from coach.practice.change import Value

WIDTH, HEIGHT, EDGE = 320.0, 96.0, 12.0
_MOST_DATES = 4
"""The most dates that fit side by side under the chart; of more takes, only the first and last date
are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One take: its position and interval, in units of the view box."""

    x: float
    y: float
    top: float
    bottom: float
    is_last: bool
    date: str = ""
    """The day of the take, where there is room for it."""
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalBand:
    """The values that reach a goal, from the threshold to the edge of the chart."""

    threshold: float
    side: Literal["at_most", "at_least"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The goal band in units of the view box."""

    top: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressChart:
    """All takes in time order, and the height of the starting value."""

    dots: tuple[Dot, ...]
    began: float
    highest: float
    lowest: float
    """Values at the upper and lower edge, in the unit of the measure."""
    band: Band | None = None


def chart_of(
    values: Sequence[Value],
    began: Value,
    *,
    times: Sequence[datetime] = (),
    goal: GoalBand | None = None,
) -> ProgressChart:
    """Return the chart of at least two values, with the days of their takes and the goal."""
    lows = [each.value if each.low is None else each.low for each in values]
    highs = [each.value if each.high is None else each.high for each in values]
    edges = [goal.threshold] if goal else []
    lowest, highest = min(*lows, *edges), max(*highs, *edges)
    room = (highest - lowest) or 1.0

    def height(value: float) -> float:
        return EDGE + (HEIGHT - 2 * EDGE) * (highest - value) / room

    step = (WIDTH - 2 * EDGE) / max(len(values) - 1, 1)
    dots = tuple(
        Dot(
            x=EDGE + step * place,
            y=height(each.value),
            top=height(high),
            bottom=height(low),
            is_last=place == len(values) - 1,
            date=_date(place, times),
            anchor="start" if place == 0 else "end" if place == len(values) - 1 else "middle",
        )
        for place, (each, low, high) in enumerate(zip(values, lows, highs, strict=True))
    )
    return ProgressChart(
        dots=dots,
        began=height(began.value),
        highest=highest,
        lowest=lowest,
        band=_band(goal, height(goal.threshold)) if goal else None,
    )


def _date(place: int, times: Sequence[datetime]) -> str:
    is_shown = len(times) <= _MOST_DATES or place in {0, len(times) - 1}
    return written(times[place], "j N") if times and is_shown else ""


def _band(goal: GoalBand, line: float) -> Band:
    if goal.side == "at_most":
        return Band(top=line, height=HEIGHT - line)
    return Band(top=0.0, height=line)
