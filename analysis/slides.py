"""Slides beside a talk: when each was shown, what was read aloud, and which one the speech fits.

All of it is counted or ranked. Where the changes were not recorded, they are estimated from what is
said (`align`), and everything that depends on them says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from pydantic import BaseModel, ConfigDict

from analysis.results import Word
from analysis.similarity import shared_words, similarities
from analysis.talk.languages import language_data
from analysis.talk.sentences import sentence_ranges

PASSED_OVER_SECONDS = 2.0
"""A slide that was shown for less was passed over (rule of thumb)."""
READ_WORDS = 5
"""Fewest words in a row that count as read aloud: shorter runs are names and terms (rule of thumb).
"""
_LEAST_WORDS_TO_FIT = 12
"""Fewest words with a slide that are compared with the others (rule of thumb)."""
_NEAR_SECONDS = 1.0
"""A silence this near a change belongs to it: a hand needs a moment (rule of thumb)."""
_LEAST_SILENCE = 0.3
"""Shorter gaps between words are no silence (rule of thumb)."""
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class _Values(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SlideQuote(_Values):
    """Words of a slide that were said as written, with their time."""

    text: str
    start: float
    end: float


class SlideVisit(_Values):
    """One showing of a slide: `slide` counts from 0; `silence` is the pause at its beginning."""

    slide: int
    start: float
    end: float
    silence: float | None = None
    fits_better: int | None = None
    """Slide that the words said here fit better, if meaning and shared words agree on it."""


class SlideTimes(_Values):
    """All showings of one slide together."""

    slide: int
    seconds: float
    passed_over: bool
    words: int
    """Words on the slide."""
    read: int
    """Of them, words said as written, in runs of five or more."""
    quotes: tuple[SlideQuote, ...]


class SlidesBesideTalk(_Values):
    """What was found about the slides of one take."""

    is_estimated: bool
    """Whether the changes were estimated from the words instead of recorded."""
    has_text: bool
    """Whether any slide has text; scanned slides have none, and are not compared."""
    visits: tuple[SlideVisit, ...]
    slides: tuple[SlideTimes, ...]


@dataclass(frozen=True, slots=True)
class SlideChange:
    """The moment from which a slide was shown."""

    seconds: float
    slide: int


def compare(
    words: Sequence[Word],
    texts: Sequence[str],
    *,
    language: str,
    duration: float,
    changes: Sequence[SlideChange] | None,
) -> SlidesBesideTalk | None:
    """Return what was found about these slides, or None if no change is known or estimable.

    `texts` has the text of each slide, `changes` is None if they were not recorded.
    """
    known = _tidy(changes, len(texts), duration) if changes is not None else None
    shown = known if known is not None else align(words, texts, language=language)
    if not shown:
        return None
    estimated = known is None
    visits = _visits(shown, duration)
    return SlidesBesideTalk(
        is_estimated=estimated,
        has_text=any(_tokens(text) for text in texts),
        visits=_with_fit(
            [each if estimated else _with_silence(each, words) for each in visits],
            *(words, texts, language),
        ),
        slides=tuple(
            _times(slide, text, visits, words, estimated) for slide, text in enumerate(texts)
        ),
    )


def align(
    words: Sequence[Word], texts: Sequence[str], *, language: str
) -> list[SlideChange] | None:
    """Return estimated changes, forward only; None without text on slides or in the talk.

    Each sentence gets a slide so that the sum of similarities is largest and no slide comes before
    an earlier one (monotone dynamic programming).
    """
    with_text = [slide for slide, text in enumerate(texts) if _tokens(text)]
    ranges = sentence_ranges(words, language_data(language)) if words else ()
    if len(with_text) < 2 or not ranges:
        return None
    said = [" ".join(word.text for word in words[first:last]) for first, last in ranges]
    rows = similarities(said, [texts[slide] for slide in with_text], language)
    path = _best_path([_centred(row) for row in rows])
    changes: list[SlideChange] = []
    for (first, _last), column in zip(ranges, path, strict=True):
        slide = with_text[column]
        if not changes or changes[-1].slide != slide:
            changes.append(SlideChange(words[first].start if changes else 0.0, slide))
    return changes


def _best_path(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return a column for each row, never falling, with the largest sum."""
    best = list(rows[0])
    origins: list[list[int]] = []
    for row in rows[1:]:
        origin: list[int] = []
        top = 0
        for column, value in enumerate(best):
            top = column if value > best[top] else top
            origin.append(top)
        origins.append(origin)
        best = [best[origin[column]] + value for column, value in enumerate(row)]
    path = [max(range(len(best)), key=best.__getitem__)]
    for origin in reversed(origins):
        path.append(origin[path[-1]])
    return path[::-1]


