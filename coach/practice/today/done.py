"""What a person practised today, with its result, and on which days of this week."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.words.dates import here, zone_here
from coach.lib.words.punctuation import within_quotes
from coach.practice.exercises.catalogue import exercise_for, exercises
from coach.practice.exercises.selectors import exercises_done_for
from coach.practice.redo.page import span_page
from coach.practice.redo.selectors import spans_for
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

_MOST = 3
"""The number of acts of a kind that are named; a longer list would hide the next step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneLine:
    """One thing that was practised, with its result if it has one."""

    words: str
    url: str
    result: str = ""


def done_today(user: User) -> tuple[DoneLine, ...]:
    """Return what the person practised today, in their own time zone."""
    since = _midnight(here(None).date())
    return (
        *_exercises(user, since),
        *_stretches(user, since),
        *_takes(user, since),
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone_here())


def _exercises(user: User, since: datetime) -> Iterator[DoneLine]:
    done = exercises_done_for(user).filter(at__gte=since).values_list("exercise", flat=True)
    for named in list(dict.fromkeys(done))[:_MOST]:
        found = exercises().get(named) or exercise_for(rule=named, quality="")
        if found is not None:
            yield DoneLine(
                words=_("Exercise: %(title)s") % {"title": found.words.title},
                url=reverse("practice:exercise", args=[found.id]),
            )


def _stretches(user: User, since: datetime) -> Iterator[DoneLine]:
    redone = spans_for(user).filter(after__isnull=False, after__created_at__gte=since)
    for span in redone[:_MOST]:
        page = span_page(span)
        yield DoneLine(
            words=_("%(span)s of “%(title)s” again")
            % {"span": page.span, "title": within_quotes(page.title)},
            url=reverse("practice:span", args=[span.pk]),
            result=page.change if page.state == "done" else "",
        )


def _takes(user: User, since: datetime) -> Iterator[DoneLine]:
    takes = own_rehearsals_for(user).filter(created_at__gte=since).order_by("-created_at")
    for take in takes[:_MOST]:
        yield DoneLine(
            words=_("A take of “%(title)s”") % {"title": within_quotes(take.title)},
            url=reverse("feedback:report", args=[take.pk]),
        )


def week_words(user: User) -> str:
    """Return on how many days of this week the person practised; empty before the first.

    A count, never a streak: a day without practice loses nothing.
    """
    today = here(None).date()
    monday = today - timedelta(days=today.weekday())
    days = sorted({here(at).date() for at in _moments(user, _midnight(monday))})
    if not days:
        return ""
    return ngettext(
        "You practised on %(count)d day this week: %(days)s.",
        "You practised on %(count)d days this week: %(days)s.",
        len(days),
    ) % {
        "count": len(days),
        "days": ", ".join(str(WEEKDAYS[day.weekday()]) for day in days),
    }


def _moments(user: User, since: datetime) -> Iterator[datetime]:
    recorded = Rehearsal.any_kind.filter(owner=user, created_at__gte=since)
    yield from recorded.exclude(kind=Kind.BEFORE).values_list("created_at", flat=True)
    yield from exercises_done_for(user).filter(at__gte=since).values_list("at", flat=True)
