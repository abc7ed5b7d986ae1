"""Personal data of notifications: those received, and muted emails."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.notices.models import Bounce


def _export(user: User) -> dict[str, Any]:
    return {
        "notices": list(user.notices.values("kind", "not_before", "seen_at", "mailed_at")),
        "mails_not_wanted": list(user.muted_notices.values("kind", "since")),
        "emails_that_came_back": list(
            Bounce.objects.filter(person=user).values("address", "status", "noticed_at")
        ),
    }


PERSONAL_DATA = PersonalData(
    app="notices",
    kept={
        "notices": "90 days once read or settled, a reminder to practise once settled "
        "(coach.notices.services.KEPT_FOR), else as long as the take",
        "mails_not_wanted": "as long as the account",
        "emails_that_came_back": "until emails are sent there again",
    },
    export=_export,
    handed_out={
        "notices.notice.person": "notices",
        "notices.mute.person": "mails_not_wanted",
        "notices.bounce.person": "emails_that_came_back",
    },
)
