"""The personal data of takes: recordings with their context, grants and viewings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.urls import reverse

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.rehearsals.models import Rehearsal, Upload, Viewing
from coach.rehearsals.removals import remove_upload
from coach.rehearsals.retention import dates_of
from coach.rehearsals.selectors import all_uploads_for
from coach.rehearsals.services import let_go
from coach.rehearsals.speaking_ease import Ease
from coach.rehearsals.talk_context import context_of_take


def _export(user: User) -> dict[str, Any]:
    return {
        "uploads": list(
            all_uploads_for(user)
            .exclude(state=Upload.State.USED)
            .values("name", "state", "received_bytes", "created_at", "context")
        ),
        "gaze_calibrations": list(
            user.gaze_calibrations.values(
                "made_at", "camera", "is_upright", "fitted", "points", "distance_cm"
            )
        ),
        "looked_at": list(Viewing.objects.filter(viewer=user).values("what", "at")),
        "emergency_access": list(user.emergencies.values("reason", "opened_at", "ends_at")),
        "shared_with_me": list(user.grants.values("created_at", "revoked_at")),
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    dates, context = dates_of(take), asdict(context_of_take(take))
    shown = context.pop("notes")  # a coach's timed notes have that key in the same document
    return {
        "talk": str(take.talk_id),
        **context,
        "notes_on_screen": shown,
        "key_words": take.talk.key_words,
        "camera_in_front": take.camera_in_front,
        "camera_as_before": take.camera_as_before,
        "gaze_calibration": take.gaze_calibration,
        "spoke_alone": take.spoke_alone,
        "not_analysed": take.disabled_families,
        "not_judged": take.quiet,
        "ease": Ease.objects.filter(rehearsal=take).values("before", "after").first(),
        "parts": take.own_parts,
        "file": take.original_name,
        "recorded_here": take.capture,
        "recorded": take.created_at,
        "opened": take.opened_at,
        "recording": "" if take.media_removed_at else reverse("rehearsals:media", args=[take.pk]),
        "recording_is_removed": take.media_removed_at or dates.media,
        "all_of_it_is_removed": dates.all_of_it,
        "sent": list(take.grants.values("note", "needed_by", "created_at", "revoked_at")),
        "opened_in_emergency": list(
            take.emergencies.values("administrator__name", "reason", "opened_at", "ends_at")
        ),
        "opened_by": list(take.viewings.values("viewer__name", "guest", "what", "at")),
    }


def _erase(user: User) -> int:
    """Delete all takes and uploads of a user. Return the number of takes."""
    takes = list(Rehearsal.objects.filter(owner=user))
    for rehearsal in takes:
        let_go(rehearsal=rehearsal, action="rehearsals.deleted", actor=user)
    for upload in Upload.objects.filter(owner=user):
        remove_upload(upload)
    return len(takes)


PERSONAL_DATA = PersonalData(
    app="rehearsals",
    kept={
        "rehearsals": "by the clocks of the cohort (coach.rehearsals.retention)",
        "uploads": "by the clock of the cohort, else ROSTRUM_KEEP_UPLOADS_DAYS",
        "gaze_calibrations": "coach.rehearsals.gaze_calibration.KEEP_CALIBRATION_DAYS",
        "looked_at": "as long as the take that was opened",
        "emergency_access": "as long as the take that was opened",
        "shared_with_me": "as long as the take that was shared",
    },
    export=_export,
    export_take=_export_take,
    handed_out={
        "rehearsals.rehearsal.owner": "rehearsals",
        "rehearsals.talk.owner": "rehearsals",
        "rehearsals.upload.owner": "uploads",
        "rehearsals.gazecalibration.owner": "gaze_calibrations",
        "rehearsals.viewing.viewer": "looked_at",
        "rehearsals.emergencyaccess.administrator": "emergency_access",
        "rehearsals.accessgrant.user": "shared_with_me",
    },
    erase=_erase,
)
