"""What a person practised today, with its result, and on which days of this week."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.lib.words.dates import here, zone_here
from coach.lib.words.punctuation import within_quotes
from coach.practice.exercises.catalogue import exercise_for, exercises
from coach.practice.exercises.listening.page import result_of
from coach.practice.exercises.selectors import exercises_done_for
from coach.practice.models import ExerciseDone
from coach.practice.preferences import reads_words_first
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
    newest: dict[str, ExerciseDone] = {}
    for done in exercises_done_for(user).filter(at__gte=since):
        newest.setdefault(done.exercise, done)
    is_shown = not reads_words_first(user)
    for named, done in list(newest.items())[:_MOST]:
        found = exercises().get(named) or exercise_for(rule=named, quality="")
        if found is None:
            continue
        result = result_of(done)
        yield DoneLine(
            words=_("Exercise: %(title)s") % {"title": found.words.title},
            url=result.url or reverse("practice:exercise", args=[found.id]),
            result=result.words if is_shown else "",
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
    takes = own_rehearsals_for(user).filter(created_at__gte=since)
    talks: dict[UUID, list[Rehearsal]] = {}
    for take in takes.order_by("-created_at"):
        talks.setdefault(take.talk_id, []).append(take)
    for newest, *earlier in list(talks.values())[:_MOST]:
        count = len(earlier) + 1
        words = ngettext(
            "%(count)d take of “%(title)s”", "%(count)d takes of “%(title)s”", count
        ) % {"count": count, "title": within_quotes(newest.title)}
        yield DoneLine(words=words, url=reverse("feedback:report", args=[newest.pk]))


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
