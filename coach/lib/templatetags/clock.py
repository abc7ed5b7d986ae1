"""Tick marks of a time axis."""

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
    """A tick mark: its position in percent, its label and the alignment of that."""

    left: float
    label: str
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The tick marks of a whole recording, and the step sizes for zooming in."""

    marks: tuple[Tick, ...]
    steps: str


@register.simple_tag
def ticks(seconds: float) -> Axis:
    """Return the axis of a recording of this length: its start, round times and its end."""
    step = next((each for each in STEPS if seconds / each <= MOST_TICKS), STEPS[-1])
    inner = range(step, max(int(seconds - _TOO_NEAR * step) + 1, step), step)
    marks = (
        Tick(left=0, label=clock(0), anchor="start"),
        *(Tick(left=100 * each / seconds, label=clock(each)) for each in inner),
        Tick(left=100, label=clock(seconds), anchor="end"),
    )
    return Axis(marks=marks, steps=" ".join(map(str, STEPS)))
