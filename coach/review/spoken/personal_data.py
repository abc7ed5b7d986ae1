"""The personal data of spoken replies: the coach's voice, and what the trainee was told."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import name_words
from coach.rehearsals.models import Rehearsal
from coach.review.spoken.selectors import released_replies, replies_spoken_by
from coach.review.spoken.services import remove_voice_of


def _export(user: User) -> dict[str, Any]:
    return {
        "spoken_replies": [
            {"id": str(each.pk), "at": each.at, "words": each.text, "created_at": each.created_at}
            for each in replies_spoken_by(user)
        ]
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {
        "spoken_replies": [
            {"coach": name_words(each.author_name), "at": each.at, "words": each.text}
            for each in released_replies(take)
        ]
    }


PERSONAL_DATA = PersonalData(
    app="spoken",
    kept={
        "spoken_replies": "as long as the take; the recording goes with the coach's account, its "
        "words stay with the take"
    },
    export=_export,
    export_take=_export_take,
    handed_out={"spoken.spokenreply.author": "spoken_replies"},
    erase=remove_voice_of,
)
