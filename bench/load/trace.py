"""Traces of uploads: many short talks, a few of an hour, a rush before a deadline."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

SCALE = 20.0
"""Scale of lengths and times, so that two cores can play the trace in minutes. A stage's start-up
time is not scaled, so waits are too long rather than too short.
"""

WINDOW_MINUTES = 20.0
_MANY_AT_ONCE = 20
_FOR_AN_HOUR_SEEN = 0.4
"""Share below which the hour has sound only, since watching one takes too long."""

Group = Literal["short", "hour", "twenty"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTake:
    """Take in a trace. `at` and `seconds` are scaled."""

    number: int
    person: int
    group: Group
    at: float
    seconds: float
    has_picture: bool


def skewed(seed: int, *, share: float = 1.0) -> list[TraceTake]:
    """Return the trace; half the share has half as many people, and half of everything."""
    dice = random.Random(seed)  # noqa: S311 - the same every time is the point
    people = max(round(18 * share), 4)
    window = 60 * WINDOW_MINUTES * share
    takes: list[tuple[float, int, Group, float, bool]] = []
    for person in range(people):
        minutes = min(max(dice.lognormvariate(1.25, 0.45), 1.5), 9.0)
        is_late = dice.random() < 0.5
        at = dice.uniform(0.8, 1.0) if is_late else dice.uniform(0.0, 0.8)
        takes.append((at * window, person, "short", 60 * minutes, dice.random() < 0.75))
    # One with a picture and one with sound only, started before most others.
    takes += [(0.05 * window, people, "hour", 3600.0, True)] * (share >= _FOR_AN_HOUR_SEEN)
    takes += [(0.25 * window, people + 1, "hour", 3600.0, False)]
    many = round(_MANY_AT_ONCE * share)
    takes += [(0.1 * window, people + 2, "twenty", 180.0 + each, False) for each in range(many)]
    return [
        TraceTake(
            number=number,
            person=person,
            group=group,
            at=at / SCALE,
            seconds=seconds / SCALE,
            has_picture=has_picture,
        )
        for number, (at, person, group, seconds, has_picture) in enumerate(sorted(takes))
    ]


def one_by_one(count: int, *, first: int = 0, scale: float = 1.0) -> list[TraceTake]:
    """Return takes that are alone on the site: short and long, with and without a picture."""
    minutes = (3.0, 2.0, 1.5, 3.0, 5.0, 2.5, 1.0, 6.0, 10.0, 4.0)
    return [
        TraceTake(
            number=first + number,
            person=first + number,
            group="short",
            at=0.0,
            seconds=60 * minutes[number % len(minutes)] / scale,
            has_picture=number % 3 != 2,
        )
        for number in range(count)
    ]
