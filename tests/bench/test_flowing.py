"""What a voice is given to say where its fillers run on into its words."""

from __future__ import annotations

import numpy as np
import pytest

from bench import voices
from bench.fillers import flowing
from bench.fillers.material import FILLERS, LIKE_FILLERS, SHORT_FILLERS


@pytest.mark.parametrize("language", ["en", "fr"])
def test_all_words_are_said_in_order_and_every_filler_is_marked(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voices, "phonemes_of", lambda text, **_: text)
    known = {*SHORT_FILLERS[language], *(phonemes for _, phonemes in FILLERS[language])}
    marked = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        parts = ("we asked the teachers", "what they needed")
        said = list(flowing._worded(parts, "v", language, random))
        fillers = [part.phonemes for part in said if part.is_marked]
        words = "".join(part.phonemes for part in said if not part.is_marked)
        assert " ".join(words.replace(",", "").split()) == "we asked the teachers what they needed."
        assert set(fillers) <= known
        marked += len(fillers)
    assert 60 <= marked <= 150


def test_every_other_french_sentence_is_full_of_words_that_sound_like_one() -> None:
    sentences = list(flowing._sentences("fr", np.random.default_rng(1)))
    again = list(flowing._sentences("fr", np.random.default_rng(1)))
    like = [sentence in LIKE_FILLERS["fr"] for sentence in sentences]
    assert sentences == again
    assert like[:20] == [True, False] * 10
    assert len(set(sentences)) == len(sentences)


def test_what_the_model_is_asked_for_besides_is_one_field_in_another() -> None:
    asked = voices._field(7, voices._field(12, voices._field(1, b"/x")))
    assert asked == b"\x3a\x06\x62\x04\x0a\x02/x"
