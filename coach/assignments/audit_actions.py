"""Audit log labels for actions on assignments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "assignments.written": gettext_lazy("Wrote an assignment"),
        "assignments.changed": gettext_lazy("Changed an assignment"),
        "assignments.published": gettext_lazy("Published an assignment"),
        "assignments.archived": gettext_lazy("Withdrew an assignment"),
        "assignments.restored": gettext_lazy("Reopened a withdrawn assignment"),
        "assignments.extended": gettext_lazy("Gave a person more time for an assignment"),
        "assignments.extension_ended": gettext_lazy("Ended an extension of an assignment"),
        "assignments.begun": gettext_lazy("Began an assignment"),
        "assignments.handed_in": gettext_lazy("Handed a take in for an assignment"),
        "assignments.partner_asked": gettext_lazy("Asked a person to hand in together"),
        "assignments.partner_agreed": gettext_lazy("Agreed to hand in together"),
        "assignments.partner_ended": gettext_lazy("Ended handing in together"),
        "assignments.taken_back": gettext_lazy("Withdrew a take that they had handed in"),
    },
)