def _centred(row: Sequence[float]) -> list[float]:
    mean = sum(row) / len(row)
    return [value - mean for value in row]


def _tidy(changes: Sequence[SlideChange], slides: int, duration: float) -> list[SlideChange]:
    """Return changes in order, within the talk and the deck, each to another slide."""
    tidy: list[SlideChange] = []
    for change in sorted(changes, key=lambda each: each.seconds):
        inside = 0 <= change.slide < slides and 0 <= change.seconds < duration
        if inside and (not tidy or tidy[-1].slide != change.slide):
            tidy.append(change)
    return tidy


def _visits(changes: Sequence[SlideChange], duration: float) -> list[SlideVisit]:
    ends = [change.seconds for change in changes[1:]] + [duration]
    return [
        SlideVisit(slide=change.slide, start=change.seconds, end=max(end, change.seconds))
        for change, end in zip(changes, ends, strict=True)
    ]


def _with_silence(visit: SlideVisit, words: Sequence[Word]) -> SlideVisit:
    """Return the visit with the silence at its beginning; 0 if somebody speaks through it."""
    before = max((word.end for word in words if word.start < visit.start), default=None)
    after = min((word.start for word in words if word.start >= visit.start), default=None)
    if before is None or after is None:
        return visit
    gaps = [
        later.start - earlier.end
        for earlier, later in pairwise(words)
        if earlier.end - _NEAR_SECONDS <= visit.start <= later.start + _NEAR_SECONDS
    ]
    longest = max(gaps, default=0.0)
    return visit.model_copy(update={"silence": longest if longest >= _LEAST_SILENCE else 0.0})


def _with_fit(
    visits: Sequence[SlideVisit], words: Sequence[Word], texts: Sequence[str], language: str
) -> tuple[SlideVisit, ...]:
    """Return the visits with the slide that their words fit better, if two measures agree."""
    said = [" ".join(word.text for word in _within(words, visit)) for visit in visits]
    long = [at for at, text in enumerate(said) if len(text.split()) >= _LEAST_WORDS_TO_FIT]
    if not long or sum(bool(_tokens(text)) for text in texts) < 2:
        return tuple(visits)
    asked = [said[at] for at in long]
    by_all = similarities(asked, texts, language)
    by_words = shared_words(asked, texts, language)
    found = list(visits)
    for at, all_of_it, in_words in zip(long, by_all, by_words, strict=True):
        own, best = found[at].slide, _top(all_of_it)
        agrees = best == _top(in_words) and in_words[best] > 0
        if agrees and best != own and _tokens(texts[own]):
            found[at] = found[at].model_copy(update={"fits_better": best})
    return tuple(found)


def _top(row: Sequence[float]) -> int:
    return max(range(len(row)), key=row.__getitem__)


def _times(
    slide: int,
    text: str,
    visits: Sequence[SlideVisit],
    words: Sequence[Word],
    estimated: bool,  # noqa: FBT001
) -> SlideTimes:
    own = [visit for visit in visits if visit.slide == slide]
    seconds = sum(visit.end - visit.start for visit in own)
    written = _tokens(text)
    read: set[int] = set()
    quotes: list[SlideQuote] = []
    for visit in own:
        spoken = [word for word in _within(words, visit) if _tokens(word.text)]
        heard = [_tokens(word.text)[0] for word in spoken]
        matcher = SequenceMatcher(None, written, heard, autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size >= READ_WORDS:
                read.update(range(block.a, block.a + block.size))
                quotes.append(_quote(spoken[block.b : block.b + block.size]))
    return SlideTimes(
        slide=slide,
        seconds=round(seconds, 2),
        passed_over=bool(own) and not estimated and seconds < PASSED_OVER_SECONDS,
        words=len(written),
        read=len(read),
        quotes=tuple(quotes),
    )


def _quote(words: Sequence[Word]) -> SlideQuote:
    text = " ".join(word.text for word in words)
    return SlideQuote(text=text, start=words[0].start, end=words[-1].end)


def _within(words: Sequence[Word], visit: SlideVisit) -> list[Word]:
    return [word for word in words if visit.start <= word.start < visit.end]


def _tokens(text: str) -> list[str]:
    return [token.replace("’", "'") for token in _TOKEN.findall(text.lower())]
