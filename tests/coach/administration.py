"""Forms of the administration, filled in."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import Cohort


def person_form(**said: Any) -> dict[str, Any]:
    return {"email": "new@example.org", "name": "Nia", "language": "en", "is_active": "on", **said}


def members(cohort: Cohort, *rows: dict[str, Any], **said: Any) -> dict[str, Any]:
    stored = sum(1 for row in rows if "id" in row)
    form: dict[str, Any] = {
        "name": cohort.name,
        "policy": cohort.policy,
        "reply_hours": cohort.reply_hours,
        "second_opinion_percent": cohort.second_opinion_percent,
        "late_notices": "on" if cohort.late_notices else "",
        "memberships-TOTAL_FORMS": len(rows),
        "memberships-INITIAL_FORMS": stored,
        **said,
    }
    for index, row in enumerate(rows):
        for name, value in {"cohort": cohort.pk, **row}.items():
            form[f"memberships-{index}-{name}"] = value
    return form
