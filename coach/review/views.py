"""Views of the review queue and the review page."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HTMX_STOP_POLLING

from coach.accounts.access import coaches_only
from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.notices.services import note_seen
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import record_viewing
from coach.review.access import reviewed_by, try_to_claim
from coach.review.claim_words import kept_words, lease_words
from coach.review.desk.facts import fact_named
from coach.review.desk.page import desk_page
from coach.review.forms import HandOverForm
from coach.review.models import Review
from coach.review.queue.page import filter_of, nothing_free_words, queue_page, released_page
from coach.review.rubric.selectors import must_rate_first
from coach.review.selectors import (
    groups_led_by,
    kept_for_colleague,
    led_reviews_for,
    review_of,
    takes_to_judge_for,
)
from coach.review.services import (
    HeldByOther,
    KeptForColleague,
    assign,
    claim_next,
    enqueue_sent,
    give_back,
    hand_over,
    renew_claim,
)
from coach.review.team.page import team_page
from coach.review.team.timed import counts_item_times


@require_GET
@coaches_only
def queue(request: SignedInRequest) -> HttpResponse:
    """Show the takes that wait for this coach."""
    enqueue_sent()
    return render(request, "review/queue.html", {"page": queue_page(request)})


@require_POST
@coaches_only
def take_next(request: SignedInRequest) -> HttpResponse:
    """Claim the most urgent free take in the coach's filter; their own claim comes first."""
    enqueue_sent()
    wanted = filter_of(request)
    review = claim_next(coach=request.user, wanted=wanted)
    if review is not None:
        return redirect("review:desk", review.rehearsal_id)
    messages.info(request, nothing_free_words(request.user, wanted))
    return redirect("review:queue")


@require_GET
@coaches_only
def released(request: SignedInRequest) -> HttpResponse:
    """Show the released takes of this coach's groups."""
    return render(request, "review/released.html", {"page": released_page(request)})


@require_GET
@login_required
def team(request: SignedInRequest) -> HttpResponse:
    """Show the state of the queue to a lead."""
    groups = groups_led_by(request.user)
    if not groups.exists():
        raise Http404
    return render(request, "review/team.html", {"page": team_page(groups, request.user)})


@require_POST
@login_required
def assign_take(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Assign a waiting take of a led group to one of its coaches."""
    review = get_object_or_404(led_reviews_for(request.user), rehearsal=rehearsal_id)
    form = HandOverForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect("review:team")
    chosen = get_object_or_404(User, pk=form.cleaned_data["colleague"])
    try:
        assign(review=review, lead=request.user, to=chosen)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(
            request,
            _("Assigned to %(name)s, who is notified. It stays reserved for a day.")
            % {"name": chosen},
        )
    return redirect("review:team")


@require_GET
@login_required
def desk(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the review page of a take and claim it, unless a colleague has it."""
    try:
        rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    except Http404:
        if must_rate_first(request.user, rehearsal_id):
            return redirect("review:rubric", rehearsal_id)
        raise
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="desk")
    note_seen(person=request.user, rehearsal=rehearsal)
    if feedback.state == Feedback.State.DRAFT and not kept_for_colleague(rehearsal, request.user):
        try_to_claim(rehearsal, request.user)
    page = desk_page(rehearsal, feedback, coach=request.user)
    code = request.GET.get("fact", "")
    picked = fact_named(rehearsal, feedback, code) if code else None
    context = {"page": page, "desk": page.desk, "picked": picked}
    return render(request, "review/desk.html", context)


@require_POST
@login_required
def claim(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Claim a take, or renew the lease."""
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user, takes_over=True)
    if problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
@counts_item_times
def put_back(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Return a take to the queue."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    give_back(rehearsal=rehearsal, coach=request.user)
    now = review_of(rehearsal)
    if now is not None and now.is_held():
        words = _("%(name)s is now working on this take. Your decisions so far are saved.")
        messages.info(request, words % {"name": now.coach})
    else:
        messages.success(request, _("Returned to the queue. Your decisions so far are saved."))
    return redirect("review:queue")


@require_POST
@login_required
@do_not_replay
@counts_item_times
def renew(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Renew the claim of an open review page, or report that a colleague has taken over."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    taken_by, kept = "", ""
    try:
        renew_claim(rehearsal=rehearsal, coach=request.user)
    except KeptForColleague as found:
        kept = kept_words(found.review, request.user)
    except HeldByOther as held:
        taken_by = str(held.review.coach or _("Nobody"))
    except Review.DoesNotExist:
        return HttpResponse(status=HTMX_STOP_POLLING)
    words = lease_words(review_of(rehearsal), request.user)
    context = {
        "rehearsal_id": rehearsal_id,
        "words": words,
        "taken_by": taken_by,
        "kept_words": kept,
    }
    status = HTMX_STOP_POLLING if taken_by or kept else 200
    return render(request, "review/_lease.html", context, status=status)


@require_POST
@login_required
@counts_item_times
def give_to_colleague(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Hand the take over to another coach of its group."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = HandOverForm(request.POST)
    if not form.is_valid():
        return _not_handed_over(request, rehearsal, feedback, form)
    colleague = get_object_or_404(User, pk=form.cleaned_data["colleague"])
    note = form.cleaned_data["note"]
    try:
        hand_over(rehearsal=rehearsal, coach=request.user, to=colleague, note=note)
    except ValidationError as error:
        form.add_error("colleague", error)
        return _not_handed_over(request, rehearsal, feedback, form)
    messages.success(request, _("Handed over to %(name)s.") % {"name": colleague})
    return redirect("review:queue")


def _not_handed_over(
    request: SignedInRequest, rehearsal: Rehearsal, feedback: Feedback, form: HandOverForm
) -> HttpResponse:
    """Show the review page with the form as submitted, or redirect if the claim is lost."""
    page = desk_page(rehearsal, feedback, coach=request.user)
    if not page.colleagues:
        messages.error(request, first_error(form))
        return redirect("review:desk", rehearsal.pk)
    context = {"page": page, "desk": page.desk, "handing": form}
    return render(request, "review/desk.html", context, status=422)
