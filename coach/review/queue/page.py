"""The pages of the review queue: waiting takes, follow-ups, released takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Literal

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.messages import OTHERS_AFTER
from coach.feedback.models import Feedback
from coach.feedback.pages.about_take import Fact
from coach.lib.pages.paging import Paging, page_of
from coach.lib.web.http import SignedInRequest
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words, here, written
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import AccessGrant
from coach.review.away.words import away_words
from coach.review.claim_words import claim_words
from coach.review.desk.messages import newer_words_of
from coach.review.items.words import time_words
from coach.review.look.page import open_to_second
from coach.review.priority import PARTS
from coach.review.queue.follow_ups import ReturnedTake, come_back_for
from coach.review.second.lists import seconds_count
from coach.review.selectors import (
    SORTS,
    QueuedReview,
    QueueFilter,
    answered_for,
    answers_to,
    groups_coached_by,
    groups_led_by,
    held_by_others_for,
    leaving_for,
    waiting_for,
)
from coach.review.team.counts import LOOKED_BACK
from coach.review.team.time_facts import time_facts_of

_ROWS_A_PAGE = 25
_MAX_DONE = 10
_MAX_BACK = 25
SOON = timedelta(hours=24)
"""The time before a promise expires in which it is marked (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """A waiting, released or returned take."""

    url: str
    title: str
    trainee: str
    length: str
    sent: str
    """The date of sending, in words."""
    state: str
    """Waiting, In progress with you, With Bea until 14:30, Released."""
    note: str
    due: str = ""
    """The promised reply time in words; empty without a promise."""
    urgency: Literal["", "soon", "late"] = ""
    deadline: str = ""
    """The day of the talk in words; empty if unknown or past."""
    flag: str = ""
    """The reason of a flag; empty if the take is not flagged."""
    newer: str = ""
    """A sentence if a newer take of the talk was sent; else empty."""
    look_url: str = ""
    """The read-only look at a waiting take."""
    ends_second: bool = False
    """Whether opening the review page ends the right to a blind second opinion."""
    priority: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    """Labels and points of the factors in the priority, without zeros."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterLink:
    """A link that filters or sorts the queue."""

    label: str
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRelease:
    """A release that can still be cancelled."""

    words: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """The review queue."""

    rows: tuple[QueueRow, ...]
    paging: Paging
    done: tuple[QueueRow, ...]
    """The latest released takes."""
    empty: str
    """The reason for an empty queue; empty if there are takes."""
    groups: tuple[tuple[FilterLink, ...], ...]
    """Filters by coach, group and urgency; one link of each is chosen."""
    sorts: tuple[FilterLink, ...]
    reasons: tuple[tuple[str, str], ...]
    """Label and explanation of each factor of the priority."""
    query: str
    """The filters as a query string, for the button that opens the next take."""
    is_narrowed: bool
    compares: bool
    """Whether takes of this coach's groups may come without automatic cards."""
    away: str
    """The days on which this coach is away, in words; empty without any to come."""
    leads: bool
    """Whether this coach leads a group and has a team page."""
    leaving: tuple[PendingRelease, ...]
    """This coach's releases that can still be cancelled."""
    held: str
    """The number of takes with colleagues, and their time limit; empty if none."""
    seconds: int
    """The number of second opinions that this coach could give or resolve."""
    come_back: tuple[QueueRow, ...] = ()
    """Released takes with an open question or disagreement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedPage:
    """Released takes, page by page."""

    rows: tuple[QueueRow, ...]
    paging: Paging
    times: tuple[Fact, ...]
    """The durations of the coach's own reviews and items."""


def filter_of(request: HttpRequest) -> QueueFilter:
    """Return the filter in the query string; invalid values are ignored."""
    asked = request.GET
    group = asked.get("group", "")
    sort = asked.get("sort", "")
    return QueueFilter(
        mine="mine" in asked,
        late="late" in asked,
        flagged="flagged" in asked,
        cohort=int(group) if group.isascii() and group.isdigit() and len(group) < 10 else None,
        sort=sort if sort in SORTS else "",
    )


def queue_page(request: SignedInRequest) -> QueuePage:
    """Return waiting takes, most urgent first, and takes released lately."""
    coach, wanted = request.user, filter_of(request)
    now = timezone.now()
    waiting, paging = page_of(request, waiting_for(coach, wanted), size=_ROWS_A_PAGE)
    newer = newer_words_of(waiting, coach)
    seconds = open_to_second(coach, [each.rehearsal_id for each in waiting]) if waiting else set()
    latest = tuple(_answered_row(each) for each in answered_for(coach)[:_MAX_DONE])
    return QueuePage(
        rows=tuple(
            replace(
                _waiting_row(each, coach, now, newer.get(each.rehearsal_id, "")),
                ends_second=each.rehearsal_id in seconds,
            )
            for each in waiting
        ),
        paging=paging,
        done=latest,
        empty="" if waiting else _empty_words(narrowed=wanted.is_narrow, done=bool(latest)),
        groups=_choices(coach, wanted),
        sorts=_sorts(wanted),
        reasons=tuple((str(part.label), str(part.why)) for part in PARTS),
        query=_address(wanted),
        is_narrowed=wanted.is_narrow,
        compares=groups_coached_by(coach).filter(without_cards_percent__gt=0).exists(),
        away=away_words(coach),
        leads=groups_led_by(coach).exists(),
        leaving=tuple(_leaving(each) for each in leaving_for(coach)),
        held=_held_words(coach),
        seconds=seconds_count(coach),
        come_back=tuple(_back_row(each, coach, now) for each in come_back_for(coach)[:_MAX_BACK]),
    )


def _leaving(feedback: Feedback) -> PendingRelease:
    at = time_format(here(feedback.released_at), "H:i:s")
    words = _("Released. %(name)s can read the feedback on “%(title)s” from %(time)s.")
    return PendingRelease(
        words=words
        % {
            "name": feedback.rehearsal.owner,
            "title": within_quotes(feedback.rehearsal.title),
            "time": at,
        },
        url=reverse("review:take_back", args=[feedback.rehearsal_id]),
    )


def released_page(request: SignedInRequest) -> ReleasedPage:
    """Return all released takes, latest first."""
    coach = request.user
    done, paging = page_of(
        request, answered_for(coach), size=_ROWS_A_PAGE, counted=answers_to(coach)
    )
    return ReleasedPage(
        rows=tuple(_answered_row(each) for each in done),
        paging=paging,
        times=time_facts_of(coach, timezone.now() - LOOKED_BACK),
    )


def nothing_free_words(coach: User, wanted: QueueFilter) -> str:
    """Return why there is no next take, in words."""
    waiting = waiting_for(coach, wanted)
    has_flagged = waiting.exclude(flag="").exists()
    if waiting.filter(flag="").exists():
        words = (
            _("Colleagues are working on all waiting takes that are not flagged. %(held)s")
            if has_flagged
            else _("Colleagues are working on all waiting takes. %(held)s")
        )
        return words % {"held": _held_words(coach)}
    if has_flagged:
        return _("All waiting takes are flagged. Open a take to read why.")
    return _empty_words(narrowed=wanted.is_narrow, done=answered_for(coach).exists())


def _empty_words(*, narrowed: bool, done: bool) -> str:
    if narrowed:
        return _("No waiting take matches the filters above.")
    if done:
        return _("No takes are waiting. You have answered everything that was sent to you.")
    return _("No takes are waiting. When a trainee sends you a take, it appears here.")


def _held_words(coach: User) -> str:
    held = list(held_by_others_for(coach).values_list("until", flat=True)[:100])
    if not held or held[0] is None:
        return ""
    return ngettext(
        "A colleague is working on %(count)s take, until %(time)s at least.",
        "Colleagues are working on %(count)s takes, the first until %(time)s at least.",
        len(held),
    ) % {"count": len(held), "time": time_words(held[0])}


def _address(wanted: QueueFilter, **changes: object) -> str:
    """Return the query string of this filter, with changes."""
    asked: dict[str, object] = {
        "mine": wanted.mine,
        "late": wanted.late,
        "flagged": wanted.flagged,
        "group": wanted.cohort,
        "sort": wanted.sort,
        **changes,
    }
    words = [f"{key}={'1' if value is True else value}" for key, value in asked.items() if value]
    return "?" + "&".join(words) if words else ""


def _link(wanted: QueueFilter, **changes: object) -> str:
    return reverse("review:queue") + _address(wanted, **changes)


def _choices(coach: User, wanted: QueueFilter) -> tuple[tuple[FilterLink, ...], ...]:
    whose = (
        FilterLink(
            label=_("Everybody’s"), url=_link(wanted, mine=False), is_chosen=not wanted.mine
        ),
        FilterLink(label=_("My trainees’"), url=_link(wanted, mine=True), is_chosen=wanted.mine),
    )
    when = (
        FilterLink(
            label=_("All"),
            url=_link(wanted, late=False, flagged=False),
            is_chosen=not wanted.late and not wanted.flagged,
        ),
        FilterLink(
            label=_("Due within a day"), url=_link(wanted, late=True), is_chosen=wanted.late
        ),
        FilterLink(label=_("Flagged"), url=_link(wanted, flagged=True), is_chosen=wanted.flagged),
    )
    groups = list(groups_coached_by(coach))
    if len(groups) < 2:
        return whose, when
    which = [
        FilterLink(
            label=_("All groups"), url=_link(wanted, group=None), is_chosen=wanted.cohort is None
        ),
        *(
            FilterLink(
                label=group.name,
                url=_link(wanted, group=group.pk),
                is_chosen=wanted.cohort == group.pk,
            )
            for group in groups
        ),
    ]
    return whose, when, tuple(which)


def _sorts(wanted: QueueFilter) -> tuple[FilterLink, ...]:
    by_sum = FilterLink(label=_("Priority"), url=_link(wanted, sort=""), is_chosen=not wanted.sort)
    return (
        by_sum,
        *(
            FilterLink(
                label=str(part.label),
                url=_link(wanted, sort=part.key),
                is_chosen=wanted.sort == part.key,
            )
            for part in PARTS
        ),
    )


def _waiting_row(review: QueuedReview, coach: User, now: datetime, newer: str) -> QueueRow:
    grant, take = review.grant, review.rehearsal
    due, before = review.due_at, _talk_before(grant, review.due_at, now)
    urgency = "" if review.is_paused else _urgency(before or due, now)
    return QueueRow(
        url=reverse("review:desk", args=[take.pk]),
        look_url=reverse("review:look", args=[take.pk]),
        title=take.title,
        trainee=str(take.owner),
        length=clock(take.duration or 0),
        sent=date_words(grant.created_at),
        due=_due_words(due, urgency, is_paused=review.is_paused, is_of_talk=before is not None),
        urgency=urgency,
        deadline=_deadline_words(grant, now),
        state=_state_words(review, coach, now),
        note=grant.note,
        flag=_("Flagged: %(why)s") % {"why": review.flag} if review.flag else "",
        newer=newer,
        priority=round(review.priority),
        parts=_parts(review),
    )


def _back_row(take: ReturnedTake, coach: User, now: datetime) -> QueueRow:
    """Return the row of a released take with an open message."""
    is_mine = take.answered_by == coach.pk
    return QueueRow(
        url=reverse("review:desk", args=[take.pk]),
        title=take.title,
        trainee=str(take.owner),
        length=clock(take.duration or 0),
        sent=date_words(take.since),
        urgency="late" if take.since < now - OTHERS_AFTER else "",
        state=_("Released by you") if is_mine else _("Any coach may answer now"),
        note="",
    )


def _answered_row(grant: AccessGrant) -> QueueRow:
    take = grant.rehearsal
    answered = date_words(grant.answered_at) if grant.answered_at else ""
    return QueueRow(
        url=reverse("review:desk", args=[take.pk]),
        title=take.title,
        trainee=str(take.owner),
        length=clock(take.duration or 0),
        sent=date_words(grant.created_at),
        state=_("Released on %(date)s") % {"date": answered},
        note=grant.note,
    )


def _parts(review: QueuedReview) -> tuple[tuple[str, int], ...]:
    rows = ((str(part.label), round(getattr(review, f"part_{part.key}"))) for part in PARTS)
    return tuple((label, points) for label, points in rows if points)


def _urgency(due: datetime | None, now: datetime) -> Literal["", "soon", "late"]:
    if due is None:
        return ""
    if due < now:
        return "late"
    return "soon" if due < now + SOON else ""


def _talk_before(grant: AccessGrant, due: datetime | None, now: datetime) -> datetime | None:
    """Return the end of the day of a talk before the promised reply time, or None."""
    if due is None or due < now or grant.needed_by is None:
        return None
    end = timezone.make_aware(datetime.combine(grant.needed_by, time.max))
    return end if now <= end and grant.needed_by < timezone.localdate(due) else None


def _due_words(
    due: datetime | None, urgency: str, *, is_paused: bool, is_of_talk: bool = False
) -> str:
    if due is None:
        return ""
    if is_paused:
        return _("Reply time paused until the trainee answers")
    if is_of_talk:
        return _("Answer before the talk")
    words = _("Late: answer by %(date)s") if urgency == "late" else _("Answer by %(date)s")
    return words % {"date": date_words(due)}


def _deadline_words(grant: AccessGrant, now: datetime) -> str:
    if grant.needed_by is None or grant.needed_by < timezone.localdate(now):
        return ""
    return _("Talk on %(date)s") % {"date": written(grant.needed_by, "j F Y")}


def _state_words(review: QueuedReview, coach: User, now: datetime) -> str:
    if review.is_paused:
        return _("Question sent to %(name)s") % {"name": review.rehearsal.owner}
    if review.is_held(now):
        return claim_words(review, coach)
    if not review.is_kept:
        return ""  # waiting, like all the others
    if review.meant_for_id == coach.pk:
        if review.is_answered and not review.handed_note:
            return _("%(name)s has answered you") % {"name": review.rehearsal.owner}
        return _("Handed over to you")
    return _("Handed over to %(name)s") % {"name": review.meant_for}
