"""A small chart of one measure over takes: coordinates for an SVG, without styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coach.practice.change import Value

WIDTH, HEIGHT, EDGE = 320.0, 96.0, 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One take: its position and interval, in units of the view box."""

    x: float
    y: float
    top: float
    bottom: float
    is_last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """All takes in time order, and the height of the starting value."""

    dots: tuple[Dot, ...]
    began: float
    highest: float
    lowest: float
    """What the upper and the lower edge stand for, in the unit of the measure."""


def chart_of(values: Sequence[Value], began: Value) -> Chart:
    """Return the chart of at least two values."""
    lows = [each.value if each.low is None else each.low for each in values]
    highs = [each.value if each.high is None else each.high for each in values]
    lowest, highest = min(lows), max(highs)
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
        )
        for place, (each, low, high) in enumerate(zip(values, lows, highs, strict=True))
    )
    return Chart(dots=dots, began=height(began.value), highest=highest, lowest=lowest)
