"""How far somebody faces the camera, measured from a sight that is made."""

from __future__ import annotations

from analysis.analysers.gaze import CameraFacing
from analysis.ports import Measured
from analysis.talk.talk import Talk

SHARE = "gaze.camera_facing_share"


OPENING, CLOSING = "gaze.opening_facing_share", "gaze.closing_facing_share"


AWAYS, DOWNS = "gaze.look_aways_per_minute", "gaze.look_downs_per_minute"


def measure(talk: Talk) -> Measured:
    found = CameraFacing().measure(talk)
    assert set(found.measurements) | set(found.skipped) == set(CameraFacing.provides)
    assert not set(found.measurements) & set(found.skipped)
    return found


def share_of(talk: Talk) -> float:
    return measure(talk).measurements[SHARE].value
