"""Audit log labels for actions around LTI."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

_SECURITY = {
    "lti.platform_added": gettext_lazy("Registered a learning platform"),
    "lti.platform_changed": gettext_lazy("Changed a learning platform"),
    "lti.platform_deleted": gettext_lazy("Deleted a learning platform"),
    "lti.course_mapped": gettext_lazy("Chose the group of a course"),
    "lti.account_connected": gettext_lazy("Connected an account of a learning platform"),
    "lti.account_disconnected": gettext_lazy("Disconnected an account of a learning platform"),
}
register_acts(
    {**_SECURITY, "lti.members_fetched": gettext_lazy("Fetched the members of a course")},
    names={"issuer": pgettext_lazy("logged", "issuer")},
    security=tuple(_SECURITY),
)
