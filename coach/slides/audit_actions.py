"""Audit log labels for actions on slides."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "slides.added": gettext_lazy("Added slides"),
        "slides.deleted": gettext_lazy("Deleted slides"),
    }
)
