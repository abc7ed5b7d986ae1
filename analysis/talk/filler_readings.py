"""Written fillers: the gaps between words in which a reading wrote um or uh."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.words import slowness, usual_seconds

_BETWEEN_SECONDS = 0.1
"""Distance within which gaps of two readings are the same (rule of thumb)."""


@dataclass(frozen=True, slots=True)
class FillerGap:
    """Gap between two words in which a reading wrote one or more filled pauses."""

    start: float
    end: float
    fillers: tuple[Word, ...]
    is_opening: bool
    """Whether nothing precedes it in its reading: primed with fillers, it expects one there."""


def filler_gaps(
    reading: Sequence[Word], words: Sequence[Word], data: LanguageData
) -> tuple[FillerGap, ...]:
    """Return the gaps in time order. `words` are those of the plain reading, aligned, without
    fillers.

    A recogniser knows between which words a filler is, but not when: its attention is late, and the
    span of a neighbouring word swallows it. Each neighbour therefore keeps its usual length, on the
    side away from the filler.
    """
    same = _same_words(reading, words, data)
    pace = slowness(words, data.code)
    found = []
    for first, last in _runs(reading, data):
        start = _end_before(first, reading, words, same, pace, data.code)
        end = _start_after(last, reading, words, same, pace, data.code)
        found.append(
            FillerGap(
                start=start,
                end=max(start, end),
                fillers=tuple(reading[first:last]),
                is_opening=first == 0,
            )
        )
    return tuple(found)


def merged_gaps(primed: Sequence[FillerGap], plainly: Sequence[FillerGap]) -> list[FillerGap]:
    """Merge the gaps of both readings: fillers in the same gap are one, with the higher
    probability.
    """
    left = list(plainly)
    found = []
    for room in primed:
        same = next((other for other in left if _overlap(room, other)), None)
        if same is not None:
            left.remove(same)
        found.append(room if same is None else _joined(room, same))
    return found + left


def _overlap(one: FillerGap, other: FillerGap) -> bool:
    return one.start <= other.end + _BETWEEN_SECONDS and other.start <= one.end + _BETWEEN_SECONDS


def _joined(primed: FillerGap, plain_one: FillerGap) -> FillerGap:
    """Return the gap with the fillers of the reading that wrote more."""
    more, less = primed.fillers, plain_one.fillers
    if len(less) > len(more):
        more, less = less, more
    surer = [
        word
        if index >= len(less) or word.probability >= less[index].probability
        else word.model_copy(update={"probability": less[index].probability})
        for index, word in enumerate(more)
    ]
    return replace(primed, fillers=tuple(surer))


def _same_words(
    reading: Sequence[Word], words: Sequence[Word], data: LanguageData
) -> Mapping[int, int]:
    """Return the index in the plain reading for each matching word of this reading."""
    spoken = [index for index, word in enumerate(reading) if not is_filled_pause(word, data)]
    if not reading:
        return {}
    near = [
        index
        for index, word in enumerate(words)
        if word.end > reading[0].start - 1 and word.start < reading[-1].end + 1
    ]
    matcher = difflib.SequenceMatcher(
        None,
        [plain(reading[index].text) for index in spoken],
        [plain(words[index].text) for index in near],
        autojunk=False,
    )
    return {
        spoken[block.a + offset]: near[block.b + offset]
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    }


def _runs(reading: Sequence[Word], data: LanguageData) -> Iterator[tuple[int, int]]:
    """Yield ranges of consecutive fillers."""
    first = None
    for index, word in enumerate(reading):
        if is_filled_pause(word, data):
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
    if first is not None:
        yield first, len(reading)


def _end_before(
    first: int,
    reading: Sequence[Word],
    words: Sequence[Word],
    same: Mapping[int, int],
    pace: float,
    language: str,
) -> float:
    """Return the latest end of the word before the run."""
    if first == 0:
        after = next((same[index] for index in sorted(same)), None)
        return 0.0 if after is None or after == 0 else words[after - 1].end
    word = words[same[first - 1]] if first - 1 in same else reading[first - 1]
    return min(word.end, word.start + pace * usual_seconds(word.text, language))


def _start_after(
    last: int,
    reading: Sequence[Word],
    words: Sequence[Word],
    same: Mapping[int, int],
    pace: float,
    language: str,
) -> float:
    """Return the earliest start of the word after the run."""
    if last == len(reading):
        before = next((same[index] for index in sorted(same, reverse=True)), None)
        if before is None or before + 1 >= len(words):
            return float("inf")
        return words[before + 1].start
    word = words[same[last]] if last in same else reading[last]
    return max(word.start, word.end - pace * usual_seconds(word.text, language))
