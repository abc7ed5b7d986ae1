from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from analysis.backends.media.audio import read_audio
from analysis.backends.media.probe import read_media
from analysis.backends.speech.ctranslate import CTranslate2Whisper
from analysis.backends.speech.engines import load_transcriber
from analysis.backends.speech.reading import Reading as OneReading
from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, Engine, FloatArray, Limits, Transcript
from analysis.talk.languages import plain
from analysis.talk.words import align_to_speech, believed_words
from bench.listening.synthetic_voice import SyntheticSpeech, say

SENTENCES = (
    "Good morning, everyone, and thank you for coming today.",
    "First, the water was warmer than it had been in the last ten years.",
    "Second, the fish moved to the deeper part of the lake in the summer.",
)
ENGINES: tuple[Engine, ...] = ("ctranslate2", "openai-whisper", "faster-whisper")


class Reading(NamedTuple):
    """What an engine made of a recording, by which model, and what it told meanwhile."""

    found: Transcript
    model: str
    told: list[float]


def hear(path: Path, workdir: Path) -> FloatArray:
    raw = workdir / "audio.f32"
    read_media(path, audio_path=raw, limits=Limits(), progress=lambda _: None)
    return np.array(read_audio(raw))


def transcribed(audio: FloatArray, engine: Engine, language: str = "en") -> Transcript:
    return load_transcriber(engine=engine, language=language).transcribe(
        audio,
        speech=find_speech(audio, progress=lambda _: None),
        language=language,
        progress=lambda _: None,
    )


@pytest.fixture(scope="module")
def address(
    shared_media: Path, models: Path, tmp_path_factory: pytest.TempPathFactory
) -> FloatArray:
    """Eleven seconds of an address with long pauses."""
    with (shared_media / "MANIFEST.csv").open(encoding="utf-8") as file:
        paths = [row["path"] for row in csv.DictReader(file)]
    [path] = [path for path in paths if path.endswith("jfk.flac")]
    return hear(shared_media / path, tmp_path_factory.mktemp("address"))


@pytest.fixture(scope="module")
def heard(address: FloatArray) -> dict[Engine, Transcript]:
    """What each engine makes of the address."""
    return {engine: transcribed(address, engine) for engine in ENGINES}


@pytest.fixture(scope="module")
def known(models: Path) -> SyntheticSpeech:
    """Known words of a synthetic voice at known times, three seconds of noise between them."""
    said = say(SENTENCES, voice="en-us", pause=3.0, words_a_minute=130)
    noise = 0.002 * np.random.default_rng(4).standard_normal(len(said.audio))
    return SyntheticSpeech(
        audio=(0.5 * said.audio + noise).astype(np.float32), phrases=said.phrases
    )


@pytest.fixture(scope="module")
def read(known: SyntheticSpeech) -> Callable[[Engine], Reading]:
    """What each engine makes of the known words, once: reading them is what takes long here."""

    @cache
    def read_by(engine: Engine) -> Reading:
        told: list[float] = []
        reader = load_transcriber(engine=engine, language="en")
        speech = find_speech(known.audio, progress=lambda _: None)
        found = reader.transcribe(known.audio, speech=speech, language="en", progress=told.append)
        return Reading(found, reader.model, told)

    return read_by


