"""Personal data of the API: a person's access tokens."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData


def _export(user: User) -> dict[str, Any]:
    fields = ("name", "ending", "scopes", "created_at", "ends_at", "used_at", "revoked_at")
    return {
        # Never the hash.
        "access_tokens": list(user.api_tokens.values(*fields)),
        "repeated_requests": list(user.repeated_requests.values("key", "status", "at")),
    }


PERSONAL_DATA = PersonalData(
    app="api",
    kept={
        "access_tokens": "as long as the account, also after they have ended",
        "repeated_requests": "for a day",
    },
    export=_export,
    handed_out={
        "api.apitoken.user": "access_tokens",
        "api.repeatedrequest.user": "repeated_requests",
    },
)
