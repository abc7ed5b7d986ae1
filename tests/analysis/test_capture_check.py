"""The capture check: short samples made on the spot, and a shared recording."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.backends.capture_check import check
from analysis.errors import MediaMissing, MediaUnreadable

pytestmark = pytest.mark.usefixtures("models")

BANNED = ("too ", "bad", "poor", "nervous", "confident")


def write_wav(path: Path, samples: NDArray[np.float64]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def findings(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {finding["topic"]: finding for finding in result["findings"]}


def test_silence_asks_for_a_few_sentences(tmp_path: Path) -> None:
    result = check(write_wav(tmp_path / "silence.wav", np.zeros(5 * 16_000)))
    found = findings(result)
    assert not result["is_ready"]
    assert found["level"]["state"] == "improve"
    assert found["framing"]["state"] == "unknown"


def test_a_file_that_is_not_there_or_not_a_recording_is_a_coded_error(tmp_path: Path) -> None:
    with pytest.raises(MediaMissing):
        check(tmp_path / "missing.mp4")
    text = tmp_path / "notes.mp4"
    text.write_text("no recording")
    with pytest.raises(MediaUnreadable):
        check(text)


@pytest.mark.model
@pytest.mark.media
def test_a_good_sample_is_ready_and_each_finding_is_in_words(shared_media: Path) -> None:
    result = check(shared_media / "3_video/grid_bbaf2n.mpg")
    found = findings(result)
    assert result["is_ready"], found
    assert set(found) == {
        "level",
        "clipping",
        "noise",
        "light",
        "framing",
        "face_size",
        "distance",
        "hands",
    }
    for finding in found.values():
        assert finding["words"].endswith(".")
        assert not any(word in finding["words"].lower() for word in BANNED)


@pytest.mark.model
@pytest.mark.media
@pytest.mark.parametrize(
    ("name", "topic"),
    [("black_video_with_speech.mp4", "light"), ("really_sideways.mp4", "framing")],
)
def test_what_hinders_is_named_with_what_helps(shared_media: Path, name: str, topic: str) -> None:
    result = check(shared_media / "5_hostile/generated" / name)
    assert findings(result)[topic]["state"] == "improve"
    assert not result["is_ready"]
