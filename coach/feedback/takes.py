"""The trainee's home: what to do next, and the takes."""

from __future__ import annotations

from typing import Literal

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Feedback, Run
from coach.feedback.pages import PractisePage, TakeRow
from coach.feedback.presentation import date_words
from coach.feedback.waiting import waiting_uploads
from coach.lib.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

TAKES_ON_A_PAGE = 20

StateTone = Literal["plain", "busy", "done", "attention"]


def practise_page(user: User, number: int | str = 1) -> PractisePage:
    """A page of takes with their state, newest first; uploads to go on with on the first."""
    takes = (
        own_rehearsals_for(user)
        .select_related("cohort")
        .prefetch_related("runs", "feedback", "grants")
        .order_by("-created_at", "pk")
    )
    page = Paginator(takes, TAKES_ON_A_PAGE).get_page(number)
    rows = tuple(_row(take) for take in page)
    is_first = page.number == 1
    return PractisePage(
        next_step=_next_step(rows) if is_first else "",
        takes=rows,
        uploads=waiting_uploads(user) if is_first else (),
        number=page.number,
        count=page.paginator.num_pages,
        newer_url=_page_url(page.number - 1) if page.has_previous() else "",
        older_url=_page_url(page.number + 1) if page.has_next() else "",
    )


def _page_url(number: int) -> str:
    url = reverse("feedback:practise")
    return url if number == 1 else f"{url}?page={number}"


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
    has_poster = take.poster_path.exists()
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
    released = [f for f in take.feedback.all() if f.state == Feedback.State.RELEASED]
    if released:
        return _("Reviewed by %(name)s") % {"name": released[0].released_by_name}, "done", "report"
    if any(grant.revoked_at is None for grant in take.grants.all()):
        return _("With your coach"), "plain", "report"
    return _("Ready to read"), "plain", "report"
