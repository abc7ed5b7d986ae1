"""Candidates for a filled pause that are words: an um spoken of, and a lengthened word."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ports import Span
from analysis.results import Word
from analysis.talk import spans
from analysis.talk.filler_evidence import FEATURES, FillerCandidate
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.sentences import CLAUSE_END

_FLUENT_SECONDS = 0.25
"""Longest gap before an um that is spoken of: a speaker who hesitates pauses (rule of thumb)."""
_BELIEVED, _COVERED = 0.7, 0.5
"""Probability from which a word is sure, and share of a candidate that such words cover (rules of
thumb).
"""
_LEAST_LOG_ODDS = 3.0
"""Log odds of the sound (95 of 100) from which a lengthened word may still be a filled pause."""
_SOUND = FEATURES.index("sound")
_SCALE = 3
"""Divisor of the log odds in the evidence."""
_QUOTES = '"“”«»'


def is_mention(
    place: Span,
    words: Sequence[Word],
    plainly: Sequence[Word],
    readings: Sequence[Sequence[Word]],
    data: LanguageData,
) -> bool:
    """Return whether a written um is spoken of: quoted, between words such as "the word um is", or
    after such a word and without a comma, as the plain reading writes a noun.

    In 1,549 *euh* of two French corpora, three stand between such words (docs/lab/fillers.md).

    Args:
        place: The um.
        words: The words without fillers.
        plainly: The plain reading, if it wrote fillers.
        readings: The other readings that wrote fillers.
        data: The language.
    """
    if any(
        is_filled_pause(word, data) and _is_quoted(word) and _meets(word, place)
        for reading in (plainly, *readings)
        for word in reading
    ) or any(
        is_filled_pause(word, data) and _meets(word, place) and _is_noun(plainly, at, data)
        for at, word in enumerate(plainly)
    ):
        return True
    middle = sum(place) / 2
    before = [word for word in words if sum((word.start, word.end)) / 2 < middle]
    after = words[len(before) : len(before) + 1]
    return (
        bool(before and after)
        and plain(before[-1].text) in data.mention_before
        and plain(after[0].text) in data.mention_after
        and place[0] - before[-1].end < _FLUENT_SECONDS
    )


def is_lengthened_word(candidate: FillerCandidate, words: Sequence[Word]) -> bool:
    """Return whether believed words cover a sound that no reading wrote, and that is not clearly a
    filled pause: second-language speakers and calls hold vowels (docs/lab/fillers.md).
    """
    if candidate.is_written or candidate.evidence[_SOUND] * _SCALE >= _LEAST_LOG_ODDS:
        return False
    place = (candidate.start, candidate.end)
    believed = [(word.start, word.end) for word in words if word.probability >= _BELIEVED]
    return spans.overlap(place, believed) >= _COVERED * (place[1] - place[0])


def _is_noun(reading: Sequence[Word], at: int, data: LanguageData) -> bool:
    """Return whether it follows a word that speaks of it at once, and no mark is beside it."""
    if at == 0 or at + 1 == len(reading):
        return False
    marks = any(word.text.strip()[-1:] in CLAUSE_END for word in reading[at - 1 : at + 1])
    is_fluent = reading[at].start - reading[at - 1].end < _FLUENT_SECONDS
    return not marks and is_fluent and plain(reading[at - 1].text) in data.mention_before


def _is_quoted(word: Word) -> bool:
    bare = word.text.strip().rstrip(".,;:!?…")
    return bare[:1] in _QUOTES and bare[-1:] in _QUOTES


def _meets(word: Word, place: Span) -> bool:
    return word.start < place[1] + _FLUENT_SECONDS and word.end > place[0] - _FLUENT_SECONDS
