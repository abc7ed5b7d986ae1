"""A person's own data as one document."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from coach.accounts.models import User
from coach.audit.selectors import account_entries_for
from coach.feedback.items import items_for_reading
from coach.feedback.models import Dispute
from coach.feedback.selectors import feedback_for_owner, latest_report_run
from coach.portal.selectors import kept_forms_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for, uploads_for


def own_data(user: User) -> dict[str, Any]:
    """Who they are here, each take with all that is stored about it, and uploads that wait."""
    return {
        "name": user.name,
        "email": user.email,
        "roles": user.roles,
        "not_analysed": user.disabled_families,
        "language": user.language,
        "account": list(account_entries_for(user).values("action", "at", "detail")),
        "consents": list(user.consents.values("purpose", "given_at", "withdrawn_at")),
        "rehearsals": [_take(take) for take in own_rehearsals_for(user)],
        "uploads": list(
            uploads_for(user)
            .exclude(state="used")
            .values("name", "state", "received_bytes", "created_at", "context")
        ),
        "typed_and_not_sent": list(
            kept_forms_for(user).values("url", "page", "fields", "files", "kept_at")
        ),
    }


def _take(take: Rehearsal) -> dict[str, Any]:
    run = latest_report_run(take)
    feedback = feedback_for_owner(take)
    return {
        "title": take.title,
        "aim": take.aim,
        "audience": take.audience,
        "setting": take.setting,
        "camera_position": take.camera_position,
        "camera_in_front": take.camera_in_front,
        "looks_into_lens_first": take.looks_into_lens_first,
        "shows_slides": take.shows_slides,
        "language": take.language,
        "speaks_as": take.speaks_as,
        "time_limit": take.time_limit,
        "goal": take.goal,
        "not_analysed": take.disabled_families,
        "parts": take.own_parts,
        "file": take.original_name,
        "recorded": take.created_at,
        "recording": reverse("rehearsals:media", args=[take.pk]),
        "report": run.report.document if run else None,
        "feedback": [each.document for each in items_for_reading(feedback)] if feedback else [],
        "disputes": list(
            Dispute.objects.filter(item__feedback__rehearsal=take).values("reason", "note", "at")
        ),
        "sent": list(take.grants.values("note", "needed_by", "created_at", "revoked_at")),
        "opened_by": list(take.viewings.values("viewer__name", "what", "at")),
    }
