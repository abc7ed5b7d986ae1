"""A person's own data as one document."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.selectors import feedback_for_owner, latest_report_run
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


def own_data(user: User) -> dict[str, Any]:
    """Who they are here, each take with its report, and the feedback they may read."""
    return {
        "name": user.name,
        "email": user.email,
        "roles": user.roles,
        "not_analysed": user.disabled_families,
        "consents": list(user.consents.values("purpose", "given_at", "withdrawn_at")),
        "rehearsals": [_take(take) for take in own_rehearsals_for(user)],
    }


def _take(take: Rehearsal) -> dict[str, Any]:
    run = latest_report_run(take)
    feedback = feedback_for_owner(take)
    return {
        "title": take.title,
        "aim": take.aim,
        "audience": take.audience,
        "setting": take.setting,
        "language": take.language,
        "goal": take.goal,
        "recorded": take.created_at,
        "recording": reverse("rehearsals:media", args=[take.pk]),
        "report": run.report if run else None,
        "feedback": [each.document for each in items_for_reading(feedback)] if feedback else [],
    }
