"""Labels of actions on uploads and takes in the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "rehearsals.stored": gettext_lazy("Stored a take"),
        "rehearsals.upload_cut_off": gettext_lazy("Saved an interrupted upload"),
        "rehearsals.upload_discarded": gettext_lazy("Discarded an interrupted upload"),
        "rehearsals.upload_expired": gettext_lazy("Deleted an expired upload"),
        "rehearsals.notice_sent": gettext_lazy("Notified an owner of a coming deletion"),
        "rehearsals.media_expired": gettext_lazy(
            "Deleted an expired recording and kept its report"
        ),
        "rehearsals.original_removed": gettext_lazy(
            "Deleted the original of a recording and kept the copy"
        ),
        "rehearsals.expired": gettext_lazy("Deleted an expired take"),
        "rehearsals.deleted": gettext_lazy("Deleted a take"),
        "rehearsals.sent": gettext_lazy("Sent a take to the coach"),
        "rehearsals.ease_noted": gettext_lazy("Noted how easy speaking felt"),
        "rehearsals.gaze_calibrated": gettext_lazy("Calibrated their gaze"),
        "rehearsals.gaze_calibration_deleted": gettext_lazy("Deleted a gaze calibration"),
        "rehearsals.read_now": gettext_lazy("Read a report without waiting for the coach"),
        "rehearsals.withdrawn": gettext_lazy("Withdrew a take from the coach"),
        "rehearsals.emergency_opened": gettext_lazy("Opened a recording in an emergency"),
        "rehearsals.emergency_closed": gettext_lazy("Closed a recording opened in an emergency"),
    },
    security=("rehearsals.emergency_opened", "rehearsals.emergency_closed"),
)
