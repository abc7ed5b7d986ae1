"""Ranking of sentences by similarity."""

from __future__ import annotations

import pytest

from analysis.backends import embedder
from analysis.similarity import rank, shared_words, stems

SLIDES = ["Our team", "Coûts de chauffage : 62 %", "Merci, des questions ?"]


def test_words_match_without_accents_and_endings() -> None:
    assert stems("Les coûts des chauffages", "fr") == stems("cout chauffage", "fr")


def test_the_sentence_with_shared_words_comes_first() -> None:
    assert rank("Le chauffage coûte cher en hiver", SLIDES, "fr")[0].index == 1


def test_no_shared_word_gives_zero_and_an_empty_list_gives_nothing() -> None:
    assert shared_words(["zebra"], SLIDES, "en") == [[0.0, 0.0, 0.0]]
    assert rank("zebra", [], "en") == []


@pytest.mark.skipif(not embedder.is_available(), reason="needs Linux on x86-64 with AVX2")
@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("We spend most of our money on keeping warm.", "en"),
        ("L'argent part surtout pour avoir chaud.", "fr"),
    ],
)
def test_meaning_ranks_where_no_word_is_shared(query: str, language: str) -> None:
    assert rank(query, SLIDES, language)[0].index == 1


def test_hostile_text_is_ranked_too() -> None:
    assert len(rank("\0\ud800 a" * 5_000, ["\0", ""], "en")) == 2
