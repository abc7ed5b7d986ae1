"""A clip holds its stretch of the recording and nothing else."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from analysis.backends.media.clip import cut_clip
from tests.analysis.recordings import Picture, Tone, read, record

SECONDS = 1.0


@pytest.mark.parametrize(
    ("name", "picture", "tone"),
    [
        ("talk.mp4", Picture(times=tuple(index / 25 for index in range(100))), Tone(seconds=4.0)),
        ("talk.webm", Picture(codec="libvpx"), Tone(codec="libopus", rate_hz=48_000)),
        ("talk.wav", None, Tone(codec="pcm_s16le")),
    ],
)
def test_a_clip_is_as_long_as_its_stretch_and_names_nothing(
    tmp_path: Path, name: str, picture: Picture | None, tone: Tone
) -> None:
    path = record(tmp_path / name, picture=picture, tone=tone)
    out = tmp_path / "clip.mp4"
    cut_clip(path, out, start=0.5, end=1.5)
    media, sound = read(out)
    assert media.duration == pytest.approx(SECONDS, abs=0.15)
    assert len(sound) / 16_000 <= SECONDS + 0.1
    assert (media.video is None) is (picture is None)
    with av.open(str(out)) as clip:
        assert "title" not in clip.metadata
        assert set(clip.metadata) <= {
            "major_brand",
            "minor_version",
            "compatible_brands",
            "encoder",
        }
        if picture is not None:
            frames = list(clip.decode(video=0))
            assert all(frame.time <= SECONDS for frame in frames if frame.time is not None)
