"""Personal data of all apps, in the order of erasure."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.accounts.personal_data import PERSONAL_DATA as ACCOUNTS
from coach.api.personal_data import PERSONAL_DATA as API
from coach.assignments.personal_data import PERSONAL_DATA as ASSIGNMENTS
from coach.audit.personal_data import PERSONAL_DATA as AUDIT
from coach.curation.personal_data import PERSONAL_DATA as CURATION
from coach.drafts.personal_data import PERSONAL_DATA as DRAFTS
from coach.feedback.personal_data import PERSONAL_DATA as FEEDBACK
from coach.guests.personal_data import PERSONAL_DATA as GUESTS
from coach.lib.personal_data import PersonalData
from coach.lti.personal_data import PERSONAL_DATA as LTI
from coach.notices.personal_data import PERSONAL_DATA as NOTICES
from coach.portal.models import Invitation
from coach.practice.personal_data import PERSONAL_DATA as PRACTICE
from coach.questions.personal_data import PERSONAL_DATA as QUESTIONS
from coach.rehearsals.personal_data import PERSONAL_DATA as REHEARSALS
from coach.research.personal_data import PERSONAL_DATA as RESEARCH
from coach.review.personal_data import PERSONAL_DATA as REVIEW
from coach.review.rubric.personal_data import PERSONAL_DATA as RUBRIC
from coach.review.second.personal_data import PERSONAL_DATA as SECOND
from coach.review.spoken.personal_data import PERSONAL_DATA as SPOKEN
from coach.review.threads.personal_data import PERSONAL_DATA as THREADS
from coach.slides.personal_data import PERSONAL_DATA as SLIDES
from coach.webhooks.personal_data import PERSONAL_DATA as WEBHOOKS


def _export(user: User) -> dict[str, Any]:
    receipts = user.receipts.values("id", "what", "made_at", "takes", "rows", "copies")
    return {
        "receipts": list(receipts),
        "first_steps_hidden": list(user.hidden_steps.values_list("part", flat=True)),
        "invitation": list(
            Invitation.objects.filter(person=user).values("asked_at", "mailed_at", "refused_at")
        ),
    }


PORTAL = PersonalData(
    app="portal",
    kept={
        "receipts": "400 days (coach.portal.receipts.services.KEPT_DAYS)",
        "first_steps_hidden": "as long as the account",
        "invitation": "as long as the account",
    },
    export=_export,
    handed_out={
        "portal.receipt.owner": "receipts",
        "portal.hiddensteps.user": "first_steps_hidden",
        "portal.invitation.person": "invitation",
    },
    excused={
        "portal.invitation.asked_by": "an administrator's act; it stands among their acts",
        "portal.groupcode.made_by": "an administrator's act; it stands among their acts",
        "portal.invitationlist.made_by": "an administrator's act; it stands among their acts",
    },
)

# The audit log is last: erasing the others writes to it.
PERSONAL_DATA: tuple[PersonalData, ...] = (
    REHEARSALS,
    SLIDES,
    GUESTS,
    PRACTICE,
    QUESTIONS,
    ASSIGNMENTS,
    LTI,
    FEEDBACK,
    REVIEW,
    RUBRIC,
    SPOKEN,
    THREADS,
    SECOND,
    NOTICES,
    API,
    WEBHOOKS,
    ACCOUNTS,
    CURATION,
    RESEARCH,
    DRAFTS,
    PORTAL,
    AUDIT,
)
