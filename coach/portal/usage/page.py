"""Values of the usage page, in words, and of its tables as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, User
from coach.lib.pages.paging import Paging, page_of
from coach.lib.words.sizes import size_words
from coach.portal.departments.selectors import administered_groups_for
from coach.portal.usage.selectors import (
    FEWEST,
    GroupFigures,
    Spread,
    WeekFigures,
    figures_by_group,
    figures_by_week,
)

PAGE_SIZE = 50
WEEK_COLUMNS = (
    *("week_from", "people_who_recorded", "takes", "analyses_failed"),
    *("minutes_to_report_median", "minutes_to_report_p90", "answers"),
    *("hours_to_answer_median", "hours_to_answer_p90"),
)
GROUP_COLUMNS = (
    *("group", "trainees", "recorded_in_30_days", "takes_in_30_days"),
    *("size_bytes", "most_bytes"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekRow:
    """One week in words."""

    starts_on: date
    people: int
    takes: int
    failed: int
    until_report: str
    answers: int
    until_answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One group in words."""

    figures: GroupFigures
    size: str
    most: str
    """The group's quota, or an empty string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsagePage:
    """Weeks and a page of groups."""

    weeks: Sequence[WeekRow]
    groups: Sequence[GroupRow]
    paging: Paging
    fewest: int = FEWEST


def usage_page(request: HttpRequest, user: User) -> UsagePage:
    """Return the weeks since the first take, newest first, and a page of groups by name."""
    groups, paging = page_of(request, _groups(user), size=PAGE_SIZE)
    return UsagePage(
        weeks=[
            WeekRow(
                starts_on=each.starts_on,
                people=each.people,
                takes=each.takes,
                failed=each.failed,
                until_report=_spread_words(each.until_report),
                answers=each.answers,
                until_answer=_spread_words(each.until_answer),
            )
            for each in _since_first(figures_by_week(_only(user)))
        ],
        groups=[
            GroupRow(
                figures=each,
                size=size_words(each.size_bytes),
                most=size_words(each.group.most_bytes) if each.group.most_bytes else "",
            )
            for each in figures_by_group(groups)
        ],
        paging=paging,
    )


def week_rows(user: User) -> Iterable[dict[str, Any]]:
    """Yield the weeks as rows of `WEEK_COLUMNS`."""
    for each in figures_by_week(_only(user)):
        report, answer = each.until_report, each.until_answer
        values = (
            *(each.starts_on, each.people, each.takes, each.failed),
            *(_in(60, report.median), _in(60, report.p90), each.answers),
            *(_in(3600, answer.median), _in(3600, answer.p90)),
        )
        yield dict(zip(WEEK_COLUMNS, values, strict=True))


def group_rows(user: User) -> Iterable[dict[str, Any]]:
    """Yield the groups as rows of `GROUP_COLUMNS`."""
    for each in figures_by_group(list(_groups(user))):
        values = (
            *(each.group.name, each.trainees, each.practised, each.takes),
            *(each.size_bytes, each.group.most_bytes),
        )
        yield dict(zip(GROUP_COLUMNS, values, strict=True))


def _since_first(weeks: Sequence[WeekFigures]) -> Sequence[WeekFigures]:
    """Return the weeks, newest first, without those before anything happened; at least this one."""
    busy = [n for n, each in enumerate(weeks) if each.takes or each.answers or each.failed]
    return weeks[: max(busy, default=0) + 1]


def _only(user: User) -> QuerySet[Cohort] | None:
    """Return the groups to count, or None to count the whole site, also takes without a group."""
    return None if user.is_staff else administered_groups_for(user)


def _groups(user: User) -> QuerySet[Cohort]:
    return administered_groups_for(user).order_by(
        F("archived_at").desc(nulls_first=True), "name", "pk"
    )


def _in(unit: float, seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds / unit, 1)


def _spread_words(spread: Spread) -> str:
    """Return median and 90th percentile, such as "4 min (12 min)", or a dash for too few."""
    if spread.median is None or spread.p90 is None:
        return "–"
    return f"{_time_words(spread.median)} ({_time_words(spread.p90)})"


def _time_words(seconds: float) -> str:
    if seconds < 2 * 3600:
        return _("%(n)s min") % {"n": max(round(seconds / 60), 1)}
    return _("%(n)s h") % {"n": round(seconds / 3600)}
