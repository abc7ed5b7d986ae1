"""Similarity of sentences: which of several sentences says most nearly the same as another.

Values only rank. They have no absolute threshold, and no page shows them
(docs/lab/slides.md). The first call loads a model of 72 MB: call it in a worker.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analysis.backends import embedder
from analysis.talk.languages import language_data

_STEM = 5
"""Letters of a word that count, so that "vote", "votes" and "voter" are alike (rule of thumb)."""
_LEAST_LETTERS = 3
_WEIGHT_OF_MEANING = 12.0
"""Weight of the embedder beside shared words, best of five tried on twenty-two decks."""
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Match:
    """Sentence with its similarity to the query, comparable only within one ranking."""

    index: int
    score: float


def rank(query: str, sentences: Sequence[str], language: str) -> list[Match]:
    """Return the sentences by similarity to the query, best first; of equals the first."""
    (row,) = similarities([query], sentences, language)
    matches = [Match(index, score) for index, score in enumerate(row)]
    return sorted(matches, key=lambda match: -match.score)


def similarities(
    queries: Sequence[str], sentences: Sequence[str], language: str
) -> list[list[float]]:
    """Return one row for each query, with its similarity to each sentence."""
    by_words = shared_words(queries, sentences, language)
    if not embedder.is_available():
        return by_words
    columns = [embedder.embed(sentence) for sentence in sentences]
    rows = [[float(embedder.embed(query) @ each) for each in columns] for query in queries]
    return [
        [_WEIGHT_OF_MEANING * meaning + words for meaning, words in zip(*pair, strict=True)]
        for pair in zip(rows, by_words, strict=True)
    ]


def shared_words(
    queries: Sequence[str], sentences: Sequence[str], language: str
) -> list[list[float]]:
    """Return the cosine of shared word stems, rare ones counting more (tf-idf)."""
    counts = [Counter(stems(sentence, language)) for sentence in sentences]
    found_in = Counter(stem for count in counts for stem in count)
    columns = [_unit(count, found_in, len(sentences)) for count in counts]
    rows = [_unit(Counter(stems(each, language)), found_in, len(sentences)) for each in queries]
    return [
        [sum(weight * column.get(stem, 0.0) for stem, weight in row.items()) for column in columns]
        for row in rows
    ]


def stems(text: str, language: str) -> list[str]:
    """Return the beginnings of content words, in lower case and without accents."""
    common = _common_words(language)
    return [
        word.removesuffix("s")[:_STEM]
        for word in _WORD.findall(_folded(text))
        if word not in common and (len(word) >= _LEAST_LETTERS or word.isdigit())
    ]


def _unit(count: Mapping[str, int], found_in: Mapping[str, int], of: int) -> dict[str, float]:
    weights = {
        stem: (1 + math.log(times)) * math.log(1 + of / (1 + found_in.get(stem, 0)))
        for stem, times in count.items()
    }
    length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {stem: weight / length for stem, weight in weights.items()}


@lru_cache(maxsize=8)
def _common_words(language: str) -> frozenset[str]:
    data = language_data(language)
    return frozenset(map(_folded, data.common_words | data.clause_words))


def _folded(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe"))
    return "".join(each for each in letters if not unicodedata.combining(each))
