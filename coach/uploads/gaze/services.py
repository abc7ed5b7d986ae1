"""Services for gaze calibrations: fit and store, delete, expire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.results import Note
from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent
from coach.audit.services import record_act
from coach.lib.words.sentences import sentence
from coach.rehearsals.gaze_calibration import KEEP_CALIBRATION_DAYS, GazeCalibration
from coach.uploads.device_check import looker


def store_gaze_calibration(
    *,
    owner: User,
    camera: str,
    is_upright: bool,
    knows_screen: bool,
    shown: int,
    looks: Sequence[Sequence[float]],
) -> GazeCalibration:
    """Fit a calibration to the looks at the points, and store it in place of an earlier one.

    Raises Busy, and ValidationError if the looks do not make a usable calibration.
    """
    about = {"shown": shown, "knows_screen": knows_screen}
    answer = looker.measure("calibration", json.dumps(looks).encode(), about=about)
    if not answer:
        raise ValidationError(_("We could not read this."))
    [found] = answer
    if "calibration" not in found:
        raise ValidationError(sentence(Note.of(found["code"], **found["values"])))
    return _stored(
        owner=owner,
        camera=camera,
        is_upright=is_upright,
        fitted=found["calibration"],
        points=found["points"],
        distance_cm=found["distance_cm"],
    )


@transaction.atomic
def _stored(*, owner: User, camera: str, is_upright: bool, **measured: object) -> GazeCalibration:
    give_consent(user=owner, purpose=Purpose.ANALYSIS)
    calibration, _is_new = GazeCalibration.objects.update_or_create(
        owner=owner,
        camera=camera,
        is_upright=is_upright,
        defaults={**measured, "made_at": timezone.now()},
    )
    record_act(action="rehearsals.gaze_calibrated", target=calibration, actor=owner)
    return calibration


@transaction.atomic
def delete_gaze_calibration(*, calibration: GazeCalibration) -> None:
    """Delete a calibration; takes that were made with it keep their copy."""
    record_act(
        action="rehearsals.gaze_calibration_deleted", target=calibration, actor=calibration.owner
    )
    calibration.delete()


def delete_expired_calibrations() -> int:
    """Delete calibrations whose retention period is over; return their number."""
    before = timezone.now() - timedelta(days=KEEP_CALIBRATION_DAYS)
    return GazeCalibration.objects.filter(made_at__lte=before).delete()[0]
