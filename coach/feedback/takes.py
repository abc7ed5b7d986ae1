"""The trainee's home: what to do next, and the takes."""

from __future__ import annotations

from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Feedback, Run
from coach.feedback.pages import Fact, PractisePage, TakeRow
from coach.feedback.presentation import date_words
from coach.lib.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for, uploads_for

_MAX_TAKES = 50

StateTone = Literal["plain", "busy", "done", "attention"]


def practise_page(user: User) -> PractisePage:
    """The newest takes with their state, and cut-off uploads to go on with."""
    takes = (
        own_rehearsals_for(user)
        .select_related("cohort")
        .prefetch_related("runs", "feedback", "grants")[:_MAX_TAKES]
    )
    rows = tuple(_row(take) for take in takes)
    cut_off = (
        uploads_for(user).filter(state__in=["cut_off", "complete"]).order_by("-created_at")[:5]
    )
    return PractisePage(
        next_step=_next_step(rows),
        takes=rows,
        cut_off=tuple(
            Fact(
                label=_("The upload of “%(name)s” did not get to its end. What arrived is kept.")
                % {"name": upload.name},
                value=reverse("feedback:cut_off", args=[upload.pk]),
            )
            for upload in cut_off
        ),
    )


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
