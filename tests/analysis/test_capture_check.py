"""The capture check: short samples made on the spot, and a shared recording."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from analysis.backends.capture_check import check
from analysis.backends.media.frames import sampled_frames
from analysis.errors import MediaMissing, MediaUnreadable
from analysis.sentences import say

BANNED = ("too ", "bad", "poor", "nervous", "confident")


def write_wav(path: Path, samples: NDArray[np.float64]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def findings(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By topic, each with its sentence in English."""
    return {
        finding["topic"]: finding | {"words": say(finding["code"], finding["values"])}
        for finding in result["findings"]
    }


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


@pytest.mark.usefixtures("faces")
def test_a_good_sample_is_ready_and_each_finding_is_in_words(shared_media: Path) -> None:
    result = check(shared_media / "3_video/grid_bbaf2n.mpg")
    found = findings(result)
    assert result["is_ready"], found
    assert set(found) == {
        "level",
        "clipping",
        "noise",
        "light",
        "sharpness",
        "framing",
        "face_size",
        "distance",
        "hands",
    }
    for finding in found.values():
        assert finding["words"].endswith(".")
        assert not any(word in finding["words"].lower() for word in BANNED)


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize(
    ("name", "topic"),
    [("black_video_with_speech.mp4", "light"), ("really_sideways.mp4", "framing")],
)
def test_what_hinders_is_named_with_what_helps(shared_media: Path, name: str, topic: str) -> None:
    result = check(shared_media / "5_hostile/generated" / name)
    assert findings(result)[topic]["state"] == "improve"
    assert not result["is_ready"]


@pytest.fixture(scope="module")
def facing(shared_media: Path) -> list[Image.Image]:
    """Three seconds of a man who faces the camera."""
    source = shared_media / "3_video/lp_d18.mp4"
    frames = sampled_frames(source, per_second=5, max_side=512, end=3.0)
    return [Image.fromarray(frame.rgb) for frame in frames]


def sample(
    path: Path, facing: list[Image.Image], change: Callable[[Image.Image], Image.Image]
) -> Path:
    """The same, each picture changed, without sound."""
    pictures = [change(picture) for picture in facing]
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=5, options={"preset": "ultrafast"})
        (stream.width, stream.height), stream.pix_fmt = pictures[0].size, "yuv420p"
        for picture in pictures:
            output.mux(
                stream.encode(av.VideoFrame.from_ndarray(np.asarray(picture), format="rgb24"))
            )
        output.mux(stream.encode(None))
    return path


def on_wall(share: float, left: int) -> Callable[[Image.Image], Image.Image]:
    """The picture so large on a grey wall of 1280 by 720, so far to the left."""

    def changed(picture: Image.Image) -> Image.Image:
        wall = Image.new("RGB", (1280, 720), (140, 140, 140))
        side = round(720 * share)
        wall.paste(picture.resize((side, side)), (left, 720 - side))
        return wall

    return changed


def beside_another(picture: Image.Image) -> Image.Image:
    both = Image.new("RGB", (2 * picture.width, picture.height))
    both.paste(picture, (0, 0))
    both.paste(picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (picture.width, 0))
    return both


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize(
    ("change", "advice"),
    [
        (lambda picture: picture.point(lambda luma: luma // 9), {"light": "lamp"}),
        (lambda picture: picture.point(lambda luma: luma // 4 + 190), {"light": "very bright"}),
        (lambda picture: picture.filter(ImageFilter.GaussianBlur(9)), {"sharpness": "lens"}),
        (on_wall(0.2, 500), {"face_size": "closer", "distance": "Come closer"}),
        (on_wall(0.1, 500), {"face_size": "higher resolution"}),
        (on_wall(0.8, -150), {"framing": "edge"}),
        (lambda picture: picture.crop((0, 190, 512, 512)), {"framing": "Tilt the camera up"}),
        (beside_another, {"framing": "only you are in it"}),
        (lambda picture: Image.new("RGB", picture.size, (90, 90, 90)), {"framing": "not found"}),
        (lambda picture: picture, {"level": "microphone"}),
    ],
    ids=[
        "dark",
        "bright",
        "blurred",
        "far",
        "very far",
        "at the edge",
        "cropped",
        "two people",
        "nobody",
        "no sound",
    ],
)
def test_whatever_hinders_a_sample_is_named(
    facing: list[Image.Image],
    tmp_path: Path,
    change: Callable[[Image.Image], Image.Image],
    advice: dict[str, str],
) -> None:
    found = findings(check(sample(tmp_path / "sample.mp4", facing, change)))
    for topic, words in advice.items():
        assert found[topic]["state"] == "improve", found
        assert words in found[topic]["words"]


@pytest.mark.usefixtures("faces")
def test_an_unchanged_sample_has_nothing_to_improve_but_the_missing_sound(
    facing: list[Image.Image], tmp_path: Path
) -> None:
    found = findings(check(sample(tmp_path / "sample.mp4", facing, on_wall(0.8, 350))))
    assert [topic for topic, one in found.items() if one["state"] == "improve"] == ["level"]


def test_a_sample_that_stopped_at_once_asks_for_more(tmp_path: Path) -> None:
    found = findings(check(write_wav(tmp_path / "short.wav", np.zeros(16_000))))
    assert "five seconds" in found["level"]["words"]
