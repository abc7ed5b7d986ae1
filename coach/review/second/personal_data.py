"""The personal data of opinions: the takes that a coach rated, and their decisions."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.review.second.models import CalibrationTake, DisagreementMessage, Opinion


def _export(user: User) -> dict[str, Any]:
    given = Opinion.objects.filter(coach=user).order_by("pk").prefetch_related("decisions__item")
    return {
        "opinions": [
            {
                "place": each.place,
                "begun_at": each.begun_at,
                "submitted_at": each.submitted_at,
                "counts": each.is_authoritative,
                "decisions": [
                    {
                        "rule": decision.item.rule,
                        "kind": decision.kind,
                        "reason": decision.reason,
                        "moments": decision.clips,
                    }
                    for decision in each.decisions.all()
                ],
            }
            for each in given
        ],
        "messages_about_opinions": list(
            DisagreementMessage.objects.filter(author=user).values("text", "settled", "at")
        ),
        "clips_marked": list(CalibrationTake.objects.filter(marked_by=user).values("marked_at")),
    }


PERSONAL_DATA = PersonalData(
    app="second",
    kept={
        "opinions": "as long as the take; the coach goes from it with their account",
        "messages_about_opinions": "as long as the take; the coach goes from it with their account",
        "clips_marked": "as long as the take is a clip",
    },
    export=_export,
    handed_out={
        "second.opinion.coach": "opinions",
        "second.disagreementmessage.author": "messages_about_opinions",
        "second.calibrationtake.marked_by": "clips_marked",
    },
)
