"""Audit log labels for actions on notifications."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "notices.mails_chosen": gettext_lazy("Chose which emails they get"),
    },
    values={
        "notices.mails_chosen:before": "notices.Mute.kind",
    },
)
