"""Audit log labels for actions on rule sets."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "rulesets.published": gettext_lazy("Published a rule set"),
    },
    values={
        "rulesets.published:kind": "rulesets.RuleSetRelease.kind",
    },
)
