"""How a take was recorded, as far as that decides what its measures can be compared with."""

from __future__ import annotations

from coach.rehearsals.models import CameraPosition, Rehearsal

_WORKED = ("echo_cancellation", "noise_suppression", "auto_gain_control")


def camera_stood(take: Rehearsal) -> str:
    """Where the camera stood: what was answered about this take says more than its form."""
    if take.camera_in_front is False:
        return CameraPosition.SIDE
    if take.camera_in_front and take.camera_position == CameraPosition.SIDE:
        return CameraPosition.LEVEL
    return take.camera_position


def browser_worked_on_sound(take: Rehearsal) -> bool | None:
    """Whether it did, as it said itself; None of a take that was recorded elsewhere."""
    return any(take.capture.get(name) for name in _WORKED) if take.capture else None
