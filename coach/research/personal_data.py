"""What research keeps of a researcher: which copies they took."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal import PersonalData
from coach.research.selectors import downloads_for


def _export(user: User) -> dict[str, Any]:
    return {"downloads": list(downloads_for(user).values("file", "made_at", "delete_by"))}


PERSONAL_DATA = PersonalData(
    app="research",
    kept={"downloads": "as long as the account"},
    export=_export,
    handed_out={"research.download.researcher": "downloads"},
)
