"""Views of the list of exercises and of one exercise."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest
from coach.practice.cards import card_now
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.own import own_exercise
from coach.practice.exercises.page import exercise_groups, exercise_page
from coach.practice.exercises.selectors import own_card
from coach.practice.exercises.services import note_exercise_done


@require_safe
@trainees_only
def index(request: SignedInRequest) -> HttpResponse:
    """Show all exercises."""
    return render(request, "practice/exercises.html", {"groups": exercise_groups(request.user)})


@require_safe
@trainees_only
def exercise(request: SignedInRequest, exercise_id: str) -> HttpResponse:
    """Show one exercise with its steps, an example and a timer."""
    found = _found(exercise_id)
    item = own_card(request.user, request.GET.get("card", ""))
    page = exercise_page(found, user=request.user, item=item, is_done_now="done" in request.GET)
    return render(request, "practice/exercise.html", {"page": page})


@require_POST
@trainees_only
def done(request: SignedInRequest, exercise_id: str) -> HttpResponse:
    """Record that the person did the exercise, and offer the next step."""
    found = _found(exercise_id)
    item = own_card(request.user, request.POST.get("card", ""))
    take = item.feedback.rehearsal if item else None
    own = own_exercise(card_now(item), found) if item else None
    named = item.rule if item and own else found.id
    note_exercise_done(user=request.user, exercise=named, rehearsal=take)
    card = f"&card={item.pk}" if item else ""
    return redirect(f"{reverse('practice:exercise', args=[found.id])}?done{card}")


def _found(exercise_id: str) -> CatalogueExercise:
    found = exercises().get(exercise_id)
    if found is None:
        raise Http404
    return found
