"""Personal data of all apps, in the order of erasure."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.accounts.personal_data import PERSONAL_DATA as ACCOUNTS
from coach.audit.personal_data import PERSONAL_DATA as AUDIT
from coach.curation.personal_data import PERSONAL_DATA as CURATION
from coach.feedback.personal_data import PERSONAL_DATA as FEEDBACK
from coach.guests.personal_data import PERSONAL_DATA as GUESTS
from coach.lib.personal_data import PersonalData
from coach.notices.personal_data import PERSONAL_DATA as NOTICES
from coach.portal.drafts.selectors import begun_forms_for, kept_forms_for
from coach.practice.personal_data import PERSONAL_DATA as PRACTICE
from coach.rehearsals.personal_data import PERSONAL_DATA as REHEARSALS
from coach.research.personal_data import PERSONAL_DATA as RESEARCH
from coach.review.personal_data import PERSONAL_DATA as REVIEW
from coach.review.rubric.personal_data import PERSONAL_DATA as RUBRIC
from coach.review.second.personal_data import PERSONAL_DATA as SECOND


def _export(user: User) -> dict[str, Any]:
    kept = kept_forms_for(user).values("url", "page", "fields", "files", "kept_at")
    begun = begun_forms_for(user).values("page", "fields", "kept_at")
    receipts = user.receipts.values("id", "what", "made_at", "takes", "rows", "copies")
    return {
        "typed_and_not_sent": list(kept),
        "being_typed": list(begun),
        "receipts": list(receipts),
        "first_steps_hidden": list(user.hidden_steps.values_list("part", flat=True)),
    }


PORTAL = PersonalData(
    app="portal",
    kept={
        "typed_and_not_sent": "24 hours (coach.portal.drafts.selectors.KEPT_FOR)",
        "being_typed": (
            "until it is sent or emptied, 14 days (coach.portal.drafts.selectors.BEGUN_FOR)"
        ),
        "receipts": "400 days (coach.portal.receipts.services.KEPT_DAYS)",
        "first_steps_hidden": "as long as the account",
    },
    export=_export,
    handed_out={
        "portal.keptform.user": "typed_and_not_sent",
        "portal.begunform.user": "being_typed",
        "portal.receipt.owner": "receipts",
        "portal.hiddensteps.user": "first_steps_hidden",
    },
    excused={"portal.pagemark.user": "a digest that says for whom a page was made, for 30 days"},
)

# The audit log goes last, since the erasure itself writes to it.
PERSONAL_DATA: tuple[PersonalData, ...] = (
    REHEARSALS,
    GUESTS,
    PRACTICE,
    FEEDBACK,
    REVIEW,
    RUBRIC,
    SECOND,
    NOTICES,
    ACCOUNTS,
    CURATION,
    RESEARCH,
    PORTAL,
    AUDIT,
)
