"""The audit log's own action, and labels for details that several apps record."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "audit.handed_out": gettext_lazy("Downloaded audit log entries"),
    },
    names={
        "added": pgettext_lazy("logged", "added"),
        "at": pgettext_lazy("logged", "at"),
        "by": pgettext_lazy("logged", "by"),
        "changed": pgettext_lazy("logged", "changed"),
        "code": pgettext_lazy("logged", "code"),
        "decision": pgettext_lazy("logged", "decision"),
        "dropped": pgettext_lazy("logged", "dropped"),
        "end": pgettext_lazy("logged", "end"),
        "entries": pgettext_lazy("logged", "entries"),
        "fields": pgettext_lazy("logged", "changed"),
        "file": pgettext_lazy("logged", "file"),
        "kind": pgettext_lazy("logged", "kind"),
        "language": pgettext_lazy("logged", "language"),
        "name": pgettext_lazy("logged", "name"),
        "note": pgettext_lazy("logged", "note"),
        "number": pgettext_lazy("logged", "number"),
        "people": pgettext_lazy("logged", "people"),
        "person": pgettext_lazy("logged", "person"),
        "policy": pgettext_lazy("logged", "when feedback is shown"),
        "purpose": pgettext_lazy("logged", "purpose"),
        "reason": pgettext_lazy("logged", "reason"),
        "role": pgettext_lazy("logged", "role"),
        "start": pgettext_lazy("logged", "start"),
        "state": pgettext_lazy("logged", "state"),
        "tag": pgettext_lazy("logged", "quality"),
        "title": pgettext_lazy("logged", "title"),
        "to": pgettext_lazy("logged", "to"),
        "version": pgettext_lazy("logged", "version"),
    },
    security=("audit.handed_out",),
)
