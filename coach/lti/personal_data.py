"""Personal data of LTI: accounts at learning platforms, and the progress passed back."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.lti.models import PlatformAccount


def _export(user: User) -> dict[str, Any]:
    found = PlatformAccount.objects.filter(person=user).select_related("platform")
    return {"learning_platforms": [_account(each) for each in found]}


def _account(account: PlatformAccount) -> dict[str, Any]:
    passed_back = account.completions.select_related("assignment")
    return {
        "platform": account.platform.name,
        "issuer": account.platform.issuer,
        "identifier": account.subject,
        "connected": account.connected_at,
        "passed_back": [
            {"assignment": each.assignment.title, "state": each.sent} for each in passed_back
        ],
    }


PERSONAL_DATA = PersonalData(
    app="lti",
    kept={"learning_platforms": "as long as the account, or until it is disconnected"},
    export=_export,
    handed_out={"lti.platformaccount.person": "learning_platforms"},
    excused={"lti.platform.added_by": "an administrator's act; it stands among their acts"},
)
