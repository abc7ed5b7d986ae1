"""Somebody who looks past the lens for the whole talk: an honest share, or a question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.analysers.gaze import CameraFacing
from analysis.answers import with_camera_answer
from analysis.backends.sight.watching import watch_file
from analysis.ports import FloatArray, Measured, Options
from analysis.results import (
    CameraAnswer,
    CameraQuestion,
    Language,
    MediaInfo,
    Quality,
    Reason,
    Report,
)
from analysis.talk.talk import Talk
from bench.watching.clips import DrawnClip, canvas, write
from tests.analysis import seen

SHARE = "gaze.camera_facing_share"
ASIDE = [(9.0, 0.0), (13.0, 0.0), (-25.0, 0.0), (40.0, 5.0), (0.0, -20.0), (0.0, 18.0)]


def measure(talk: Talk) -> Measured:
    return CameraFacing().measure(talk)


def asked(talk: Talk) -> CameraQuestion:
    question = measure(talk).camera_question
    assert question is not None
    return question


def talk_towards(yaw: float, pitch: float = 0.0, **options: object) -> Talk:
    sight = seen.sight(yaw=seen.flat(yaw), pitch=seen.flat(pitch))
    return seen.talk(sight, options=Options(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(("yaw", "pitch"), ASIDE)
def test_who_looks_past_the_lens_all_the_time_is_asked_where_it_stood(
    yaw: float, pitch: float
) -> None:
    question = asked(talk_towards(yaw, pitch))
    assert question.answer == "unknown"
    assert question.where == ("side" if yaw else "below" if pitch < 0 else "above")
    assert question.share > 0.95


@pytest.mark.parametrize(("yaw", "pitch"), ASIDE)
def test_in_front_means_that_hardly_any_of_it_faced_the_camera(yaw: float, pitch: float) -> None:
    found = measure(talk_towards(yaw, pitch, camera_in_front=True))
    share = found.measurements[SHARE]
    assert share.value < 0.05
    assert share.interval is not None
    assert share.interval[1] < 0.4
    assert share.quality is not Quality.POOR
    assert [event.label for event in found.events] != []
    assert {event.label for event in found.events} <= {"side", "screen", "down", "up"}


@pytest.mark.parametrize(("yaw", "pitch"), ASIDE)
def test_elsewhere_means_that_they_looked_where_they_mostly_looked(
    yaw: float, pitch: float
) -> None:
    found = measure(talk_towards(yaw, pitch, camera_in_front=False))
    share = found.measurements[SHARE]
    assert share.value > 0.95
    assert share.interval is not None
    assert share.interval[0] > 0.8
    assert found.gaze_zero is not None
    assert found.gaze_zero.source == "answer"


def test_just_beside_the_lens_the_share_alone_says_nothing_which_is_why_we_ask() -> None:
    found = measure(talk_towards(8.5))
    share = found.measurements[SHARE]
    assert share.interval is not None
    assert share.interval[1] - share.interval[0] > 0.8
    assert share.quality is Quality.POOR
    assert found.camera_question is not None


@pytest.mark.parametrize(("yaw", "pitch"), [(0.0, 0.0), (4.0, 0.0), (0.0, -7.0)])
def test_nobody_is_asked_who_faces_the_camera_as_people_do(yaw: float, pitch: float) -> None:
    assert measure(talk_towards(yaw, pitch)).camera_question is None


def two_directions(times: FloatArray) -> FloatArray:
    """Two fifths of the time 4 degrees beside the lens, the rest around the limit beside it."""
    around = 12.0 + 3.5 * np.sin(times * 7.3)
    return np.where(times % 10 < 4, 4.0, around).astype(np.float32)


def test_two_directions_of_which_either_may_be_the_lens_are_asked_about() -> None:
    up_and_down = seen.sight(
        yaw=two_directions,
        pitch=lambda times: np.where(times % 10 < 4, 0.0, 9 * np.sin(times * 3.1)).astype("f4"),
    )
    found = measure(seen.talk(up_and_down))
    assert found.gaze_zero is not None
    assert found.gaze_zero.source == "talk"
    assert found.measurements[SHARE].quality is Quality.POOR
    question = found.camera_question
    assert question is not None
    assert question.where == "around"
    assert question.readings["elsewhere"].skipped[SHARE].reason is Reason.MISSING_CONTEXT


def test_nor_who_looked_into_the_lens_first() -> None:
    yaw = seen.away_between((3.0, 60.0), angle=25.0)
    told = Options(calibration=(0.0, 3.0))
    found = measure(seen.talk(seen.sight(yaw=yaw), options=told))
    assert found.camera_question is None
    assert found.measurements[SHARE].value < 0.05


def test_nor_who_looks_away_for_a_minority_of_the_time() -> None:
    sight = seen.sight(yaw=seen.away_between((10.0, 30.0), angle=25.0))
    assert measure(seen.talk(sight)).camera_question is None


def test_a_head_seen_from_the_side_is_asked_about_as_well() -> None:
    talk = seen.talk(seen.without_face(seen.sight(), 0.0, 55.0))
    question = asked(talk)
    assert question.where == "away"
    assert question.readings["unknown"].skipped[SHARE].reason is Reason.LOW_COVERAGE
    assert question.readings["elsewhere"].skipped == question.readings["unknown"].skipped
    assert question.readings["in_front"].measurements[SHARE].value < 0.12


def test_looks_here_and_there_with_the_camera_elsewhere_have_nothing_to_be_measured_from() -> None:
    spans = [(float(t), float(t) + 1.0) for t in range(60)]
    yaw = [seen.away_between(span, angle=-44.0 + 11.0 * (n % 9)) for n, span in enumerate(spans)]
    sight = seen.sight(yaw=lambda times: sum(one(times) for one in yaw))  # type: ignore[arg-type]
    found = measure(seen.talk(sight))
    if found.camera_question is not None:
        assert found.camera_question.where == "around"
        elsewhere = found.camera_question.readings["elsewhere"]
        assert elsewhere.skipped[SHARE].reason is Reason.MISSING_CONTEXT


def report_of(found: Measured) -> Report:
    return Report(
        media=MediaInfo(sha256="0" * 64, duration=60.0, container="mp4"),
        language=Language(code="en", source="default"),
        measurements=dict(found.measurements),
        skipped=dict(found.skipped),
        events=found.events,
        tracks=dict(found.tracks),
        gaze_zero=found.gaze_zero,
        camera_question=found.camera_question,
    )


@pytest.mark.parametrize("answer", ["in_front", "elsewhere"])
def test_an_answer_makes_the_report_that_an_analysis_with_it_would_make(
    answer: CameraAnswer,
) -> None:
    report = report_of(measure(talk_towards(20.0)))
    answered = with_camera_answer(report, answer)
    again = report_of(measure(talk_towards(20.0, camera_in_front=answer == "in_front")))
    assert answered == again
    assert answered != report
    assert with_camera_answer(answered, "unknown") == report


def test_a_report_that_asks_nothing_stays_as_it_is() -> None:
    report = report_of(measure(talk_towards(0.0)))
    assert with_camera_answer(report, "in_front") is report


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("name", ["lp_s29_002.50.jpg", "retalk_1_002.00.jpg"])
def test_a_video_of_somebody_who_looks_aside_leads_to_a_share_near_none_or_to_the_question(
    shared_media: Path, tmp_path: Path, name: str
) -> None:
    picture = canvas(shared_media / "4_gaze/frames" / name)
    path = write(DrawnClip(11.0, lambda _: picture), tmp_path / "aside.mp4", fps=5)
    found = measure(seen.talk(watch_file(path, source_width=1280)))
    share = found.measurements.get(SHARE)
    is_honest = share is not None and share.interval is not None and share.interval[1] < 0.2
    assert is_honest or found.camera_question is not None
