"""The ticks of an axis of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django import template

from coach.lib.words.clock import clock

register = template.Library()

STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)
"""Seconds between two ticks; the browser takes them from here where it shows less at a time."""
MOST_TICKS = 6
_TOO_NEAR = 0.95
"""A tick nearer to the end than this share of a step gives way to the end's own: on a phone a step
is hardly wider than its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A time on the axis: its place in percent, and on which side of it its words stand."""

    left: float
    label: str
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The ticks of a whole recording, and the steps for a closer look."""

    marks: tuple[Tick, ...]
    steps: str


@register.simple_tag
def ticks(seconds: float) -> Axis:
    """The axis of a recording of so many seconds: its beginning, round times, its end."""
    step = next((each for each in STEPS if seconds / each <= MOST_TICKS), STEPS[-1])
    inner = range(step, max(int(seconds - _TOO_NEAR * step) + 1, step), step)
    marks = (
        Tick(left=0, label=clock(0), anchor="start"),
        *(Tick(left=100 * each / seconds, label=clock(each)) for each in inner),
        Tick(left=100, label=clock(seconds), anchor="end"),
    )
    return Axis(marks=marks, steps=" ".join(map(str, STEPS)))
