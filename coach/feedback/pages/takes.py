"""The trainee's home: what to do next, and the takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.pages.dates import date_words
from coach.feedback.pages.values_of_takes import PractisePage, TakeRow
from coach.feedback.pages.waiting import waiting_uploads
from coach.feedback.selectors import takes_for
from coach.lib.clock import clock
from coach.lib.former import name_words
from coach.lib.http import SignedInRequest
from coach.lib.paging import page_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.retention import announced_for, day_words

TAKES_ON_A_PAGE = 20

_TOLD_ONE_BY_ONE = 3

StateTone = Literal["plain", "busy", "done", "attention"]


def practise_page(request: SignedInRequest) -> PractisePage:
    """A page of takes with their state, newest first; uploads to go on with on the first."""
    takes, paging = page_of(request, takes_for(request.user), size=TAKES_ON_A_PAGE)
    rows = tuple(_row(take) for take in takes)
    is_first = not paging.previous
    return PractisePage(
        next_step=_next_step(rows) if is_first else "",
        takes=rows,
        paging=paging,
        uploads=waiting_uploads(request.user) if is_first else (),
        announced=tuple(_announced(request.user)) if is_first else (),
    )


def _announced(user: User) -> Iterator[str]:
    """What will be removed soon, as they were told by mail; of many takes in one sentence."""
    told = [
        (take, day, day != dates.all_of_it)
        for take, dates in announced_for(user)
        if (day := dates.media or dates.all_of_it) is not None
    ]
    for take, day, report_stays in told[:_TOLD_ONE_BY_ONE]:
        if report_stays:
            said = _("The recording of “%(title)s” will be removed on %(day)s. Its report stays.")
        else:
            said = _("“%(title)s” will be removed on %(day)s, with its recording and report.")
        yield said % {"title": take.title, "day": day_words(day)}
    more = len(told) - _TOLD_ONE_BY_ONE
    if more > 0:
        yield ngettext(
            "One more take will be removed soon.",
            "%(count)d more takes will be removed soon.",
            more,
        ) % {"count": more}


def _next_step(rows: tuple[TakeRow, ...]) -> str:
    if not rows:
        return _("Start with a talk that you are preparing.")
    newest = rows[0]
    if newest.state_tone == "busy":
        return _("“%(title)s” is being analysed. You can wait for it or come back.") % {
            "title": newest.title
        }
    if newest.state_tone == "attention":
        return _("“%(title)s” needs a look.") % {"title": newest.title}
    return _("Read what to work on in “%(title)s”, then record it again.") % {"title": newest.title}


def _row(take: Rehearsal) -> TakeRow:
    words, tone, name = _state(take)
    has_poster = take.has_poster
    return TakeRow(
        url=reverse(f"feedback:{name}", args=[take.pk]),
        title=take.title,
        when=date_words(take.created_at),
        length=clock(take.duration) if take.duration else "",
        state=words,
        state_tone=tone,
        poster_url=reverse("rehearsals:poster", args=[take.pk]) if has_poster else "",
        constructed=take.is_constructed,
    )


def _state(take: Rehearsal) -> tuple[str, StateTone, str]:
    """State in words, its tone, and the page to open."""
    runs = list(take.runs.all())
    if not runs or runs[0].state == Run.State.FAILED:
        return _("Could not be analysed"), "attention", "progress"
    if runs[0].state == Run.State.RUNNING:
        return _("Being analysed"), "busy", "progress"
    released = list(take.feedback.all())
    if released:
        return (
            _("Reviewed by %(name)s") % {"name": name_words(released[0].released_by_name)},
            "done",
            "report",
        )
    if any(grant.revoked_at is None for grant in take.grants.all()):
        return _("With your coach"), "plain", "report"
    return _("Ready to read"), "plain", "report"
