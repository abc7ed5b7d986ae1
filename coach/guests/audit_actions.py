"""Audit log labels for actions on guest links."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "guests.link_made": gettext_lazy("Created a guest link"),
        "guests.report_shared": gettext_lazy("Created a link to a report"),
        "guests.clip_shared": gettext_lazy("Created a link to one moment"),
        "guests.link_ended": gettext_lazy("Ended a guest link"),
        "guests.coach_may_invite": gettext_lazy("Changed whether the coach can invite guests"),
        "guests.commented": gettext_lazy("A guest commented on a take"),
        "guests.comment_removed": gettext_lazy("Deleted a guest’s comment"),
    },
    names={
        "days": pgettext_lazy("logged", "days"),
        "shows_all": pgettext_lazy("logged", "with every measure"),
        "shows_findings": pgettext_lazy("logged", "with all findings"),
        "with_recording": pgettext_lazy("logged", "with the recording"),
    },
)
