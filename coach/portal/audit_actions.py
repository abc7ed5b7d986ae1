"""Labels of actions on the whole site in the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "portal.backed_up": gettext_lazy("Made a backup"),
        "portal.restored": gettext_lazy("Restored a backup"),
    },
)
