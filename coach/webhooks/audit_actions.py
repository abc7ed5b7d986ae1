"""Audit log labels for actions on webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

_ACTS = {
    "webhooks.added": gettext_lazy("Added a webhook"),
    "webhooks.switched_on": gettext_lazy("Switched a webhook on"),
    "webhooks.switched_off": gettext_lazy("Switched a webhook off"),
    "webhooks.deleted": gettext_lazy("Deleted a webhook"),
}
register_acts(_ACTS, names={"address": pgettext_lazy("logged", "address")}, security=tuple(_ACTS))
