"""Callbacks: words of the opening that return at the end and hardly occur in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from analysis.ports import Measured, Span
from analysis.results import Event, Word
from analysis.talk.languages import is_supported, plain
from analysis.talk.number_words import is_everyday, is_unit
from analysis.talk.phrases import are_believed
from analysis.talk.talk import Talk

ECHOES = "structure.echoes_of_the_opening"

_FIRST_SECONDS, _LAST_SECONDS = 30.0, 20.0
_LEAST_SECONDS = 60.0
_LEAST_LETTERS = 4
_MOST_BETWEEN = 1
"""Most occurrences between opening and end; a more frequent word is the subject of the talk (rule
of thumb).
"""
_LEAST_LETTERS_ALONE = 6
_LEAST_TOGETHER = 2
"""Conditions against chance: a single word must be rarer and longer, otherwise two words must share
a sentence (rules of thumb).
"""


class Callbacks:
    """Analyser of callbacks: the last 20 s repeat a distinctive word, or two content words, of the
    first 30 s.
    """

    name = "echoes"
    provides: tuple[str, ...] = (ECHOES,)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers", "first_voice", "last_voice")
            or talk.too_short(needed=_LEAST_SECONDS, what="return")
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        events = _events(talk)
        count = talk.of_text(
            len(events),
            "count",
            n=len(events),
        )
        return Measured(measurements={ECHOES: count}, events=events)


def _events(talk: Talk) -> tuple[Event, ...]:
    start, end = talk.window
    content = [word for word in talk.words if _is_content(word, talk)]
    opening = {plain(word.text) for word in content if word.end <= start + _FIRST_SECONDS}
    closing = [word for word in content if word.start >= end - _LAST_SECONDS]
    between = Counter(
        plain(word.text)
        for word in content
        if start + _FIRST_SECONDS < word.end and word.start < end - _LAST_SECONDS
    )
    back = [
        word
        for word in closing
        if plain(word.text) in opening and between[plain(word.text)] <= _MOST_BETWEEN
    ]
    return _first_of_each([word for word in back if _points_back(word, back, talk)])


def _points_back(word: Word, back: Sequence[Word], talk: Talk) -> bool:
    """Return whether the word is distinctive or shares its sentence with another repeated word."""
    text, data = plain(word.text), talk.language_data
    if len(text) >= _LEAST_LETTERS_ALONE and not is_everyday(text, data):
        return True
    return any(
        len({plain(each.text) for each in back if start <= each.start < end}) >= _LEAST_TOGETHER
        for start, end in _sentences(talk)
        if start <= word.start < end
    )


def _sentences(talk: Talk) -> Iterator[Span]:
    for first, last in talk.sentences:
        yield talk.words[first].start, talk.words[last - 1].end


def _is_content(word: Word, talk: Talk) -> bool:
    data = talk.language_data
    text = plain(word.text)
    return (
        is_supported(data.code)
        and len(text) >= _LEAST_LETTERS
        and text.isalpha()
        and text not in data.common_words
        and text not in data.clause_words
        and text not in data.number_words
        and not is_unit(text, data)
        and not any(text in phrase for phrase in data.habit_phrases)
        and are_believed([word])
    )


def _first_of_each(words: Sequence[Word]) -> tuple[Event, ...]:
    seen: dict[str, Event] = {}
    for word in words:
        text = plain(word.text)
        event = Event(kind="echo", start=word.start, end=word.end, label=text)
        seen.setdefault(text, event)
    return tuple(seen.values())
