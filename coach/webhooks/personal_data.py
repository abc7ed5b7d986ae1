"""Personal data of webhooks: none but who added one."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData


def _export(_user: User) -> dict[str, Any]:
    return {}


PERSONAL_DATA = PersonalData(
    app="webhooks",
    kept={},
    export=_export,
    handed_out={},
    excused={
        "webhooks.webhookendpoint.added_by": "an administrator's act; it stands among their acts",
    },
)
