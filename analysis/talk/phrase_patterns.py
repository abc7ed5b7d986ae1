"""Phrase patterns that begin a clause: `the|my <ordinal> ?main <noun>`, `first ,`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, language_data, plain
from analysis.talk.phrases import are_believed
from analysis.talk.sentences import CLAUSE_END, ends_sentence

_SET_OFF_SECONDS = 0.25
_CLOSING = "\"'”’»)]"
_MOST_OPENERS = 3
_INVERSION = re.compile(r"\w+-(?:t-)?(?:vous|nous|il|elle|on|ils|elles|tu|je)$")
"""Inverted verb and pronoun (avez-vous, peut-on, a-t-il): a form, not a list."""
_ANY = re.compile(r"[^\W\d]")
_SHAPES = {"<inversion>": _INVERSION, "*": _ANY}


@dataclass(frozen=True, slots=True)
class _Slot:
    words: frozenset[str]
    may_be_missing: bool
    shape: re.Pattern[str] | None = None

    def takes(self, text: str) -> bool:
        return text in self.words or (self.shape is not None and bool(self.shape.match(text)))


@dataclass(frozen=True, slots=True)
class _Pattern:
    slots: tuple[_Slot, ...]
    end: str
    """Required ending: `,` a comma or a pause; `.` the end of a sentence; empty for none."""


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """Matched pattern: half-open range of word indices, and the list it belongs to."""

    first: int
    last: int
    kind: str


def find_patterns(
    words: Sequence[Word], lists: Mapping[str, tuple[str, ...]], data: LanguageData
) -> tuple[PatternMatch, ...]:
    """Return all patterns that begin a clause, the longest if several begin at one word.

    Words that the recogniser doubts are not matched.
    """
    spoken = [at for at, word in enumerate(words) if not is_filled_pause(word, data)]
    texts = [plain(words[at].text) for at in spoken]
    found: list[PatternMatch] = []
    for place in starts_of_clauses(words, spoken, data):
        if found and spoken[place] < found[-1].last:
            continue
        is_aside = _is_after_comma(words, spoken, place)
        ends = [
            (end, kind)
            for kind, patterns in lists.items()
            for pattern in _compiled(patterns, data.code)
            if not (is_aside and pattern.end == ",")
            and (end := _match(pattern, words, spoken, texts, place, data)) is not None
        ]
        if ends:
            end, kind = max(ends, key=lambda one: one[0])
            cue = PatternMatch(spoken[place], spoken[end - 1] + 1, kind)
            if are_believed(words[cue.first : cue.last]):
                found.append(cue)
    return tuple(found)


def starts_of_clauses(
    words: Sequence[Word], spoken: Sequence[int], data: LanguageData
) -> tuple[int, ...]:
    """Return indices into `spoken` at which a clause begins, also after "and", "so", "donc"."""
    found: list[int] = []
    for place in range(len(spoken)):
        begins = place == 0 or _is_set_off(words, spoken[place - 1], spoken[place])
        openers = 0
        while not begins and openers < _MOST_OPENERS and place - openers > 0:
            before = place - openers - 1
            if plain(words[spoken[before]].text) not in data.cue_openers:
                break
            openers += 1
            begins = before == 0 or _is_set_off(words, spoken[before - 1], spoken[before])
        if begins:
            found.append(place)
    return tuple(found)


def _is_after_comma(words: Sequence[Word], spoken: Sequence[int], place: int) -> bool:
    """Return whether a single word here would be an aside in its clause: "our allies, finally,
    pay".
    """
    return place > 0 and words[spoken[place - 1]].text.rstrip(_CLOSING).endswith(",")


def _is_set_off(words: Sequence[Word], here: int, following: int) -> bool:
    """Return whether punctuation, a pause or a filled pause separates two spoken words."""
    bare = words[here].text.rstrip(_CLOSING)
    if bare[-1:] and bare[-1] in CLAUSE_END:
        return True
    return following > here + 1 or words[following].start - words[here].end >= _SET_OFF_SECONDS


def _match(
    pattern: _Pattern,
    words: Sequence[Word],
    spoken: Sequence[int],
    texts: Sequence[str],
    place: int,
    data: LanguageData,
) -> int | None:
    """Return the end of the longest match as an index into `spoken`, within one sentence; None
    without a match.
    """
    ends = {place}
    for slot in pattern.slots:
        after = {end + 1 for end in ends if end < len(texts) and slot.takes(texts[end])}
        after = {end for end in after if not _crosses(words, spoken, end - 1, place, data)}
        ends = (ends | after) if slot.may_be_missing else after
    fitting = [end for end in ends if end > place and _ends_well(pattern, words, spoken, end, data)]
    return max(fitting, default=None)


def _crosses(
    words: Sequence[Word], spoken: Sequence[int], at: int, first: int, data: LanguageData
) -> bool:
    """Return whether a sentence ended between the first word of a match and this one."""
    return at > first and ends_sentence(words[spoken[at - 1]], data)


def _ends_well(
    pattern: _Pattern, words: Sequence[Word], spoken: Sequence[int], end: int, data: LanguageData
) -> bool:
    if not pattern.end or end == len(spoken):
        return True
    last, following = spoken[end - 1], spoken[end]
    if pattern.end == ",":
        return _is_set_off(words, last, following)
    return ends_sentence(words[last], data)


def _compiled(patterns: Iterable[str], code: str) -> tuple[_Pattern, ...]:
    return tuple(_pattern(text, code) for text in patterns)


@lru_cache(maxsize=2000)
def _pattern(text: str, code: str) -> _Pattern:
    parts = text.split()
    end = parts.pop() if parts[-1] in {",", "."} else ""
    return _Pattern(tuple(_slot(part, code) for part in parts), end)


def _slot(part: str, code: str) -> _Slot:
    """Parse `?a|b`, or the name of a list."""
    may_be_missing = part.startswith("?")
    body = part.removeprefix("?")
    if body in _SHAPES:
        return _Slot(frozenset(), may_be_missing, _SHAPES[body])
    if body.startswith("<"):
        named = language_data(code).cue_words[body.strip("<>")]
        return _Slot(named, may_be_missing)
    return _Slot(frozenset(body.split("|")), may_be_missing)
