"""Beside a larger model that reads the words, the one whose encoder a head knows listens for um."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.backends.speech import engines, filler_head, transcription
from analysis.backends.speech.reading import Recogniser
from analysis.errors import ModelUnavailable
from analysis.ports import SAMPLE_RATE_HZ, FillerSound, FloatArray, Transcript
from tests.analysis.recognisers import FakeRecogniser, reading


class _Head:
    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        return (FillerSound(start=1.0, end=1.4, log_odds=float(frames.shape[1])),)


@pytest.fixture(autouse=True)
def one_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {})
    monkeypatch.setattr(
        filler_head,
        "load_head",
        lambda reader, language: _Head() if (reader, language) == ("tiny.en", "en") else None,
    )


def larger(*, sure: float = -0.1) -> FakeRecogniser:
    made = FakeRecogniser(
        [reading("so we begin slot", sure=sure), *[reading("so we begin slot")] * 4],
        primed=[reading("so uh we begin slot")] * 5,
    )
    made.name = "base.en"
    return made


def smallest() -> FakeRecogniser:
    made = FakeRecogniser([], primed=[reading("so um we big in")] * 5)
    made.name, made.dimensions = "tiny.en", 7
    return made


def transcribed(
    reader: FakeRecogniser,
    ear: Recogniser | None,
    *,
    language: str = "en",
    speech: tuple[tuple[float, float], ...] = ((0.5, 4.0),),
) -> Transcript:
    return transcription.SpeechReader(reader, ear=lambda: ear).transcribe(
        np.zeros(20 * SAMPLE_RATE_HZ, dtype=np.float32),
        speech=speech,
        language=language,
        progress=lambda _: None,
    )


def texts(readings: tuple[tuple[object, ...], ...]) -> list[str]:
    return [" ".join(str(getattr(word, "text", "")) for word in words) for words in readings]


def test_the_larger_one_reads_and_the_smallest_listens_to_the_same_windows() -> None:
    reader, ear = larger(), smallest()
    found = transcribed(reader, ear)
    assert [segment.text for segment in found.segments] == ["so we begin slot"]
    assert texts(found.primed) == ["so um we big in"]
    assert (found.model, found.ear, found.listener) == ("base.en", "tiny.en", "tiny.en")
    [sound] = found.filler_sounds or ()
    assert sound.log_odds == ear.dimensions
    assert found.filler_slots == ()
    assert ear.windows == reader.windows


def test_what_is_read_again_in_halves_is_listened_to_in_halves() -> None:
    reader, ear = larger(sure=-1.5), smallest()
    found = transcribed(reader, ear, speech=((0.5, 4.0), (6.0, 9.0)))
    assert len(ear.windows) == 3
    assert ear.windows == reader.windows[:3]
    assert len(found.filler_sounds or ()) == 2


def test_who_listens_anyway_needs_nobody_beside() -> None:
    reader = FakeRecogniser([reading("so we begin")])
    reader.name = "tiny.en"
    found = transcribed(reader, smallest())
    assert (found.ear, found.listener) == ("", "tiny.en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_the_smallest_or_in_another_language_the_reader_weighs_up_fillers_itself(
    language: str,
) -> None:
    found = transcribed(larger(), None if language == "en" else smallest(), language=language)
    assert (found.ear, found.filler_sounds) == ("", None)
    assert len(found.filler_slots) == (1 if language == "en" else 0)


def test_where_its_weights_are_missing_the_log_says_what_that_costs(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nothing_there(*_: object) -> Recogniser:
        raise ModelUnavailable("conversion_missing", file="tiny.en-int8")

    monkeypatch.setattr(engines, "_recogniser", nothing_there)
    assert engines._filler_recogniser(1) is None
    assert "fewer ums are heard" in caplog.text
