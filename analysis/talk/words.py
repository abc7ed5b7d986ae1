"""Word times: removes invented words, and moves boundaries to where the voice stops and starts."""

from __future__ import annotations

import bisect
import statistics
from collections.abc import Sequence

from analysis.ports import Span, Transcript
from analysis.results import Word
from analysis.talk import spans
from analysis.talk.syllables import syllables_of

_REACH_SECONDS = 0.3
"""Largest distance from any speech at which a recognised word is accepted."""
_ONSET_REACH_SECONDS = 0.3
_OFFSET_REACH_SECONDS = 0.45
"""Largest corrections: Whisper starts words late and ends them early next to a pause, rarely by
more than this.
"""
_SHORTEST_WORD_SECONDS = 0.04
_BASE_SECONDS, _SYLLABLE_SECONDS = 0.12, 0.2
"""Usual length of a word in running speech, to judge which are too long (rule of thumb)."""


def usual_seconds(text: str, language: str) -> float:
    """Return the usual length in seconds of a word, by its syllables."""
    return _BASE_SECONDS + _SYLLABLE_SECONDS * max(syllables_of(text, language), 1)


def slowness(words: Sequence[Word], language: str) -> float:
    """Return the ratio of this speaker's word lengths to the usual ones, at least 1."""
    ratios = [
        (word.end - word.start) / usual_seconds(word.text, language)
        for word in words
        if word.end > word.start
    ]
    return max(statistics.median(ratios), 1.0) if ratios else 1.0


def believed_words(transcript: Transcript, speech: Sequence[Span]) -> tuple[Word, ...]:
    """Return the words of the transcript that are within reach of speech."""
    reach = spans.merged((start - _REACH_SECONDS, end + _REACH_SECONDS) for start, end in speech)
    return tuple(
        word
        for word in transcript.words
        if spans.overlap((word.start, max(word.end, word.start + 0.02)), reach) > 0
    )


def align_to_speech(
    words: Sequence[Word], speech: Sequence[Span], language: str
) -> tuple[Word, ...]:
    """Return the words with boundaries moved to gaps of at least 100 ms in the speech."""
    if not words or not speech:
        return tuple(words)
    pieces = list(speech)
    homes = _speech_indices(words, pieces, language)
    found: list[Word] = []
    for index, word in enumerate(words):
        piece = pieces[homes[index]]
        start = min(max(word.start, piece[0]), piece[1])
        end = max(min(word.end, piece[1]), start)
        first = index == 0 or homes[index - 1] != homes[index]
        last = index == len(words) - 1 or homes[index + 1] != homes[index]
        if first and start - piece[0] <= _ONSET_REACH_SECONDS:
            start = piece[0]
        if last and piece[1] - end <= _OFFSET_REACH_SECONDS:
            end = piece[1]
        found.append(word.model_copy(update={"start": start, "end": end}))
    return in_order(found)


def _speech_indices(words: Sequence[Word], pieces: Sequence[Span], language: str) -> list[int]:
    """Return the index of the span of speech for each word; never decreasing."""
    starts = [start for start, _ in pieces]
    homes: list[int] = []
    for word in words:
        low = max(bisect.bisect_right(starts, word.start) - 1, 0)
        high = max(bisect.bisect_left(starts, max(word.end, word.start + 0.01)) - 1, low)
        home = _speech_index(word, pieces, range(low, high + 1), language)
        homes.append(max(home, homes[-1]) if homes else home)
    return homes


def _speech_index(word: Word, pieces: Sequence[Span], choices: range, language: str) -> int:
    """Return, among the spans a word touches, the last one with room for it, otherwise the one it
    covers most.

    Whisper lets a word begin at the end of the one before it, across any pause.
    """
    enough = 0.5 * usual_seconds(word.text, language)
    covered = {index: spans.overlap((word.start, word.end), [pieces[index]]) for index in choices}
    roomy = [index for index in choices if covered[index] >= enough]
    if roomy:
        return roomy[-1]
    fullest = max(choices, key=lambda index: covered[index])
    if covered[fullest] > 0:
        return fullest
    centre = (word.start + word.end) / 2
    near = range(choices.start, min(choices.stop + 1, len(pieces)))
    return min(near, key=lambda index: max(pieces[index][0] - centre, centre - pieces[index][1]))


def in_order(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return words whose times never decrease or overlap, each at least 40 ms long if it fits."""
    found: list[Word] = []
    for index, word in enumerate(words):
        start = max(word.start, found[-1].end if found else 0.0)
        limit = words[index + 1].end if index + 1 < len(words) else float("inf")
        end = max(word.end, min(start + _SHORTEST_WORD_SECONDS, max(limit, start)))
        found.append(
            word.model_copy(update={"start": round(start, 3), "end": round(max(end, start), 3)})
        )
    return tuple(found)
