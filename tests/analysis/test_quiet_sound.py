"""A soft recording is raised before anything listens, and a very soft one is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from analysis.backends.media.audio import read_audio
from analysis.pipeline import artefacts, run_stage
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options, Prepared
from analysis.talk import spans
from tests.analysis.spoken import said

LINES = (
    "Good morning, everyone, and thank you for coming today.",
    "I would like to tell you about three things that we found in the lake.",
    "First, the water was warmer than it had been in the last ten years.",
)


@pytest.fixture(scope="module")
def talk() -> FloatArray:
    return said(LINES)


def prepared(folder: Path, audio: FloatArray, *, down_db: float) -> Prepared:
    """Of 16 bits, as a microphone that was turned down writes it."""
    folder.mkdir()
    steps = np.round(audio * 10 ** (-down_db / 20) * 32767).astype("<i2")
    wavfile.write(folder / "take.wav", SAMPLE_RATE_HZ, steps)
    run_stage("prepare", media_path=folder / "take.wav", workdir=folder, options=Options())
    return artefacts.load_prepared(folder)


@pytest.mark.parametrize("down_db", [24.0, 38.0, 50.0])
def test_a_soft_recording_has_the_pauses_of_the_same_one_at_its_usual_level(
    tmp_path: Path, talk: FloatArray, down_db: float
) -> None:
    usual, soft = (prepared(tmp_path / str(by), talk, down_db=by).speech for by in (0.0, down_db))
    assert spans.total(soft) == pytest.approx(spans.total(usual), rel=0.06)
    pauses = [len(spans.gaps(speech, at_least=0.25)) for speech in (usual, soft)]
    assert abs(pauses[0] - pauses[1]) <= (1 if down_db == 50.0 else 0)


@pytest.mark.parametrize(("down_db", "is_told"), [(0.0, False), (20.0, False), (50.0, True)])
def test_a_voice_of_which_16_bits_lose_soft_sounds_is_told(
    tmp_path: Path, talk: FloatArray, down_db: float, is_told: bool
) -> None:
    found = prepared(tmp_path / "take", talk, down_db=down_db)
    assert ("sound_very_quiet" in {note.code for note in found.media.notes}) is is_told
    assert found.notes == found.media.notes


def test_nothing_is_raised_over_full_scale_and_a_usual_level_stays(
    tmp_path: Path, talk: FloatArray
) -> None:
    loud = prepared(tmp_path / "usual", talk, down_db=0.0)
    assert loud.audio_path is not None
    assert np.abs(read_audio(loud.audio_path) - talk).max() < 1e-3
    tapped = 0.003 * talk
    tapped[1000] = 0.5
    raised = prepared(tmp_path / "tapped", tapped, down_db=0.0)
    assert raised.audio_path is not None
    louder = read_audio(raised.audio_path)
    assert louder[2000:].std() > 50 * tapped[2000:].std()
    assert np.abs(louder).max() < 0.985


def test_silence_is_neither_raised_nor_called_quiet(tmp_path: Path) -> None:
    hiss = np.random.default_rng(3).normal(0, 1e-4, 3 * SAMPLE_RATE_HZ).astype(np.float32)
    for name, audio in (("hiss", hiss), ("zeros", 0 * hiss)):
        found = prepared(tmp_path / name, audio, down_db=0.0)
        assert found.speech == ()
        assert found.media.notes == ()
