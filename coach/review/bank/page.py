"""The page of the comment bank."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import date_words, written
from coach.lib.words.numbers import grouped
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Goal
from coach.review.bank.comments import BEST_FIRST, comments_with
from coach.review.bank.earlier import EarlierComment, earlier_comments_for
from coach.review.bank.starter import LANGUAGES, new_starters_for
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
class StarterGroup:
    """The starter sentences about one quality that are not in the bank."""

    code: str
    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRow:
    """A sentence of the coach's own from earlier feedback."""

    text: str
    when: str
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPage:
    """The comment bank of a coach."""

    groups: tuple[BankGroup, ...]
    wanted: str
    """The words that are searched for; empty for all comments."""
    earlier: tuple[EarlierRow, ...]
    """The coach's sentences in earlier feedback that contain these words."""
    starters: tuple[StarterGroup, ...]
    starter_language: str
    tags: tuple[tuple[str, str], ...]
    cohorts: tuple[tuple[str, str], ...]


def bank_page(coach: User, wanted: str = "", language: str = "") -> BankPage:
    """Return own and shared comments by tag, in the order in which they are offered.

    With `wanted` words, only comments that contain them, and the coach's earlier feedback.
    """
    kept = comments_with(coach, wanted).order_by("tag", *BEST_FIRST)
    language = language if language in LANGUAGES else (get_language() or "en")[:2]
    return BankPage(
        wanted=wanted,
        earlier=tuple(_earlier(each) for each in earlier_comments_for(coach, wanted)),
        starters=_starters(coach, language),
        starter_language=language,
        groups=tuple(
            BankGroup(label=tag_words(tag), rows=tuple(_row(each, coach) for each in found))
            for tag, found in groupby(kept, key=lambda each: each.tag)
        ),
        tags=tuple((code, str(label)) for code, label in Goal.choices),
        cohorts=tuple((str(each.pk), each.name) for each in groups_coached_by(coach)),
    )


def _starters(coach: User, language: str) -> tuple[StarterGroup, ...]:
    found = groupby(new_starters_for(coach, language), key=lambda each: each.tag)
    return tuple(
        StarterGroup(code=tag, label=tag_words(tag), texts=tuple(each.text for each in rows))
        for tag, rows in found
    )


def _earlier(found: EarlierComment) -> EarlierRow:
    return EarlierRow(
        text=found.text,
        when=date_words(found.at),
        title=found.title,
        url=reverse("review:desk", args=[found.take]),
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
