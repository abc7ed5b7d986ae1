"""Views of second opinions, comparisons, agreement and calibration clips."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import coaches_only
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest, attachment
from coach.notices.services import note_seen
from coach.rehearsals.selectors import watchable_rehearsals_for
from coach.rehearsals.services import record_viewing
from coach.review.forms import written
from coach.review.rubric.forms import RubricForm
from coach.review.rubric.selectors import own_rating
from coach.review.rubric.views import keep_rating, told
from coach.review.second.adoption import sent_from
from coach.review.second.agreement import as_csv
from coach.review.second.comparison import as_sent, compare_page
from coach.review.second.discussion import add_message, may_discuss
from coach.review.second.first_opinions import gather_first_opinions
from coach.review.second.forms import DiscussionForm, settled_from
from coach.review.second.lists import agreement_of, agreement_page, clips_page, seconds_page
from coach.review.second.models import Opinion, Place
from coach.review.second.page import decided_words, judged_items, opinion_page, problem_words
from coach.review.second.selectors import (
    clip_candidates_for,
    clips_for,
    comparable_for,
    led_takes,
    opinion_for,
)
from coach.review.second.services import (
    OCCASIONS,
    choose_opinion,
    decide,
    give_up,
    hand_in,
    mark_clip,
    resolve,
    take_clip,
    take_second,
    unmark_clip,
)
from coach.review.selectors import groups_led_by
from coach.review.services import enqueue_sent

AGREEMENT_FILE = "agreement.csv"


def _own_open(request: SignedInRequest, rehearsal_id: UUID) -> Opinion:
    """Return this coach's open opinion. Raises Http404 if it is missing or submitted."""
    opinion = opinion_for(request.user, rehearsal_id)
    if opinion is None or opinion.submitted_at is not None:
        raise Http404
    return opinion


@require_GET
@coaches_only
def seconds(request: SignedInRequest) -> HttpResponse:
    """Show the waiting second opinions and those that can be compared."""
    enqueue_sent()
    gather_first_opinions()
    return render(request, "review/second/seconds.html", {"page": seconds_page(request.user)})


