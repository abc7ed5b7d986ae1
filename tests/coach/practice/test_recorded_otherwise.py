"""Compared only where nothing of it was recorded otherwise: camera, sound."""

from __future__ import annotations

from typing import Any

from analysis.results import Measurement
from coach.accounts.models import User
from coach.practice.progress.page import Course, own_progress
from coach.rehearsals.models import Rehearsal
from tests.coach.practice.takes import FACING, course_of, rate, silent_take, take_with

SOUND = {"echo_cancellation": False, "noise_suppression": False, "auto_gain_control": False}


WORKED_ON = SOUND | {"noise_suppression": True}


def facing(value: float) -> Measurement:
    return Measurement(
        value=value,
        unit="share",
        n=200,
        coverage=0.95,
        quality="good",
        interval=(value - 0.04, value + 0.04),
    )


def take_facing(owner: User, value: float, **more: Any) -> Rehearsal:
    return silent_take(owner, {FACING: facing(value)}, **more)


def notes_of(course: Course) -> list[str]:
    return [take.note for take in course.takes if take.note]


def test_facing_the_camera_is_not_compared_with_a_camera_that_stood_elsewhere(
    trainee: User,
) -> None:
    for value in (0.2, 0.22):
        take_facing(trainee, value, camera_position="side")
    take_facing(trainee, 0.6)
    assert not own_progress(trainee).has_course
    take_facing(trainee, 0.62)
    course = course_of(own_progress(trainee))
    assert course.began == "about 60% in the first of these takes"
    assert course.words == "We cannot tell whether this changed."
    assert notes_of(course) == [
        "left out: the camera was in a different place than in the last take compared",
        "left out: the camera was in a different place than in the last take compared",
    ]


def test_what_was_answered_about_a_take_says_where_its_camera_stood(trainee: User) -> None:
    take_facing(trainee, 0.2, camera_position="level", camera_in_front=False)
    take_facing(trainee, 0.3, camera_position="side", camera_in_front=True)
    take_facing(trainee, 0.6)
    assert course_of(own_progress(trainee)).began == "about 30% in the first of these takes"


def test_what_is_measured_from_where_one_looked_most_is_not_compared_with_the_lens(
    trainee: User,
) -> None:
    take_facing(trainee, 0.2, camera_position="side")
    take_facing(trainee, 0.6, camera_position="side", camera_in_front=False)
    assert not own_progress(trainee).has_course


def test_ums_are_compared_wherever_the_camera_stood(trainee: User) -> None:
    take_with(trainee, rate(9), camera_position="side")
    take_with(trainee, rate(3))
    assert course_of(own_progress(trainee)).is_clear


def test_ums_are_not_compared_where_only_one_sound_was_worked_on_by_the_browser(
    trainee: User,
) -> None:
    take_with(trainee, rate(9), capture=SOUND)
    take_with(trainee, rate(8))
    take_with(trainee, rate(3), capture=WORKED_ON)
    course = course_of(own_progress(trainee))
    assert course.began == "about 8.0 per minute in the first of these takes"
    assert notes_of(course) == [
        "left out: the browser processed the sound differently than in the last take compared"
    ]
