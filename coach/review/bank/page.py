"""The page of the comment bank."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.words.dates import written
from coach.lib.words.numbers import grouped
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Goal
from coach.review.bank.comments import BEST_FIRST, comments_for
from coach.review.models import BankComment
from coach.review.selectors import groups_coached_by


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRow:
    """A comment with its use and its owner."""

    id: int
    text: str
    tag: str
    cohort: str
    """The id of the group that shares it; empty if only its owner uses it."""
    uses: str
    whose: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BankGroup:
    """The comments of one tag."""

    label: str
    rows: tuple[BankRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPage:
    """The comment bank of a coach."""

    groups: tuple[BankGroup, ...]
    tags: tuple[tuple[str, str], ...]
    cohorts: tuple[tuple[str, str], ...]


def bank_page(coach: User) -> BankPage:
    """Return own and shared comments by tag, in the order in which they are offered."""
    kept = comments_for(coach).order_by("tag", *BEST_FIRST)
    return BankPage(
        groups=tuple(
            BankGroup(label=tag_words(tag), rows=tuple(_row(each, coach) for each in found))
            for tag, found in groupby(kept, key=lambda each: each.tag)
        ),
        tags=tuple((code, str(label)) for code, label in Goal.choices),
        cohorts=tuple((str(each.pk), each.name) for each in groups_coached_by(coach)),
    )


def tag_words(tag: str) -> str:
    """Return the name of a tag, or the words for no tag."""
    return str(Goal(tag).label) if tag in Goal.values else _("Without a tag")


def _row(comment: BankComment, coach: User) -> BankRow:
    is_own = comment.owner_id == coach.pk
    return BankRow(
        id=comment.pk,
        text=comment.text,
        tag=comment.tag,
        cohort="" if comment.cohort_id is None else str(comment.cohort_id),
        uses=_uses(comment),
        whose=_whose(comment, is_own=is_own),
        is_own=is_own,
    )


def _uses(comment: BankComment) -> str:
    """Return the number of uses and the last date, so that coaches can delete unused comments."""
    if not comment.used_at:
        return _("not used yet")
    return ngettext(
        "used %(count)s time, on %(day)s",
        "used %(count)s times, last on %(day)s",
        comment.uses,
    ) % {"count": grouped(comment.uses), "day": written(comment.used_at, "j F Y")}


def _whose(comment: BankComment, *, is_own: bool) -> str:
    if not is_own:
        return _("shared by %(name)s") % {"name": comment.owner}
    if comment.cohort is not None:
        return _("your own, shared with “%(group)s”") % {"group": within_quotes(comment.cohort)}
    return _("only for you")
