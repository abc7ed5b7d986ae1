"""The personal data of threads: messages of trainees and coaches."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.rehearsals.models import Rehearsal
from coach.review.threads.models import ThreadEntry
from coach.review.threads.services import forget_author


def _export(user: User) -> dict[str, Any]:
    written = ThreadEntry.objects.filter(author=user)
    return {"thread_messages": list(written.values("kind", "text", "at"))}


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {
        "thread_messages": list(
            take.thread_entries.values("author_name", "is_owners", "kind", "text", "at")
        )
    }


PERSONAL_DATA = PersonalData(
    app="threads",
    kept={"thread_messages": "as long as the take; the coach's name goes with their account"},
    export=_export,
    export_take=_export_take,
    handed_out={"threads.threadentry.author": "thread_messages"},
    erase=forget_author,
)