@require_POST
@login_required
def take(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Begin or continue a second opinion."""
    rehearsal = get_object_or_404(watchable_rehearsals_for(request.user), pk=rehearsal_id)
    try:
        take_second(rehearsal=rehearsal, coach=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("review:seconds")
    return redirect("review:opinion", rehearsal_id)


@require_POST
@login_required
def begin_clip(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Begin or continue a calibration clip."""
    rehearsal = get_object_or_404(watchable_rehearsals_for(request.user), pk=rehearsal_id)
    try:
        take_clip(rehearsal=rehearsal, coach=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("review:clips")
    return redirect("review:opinion", rehearsal_id)


@require_GET
@login_required
def opinion(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the page to rate a take without seeing others' decisions."""
    own = opinion_for(request.user, rehearsal_id)
    if own is None:
        raise Http404
    if own.submitted_at is not None:
        return _after(own)
    what = "calibration" if own.place == Place.CALIBRATION else "second"
    record_viewing(rehearsal=own.rehearsal, viewer=request.user, what=what)
    rating = own_rating(request.user, own.rehearsal, OCCASIONS[Place(own.place)])
    return render(request, "review/second/opinion.html", {"page": opinion_page(own, rating)})


def _after(own: Opinion) -> HttpResponse:
    return redirect("review:clips" if own.place == Place.CALIBRATION else "review:seconds")


@require_POST
@login_required
def opinion_rubric(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save the levels chosen so far."""
    own = _own_open(request, rehearsal_id)
    kept = keep_rating(request, own.rehearsal, OCCASIONS[Place(own.place)])
    return told(request, kept) or redirect("review:opinion", rehearsal_id)


@require_POST
@login_required
def opinion_decide(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save the decisions so far, and submit them if that button was pressed."""
    own = _own_open(request, rehearsal_id)
    sent = sent_from(request.POST, own)
    problem = ""
    try:
        decide(opinion=own, verdicts=sent.verdicts)
        is_whole = not (sent.problems or sent.elsewhere)
        if "hand_in" in request.POST and not request.htmx and is_whole:
            return _handed_in(request, own)
    except ValidationError as error:
        problem = str(error.messages[0])
    items = judged_items(own, sent)
    problem = problem or problem_words(items)
    if request.htmx:
        context = {"words": problem or decided_words(own), "is_problem": bool(problem)}
        context |= {"items": items, "rehearsal_id": rehearsal_id}
        return render(request, "review/second/_kept.html", context)
    if problem:
        # Shown again as submitted, so that no input is lost.
        rating = own_rating(request.user, own.rehearsal, OCCASIONS[Place(own.place)])
        page = opinion_page(own, rating, sent, problem)
        if not page.rubric.is_finished:
            messages.error(request, problem)
            return redirect("review:opinion", rehearsal_id)
        return render(request, "review/second/opinion.html", {"page": page}, status=422)
    return redirect("review:opinion", rehearsal_id)


def _handed_in(request: SignedInRequest, own: Opinion) -> HttpResponse:
    hand_in(opinion=own, coach=request.user)
    gather_first_opinions()
    if comparable_for(request.user).filter(pk=own.rehearsal_id).exists():
        return redirect("review:compare", own.rehearsal_id)
    messages.success(
        request,
        _("Submitted. You will see both opinions side by side once the first coach has answered."),
    )
    return _after(own)


@require_POST
@login_required
def give_back_opinion(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Return a second opinion or clip for others."""
    own = _own_open(request, rehearsal_id)
    give_up(opinion=own, coach=request.user)
    messages.success(request, _("Returned. Your ratings so far are saved."))
    return _after(own)


@require_GET
@login_required
def compare(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show two opinions side by side to the coaches who gave them and to leads."""
    gather_first_opinions()
    rehearsal = get_object_or_404(comparable_for(request.user), pk=rehearsal_id)
    page = compare_page(rehearsal, request.user, of=request.GET.get("of", "")[:18])
    if page is None:
        raise Http404
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="compared")
    note_seen(person=request.user, rehearsal=rehearsal)
    return render(request, "review/second/compare.html", {"page": page})


@require_POST
@login_required
def settle(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Choose or write the opinion that counts, as a lead."""
    rehearsal = get_object_or_404(
        led_takes(request.user).filter(pk__in=comparable_for(request.user).values("pk")),
        pk=rehearsal_id,
    )
    pick = request.POST.get("pick", "")
    try:
        if pick in (Place.FIRST.value, Place.SECOND.value):
            choose_opinion(
                rehearsal=rehearsal, place=Place(pick), leader=request.user, why=_why(request)
            )
        else:
            _write(request, rehearsal_id)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        page = compare_page(rehearsal, request.user)
        if page is not None and page.can_resolve:
            sent = as_sent(page, request.POST)
            return render(request, "review/second/compare.html", {"page": sent}, status=422)
    else:
        messages.success(request, _("Saved. This opinion counts from now on."))
    return redirect("review:compare", rehearsal_id)


def _why(request: SignedInRequest) -> str:
    """Return the reason in the form. Raises ValidationError if it is too long."""
    form = DiscussionForm({"text": request.POST.get("why", "")})
    return written(form, "text") if form.data["text"].strip() else ""


def _write(request: SignedInRequest, rehearsal_id: UUID) -> None:
    form = RubricForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("We could not read this, so it was not saved. Please try again."))
    first = Opinion.objects.get(rehearsal=rehearsal_id, place=Place.FIRST)
    resolve(
        rehearsal=first.rehearsal,
        leader=request.user,
        levels=form.levels(),
        verdicts=settled_from(request.POST, first),
        why=_why(request),
    )


@require_POST
@login_required
def discuss(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Add a message to the discussion of two opinions."""
    rehearsal = get_object_or_404(comparable_for(request.user), pk=rehearsal_id)
    if not may_discuss(rehearsal, request.user):
        raise Http404
    form = DiscussionForm(request.POST)
    if form.is_valid():
        add_message(rehearsal=rehearsal, author=request.user, text=form.cleaned_data["text"])
        messages.success(request, _("Sent to the coaches concerned."))
        return redirect("review:compare", rehearsal_id)
    messages.error(request, first_error(form))
    page = compare_page(rehearsal, request.user)
    if page is None:
        raise Http404
    page = replace(page, message=request.POST.get("text", ""))
    return render(request, "review/second/compare.html", {"page": page}, status=422)


@require_GET
@login_required
def agreement(request: SignedInRequest) -> HttpResponse:
    """Show a lead the agreement between coaches."""
    groups = groups_led_by(request.user)
    if not groups.exists():
        raise Http404
    gather_first_opinions()
    return render(request, "review/second/agreement.html", {"page": agreement_page(groups)})


@require_GET
@login_required
def agreement_csv(request: SignedInRequest) -> HttpResponse:
    """Download the agreement table as CSV."""
    groups = groups_led_by(request.user)
    if not groups.exists():
        raise Http404
    gather_first_opinions()
    headers = attachment(AGREEMENT_FILE)
    table = as_csv(agreement_of(groups))
    return HttpResponse(table, content_type="text/csv; charset=utf-8", headers=headers)


@require_GET
@coaches_only
def clips(request: SignedInRequest) -> HttpResponse:
    """Show the takes on which coaches practise rating."""
    gather_first_opinions()
    return render(request, "review/second/clips.html", {"page": clips_page(request.user)})


@require_POST
@login_required
def make_clip(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Make an answered take a calibration clip, as a lead."""
    gather_first_opinions()
    chosen = get_object_or_404(clip_candidates_for(request.user), rehearsal=rehearsal_id)
    try:
        mark_clip(opinion=chosen, leader=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Clip added. New coaches of the group can now use it."))
    return redirect("review:clips")


@require_POST
@login_required
def drop_clip(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Remove a clip from calibration."""
    led = led_takes(request.user)
    clip = get_object_or_404(
        clips_for(request.user).filter(rehearsal__in=led), rehearsal=rehearsal_id
    )
    unmark_clip(clip=clip, leader=request.user)
    messages.success(request, _("Clip removed."))
    return redirect("review:clips")