def test_what_a_reading_that_stops_at_a_pause_passes_over_is_read_after_all(
    known: SyntheticSpeech, read: Callable[[Engine], Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads_on = CTranslate2Whisper.read
    stopped = list[str]()

    def stops(self: CTranslate2Whisper, encoded: Any, **wishes: Any) -> tuple[OneReading, ...]:
        readings = reads_on(self, encoded, **wishes)
        if wishes.get("prompt") or stopped:
            return readings
        only = [first_sentence(self, reading) for reading in readings]
        stopped.extend(reading.text for reading in only)
        return tuple(only)

    monkeypatch.setattr(CTranslate2Whisper, "read", stops)
    found = transcribed(known.audio, "ctranslate2")
    assert len(stopped[0].split()) < len(read("ctranslate2").found.words) / 2
    assert [plain(word.text) for word in found.words] == [
        plain(word.text) for word in read("ctranslate2").found.words
    ]


def first_sentence(reader: CTranslate2Whisper, reading: OneReading) -> OneReading:
    tokenizer = reader._tokenizer("en")
    for count in range(1, len(reading.tokens)):
        text = tokenizer.decode(list(reading.tokens[:count])).strip()
        if text.endswith((".", "!")):
            return replace(reading, tokens=reading.tokens[:count], text=text)
    return reading


@pytest.mark.parametrize("engine", ENGINES)
def test_all_engines_write_known_words_at_their_times_and_none_where_nobody_speaks(
    known: SyntheticSpeech, read: Callable[[Engine], Reading], engine: Engine
) -> None:
    found = read(engine).found
    words = [word for segment in found.segments for word in segment.words]
    assert all(left.end <= right.start + 0.02 for left, right in itertools.pairwise(words))
    # What the recogniser puts into the noise is taken away against voice activity.
    speech = find_speech(known.audio, progress=lambda _: None)
    believed = align_to_speech(believed_words(found, speech), speech, "en")
    for start, end in known.phrases:
        inside = [word for word in believed if start - 0.5 <= word.start <= end + 0.5]
        assert inside[0].start == pytest.approx(start, abs=0.1)
        assert inside[-1].end == pytest.approx(end, abs=0.2)
    between = [
        word.text
        for word in believed
        if not any(start - 0.5 <= word.start < end + 0.5 for start, end in known.phrases)
    ]
    assert between == []
    text = " ".join(plain(word.text) for word in believed)
    assert "thank you for coming" in text
    assert "warmer than it had been in the last" in text


@pytest.mark.parametrize("engine", ENGINES)
def test_all_engines_report_progress_to_the_end_and_name_their_model(
    read: Callable[[Engine], Reading], engine: Engine
) -> None:
    found, model, told = read(engine)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert found.model == model
    assert (found.language.code, found.language.source) == ("en", "given")


@pytest.mark.parametrize("engine", ENGINES)
def test_all_engines_write_nothing_where_there_is_no_speech(models: Path, engine: Engine) -> None:
    nothing = transcribed(np.zeros(3 * SAMPLE_RATE_HZ, np.float32), engine)
    assert nothing.segments == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_all_engines_write_the_same_words_in_order_with_sensible_times(
    heard: dict[Engine, Transcript], engine: Engine
) -> None:
    found = heard[engine]
    words = [word for segment in found.segments for word in segment.words]
    text = " ".join(plain(word.text) for word in words)
    assert "ask not what your country can do for you" in text
    assert all(left.start <= right.start for left, right in itertools.pairwise(words))
    assert all(0 <= word.start <= word.end <= 11.1 for word in words)
    assert sum(word.probability for word in words) / len(words) > 0.8
    assert found.spoken_language is not None
    assert found.spoken_language.code == "en"
    assert found.dropped == ()


def test_all_engines_agree_on_when_words_begin(heard: dict[Engine, Transcript]) -> None:
    starts = []
    for engine in ENGINES:
        words = [word for part in heard[engine].segments for word in part.words]
        starts.append({plain(word.text): word.start for word in words})
    for first, second in itertools.combinations(starts, 2):
        common = set(first) & set(second)
        apart = [abs(first[word] - second[word]) for word in common]
        assert len(common) > 10
        assert float(np.median(apart)) < 0.15


def test_eight_bits_read_as_all_bits_do(heard: dict[Engine, Transcript]) -> None:
    said = [
        " ".join(part.text for part in heard[engine].segments)
        for engine in ("ctranslate2", "openai-whisper")
    ]
    assert said[0] == said[1]


def test_without_converted_weights_the_reference_reads_and_says_so(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("tiny.en.pt", "whisper-base"):
        (tmp_path / name).symlink_to(models / name)
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    assert load_transcriber(engine="ctranslate2", language="en").model == "tiny.en"
    [told] = caplog.messages
    assert "tiny.en-int8" in told
    assert "python -m analysis models" in told


def test_english_that_was_found_out_is_read_like_english_that_was_named(
    address: FloatArray,
) -> None:
    found = transcribed(address, "openai-whisper", language="auto")
    assert found.model == "tiny.en"
    assert (found.language.code, found.language.source) == ("en", "detected")


def test_speech_is_found_and_silence_between_it_kept(address: FloatArray) -> None:
    speech = find_speech(address, progress=lambda _: None)
    assert 5.0 < sum(end - start for start, end in speech) < 10.5
    gaps = [right[0] - left[1] for left, right in itertools.pairwise(speech)]
    assert min(gaps) >= 0.1
    assert max(gaps) > 0.5


def test_silence_added_between_speech_moves_what_follows_by_exactly_that(
    address: FloatArray,
) -> None:
    speech = find_speech(address, progress=lambda _: None)
    cut = round((speech[0][1] + speech[1][0]) / 2 * SAMPLE_RATE_HZ)
    longer = np.concatenate(
        [address[:cut], np.zeros(2 * SAMPLE_RATE_HZ, np.float32), address[cut:]]
    )
    after = find_speech(longer, progress=lambda _: None)
    assert after[0][0] == pytest.approx(speech[0][0], abs=0.05)
    assert after[1][0] - speech[1][0] == pytest.approx(2.0, abs=0.05)
    assert after[2][0] - speech[2][0] == pytest.approx(2.0, abs=0.05)


def test_a_line_that_is_practised_over_and_over_is_written_as_often_with_what_follows(
    models: Path,
) -> None:
    lines = [SENTENCES[0]] * 6 + [SENTENCES[2]]
    audio = 0.5 * say(lines, voice="en-us", pause=0.6, words_a_minute=140).audio
    texts = [plain(word.text) for word in transcribed(audio, "ctranslate2").words]
    assert texts.count("morning") == 6
    assert texts[-2:] == ["the", "summer"]
