"""Values of the calibration page, and of the calibrations next to the recorder."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.accounts.selectors import profile_of
from coach.lib.words.dates import date_words
from coach.rehearsals.gaze_calibration import KEEP_CALIBRATION_DAYS, GazeCalibration
from coach.rehearsals.retention import day_words
from coach.rehearsals.selectors import gaze_calibrations_for
from coach.uploads.pages import recorder_words


def calibration_page(user: User) -> dict[str, object]:
    """Return the context of the page."""
    return {
        "calibrations": [_row(each) for each in gaze_calibrations_for(user)],
        "keep_days": KEEP_CALIBRATION_DAYS,
        "said": _gaze_words(),
    }


def recorder_calibrations(user: User) -> list[dict[str, object]] | None:
    """Return the calibrations that the recorder compares with its camera, or None if the user
    left the direction of the face out of the analysis.
    """
    if {"face", "gaze"} & {*user.disabled_families, *profile_of(user).leaves_out}:
        return None
    return [
        {
            "id": str(each.pk),
            "camera": each.camera,
            "is_upright": each.is_upright,
            "words": _("Your gaze is calibrated for this camera (%(day)s, to about %(error)d°).")
            % {"day": day_words(each.made_at), "error": _whole(each)},
        }
        for each in gaze_calibrations_for(user)
    ]


def error_words(calibration: GazeCalibration) -> str:
    """Return how exact the calibration is."""
    return _("In a test with points left out, your gaze was off by about %(error)d°.") % {
        "error": _whole(calibration)
    }


def _whole(calibration: GazeCalibration) -> int:
    return max(1, round(calibration.error_degrees))


def _row(calibration: GazeCalibration) -> dict[str, object]:
    place = (
        _("Upright picture, about %(distance)d cm away")
        if calibration.is_upright
        else _("Picture in landscape, about %(distance)d cm away")
    )
    return {
        "camera": calibration.camera_name,
        "when": date_words(calibration.made_at),
        "place": place % {"distance": round(calibration.distance_cm)},
        "error": error_words(calibration),
        "kept_until": day_words(calibration.kept_until),
        "delete_url": reverse("feedback:gaze_delete", args=[calibration.pk]),
    }


def _gaze_words() -> dict[str, str]:
    """Return the sentences of the script, by key."""
    of_devices = recorder_words()
    return {
        **{name: of_devices[name] for name in ("not_allowed", "not_found", "in_use", "no_device")},
        "point": _("Look at the point: {n} of {total}"),
        "lens": _("Now look into the lens of the camera"),
        "again": _("Once more: we could not read your eyes at some points"),
        "measuring": _("Calculating …"),
        "stopped": _("Stopped. Nothing is saved."),
        "line": _("The connection was lost. Nothing is saved; try again in a moment."),
        "dark": _("We cannot read your eyes yet. Turn on a light in front of you or move closer."),
        "seen": _("We can read your eyes."),
        "looking": _("Looking for your eyes …"),
    }
