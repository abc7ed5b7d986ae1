"""Content of the page "What is new"."""

from __future__ import annotations

from dataclasses import dataclass

from coach.lib.pages.paging import Paging, page_of
from coach.lib.web.http import SignedInRequest
from coach.lib.words.dates import date_words
from coach.notices.models import Kind, Notice
from coach.notices.selectors import (
    NoticeGroup,
    folds_for,
    is_unreachable,
    kinds_for,
    new_for,
    notices_for,
)
from coach.notices.words import list_of, mail_words, page_words, place_of

ROWS_A_PAGE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsRow:
    """One notification."""

    words: str
    url: str
    when: str
    take: str
    """When its take was added, since takes of one talk share a title. Empty for several takes."""
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MailChoice:
    """A kind of notification, and whether it is emailed."""

    code: str
    words: str
    is_mailed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPage:
    """The notifications of one page, and the email choices."""

    rows: tuple[NewsRow, ...]
    has_new: bool
    paging: Paging
    choices: tuple[MailChoice, ...]
    email: str
    is_unreachable: bool
    """Whether emails to the address come back, so that none are sent."""


def news_page(request: SignedInRequest) -> NewsPage:
    """Return a page of notifications, newest first, with the person's email choices."""
    person = request.user
    folds = folds_for(person)
    alone = notices_for(person).exclude(
        kind__in=[each.kind for each in folds], seen_at=None, settled_at=None
    )
    found, paging = page_of(request, alone, size=ROWS_A_PAGE)
    muted = set(person.muted_notices.values_list("kind", flat=True))
    return NewsPage(
        rows=(
            *(_folded_row(each) for each in folds if not paging.previous),
            *(_row(each) for each in found),
        ),
        has_new=new_for(person).exists(),
        paging=paging,
        choices=tuple(
            MailChoice(code=kind, words=str(kind.label), is_mailed=kind not in muted)
            for kind in kinds_for(person)
        ),
        email=person.email,
        is_unreachable=is_unreachable(person),
    )


def _folded_row(fold: NoticeGroup) -> NewsRow:
    return NewsRow(
        words=mail_words(fold.kind, fold.count),
        url=list_of(fold.kind),
        when=date_words(fold.latest),
        take="",
        is_new=True,
    )


def _row(notice: Notice) -> NewsRow:
    return NewsRow(
        words=page_words(notice),
        url=place_of(notice),
        when=date_words(notice.not_before),
        take=""
        if notice.rehearsal is None or notice.kind in {Kind.PRACTICE, Kind.ACCESS}
        else date_words(notice.rehearsal.created_at),
        is_new=notice.seen_at is None and notice.settled_at is None,
    )
