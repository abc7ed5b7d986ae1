"""Sentences of two takes matched by their words, in the order in which they were said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LEAST_SHARED = 0.4
"""The least share of the longer sentence's words that two sentences have in common to be the same
(rule of thumb): people never repeat a sentence word for word."""
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")


class Pair(NamedTuple):
    """The places of one sentence in both takes; None where it was not said."""

    first: int | None
    second: int | None


def matched_sentences(first: Sequence[str], second: Sequence[str]) -> list[Pair]:
    """Return all sentences of both takes: the same ones in pairs, the others alone."""
    one, other = _words(first), _words(second)
    shared = _shared(one, other)
    return list(_in_order(_pairs(shared, one, other), len(first), len(second)))


def _words(sentences: Sequence[str]) -> list[tuple[str, int]]:
    """Return each word in lower case, with the place of its sentence."""
    return [
        (word, place)
        for place, sentence in enumerate(sentences)
        for word in _WORD.findall(sentence.lower())
    ]


def _shared(one: Sequence[tuple[str, int]], other: Sequence[tuple[str, int]]) -> Counter[Pair]:
    """Return how many words in the same order each two sentences share."""
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in other])
    found: Counter[Pair] = Counter()
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            found[Pair(one[block.a + step][1], other[block.b + step][1])] += 1
    return found


def _pairs(
    shared: Counter[Pair], one: Sequence[tuple[str, int]], other: Sequence[tuple[str, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the places of the same sentences, each used once, in the order of both takes."""
    lengths = Counter(place for _word, place in one), Counter(place for _word, place in other)
    taken = -1
    for first in sorted(lengths[0]):
        likely = [
            (count / max(lengths[0][first], lengths[1][pair.second or 0]), -(pair.second or 0))
            for pair, count in shared.items()
            if pair.first == first and (pair.second or 0) > taken
        ]
        share, place = max(likely, default=(0.0, 0))
        if share >= LEAST_SHARED:
            taken = -place
            yield first, taken


def _in_order(pairs: Iterator[tuple[int, int]], first: int, second: int) -> Iterator[Pair]:
    """Yield the pairs, with what only one take says before the next pair."""
    one = other = 0
    for left, right in [*pairs, (first, second)]:
        yield from (Pair(place, None) for place in range(one, left))
        yield from (Pair(None, place) for place in range(other, right))
        if left < first:
            yield Pair(left, right)
        one, other = left + 1, right + 1
