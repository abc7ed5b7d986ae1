"""Recording conditions that decide whether measures of two takes are comparable."""

from __future__ import annotations

from typing import Literal

from coach.rehearsals.models import CameraPosition, Rehearsal

_BY_CAMERA = frozenset({"gaze", "head", "posture", "gesture"})
_BY_SOUND = frozenset({"loudness", "fillers"})
"""Families of measures that depend on the camera's position, or on the browser's sound processing,
regardless of how the speaker speaks."""
_WORKED = ("echo_cancellation", "noise_suppression", "auto_gain_control")


def camera_stood(take: Rehearsal) -> str:
    """Return the camera's position: from the later answer, else from the form."""
    if take.camera_in_front is False:
        return CameraPosition.SIDE
    if take.camera_in_front and take.camera_position == CameraPosition.SIDE:
        return CameraPosition.LEVEL
    return take.camera_position


def last_camera_answer(take: Rehearsal) -> Rehearsal | None:
    """Return the newest earlier take in the same setting with a camera answer, or None."""
    earlier = Rehearsal.objects.filter(
        owner=take.owner_id,
        setting=take.setting,
        camera_position=take.camera_position,
        created_at__lt=take.created_at,
        camera_as_before=False,
    )
    return earlier.exclude(camera_in_front=None).order_by("-created_at").first()


def _measured_from(take: Rehearsal) -> tuple[str, bool]:
    """Return the reference of gaze measures: the camera's position, and whether it is estimated."""
    return camera_stood(take), take.camera_in_front is False


def browser_worked_on_sound(take: Rehearsal) -> bool | None:
    """Return whether the browser reports sound processing, or None for uploaded files."""
    return any(take.capture.get(name) for name in _WORKED) if take.capture else None


def recorded_otherwise(
    metric: str, one: Rehearsal, other: Rehearsal
) -> Literal["camera", "sound"] | None:
    """Return the condition that makes a measure of two takes incomparable, or None.

    The sound processing of an uploaded take is unknown, which prevents no comparison.
    """
    family = metric.partition(".")[0]
    if family in _BY_CAMERA and _measured_from(one) != _measured_from(other):
        return "camera"
    both = {browser_worked_on_sound(one), browser_worked_on_sound(other)}
    return "sound" if family in _BY_SOUND and both == {True, False} else None
