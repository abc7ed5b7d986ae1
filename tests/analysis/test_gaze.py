"""Camera-facing time from synthetic sights with known truth."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.gaze import CameraFacing
from analysis.analysers.head import HeadDirection
from analysis.ports import Options
from analysis.results import Quality, Reason, Skipped
from tests.analysis import seen
from tests.analysis.facing import AWAYS, CLOSING, DOWNS, OPENING, SHARE, measure, share_of


def test_somebody_who_faces_the_camera_all_the_time_has_a_share_of_one() -> None:
    found = measure(seen.talk(seen.sight()))
    share = found.measurements[SHARE]
    assert share.value == 1.0
    assert share.coverage == pytest.approx(1.0)
    assert share.quality is Quality.GOOD
    assert share.interval is not None
    assert share.interval[0] > 0.95
    assert found.events == ()
    assert found.measurements[AWAYS].value == 0


def test_look_aways_have_their_times_directions_and_labels() -> None:
    spans = {"left": (10.0, 13.0), "right": (20.0, 22.0)}
    yaw = seen.away_between(spans["left"], angle=-30.0)
    other = seen.away_between(spans["right"], angle=60.0)
    pitch = seen.away_between((30.0, 34.0), angle=-25.0)
    sight = seen.sight(yaw=lambda times: yaw(times) + other(times), pitch=pitch)
    found = measure(seen.talk(sight))
    assert [event.label for event in found.events] == ["side", "screen", "down"]
    assert [event.detail["direction"] for event in found.events[:2]] == ["left", "right"]
    assert found.events[2].detail["notes"]
    for event, (start, end) in zip(found.events, (*spans.values(), (30.0, 34.0)), strict=True):
        assert event.kind == "look_away"
        assert event.start == pytest.approx(start, abs=0.21)
        assert event.end == pytest.approx(end, abs=0.21)
    assert found.measurements[SHARE].value == pytest.approx(51 / 60, abs=0.02)
    assert found.measurements[AWAYS].value == pytest.approx(3.0, abs=0.05)
    assert found.measurements[DOWNS].value == pytest.approx(1.0, abs=0.05)


def test_a_glance_upwards_is_labelled_up() -> None:
    sight = seen.sight(pitch=seen.away_between((10.0, 12.0), angle=25.0))
    assert [event.label for event in measure(seen.talk(sight)).events] == ["up"]


def test_eyes_that_come_back_to_the_camera_make_up_for_a_turned_head() -> None:
    sight = seen.sight(yaw=seen.flat(-20.0), eye_yaw=seen.flat(20.0))
    assert share_of(seen.talk(sight)) == 1.0


def test_eyes_that_leave_the_camera_count_though_the_head_stays() -> None:
    sight = seen.sight(eye_yaw=seen.away_between((0.0, 30.0), angle=25.0))
    assert share_of(seen.talk(sight)) == pytest.approx(0.5, abs=0.02)


def test_a_blink_is_no_look_away_and_closed_eyes_are() -> None:
    sight = seen.sight()
    blink = (sight.times >= 10.0) & (sight.times < 10.35)
    closed = (sight.times >= 20.0) & (sight.times < 23.0)
    sight.blink[blink | closed] = 0.7
    sight.eyes[blink | closed, 1] = -20.0
    found = measure(seen.talk(sight))
    assert len(found.events) == 1
    assert found.events[0].start == pytest.approx(20.0, abs=0.21)
    assert found.events[0].detail["eyes_closed"]


def test_eyes_shut_before_the_camera_are_no_look_to_the_side() -> None:
    sight = seen.sight()
    sight.blink[(sight.times >= 20.0) & (sight.times < 23.0)] = 0.7
    (event,) = measure(seen.talk(sight)).events
    assert event.label == "closed"
    assert event.detail["direction"] == ""


def test_short_looks_back_within_an_episode_do_not_change_where_it_went() -> None:
    """Darting eyes: most samples are at the lens, none of the looks back lasts."""
    darts = [(20.05, 20.45)] + [(20.65 + 0.3 * index, 20.75 + 0.3 * index) for index in range(8)]
    sight = seen.sight(eye_yaw=seen.away_between(*darts, angle=-30.0), per_second=10.0, noise=0.3)
    (event,) = measure(seen.talk(sight)).events
    assert event.label == "side"
    assert event.detail["yaw_degrees"] == pytest.approx(-30, abs=1)


def test_a_face_lost_before_it_turned_is_unseen_and_neither_shut_eyes_nor_a_side_look() -> None:
    """Somebody bent so low over notes that no face is found."""
    (event,) = measure(seen.talk(seen.without_face(seen.sight(), 20.0, 30.0))).events
    assert event.label == "unseen"
    assert event.detail["direction"] == ""
    assert not event.detail["face_seen"]


def test_a_face_lost_while_it_turned_far_had_gone_on_turning() -> None:
    sight = seen.sight(yaw=seen.away_between((19.6, 30.0), angle=30.0))
    (event,) = measure(seen.talk(seen.without_face(sight, 20.2, 30.0))).events
    assert event.label == "screen"
    assert event.detail["direction"] == "right"


def test_one_odd_sample_changes_nothing() -> None:
    sight = seen.sight(noise=0.5)
    sight.head[100, 0] = 40.0
    assert share_of(seen.talk(sight)) == 1.0


def test_only_speech_counts() -> None:
    sight = seen.sight(yaw=seen.away_between((30.0, 60.0), angle=40.0))
    talk = seen.talk(sight, speech=((0.0, 15.0), (16.0, 30.0)))
    assert share_of(talk) > 0.99


def test_without_sound_the_watched_time_counts() -> None:
    sight = seen.sight(yaw=seen.away_between((30.0, 60.0), angle=40.0))
    found = measure(seen.talk(sight, has_sound=False))
    assert found.measurements[SHARE].value == pytest.approx(0.5, abs=0.02)
    assert found.measurements[SHARE].quality is Quality.FAIR


def test_opening_and_closing_are_measured_on_their_own() -> None:
    sight = seen.sight(yaw=seen.away_between((0.0, 5.0), (50.0, 60.0), angle=40.0))
    found = measure(seen.talk(sight))
    assert found.measurements[OPENING].value == pytest.approx(0.5, abs=0.05)
    assert found.measurements[CLOSING].value == pytest.approx(0.0, abs=0.05)


def test_a_short_take_has_a_share_but_no_rate_and_no_opening() -> None:
    found = measure(seen.talk(seen.sight(12.0)))
    assert SHARE in found.measurements
    for metric in (OPENING, CLOSING, AWAYS, DOWNS):
        assert found.skipped[metric].reason is Reason.TOO_SHORT


def test_a_mirrored_recording_swaps_the_directions() -> None:
    yaw = seen.away_between((10.0, 13.0), angle=-30.0)
    plain = measure(seen.talk(seen.sight(yaw=yaw)))
    mirrored = measure(seen.talk(seen.sight(yaw=yaw), options=Options(mirrored=True)))
    assert plain.events[0].detail["direction"] == "left"
    assert mirrored.events[0].detail["direction"] == "right"
    assert plain.measurements[SHARE].value == mirrored.measurements[SHARE].value


def test_turning_the_back_counts_as_away_although_no_face_is_found() -> None:
    sight = seen.without_face(seen.sight(), 20.0, 30.0)
    found = measure(seen.talk(sight))
    assert found.measurements[SHARE].value == pytest.approx(50 / 60, abs=0.02)
    assert len(found.events) == 1
    assert not found.events[0].detail["face_seen"]


def test_a_black_picture_counts_as_nothing_at_all() -> None:
    sight = seen.without_face(seen.sight(), 20.0, 30.0)
    gone = (sight.times >= 20.0) & (sight.times < 30.0)
    sight.pose[gone] = np.nan
    sight.light[gone] = 0.0
    found = measure(seen.talk(sight))
    assert found.measurements[SHARE].value == 1.0
    assert found.measurements[SHARE].coverage == pytest.approx(50 / 60, abs=0.02)
    assert found.events == ()


def test_a_face_seen_for_half_of_the_speech_is_not_enough() -> None:
    found = measure(seen.talk(seen.without_face(seen.sight(), 0.0, 30.0)))
    assert found.skipped[SHARE].reason is Reason.LOW_COVERAGE
    assert "50%" in found.skipped[SHARE].detail


def test_a_face_of_35_pixels_is_skipped_with_what_would_help() -> None:
    found = measure(seen.talk(seen.sight(face_px=35.0)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}
    assert "35 pixels" in found.skipped[SHARE].detail
    assert "Come closer" in found.skipped[SHARE].detail


def test_two_faces_of_the_same_size_are_skipped() -> None:
    sight = seen.sight()
    sight.rival[:] = 0.95
    assert measure(seen.talk(sight)).skipped[SHARE].reason is Reason.SEVERAL_FACES


def test_somebody_small_in_the_background_disturbs_nobody() -> None:
    sight = seen.sight()
    sight.rival[:] = 0.4
    assert share_of(seen.talk(sight)) == 1.0


@pytest.mark.parametrize(("series", "value"), [("face_light", 0.02), ("sharpness", 0.05)])
def test_a_dark_or_blurred_face_is_a_matter_of_the_signal(series: str, value: float) -> None:
    sight = seen.sight()
    getattr(sight, series)[:] = value
    assert measure(seen.talk(sight)).skipped[SHARE].reason is Reason.POOR_SIGNAL


def test_eyes_behind_glasses_that_reflect_say_nothing_of_gaze_but_the_head_does() -> None:
    sight = seen.sight()
    sight.eye_contrast[:200] = 0.08
    hidden = measure(seen.talk(sight)).skipped[SHARE]
    assert hidden.code == "eyes_hidden"
    assert hidden.values["share"] == pytest.approx(200 / 300, abs=0.01)
    assert share_of(seen.talk(sight, options=Options(setting="stage"))) == 1.0
    assert "head.yaw_degrees" in HeadDirection().measure(seen.talk(sight)).measurements


def test_what_is_read_into_hidden_eyes_is_no_look_away() -> None:
    sight = seen.sight(eye_yaw=seen.away_between((20.0, 28.0), angle=20.0))
    hidden = (sight.times >= 20.0) & (sight.times < 40.0)
    sight.eye_contrast[hidden] = 0.08
    sight.blink[hidden & (sight.times >= 30.0)] = 0.8
    found = measure(seen.talk(sight))
    assert found.events == ()
    assert found.measurements[SHARE].value == 1.0


def test_a_picture_on_its_side_is_skipped_with_what_would_help() -> None:
    sight = seen.sight()
    sight.head[:, 2] = 88.0
    found = measure(seen.talk(sight))
    assert {each.reason for each in found.skipped.values()} == {Reason.FRAMING}
    assert "sideways" in found.skipped[SHARE].detail


def test_nobody_in_the_picture() -> None:
    sight = seen.without_face(seen.sight(), 0.0, 60.0)
    sight.pose[:] = np.nan
    assert measure(seen.talk(sight)).skipped[SHARE].reason is Reason.NO_FACE


def test_a_recording_without_speech_has_no_share_of_it() -> None:
    found = measure(seen.talk(seen.sight(), speech=()))
    assert found.skipped[SHARE].reason is Reason.NO_SPEECH


def test_without_a_picture_the_reason_of_the_stage_is_passed_on() -> None:
    reason = Skipped.because(Reason.MODEL_MISSING, "in_words", words="No model.")
    found = measure(seen.talk(None, absent={"sight": reason}))
    assert set(found.skipped.values()) == {reason}


def test_a_profile_that_forbids_the_face_is_respected() -> None:
    sight = seen.sight()
    blind = type(sight)(
        **{
            **{name: getattr(sight, name) for name in sight.__dataclass_fields__},
            "watched": ("pose",),
        }
    )
    assert measure(seen.talk(blind)).skipped[SHARE].reason is Reason.DISABLED_BY_PROFILE


@pytest.mark.parametrize("per_second", [5.0, 10.0, 25.0])
def test_the_rate_of_sampling_does_not_change_the_result(per_second: float) -> None:
    sight = seen.sight(
        per_second=per_second, yaw=seen.away_between((10.0, 13.0), (40.0, 41.5), angle=-30.0)
    )
    found = measure(seen.talk(sight))
    assert found.measurements[SHARE].value == pytest.approx(55.5 / 60, abs=0.01)
    assert len(found.events) == 2


@pytest.mark.parametrize(
    ("per_second", "quality"), [(5.0, Quality.GOOD), (2.0, Quality.FAIR), (1.0, Quality.POOR)]
)
def test_where_pictures_are_rare_one_alone_is_no_look_away(
    per_second: float, quality: Quality
) -> None:
    step = 1 / per_second
    glances = tuple((at, at + step / 2) for at in (10.0, 20.0, 30.0, 40.0))
    away = seen.away_between(*glances, angle=40.0)
    found = CameraFacing().measure(seen.talk(seen.sight(yaw=away, per_second=per_second)))
    assert found.measurements[SHARE].value == 1.0
    assert found.measurements[SHARE].quality is quality
    assert found.events == ()


def test_the_same_talk_gives_the_same_numbers_every_time() -> None:
    sight = seen.sight(yaw=seen.away_between((10.0, 20.0), angle=-30.0))
    assert measure(seen.talk(sight)) == measure(seen.talk(sight))


def test_the_track_holds_a_share_for_each_second() -> None:
    sight = seen.sight(yaw=seen.away_between((10.0, 20.0), angle=-30.0))
    track = measure(seen.talk(sight)).tracks["gaze.camera_facing"]
    assert (track.start, track.step, track.unit) == (0.0, 1.0, "share")
    assert len(track.values) == 60
    assert track.values[5] == 1.0
    assert track.values[15] == 0.0
