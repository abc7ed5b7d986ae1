"""Views to preview, release, cancel, correct and retract feedback; earlier takes."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.models import User
from coach.feedback.corrected_reports import report_for_reading, report_read_by
from coach.feedback.items import StandingItem, items_for_reading, shown, standing_items
from coach.feedback.models import Feedback
from coach.feedback.notes import standing_notes
from coach.feedback.pages.cards import Card, cards
from coach.feedback.pages.coach_feedback import (
    FromCoach,
    ReadNote,
    WordingChange,
    changes_between,
    read_notes,
)
from coach.feedback.pages.then_and_now import then_and_now_words
from coach.feedback.releases import (
    TAKE_BACK_FOR,
    begin_correction,
    drop_correction,
    release_feedback,
    release_obstacle,
    retract_feedback,
    take_release_back,
)
from coach.feedback.selectors import feedback_for_owner, latest_report_run, released_by_now
from coach.feedback.services import AlreadyReleased
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.web.http import SignedInRequest
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for
from coach.review.access import reviewed_by, try_to_claim
from coach.review.comparing.draw import hides_cards
from coach.review.desk.drafts import count_drafts
from coach.review.forms import written
from coach.review.second.first_opinions import second_obstacle
from coach.review.selectors import review_of
from coach.review.services import finish_review
from coach.review.spoken.page import going_out_words
from coach.review.team.timed import counts_item_times


class RetractForm(forms.Form):
    """The form for the reason of a retraction."""

    why = PlainTextField(
        max_length=500,
        error_messages={"required": gettext_lazy("Give a reason. The trainee will read it.")},
    )


@require_GET
@login_required
def summary(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the feedback as the trainee will read it, with the release button."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    if hides_cards(review_of(rehearsal)):
        return redirect("review:desk", rehearsal_id)
    page = summary_page(rehearsal, feedback, coach=request.user)
    template = "review/_summary.html" if request.htmx else "review/summary.html"
    return render(request, template, {"page": page})


@require_GET
@login_required
def takes(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the trainee's earlier takes with their focus and progress."""
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    takes = earlier_takes(rehearsal, coach=request.user)
    template = "review/_takes.html" if request.htmx else "review/takes.html"
    return render(request, template, {"takes": takes, "rehearsal": rehearsal})


