"""Situations 3, 8 and 9 as films with a voice: the real analysis, the real rules."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from analysis.pipeline import run_stage
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options
from analysis.results import Reason, Report
from bench.watching.clips import canvas, living
from feedback_rules.model import Draft, Outcome
from tests.analysis.recordings import Rgb, analysed, film, save_sound
from tests.analysis.spoken import said
from tests.feedback_rules.reports import drafted, every_card, outcome
from tests.kept_reports import Kept

LIVELY = (
    "Good morning, everyone, and thank you for coming here today.",
    "I would like to tell you about three things that we found in the lake.",
    "First, the water was warmer than it had been in the last ten years.",
)
LEVEL = (
    "The fish moved to the deeper part of the lake in the summer.",
    "The children of the school counted the birds in the park for two weeks.",
    "They found that there were more birds than in the year before.",
    "The same thing happens in many other lakes all over the world.",
    "We asked the people of the village what they think about the water.",
    "They changed the way they work, and they look after the lake.",
    "We will measure the water again in the winter and in the spring.",
    "The school will count the birds again in the summer of next year.",
    "Finally, I will show you what you can do to help us with this work.",
)
EVENLY, ODDLY = 0.2, np.random.default_rng(9).uniform(0.05, 0.25, 2000)
"""Seconds from one picture to the next: of a webcam in the dark, and of a phone."""


@pytest.fixture(scope="module")
def spoken() -> FloatArray:
    """A lively beginning, then half a minute and more on one tone."""
    return np.concatenate([said(LIVELY), said(LEVEL, melody=0, pause=0.5)])


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory, spoken: FloatArray, models: Path) -> Path:
    """Its words, read once: all films carry the same samples."""
    folder = tmp_path_factory.mktemp("voice")
    analysed(save_sound(folder / "talk.wav", spoken), stages=("prepare", "transcribe"))
    return folder / "work"


@pytest.fixture(scope="module")
def filmed(
    tmp_path_factory: pytest.TempPathFactory, spoken: FloatArray, heard: Path
) -> Callable[..., Path]:
    """Films, told by how the picture is painted."""

    def make(paint: Callable[[float], Rgb], *, phone: bool = False, every: float = EVENLY) -> Path:
        folder = tmp_path_factory.mktemp("film")
        seconds = len(spoken) / SAMPLE_RATE_HZ
        steps = ODDLY if phone else np.full(2000, every)
        times = [float(time) for time in np.cumsum(steps) - steps[0] if time < seconds]
        path = film(folder / "take.mov", paint, times, on_its_side=phone, voice=spoken)
        run_stage("prepare", media_path=path, workdir=folder / "work", options=Options())
        for made in ("transcript.json", "transcribe.done.json"):
            shutil.copy(heard / made, folder / "work" / made)
        return path

    return make


def watched(path: Path, options: Options | None = None) -> Report:
    return analysed(path, options, stages=("prepare", "listen", "watch"))


def families(made: Draft) -> set[str]:
    return {item.family for item in every_card(made)}


@pytest.fixture(scope="module")
def side_look(
    shared_media: Path, faces: Path, kept: Kept, request: pytest.FixtureRequest
) -> Report:
    """Somebody who looks 25 degrees to one side all the time, before a camera that shakes."""

    def make() -> Report:
        filmed = request.getfixturevalue("filmed")
        scene = canvas(
            shared_media / "4_gaze/zoom_synthetic/inpaint_024.png", width=960, height=540, share=1.0
        )
        return watched(filmed(lambda time: np.roll(scene, round(2 * np.sin(time)), axis=1)))

    return kept("side_look", make)


def test_3_a_steady_side_look_with_level_pitch_is_one_merged_item(side_look: Report) -> None:
    assert abs(side_look.measurements["head.yaw_degrees"].value) == pytest.approx(25, abs=5)
    assert len(side_look.words) > 80
    assert side_look.events_of("monotone_stretch")
    made = drafted(side_look)
    assert [item.rule for item in made.items if item.tone == "improvement"][:1] == ["GAZ006"]
    card = next(item for item in made.items if item.rule == "GAZ006")
    assert "If you were reading" in card.text
    assert "GAZ004" in card.merged
    assert outcome(made, "GAZ004") is Outcome.MERGED
    assert [item.rule for item in every_card(made) if item.family == "gaze"] == ["GAZ006"]
    assert not {"PIT001", "PIT002"} & {item.rule for item in every_card(made)}


def test_3_where_slides_are_shown_there_is_no_item_for_gaze(side_look: Report) -> None:
    made = drafted(side_look, slides=True)
    assert "gaze" not in families(made)
    assert outcome(made, "GAZ006") is outcome(made, "GAZ004") is Outcome.OTHER_CONTEXT


@pytest.fixture(scope="module")
def far_away(shared_media: Path, faces: Path, kept: Kept, request: pytest.FixtureRequest) -> Report:
    """A face of 35 pixels in a picture 1280 wide; half as many pictures show that it is small."""

    def make() -> Report:
        filmed = request.getfixturevalue("filmed")
        wall = Image.new("RGB", (1280, 720), (150, 150, 150))
        with Image.open(shared_media / "4_gaze/zoom_real/real_006.png") as person:
            wall.paste(person.convert("RGB").resize((346, 195)), (467, 300))
        scene = np.asarray(wall)
        return watched(
            filmed(lambda time: np.roll(scene, round(2 * np.sin(time)), axis=1), every=2 * EVENLY)
        )

    return kept("far_away", make)


def test_8_a_far_camera_gets_no_item_on_gaze_hands_or_posture(far_away: Report) -> None:
    for metric in ("gaze.camera_facing_share", "gesture.hands_visible_share"):
        assert far_away.skipped[metric].reason is Reason.FACE_TOO_SMALL
    made = drafted(far_away)
    assert not families(made) & {"gaze", "head", "gesture", "posture"}
    assert outcome(made, "POS001") is Outcome.NOT_MEASURED


def test_8_framing_advice_stands_under_what_could_not_be_measured(far_away: Report) -> None:
    seen = [
        skipped
        for metric, skipped in far_away.skipped.items()
        if metric.startswith(("gaze.", "head.", "gesture.", "posture."))
    ]
    assert len(seen) >= 15
    assert all("Come closer" in skipped.detail for skipped in seen)


@pytest.fixture(scope="module")
def low_phone(shared_media: Path, filmed: Callable[..., Path]) -> Path:
    """Head and shoulders upright, mirrored, at odd times; for 24 s somebody looks to one side."""
    person = shared_media / "3_video/lp_d0.mp4"
    clip = living((person, 0.1), (person, 1.0), ((0.0, 24.0),), seconds=60.0)
    return filmed(lambda time: clip.paint(time)[:, 880:400:-1], phone=True)


@pytest.fixture(scope="module")
def held_low(shared_media: Path, faces: Path, kept: Kept, request: pytest.FixtureRequest) -> Report:
    options = Options(camera_position="below", mirrored=True)
    return kept("held_low", lambda: watched(request.getfixturevalue("low_phone"), options))


@pytest.fixture(scope="module")
def unsaid(held_low: Report, kept: Kept, request: pytest.FixtureRequest) -> Report:
    """The same film, of which nobody said where the camera stood."""
    return kept("unsaid", lambda: watched(request.getfixturevalue("low_phone")))


def test_9_a_low_phone_gets_no_look_down_and_its_hands_are_skipped(held_low: Report) -> None:
    assert held_low.media.video is not None
    assert held_low.media.video.height > held_low.media.video.width
    assert held_low.media.video.fps is None
    assert held_low.measurements["gaze.look_downs_per_minute"].value == 0
    hands = [s for metric, s in held_low.skipped.items() if metric.startswith("gesture.")]
    assert len(hands) >= 3
    assert {skipped.reason for skipped in hands} == {Reason.FRAMING}
    made = drafted(held_low, camera_position="below")
    assert not {"GAZ001", "GAZ002", "GAZ003", "GAZ005"} & {i.rule for i in every_card(made)}
    assert "gesture" not in families(made)


def test_9_the_height_of_a_camera_that_nobody_mentioned_is_no_look_down_either(
    unsaid: Report,
) -> None:
    assert not [event for event in unsaid.events_of("look_away") if event.label == "down"]
    assert outcome(drafted(unsaid), "GAZ005") is Outcome.IN_BAND


def test_9_the_text_says_to_one_side_and_the_data_keeps_the_direction(held_low: Report) -> None:
    sides = [event for event in held_low.events_of("look_away") if event.label == "side"]
    assert {event.detail["direction"] for event in sides} <= {"left", "right"}
    cards = every_card(drafted(held_low, camera_position="below"))
    aside = next(item for item in cards if item.rule == "GAZ004")
    assert "to one side" in aside.text
    for card in cards:
        assert not re.search(r"\b(left|right)\b", f"{card.text} {card.comparison}".lower())
