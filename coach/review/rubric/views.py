"""Views of the rubric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
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
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rehearsals.services import record_viewing
from coach.review.access import try_to_claim
from coach.review.rubric.forms import RatingSeen, RubricForm
from coach.review.rubric.models import Occasion, Rating
from coach.review.rubric.page import (
    changed_elsewhere_words,
    panel,
    rated_page,
    rubric_page,
    state_words,
)
from coach.review.rubric.selectors import must_rate_first, own_rating, released_rating_for
from coach.review.rubric.services import (
    change_three,
    finish_rating,
    reopen_rating,
    save_rating,
    three_of,
)
from coach.review.selectors import takes_to_judge_for


@require_http_methods(["GET", "POST"])
@login_required
def rubric(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Rate a talk from the recording alone; redirect to the review page if not required first."""
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
        finish_words=_("Finish rating and show the cards"),
    )
    return render(
        request,
        "review/rubric/first.html",
        {"page": rubric_page(rehearsal, run, rubric=shown)},
    )


def _save(request: SignedInRequest, rehearsal: Rehearsal) -> HttpResponse:
    """Save the choices, and finish the rating if that button was pressed."""
    problem = _answered_words(rehearsal) or try_to_claim(rehearsal, request.user)
    if problem:
        return told(request, RatingKept(problem=problem)) or redirect("review:rubric", rehearsal.pk)
    kept = keep_rating(request, rehearsal, Occasion.REVIEW)
    return told(request, kept) or redirect("review:rubric", rehearsal.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingKept:
    """The outcome of saving a rubric."""

    rating: Rating | None = None
    problem: str = ""
    """Why nothing was saved, or only a part."""
    seen: str = ""
    """The state on the page from now on; empty if the form was invalid."""
    stands: str = ""
    """The priorities from another window, for which those of this page were not saved."""


def keep_rating(request: SignedInRequest, rehearsal: Rehearsal, occasion: Occasion) -> RatingKept:
    """Save the page's changes, and finish the rating if that button was pressed."""
    form = RubricForm(request.POST)
    if not form.is_valid():
        words = _("We could not read this, so it was not saved. Please try again.")
        return RatingKept(problem=words)
    what: dict[str, Any] = {
        "rehearsal": rehearsal,
        "coach": request.user,
        "occasion": occasion,
    }
    try:
        rating = save_rating(**what, levels=form.levels())
        if not _keep_three(form, what):
            return _changed_elsewhere(form, rating)
        # A save queued by htmx may contain a button that was pressed later: that is another post.
        if "finish" in request.POST and not request.htmx:
            rating = finish_rating(**what)
    except ValidationError as error:
        return RatingKept(problem=str(error.messages[0]))
    return RatingKept(rating=rating, seen=form.shows(is_kept=True).as_text())


def _keep_three(form: RubricForm, what: dict[str, Any]) -> bool:
    """Return whether the page's priorities are saved, or unchanged."""
    typed, seen, agreed = form.priorities(), form.known(), form.agreed()
    if typed == (list(seen.three) if seen else []):
        return True
    if seen is None:  # a page of the version before
        save_rating(**what, levels={}, priorities=typed)
        return True
    return change_three(
        **what, priorities=typed, known=[each.three for each in (seen, agreed) if each]
    )


def _changed_elsewhere(form: RubricForm, rating: Rating) -> RatingKept:
    now = three_of(rating)
    return RatingKept(
        rating=rating,
        problem=changed_elsewhere_words(now, form.priorities()),
        seen=form.shows(is_kept=False).as_text(),
        stands=RatingSeen(levels={}, three=now).as_text(),
    )


def told(request: SignedInRequest, kept: RatingKept) -> HttpResponse | None:
    """Return the status under the rubric after autosave, or None if the page is reloaded."""
    if not request.htmx:
        if kept.problem:
            messages.error(request, kept.problem)
        return None
    is_problem = bool(kept.problem) and not kept.stands
    words = kept.problem if is_problem else state_words(kept.rating)
    context = {"kept": kept, "words": words, "is_problem": is_problem}
    return render(request, "review/rubric/_saved.html", context)


def _answered_words(rehearsal: Rehearsal) -> str:
    if rehearsal.grants.filter(revoked_at=None, answered_at=None).exists():
        return ""
    return _("This take has been answered, so its ratings can no longer be changed.")


@require_POST
@login_required
def reopen(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Reopen the coach's rating before the take is answered."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    try:
        reopen_rating(rehearsal=rehearsal, coach=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("review:desk", rehearsal_id)


@require_GET
@login_required
def rated(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the trainee the ratings after the release, if the group shares them."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    rating = released_rating_for(request.user, rehearsal)
    if rating is None:
        raise Http404
    return render(request, "review/rubric/rated.html", {"page": rated_page(rehearsal, rating)})
