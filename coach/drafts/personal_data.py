"""The personal data in saved drafts."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.drafts.selectors import drafts_for
from coach.lib.personal_data import PersonalData


def _export(user: User) -> dict[str, Any]:
    columns = ("is_submitted", "page", "form", "fields", "files", "saved_at", "expires_at")
    return {"form_drafts": list(drafts_for(user).values(*columns))}


PERSONAL_DATA = PersonalData(
    app="drafts",
    kept={
        "form_drafts": (
            "until submitted or discarded: 24 hours if submitted without a session, on the review"
            " page as long as the take, else 14 days (coach.drafts.services)"
        )
    },
    export=_export,
    handed_out={"drafts.formdraft.user": "form_drafts"},
)
