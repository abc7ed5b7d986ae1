"""A closer reading after a text full of fillers: French has one, which bears witness to them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.backends.speech import transcription
from analysis.backends.speech.reading import Reading
from analysis.ports import SAMPLE_RATE_HZ
from tests.analysis.recognisers import FakeRecogniser, reading

DIMENSIONS = {"whisper-base": 512, "tiny.en": 384, "fake": 4}
WITH_ONE, WITHOUT = reading("bonjour euh à tous"), reading("bonjour à tous")


@pytest.fixture(autouse=True)
def deaf_to_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {})


def witnesses(closely: Reading, *, language: str = "fr", model: str = "whisper-base") -> list[str]:
    recogniser = FakeRecogniser([WITHOUT], closely=[closely])
    recogniser.name, recogniser.dimensions = model, DIMENSIONS[model]
    found = transcription.SpeechReader(recogniser).transcribe(
        np.zeros(4 * SAMPLE_RATE_HZ, dtype=np.float32),
        speech=((0.5, 3.0),),
        language=language,
        progress=lambda _: None,
    )
    return [" ".join(word.text for word in words) for words in found.witnesses]


def test_french_is_read_a_third_time_and_that_is_kept_where_it_wrote_fillers() -> None:
    assert witnesses(WITH_ONE) == ["bonjour euh à tous"]
    assert witnesses(WITHOUT) == []


def test_one_that_got_stuck_bears_no_witness() -> None:
    assert witnesses(reading("euh, " * 60, compression=9.0)) == []


@pytest.mark.parametrize(("language", "model"), [("fr", "fake"), ("en", "tiny.en")])
def test_where_no_head_listens_or_no_text_is_given_nothing_is_read_again(
    language: str, model: str
) -> None:
    assert witnesses(WITH_ONE, language=language, model=model) == []
