"""What another reading of the same speech says of the words that both wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain

_BESIDE_SECONDS = 1.0
"""How far outside a reading's own span words of its window may lie (rule of thumb)."""


def heard_again(
    words: Sequence[Word], readings: Sequence[Sequence[Word]], data: LanguageData
) -> Mapping[int, Word]:
    """For each word (by its place) the same word as a further reading's attention has it.

    A reading primed with fillers gives an um a span of its own, which the plain one leaves to the
    word behind it; so the two err in different places. Each of `readings` is one window.
    """
    found: dict[int, Word] = {}
    for reading in readings:
        if not reading:
            continue
        first, last = reading[0].start - _BESIDE_SECONDS, reading[-1].end + _BESIDE_SECONDS
        near = [index for index, word in enumerate(words) if first <= word.start <= last]
        spoken = [word for word in reading if not is_filled_pause(word, data)]
        matcher = SequenceMatcher(
            a=[plain(words[index].text) for index in near],
            b=[plain(word.text) for word in spoken],
            autojunk=False,
        )
        for block in matcher.get_matching_blocks():
            for offset in range(block.size):
                found[near[block.a + offset]] = spoken[block.b + offset]
    return found
