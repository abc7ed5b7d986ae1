"""Situations 3, 8 and 9 as the camera sees them; what is said of them is tested with the rules."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from analysis.analysers.arms import Arms
from analysis.analysers.gaze import CameraFacing
from analysis.analysers.gesture import Gesture
from analysis.analysers.head import HeadDirection
from analysis.analysers.posture import Posture
from analysis.backends.media.frames import Frame, sampled_frames
from analysis.backends.media.playback import make_playback
from analysis.backends.sight.watching import watch_file, watch_frames
from analysis.ports import Options, Sight
from analysis.results import Reason
from tests.analysis import seen
from tests.analysis.recordings import film, read

SHARE = "gaze.camera_facing_share"
_DARKEST, _SHADE = 28, 23
# A phone drops and delays frames in the dark: 13 to 50 a second.
VARYING = tuple(np.cumsum(np.random.default_rng(9).uniform(0.02, 0.075, 170)).round(3).tolist())


def test_3_a_steady_side_look_is_one_long_episode_and_never_the_zero() -> None:
    sight = seen.sight(60.0, yaw=seen.flat(25.0), pitch=seen.flat(2.0))
    found = CameraFacing().measure(seen.talk(sight))
    assert found.measurements[SHARE].value == 0.0
    assert [event.label for event in found.events] == ["side"]
    assert found.gaze_zero is not None
    assert found.gaze_zero.source == "usual"
    # At 25 degrees no doubt about the zero is large enough to make a camera of the slides.
    assert found.measurements[SHARE].interval == (0.0, 0.0)


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("name", ["retalk_1.mp4", "lp_s29.mp4"])
def test_3_somebody_who_looks_past_the_camera_is_not_said_to_face_it(
    shared_media: Path, name: str
) -> None:
    sight = watch_file(shared_media / "3_video" / name)
    found = CameraFacing().measure(seen.talk(sight, has_sound=False))
    assert found.measurements[SHARE].value < 0.3
    assert {event.label for event in found.events} == {"side"}


@pytest.mark.usefixtures("faces")
def test_8_a_face_of_35_pixels_leaves_gaze_hands_and_posture_unsaid(shared_media: Path) -> None:
    wall = Image.new("RGB", (1280, 720), (150, 150, 150))
    with Image.open(shared_media / "4_gaze/zoom_real/real_006.png") as person:
        wall.paste(person.convert("RGB").resize((346, 195)), (467, 300))
    rgb = np.asarray(wall.resize((960, 540)))
    frames = [Frame(time=index / 5, rgb=rgb) for index in range(20)]
    talk = seen.talk(watch_frames(frames, source_width=1280), has_sound=False)
    for analyser in (CameraFacing(), HeadDirection(), Gesture(), Posture(), Arms()):
        skipped = analyser.measure(talk).skipped
        assert set(skipped) == set(analyser.provides)
        assert {one.reason for one in skipped.values()} == {Reason.FACE_TOO_SMALL}
        assert all("Come closer" in one.detail for one in skipped.values())


def measured(sight: Sight, options: Options) -> float:
    found = CameraFacing().measure(seen.talk(sight, has_sound=False, options=options))
    return found.measurements[SHARE].value


@pytest.mark.usefixtures("faces")
def test_9_a_phone_held_upright_and_low_is_watched_upright(
    shared_media: Path, tmp_path: Path
) -> None:
    source = shared_media / "3_video/lp_d13.mp4"
    frames = [frame.rgb for frame in sampled_frames(source, per_second=25, max_side=640, end=4.5)]
    path = film(
        tmp_path / "phone.mp4",
        lambda time: frames[min(round(time * 25), len(frames) - 1)],
        [time for time in VARYING if time < 4.5],
        on_its_side=True,
    )
    media, _ = read(path)
    assert media.video is not None
    assert media.video.height > media.video.width
    assert media.video.fps is None
    sight = watch_file(path, source_width=media.video.width, spans=((0.0, 4.0),))
    assert np.isfinite(sight.head[:, 0]).mean() > 0.95
    assert abs(np.nanmedian(sight.head[:, 2])) < 15  # upright: no roll of 90 degrees
    plain = watch_file(source, source_width=720, spans=((0.0, 4.0),))
    low = Options(camera_position="below", mirrored=True)
    assert measured(sight, low) == pytest.approx(measured(plain, low), abs=0.1)
    assert measured(sight, low) > 0.9
    hands = Gesture().measure(seen.talk(sight, has_sound=False, options=low)).skipped
    assert {one.reason for one in hands.values()} == {Reason.FRAMING}


def second_at(path: Path, time: float) -> int:
    """What a player shows after seeking there, the last frame that began by then: its second."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.time_base is not None
        container.seek(round(time / stream.time_base), stream=stream)
        gray = 0.0
        for frame in container.decode(stream):
            if frame.time > time:
                break
            gray = float(frame.to_ndarray(format="gray8").mean())
        return round((gray - _DARKEST) / _SHADE)


@pytest.mark.parametrize("pixels", ["yuv420p", "yuv420p10le"], ids=["copied", "encoded again"])
def test_9_the_copy_for_playback_is_upright_and_clips_start_within_half_a_second(
    tmp_path: Path, pixels: str
) -> None:
    """Each second has its own shade of grey, so that it can be recognised."""
    path = film(
        tmp_path / "phone.mp4",
        lambda time: np.full((160, 96, 3), _DARKEST + _SHADE * int(time), dtype=np.uint8),
        VARYING,
        on_its_side=True,
        pixels=pixels,
    )
    media, _ = read(path)
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _share: None)
    assert copy is not None
    again, _ = read(copy)
    assert again.video is not None
    assert (again.video.width, again.video.height) == (96, 160)
    assert again.duration == pytest.approx(media.duration, abs=0.1)
    for second in range(1, 8):
        assert second_at(copy, second - 0.1) == second - 1
        assert second_at(copy, second + 0.1) == second
