"""Permission checks for a coach's actions on a take."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.html import format_html
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.feedback.services import AlreadyReleased
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.claim_words import kept_words
from coach.review.selectors import draft_of, takes_to_review_for
from coach.review.services import HeldByOther, KeptForColleague, claim_rehearsal


def reviewed_by(user: User, rehearsal_id: UUID) -> tuple[Rehearsal, Feedback]:
    """Return a take sent to this coach, with its draft. Raises Http404 otherwise.

    Access to a take includes all versions of its feedback.
    """
    rehearsal = get_object_or_404(takes_to_review_for(user), pk=rehearsal_id)
    feedback = draft_of(rehearsal)
    if feedback is None:
        raise Http404
    feedback.rehearsal = rehearsal
    return rehearsal, feedback


def try_to_claim(rehearsal: Rehearsal, coach: User, *, takes_over: bool = False) -> str:
    """Claim a take or renew the claim. Return a message if a colleague has it, else "".

    Raises Http404 if its owner withdrew it after `reviewed_by`.
    """
    try:
        claim_rehearsal(rehearsal=rehearsal, coach=coach, takes_over=takes_over)
    except KeptForColleague as kept:
        # The marker makes the page reload the claim, and offer a way back.
        words = f"{kept_words(kept.review, coach)} {_('Nothing was changed.')}"
        return format_html("<span data-lost>{}</span>", words)
    except HeldByOther as held:
        return _("%(name)s is working on this take, so nothing was changed.") % {
            "name": held.review.coach
        }
    except AccessGrant.DoesNotExist as gone:
        raise Http404 from gone
    return ""


def carry_out(act: Callable[[], object]) -> str:
    """Perform an action. Return an error message, or an empty string."""
    try:
        act()
    except ValidationError as error:
        return error.messages[0]
    except AlreadyReleased:
        return _("This feedback has been released and can no longer be changed.")
    return ""
