"""Recording conditions that decide which measures of two takes can be compared."""

from __future__ import annotations

from typing import Literal

from coach.rehearsals.models import CameraPosition, Rehearsal

_BY_CAMERA = frozenset({"gaze", "head", "posture", "gesture"})
_BY_SOUND = frozenset({"loudness", "fillers"})
"""Families of measures that come out otherwise where the camera stands elsewhere, or where the
browser worked on the sound, however somebody speaks."""
_WORKED = ("echo_cancellation", "noise_suppression", "auto_gain_control")


def camera_stood(take: Rehearsal) -> str:
    """Return the camera's position: the later answer, else the form's."""
    if take.camera_in_front is False:
        return CameraPosition.SIDE
    if take.camera_in_front and take.camera_position == CameraPosition.SIDE:
        return CameraPosition.LEVEL
    return take.camera_position


def last_camera_answer(take: Rehearsal) -> Rehearsal | None:
    """Return the newest earlier take in the same place with an answer about the camera."""
    earlier = Rehearsal.objects.filter(
        owner=take.owner_id,
        setting=take.setting,
        camera_position=take.camera_position,
        created_at__lt=take.created_at,
        camera_as_before=False,
    )
    return earlier.exclude(camera_in_front=None).order_by("-created_at").first()


def _measured_from(take: Rehearsal) -> tuple[str, bool]:
    """Where facing is measured from: the lens where it stood, or where the speaker looked most."""
    return camera_stood(take), take.camera_in_front is False


def browser_worked_on_sound(take: Rehearsal) -> bool | None:
    """Return whether the browser says it processed the sound; None for uploads."""
    return any(take.capture.get(name) for name in _WORKED) if take.capture else None


def recorded_otherwise(
    metric: str, one: Rehearsal, other: Rehearsal
) -> Literal["camera", "sound"] | None:
    """Return what prevents comparing a measure of two takes; None if nothing does.

    Nothing is known of the sound of a take that was recorded elsewhere: that forbids nothing.
    """
    family = metric.partition(".")[0]
    if family in _BY_CAMERA and _measured_from(one) != _measured_from(other):
        return "camera"
    both = {browser_worked_on_sound(one), browser_worked_on_sound(other)}
    return "sound" if family in _BY_SOUND and both == {True, False} else None