@require_POST
@login_required
@counts_item_times
def release(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Release the feedback; it goes out after half a minute."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and hides_cards(review_of(rehearsal)):
        problem = _("Have the automatic cards shown first, and decide on them.")
    problem = problem or second_obstacle(feedback=feedback, coach=request.user)
    if not problem:
        try:
            release_feedback(feedback=feedback, coach=request.user, leaves_in=TAKE_BACK_FOR)
        except ValidationError as error:
            problem = error.messages[0]
        except AlreadyReleased:
            problem = _("This feedback has already been released.")
    if problem:
        messages.error(request, problem)
        return redirect("review:desk", rehearsal_id)
    finish_review(rehearsal=rehearsal, coach=request.user)
    return redirect("review:queue")


@require_POST
@login_required
def take_back(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Cancel a release that has not gone out."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    if take_release_back(feedback=feedback, coach=request.user):
        try_to_claim(rehearsal, request.user)
        messages.success(
            request, _("Release undone. The trainee was not notified, and you can continue.")
        )
    else:
        messages.error(request, _("The feedback has already been sent. You can still correct it."))
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def correct(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Begin a correction of released feedback."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem:
        try:
            begin_correction(feedback=feedback, coach=request.user)
        except ValidationError as error:
            problem = error.messages[0]
    if problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def drop(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Discard a correction; the released version stays."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and drop_correction(feedback=feedback, coach=request.user):
        finish_review(rehearsal=rehearsal, coach=request.user)
        messages.success(request, _("Released feedback was not changed."))
    elif problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def retract(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Retract released feedback, if the group's policy allows it."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = RetractForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem:
        try:
            why = written(form, "why")
            retract_feedback(feedback=feedback, coach=request.user, why=why)
        except ValidationError as error:
            problem = error.messages[0]
        except AlreadyReleased:
            problem = _("This was changed in the meantime. Please check it again.")
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("Retracted. A new draft is open here."))
    return redirect("review:desk", rehearsal_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """The feedback as it would be released."""

    rehearsal_id: str
    title: str
    trainee: str
    cards: tuple[Card, ...]
    from_coach: FromCoach
    notes: tuple[ReadNote, ...]
    spoken: str
    """The spoken replies that go out with it, in words; empty without any."""
    changes: tuple[WordingChange, ...]
    """For a correction: changes since the released version."""
    is_correction: bool
    unsent: int
    """The number of typed but unsaved texts, which would not be released."""
    why_not: str
    can_release: bool
    seconds: int
    """The number of seconds in which the release can be cancelled."""


def summary_page(rehearsal: Rehearsal, feedback: Feedback, *, coach: User) -> SummaryPage:
    """Return the page with cards, comment and notes in reading order."""
    why_not = release_obstacle(feedback) if feedback.state == Feedback.State.DRAFT else ""
    former = feedback.corrects
    review = review_of(rehearsal)
    is_ours = review is not None and review.is_held() and review.coach_id == coach.pk
    is_open = feedback.state == Feedback.State.DRAFT and is_ours
    return SummaryPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        cards=cards(shown(standing_items(feedback)), feedback),
        from_coach=FromCoach(
            word=feedback.word, by=str(coach), corrected="", changes=(), retracted=""
        ),
        notes=read_notes(standing_notes(feedback)),
        spoken=going_out_words(rehearsal),
        changes=tuple(changes_between(former, feedback)) if former else (),
        is_correction=former is not None,
        unsent=count_drafts(feedback, coach),
        why_not=why_not,
        can_release=is_open and not why_not,
        seconds=int(TAKE_BACK_FOR.total_seconds()),
    )


MOST_TAKES = 5
"""The number of latest takes shown; older ones say little about today (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTake:
    """An earlier take with its focus."""

    url: str
    title: str
    date: str
    focus: str
    """The first improvement that the trainee read; empty if nothing was released."""
    became: str
    """The focus measure then and now, in words; empty if one is missing."""
    kept: str
    """The strength that the trainee read; empty if there is none."""
    word: str
    beside_url: str = ""
    """Both takes side by side; empty for a take of another talk."""


def earlier_takes(rehearsal: Rehearsal, *, coach: User) -> tuple[EarlierTake, ...]:
    """Return the latest earlier takes that were sent to this coach."""
    before = (
        shared_rehearsals_for(coach)
        .filter(owner=rehearsal.owner, created_at__lt=rehearsal.created_at)
        .order_by("-created_at")[:MOST_TAKES]
    )
    return tuple(_earlier(each, rehearsal, coach) for each in before)


def _earlier(take: Rehearsal, now: Rehearsal, coach: User) -> EarlierTake:
    is_answered = released_by_now().filter(rehearsal=take).exists()
    feedback = feedback_for_owner(take) if is_answered else None
    items = items_for_reading(feedback) if feedback else []
    focus = next((each for each in items if each.item.tone != "strength"), None)
    kept = next((each for each in items if each.item.tone == "strength"), None)
    return EarlierTake(
        url=reverse("review:desk", args=[take.pk]),
        title=take.title,
        date=date_words(take.created_at),
        focus=focus.card.claim if focus else "",
        became=_became(focus, feedback, now, coach) if focus and feedback else "",
        kept=kept.card.claim if kept else "",
        word=feedback.word if feedback else "",
        beside_url=f"{reverse('practice:beside')}?one={take.pk}&other={now.pk}"
        if take.talk_id == now.talk_id
        else "",
    )


def _became(focus: StandingItem, feedback: Feedback, now: Rehearsal, coach: User) -> str:
    """Return the focus measure in the earlier and in this take, both with corrections."""
    run = latest_report_run(now)
    metric = focus.card.metric
    if run is None or not metric:
        return ""
    reports = report_for_reading(feedback.run, feedback), report_read_by(coach, now, run)
    then, today = reports
    return then_and_now_words(metric, (feedback.rehearsal, then), (now, today))
