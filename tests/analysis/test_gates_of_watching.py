"""Whatever cannot be seen is skipped with words that say what to change next time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.ports import POSE_POINTS, Options, Sight
from analysis.registry import ANALYSERS
from analysis.results import Reason, Skipped
from analysis.talk.talk import Talk
from tests.analysis import seen

WATCHING = ("gaze", "head", "posture", "arms", "gesture", "visibility")
ADVICE = (
    "closer",
    "farther",
    "record",
    "move",
    "place",
    "frame",
    "make sure",
    "hold",
    "stay",
    "switch",
    "open",
    "lamp",
    "wipe",
    "camera",
    "longer",
    "check",
    "room",
    "standing",
    "face the",
)


def changed(change: Callable[[Sight], None], seconds: float = 60.0) -> Talk:
    sight = seen.sight(seconds)
    change(sight)
    return seen.talk(sight)


def unseen_points(*names: str) -> Callable[[Sight], None]:
    def change(sight: Sight) -> None:
        for index, point in enumerate(POSE_POINTS):
            if any(name in point for name in names):
                sight.pose[:, index, 2] = 0.0

    return change


def nobody(sight: Sight) -> None:
    seen.without_face(sight, 0.0, 600.0)
    sight.pose[:] = np.nan


def filled(name: str, value: float) -> Callable[[Sight], None]:
    def change(sight: Sight) -> None:
        getattr(sight, name)[:] = value

    return change


def dark(sight: Sight) -> None:
    nobody(sight)
    sight.light[:] = 0.0


def half_hidden_and_far(sight: Sight) -> None:
    sight.face_box[:, 2:] = 30.0
    seen.without_face(sight, 0.0, 40.0)


def only_later(sight: Sight) -> None:
    seen.without_face(sight, 0.0, 9.0)
    sight.pose[sight.times < 9.0] = np.nan


def on_its_side(sight: Sight) -> None:
    sight.head[:, 2] = 88.0


TALKS = {
    "nobody": (changed(nobody), Reason.NO_FACE),
    "dark": (changed(dark), Reason.POOR_SIGNAL),
    "dark face": (changed(filled("face_light", 0.01)), Reason.POOR_SIGNAL),
    "blurred": (changed(filled("sharpness", 0.05)), Reason.POOR_SIGNAL),
    "hidden eyes": (changed(filled("eye_contrast", 0.08)), Reason.POOR_SIGNAL),
    "no background": (changed(filled("camera_shift", np.nan)), Reason.POOR_SIGNAL),
    "two people": (changed(filled("rival", 1.0)), Reason.SEVERAL_FACES),
    "far": (seen.talk(seen.sight(face_px=35.0)), Reason.FACE_TOO_SMALL),
    "far and found now and then": (changed(half_hidden_and_far), Reason.FACE_TOO_SMALL),
    "half the time": (
        seen.talk(seen.without_face(seen.sight(), 0.0, 30.0)),
        Reason.LOW_COVERAGE,
    ),
    "late": (changed(only_later), Reason.LOW_COVERAGE),
    "on its side": (changed(on_its_side), Reason.FRAMING),
    "head only": (changed(unseen_points("shoulder", "elbow", "wrist", "hip")), Reason.FRAMING),
    "head and shoulders": (changed(unseen_points("elbow", "wrist", "hip")), Reason.FRAMING),
    "no hips": (changed(unseen_points("hip")), Reason.FRAMING),
    "no hands": (changed(unseen_points("wrist")), Reason.LOW_COVERAGE),
    "one arm": (changed(unseen_points("left_elbow", "left_wrist")), Reason.FRAMING),
    "seated": (seen.talk(seen.sight(), options=Options(setting="seated")), Reason.FRAMING),
    "a second": (seen.talk(seen.sight(1.0)), Reason.TOO_SHORT),
    "ten seconds": (seen.talk(seen.sight(10.0)), Reason.TOO_SHORT),
    "one picture": (seen.talk(seen.sight(0.2)), Reason.TOO_SHORT),
    "no speech": (seen.talk(seen.sight(), speech=()), Reason.NO_SPEECH),
    "no picture": (seen.talk(None), Reason.NO_VIDEO),
}


@pytest.mark.parametrize("name", TALKS)
def test_a_gate_says_what_to_change_next_time(name: str) -> None:
    talk, reason = TALKS[name]
    skipped: dict[str, Skipped] = {}
    for analyser in ANALYSERS:
        if analyser.name in WATCHING:
            skipped |= analyser.measure(talk).skipped
    assert reason in {one.reason for one in skipped.values()}
    for metric, one in skipped.items():
        words = one.detail.lower()
        # Who sits has nothing to change: not everybody can stand.
        assert "people who sit" in words or any(word in words for word in ADVICE), (metric, words)
        assert one.detail.endswith(".")
        assert not any(word in words for word in ("too ", "bad", "poor")), one.detail


def test_no_gate_contradicts_another() -> None:
    """Nobody is told to come closer and to move the camera back."""
    for name in ("far", "far and found now and then"):
        details = " ".join(
            one.detail
            for analyser in ANALYSERS
            if analyser.name in WATCHING
            for one in analyser.measure(TALKS[name][0]).skipped.values()
        )
        assert "loser" in details
        assert "back" not in details


def test_without_sound_nobody_is_told_of_the_time_they_speak() -> None:
    sight = seen.sight()
    nobody(sight)
    for has_sound, of in ((True, "the time you speak"), (False, "the recording")):
        told = seen.talk(sight, has_sound=has_sound)
        details = [s.detail for name in ("gaze", "posture") for s in skipped_by(name, told)]
        assert details
        assert all(of in detail for detail in details), details


def skipped_by(name: str, talk: Talk) -> list[Skipped]:
    analyser = next(each for each in ANALYSERS if each.name == name)
    return list(analyser.measure(talk).skipped.values())
