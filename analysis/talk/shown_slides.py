"""Slides shown during a talk: their showings, and their words that were said as written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from analysis.ports import SlideChange
from analysis.results import Word

PASSED_OVER_SECONDS = 2.0
"""A slide that was shown for less was passed over (rule of thumb)."""
READ_WORDS = 5
"""Fewest words in a row that count as read aloud: shorter runs are names and terms (rule of thumb).
"""
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One stretch of time in which a slide was shown."""

    slide: int
    start: float
    end: float

    @property
    def seconds(self) -> float:
        """Return its length."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRun:
    """Words in a row that stand on a slide; `first` is the place of the first one on it."""

    first: int
    words: tuple[Word, ...]


def slide_tokens(text: str) -> list[str]:
    """Return the words of a slide as they are compared with spoken ones."""
    return [token.replace("’", "'") for token in _TOKEN.findall(text.lower())]


def tidy_changes(
    changes: Sequence[SlideChange], *, slides: int, duration: float
) -> list[SlideChange]:
    """Return changes in order, within the talk and the deck, each to another slide."""
    tidy: list[SlideChange] = []
    for change in sorted(changes, key=lambda each: each.seconds):
        inside = 0 <= change.slide < slides and 0 <= change.seconds < duration
        if inside and (not tidy or tidy[-1].slide != change.slide):
            tidy.append(change)
    return tidy


def showings(changes: Sequence[SlideChange], duration: float) -> list[Showing]:
    """Return when each slide was shown; the last one until the end."""
    ends = [change.seconds for change in changes[1:]] + [duration]
    return [
        Showing(slide=change.slide, start=change.seconds, end=max(end, change.seconds))
        for change, end in zip(changes, ends, strict=True)
    ]


def words_between(words: Sequence[Word], start: float, end: float) -> list[Word]:
    """Return the words that begin in a stretch of time."""
    return [word for word in words if start <= word.start < end]


def read_runs(text: str, words: Sequence[Word]) -> list[ReadRun]:
    """Return the runs of five words or more that were said as the slide has them."""
    spoken = [word for word in words if slide_tokens(word.text)]
    heard = [slide_tokens(word.text)[0] for word in spoken]
    matcher = SequenceMatcher(None, slide_tokens(text), heard, autojunk=False)
    return [
        ReadRun(first=block.a, words=tuple(spoken[block.b : block.b + block.size]))
        for block in matcher.get_matching_blocks()
        if block.size >= READ_WORDS
    ]
