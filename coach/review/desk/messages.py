"""What is written to a coach about a take, by its trainee, a colleague or the site."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Question
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import standing_grant
from coach.review.desk.preferences import said_to_coach, wishes_words
from coach.review.desk.superseded import newer_take
from coach.review.desk.values import Letters
from coach.review.models import Review


def letters_of(
    rehearsal: Rehearsal,
    review: Review | None,
    asked: Question | None,
    *,
    coach: User,
    is_draft: bool,
) -> Letters:
    """What this coach reads before the items; `asked` is what was asked of the trainee."""
    grant = _grant_of(review) or standing_grant(rehearsal)
    return Letters(
        newer=newer_take(rehearsal, coach) if is_draft else None,
        handed_over=_handed_words(review, coach, asked),
        note=grant.note if grant else "",
        said=said_to_coach(rehearsal),
        wishes=wishes_words(rehearsal),
    )


def _grant_of(review: Review | None) -> AccessGrant | None:
    """The grant came along with the review."""
    return review.grant if review is not None and review.grant.revoked_at is None else None


def _handed_words(review: Review | None, coach: User, asked: Question | None) -> str:
    """What a colleague wrote who handed it over to this coach, until it is answered."""
    if review is None or review.meant_for_id != coach.pk or review.grant.answered_at is not None:
        return ""
    if not review.handed_note and asked is not None and asked.asker_id == coach.pk:
        return ""  # kept for the coach who asked the trainee something
    giver = review.handed_by or _("A colleague")
    if review.handed_note:
        return _("%(giver)s handed this take to you: “%(note)s”") % {
            "giver": giver,
            "note": within_quotes(review.handed_note),
        }
    return _("%(giver)s handed this take to you.") % {"giver": giver}
