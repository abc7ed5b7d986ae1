"""Puts the coach's pages together from what is stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.feedback.items import StandingItem, standing_items
from coach.feedback.models import Feedback, Item, RejectReason
from coach.feedback.pages.cards import cards
from coach.feedback.pages.measures import not_measured
from coach.feedback.pages.report import date_words, facts_of, player_of, report_of
from coach.feedback.pages.timeline import lanes, transcript
from coach.feedback.services import release_obstacle
from coach.lib.clock import clock
from coach.lib.http import SignedInRequest
from coach.lib.paging import page_of
from coach.rehearsals.models import AccessGrant, Goal, Rehearsal
from coach.rehearsals.selectors import standing_grant
from coach.review.models import Claim
from coach.review.pages import DeskItem, DeskPage, QueuePage, QueueRow, ReleasedPage
from coach.review.selectors import answered_for, live_claim, sent_to, waiting_for

_ROWS_A_PAGE = 25
_MAX_DONE = 10

DECISION_WORDS = {
    "open": "",
    "accepted": gettext_lazy("Accepted"),
    "edited": gettext_lazy("Reworded"),
    "rejected": gettext_lazy("Rejected"),
    "added": gettext_lazy("Yours"),
}


def queue_page(request: SignedInRequest) -> QueuePage:
    """What waits, oldest first; then what was released lately."""
    coach = request.user
    waiting, paging = page_of(
        request, waiting_for(coach), size=_ROWS_A_PAGE, counted=sent_to(coach, is_answered=False)
    )
    latest = tuple(_row(each, coach) for each in answered_for(coach)[:_MAX_DONE])
    return QueuePage(
        rows=tuple(_row(each, coach) for each in waiting),
        paging=paging,
        done=latest,
        empty=_empty_words(waiting=bool(waiting), done=bool(latest)),
    )


def released_page(request: SignedInRequest) -> ReleasedPage:
    """Everything that was released, the latest first."""
    coach = request.user
    done, paging = page_of(
        request, answered_for(coach), size=_ROWS_A_PAGE, counted=sent_to(coach, is_answered=True)
    )
    return ReleasedPage(rows=tuple(_row(each, coach) for each in done), paging=paging)


def _empty_words(*, waiting: bool, done: bool) -> str:
    if waiting:
        return ""
    if done:
        return _("Nothing is waiting. You have answered everything that was sent to you.")
    return _("Nothing is waiting. When a trainee sends you a take, it appears here.")


def _row(grant: AccessGrant, coach: User) -> QueueRow:
    """One line; answered takes say when, the others by when and who is on them."""
    rehearsal, answered = grant.rehearsal, grant.answered_at
    hours = rehearsal.cohort.reply_hours if rehearsal.cohort else None
    due = grant.created_at + timedelta(hours=hours) if hours and answered is None else None
    state, _mine = _claim_words(getattr(rehearsal, "claim", None), coach)
    if answered is not None:
        state = _("Released on %(date)s") % {"date": date_words(answered)}
    return QueueRow(
        url=reverse("review:desk", args=[rehearsal.pk]),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        length=clock(rehearsal.duration or 0),
        sent=date_words(grant.created_at),
        due=_due_words(due) if due else "",
        state=state,
        note=grant.note,
        is_late=bool(due and due < timezone.now()),
    )


def _due_words(due: datetime) -> str:
    words = _("Late: answer by %(date)s") if due < timezone.now() else _("Answer by %(date)s")
    return words % {"date": date_words(due)}


def _claim_words(claim: Claim | None, coach: User) -> tuple[str, bool]:
    """Who is on it, in words, and whether that is this coach."""
    if claim is None or claim.until <= timezone.now():
        return _("Waiting"), False
    if claim.coach_id == coach.pk:
        return _("You are on it"), True
    until = timezone.localtime(claim.until).strftime("%H:%M")
    return _("%(name)s is on it until %(time)s") % {"name": claim.coach, "time": until}, False


def desk_page(rehearsal: Rehearsal, feedback: Feedback, *, coach: User) -> DeskPage:
    """Everything that one review needs on one page."""
    report = report_of(feedback.run)
    items = standing_items(feedback)
    is_draft = feedback.state == Feedback.State.DRAFT
    why_not = release_obstacle(feedback) if is_draft else ""
    held = _held_by_other(rehearsal, coach)
    grant = standing_grant(rehearsal)
    return DeskPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        note=grant.note if grant else "",
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        lanes=lanes(report),
        sentences=transcript(report),
        not_measured=not_measured(report),
        items=_desk_items(rehearsal, feedback, items, is_draft=is_draft),
        shown_count=sum(each.is_shown for each in items),
        limit_words=_("At most three items reach the trainee: more than that is not remembered."),
        can_release=is_draft and not why_not and not held,
        why_not=why_not,
        released=_released_words(feedback),
        held_by_other=held,
        lease_words=_lease_words(rehearsal, coach),
        reasons=tuple((code, str(label)) for code, label in RejectReason.choices),
        qualities=tuple((code, str(label)) for code, label in Goal.choices),
    )


def _released_words(feedback: Feedback) -> str:
    if feedback.released_at is None:
        return ""
    return _("Released by %(name)s on %(date)s") % {
        "name": feedback.released_by_name,
        "date": date_words(feedback.released_at),
    }


def _held_by_other(rehearsal: Rehearsal, coach: User) -> str:
    claim = live_claim(rehearsal)
    if claim is None or claim.coach_id == coach.pk:
        return ""
    return _claim_words(claim, coach)[0]


def _lease_words(rehearsal: Rehearsal, coach: User) -> str:
    claim = live_claim(rehearsal)
    if claim is None or claim.coach_id != coach.pk:
        return ""
    until = timezone.localtime(claim.until).strftime("%H:%M")
    return _("Yours until %(time)s; each step prolongs it.") % {"time": until}


def _disputed_words(item: Item) -> str:
    disputes = list(item.disputes.all())
    if not disputes:
        return ""
    said = str(disputes[0].get_reason_display())
    words = f"{said}: {disputes[0].note}" if disputes[0].note else said
    return _("Disputed by the trainee. %(words)s") % {"words": words}


def _desk_items(
    rehearsal: Rehearsal, feedback: Feedback, items: list[StandingItem], *, is_draft: bool
) -> tuple[DeskItem, ...]:
    made = cards(items, feedback)
    return tuple(
        DeskItem(
            card=card,
            origin="coach" if each.item.origin == Item.Origin.COACH else "rule",
            decision=each.decision,
            decision_words=str(DECISION_WORDS[each.decision]),
            shown=each.is_shown,
            needs_coach=not each.item.is_chosen,
            verdict_url=reverse("review:verdict", args=[rehearsal.pk, each.item.pk]),
            can_undo=is_draft and each.decision != "open",
            disputed=_disputed_words(each.item),
        )
        for card, each in zip(made, items, strict=True)
    )
