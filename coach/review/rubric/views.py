"""The pages of the rubric."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.feedback.selectors import latest_report_run
from coach.lib.http import SignedInRequest
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rehearsals.services import record_viewing
from coach.review.gate import try_to_claim
from coach.review.rubric.forms import RubricForm
from coach.review.rubric.models import Occasion, Rating
from coach.review.rubric.page import panel, rated_page, rubric_page, state_words
from coach.review.rubric.selectors import must_rate_first, own_rating, released_rating_for
from coach.review.rubric.services import finish_rating, reopen_rating, save_rating
from coach.review.selectors import takes_to_judge_for


@require_http_methods(["GET", "POST"])
@login_required
def rubric(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Judge a talk from the recording alone; where that is not asked first, the desk has it."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    if request.method == "POST":
        return _save(request, rehearsal)
    run = latest_report_run(rehearsal)
    if run is None or not must_rate_first(request.user, rehearsal_id):
        return redirect("review:desk", rehearsal_id)
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="recording")
    if problem := try_to_claim(rehearsal, request.user):
        messages.error(request, problem)
        return redirect("review:queue")
    rating = own_rating(request.user, rehearsal, Occasion.REVIEW)
    shown = panel(
        rating,
        save_url=reverse("review:rubric", args=[rehearsal_id]),
        finish_words=_("I have judged it: show me the items"),
    )
    return render(
        request,
        "review/rubric/first.html",
        {"page": rubric_page(rehearsal, run, rubric=shown)},
    )


def _save(request: SignedInRequest, rehearsal: Rehearsal) -> HttpResponse:
    """Keep what was chosen, and finish it where that was pressed."""
    problem = _answered_words(rehearsal) or try_to_claim(rehearsal, request.user)
    rating = None
    if not problem:
        rating, problem = keep_rating(request, rehearsal, Occasion.REVIEW)
    if request.htmx:
        return saved(request, rating, problem)
    if problem:
        messages.error(request, problem)
    return redirect("review:rubric", rehearsal.pk)


def keep_rating(
    request: SignedInRequest, rehearsal: Rehearsal, occasion: Occasion
) -> tuple[Rating | None, str]:
    """Store what was sent; finish it where that was pressed. The sentence to show if not."""
    form = RubricForm(request.POST)
    if not form.is_valid():
        return None, _("That could not be read, so it was not saved. Please try again.")
    coach = request.user
    try:
        rating = save_rating(
            rehearsal=rehearsal,
            coach=coach,
            occasion=occasion,
            levels=form.levels(),
            priorities=form.priorities(),
        )
        # A save that htmx had queued names the button that was pressed since: that is another post.
        if "finish" in request.POST and not request.htmx:
            rating = finish_rating(rehearsal=rehearsal, coach=coach, occasion=occasion)
    except ValidationError as error:
        return None, str(error.messages[0])
    return rating, ""


def saved(request: SignedInRequest, rating: Rating | None, problem: str) -> HttpResponse:
    """The line under the rubric, for a page that saves by itself."""
    words = problem or state_words(rating)
    context = {"words": words, "is_problem": bool(problem)}
    return render(request, "review/rubric/_state.html", context)


def _answered_words(rehearsal: Rehearsal) -> str:
    if rehearsal.grants.filter(revoked_at=None, answered_at=None).exists():
        return ""
    return _("This take is answered, so its levels stay as they are.")


@require_POST
@login_required
def reopen(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Change one's levels again, before the take is answered."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    try:
        reopen_rating(rehearsal=rehearsal, coach=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("review:desk", rehearsal_id)


@require_GET
@login_required
def rated(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """What the trainee reads of it, once it is released and where their group says so."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    rating = released_rating_for(request.user, rehearsal)
    if rating is None:
        raise Http404
    return render(request, "review/rubric/rated.html", {"page": rated_page(rehearsal, rating)})
