"""The personal data of the queue: coaches' claims, and the time for each answer."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.review.models import Review


def _export(user: User) -> dict[str, Any]:
    mine = Review.objects.filter(
        Q(coach=user)
        | Q(meant_for=user)
        | Q(handed_by=user)
        | Q(given_back_by=user)
        | Q(handled_by=user)
    )
    # Separate, because a colleague may have written the reason on a take that this coach had.
    flagged = Review.objects.filter(flagged_by=user)
    return {
        "reviews": list(
            mine.values(
                *("claimed_at", "until", "meant_until", "finished_at", "handled_seconds"),
                *("cards", "cards_shown_at", "own_seconds", "desk_seconds"),
            )
        ),
        "takes_flagged": list(flagged.values("flag", "flagged_at")),
        "time_on_items": list(user.item_times.values("item", "seconds", "updated_at")),
        "comments_kept": list(
            user.bank_comments.values("text", "tag", "uses", "used_at", "created_at")
        ),
    }


PERSONAL_DATA = PersonalData(
    app="review",
    kept={
        "reviews": "as long as the take; the coach goes from it with their account",
        "takes_flagged": "until that is settled, or the take is answered or sent anew",
        "time_on_items": "as long as the take, and the coach's account",
        "comments_kept": "as long as the account, or until the coach removes them",
    },
    export=_export,
    handed_out={
        "review.bankcomment.owner": "comments_kept",
        "review.itemtime.coach": "time_on_items",
        "review.review.coach": "reviews",
        "review.review.meant_for": "reviews",
        "review.review.handed_by": "reviews",
        "review.review.given_back_by": "reviews",
        "review.review.handled_by": "reviews",
        "review.review.flagged_by": "takes_flagged",
    },
)
