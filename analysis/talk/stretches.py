"""Stretches of a talk between marks, excluded parts, music and applause."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.ports import Span
from analysis.talk import spans
from analysis.talk.silences import other_sounds
from analysis.talk.talk import Talk


def stretches(talk: Talk, marks: Iterable[Span]) -> tuple[Span, ...]:
    """Return the stretches between the marks, in time order."""
    cuts = sorted([*marks, *talk.options.left_out, *other_sounds(talk.speech, talk.sound)])
    return spans.without([talk.window], cuts)


def longest(found: Iterable[Span]) -> Span | None:
    """Return the longest stretch, the first of equals; None without any."""
    return max(found, key=lambda span: (span[1] - span[0], -span[0]), default=None)
