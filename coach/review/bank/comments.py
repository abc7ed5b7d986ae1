"""Queries and services of the comment bank: a coach's own sentences and their groups'."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.review.models import BankComment
from coach.review.selectors import groups_coached_by

FOUND_AT_ONCE = 8
"""The number of suggestions while typing: what fits without scrolling (rule of thumb)."""

BEST_FIRST = ("-uses", F("used_at").desc(nulls_last=True), "text", "pk")
"""The order of comments: most used first, then last used first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentWords:
    """The content of a comment: its sentence, an optional quality as its tag, and its group."""

    text: str
    tag: str = ""
    cohort: int | None = None


def comments_for(coach: User) -> QuerySet[BankComment]:
    """Return a coach's comments and those that colleagues share in their groups."""
    shared = Q(cohort__in=groups_coached_by(coach))
    return BankComment.objects.filter(Q(owner=coach) | shared).select_related("owner", "cohort")


def own_comments_for(coach: User) -> QuerySet[BankComment]:
    """Return the comments that this coach may change or delete."""
    return BankComment.objects.filter(owner=coach)


def comments_found(coach: User, wanted: str) -> list[BankComment]:
    """Return comments that contain every typed word in text or tag, in `BEST_FIRST` order."""
    return list(comments_with(coach, wanted).order_by(*BEST_FIRST)[:FOUND_AT_ONCE])


def comments_with(coach: User, wanted: str) -> QuerySet[BankComment]:
    """Return all comments that contain every typed word in text or tag."""
    found = comments_for(coach)
    for word in wanted.split():
        tags = [code for code, label in BankComment.tag.field.flatchoices if _begins(label, word)]
        found = found.filter(Q(text__icontains=word) | Q(tag__in=tags))
    return found


def _begins(label: object, word: str) -> bool:
    return any(each.startswith(word.casefold()) for each in str(label).casefold().split())


@transaction.atomic
def keep_comment(*, coach: User, words: CommentWords) -> BankComment:
    """Save a sentence in the comment bank; an existing one stays unchanged.

    Raises ValidationError for an empty sentence, and for a group that the coach does not coach.
    """
    text = _checked_text(words.text)
    kept, is_new = BankComment.objects.get_or_create(
        owner=coach,
        text=text,
        defaults={"tag": words.tag, "cohort_id": _checked_group(coach, words.cohort)},
    )
    if is_new:
        record_act(action="review.comment_kept", target=kept, actor=coach, after=_as_logged(kept))
    return kept


@transaction.atomic
def change_comment(*, comment: BankComment, coach: User, words: CommentWords) -> BankComment:
    """Change the sentence, tag or group of a comment.

    Raises ValidationError for an empty or duplicate sentence, and for another coach's group.
    """
    held = BankComment.objects.select_for_update().get(pk=comment.pk, owner=coach)
    before = _as_logged(held)
    held.text = _checked_text(words.text)
    if own_comments_for(coach).filter(text=held.text).exclude(pk=held.pk).exists():
        raise ValidationError(_("This sentence is already in your comment bank."))
    held.tag, held.cohort_id = words.tag, _checked_group(coach, words.cohort)
    held.save()
    record_act(
        action="review.comment_changed",
        target=held,
        actor=coach,
        before=before,
        after=_as_logged(held),
    )
    return held


@transaction.atomic
def remove_comment(*, comment: BankComment, coach: User) -> None:
    """Delete a comment; texts that used it stay."""
    record_act(
        action="review.comment_removed", target=comment, actor=coach, before=_as_logged(comment)
    )
    own_comments_for(coach).filter(pk=comment.pk).delete()


def count_use(*, comment: BankComment) -> None:
    """Count one use of a comment in a coach's text."""
    BankComment.objects.filter(pk=comment.pk).update(uses=F("uses") + 1, used_at=timezone.now())


def _checked_text(text: str) -> str:
    found = " ".join(text.split())
    if not found:
        raise ValidationError(_("Write the sentence that you want to use again."))
    return found


def _checked_group(coach: User, cohort: int | None) -> int | None:
    if cohort is not None and not groups_coached_by(coach).filter(pk=cohort).exists():
        raise ValidationError(_("You can share a comment with a group that you coach."))
    return cohort


def _as_logged(comment: BankComment) -> dict[str, object]:
    """Return values for the audit log, without the sentence, which may contain names."""
    return {
        "tag": comment.tag,
        "shared_with": comment.cohort_id,
        "characters": len(comment.text),
    }
