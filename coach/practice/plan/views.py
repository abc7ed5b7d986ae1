"""Views of one's own plan, and of a trainee's plan for coaches."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.accounts.models import User
from coach.lib.web.http import SignedInRequest, uuid_of
from coach.practice.plan.forms import StepForm
from coach.practice.plan.page import own_plan, plan_for_coach
from coach.practice.plan.selectors import focus_areas_for, planned_takes_for
from coach.practice.plan.services import choose_focus, end_focus, set_step


@require_safe
@trainees_only
def plan(request: SignedInRequest) -> HttpResponse:
    """Show the person's focuses, progress and next practice."""
    return render(request, "practice/plan.html", {"page": own_plan(request.user)})


@require_POST
@trainees_only
def change(request: SignedInRequest) -> HttpResponse:
    """Choose a focus, set its step, or end it."""
    _act(request, request.user)
    return redirect("practice:plan")


@require_http_methods(["GET", "POST"])
@login_required
def plan_of(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show or change the plan of a person who sent this coach a take."""
    take = get_object_or_404(planned_takes_for(request.user), pk=rehearsal_id)
    if request.method == "POST":
        _act(request, take.owner)
        return redirect("practice:plan_of", rehearsal_id)
    return render(request, "practice/plan.html", {"page": plan_for_coach(take)})


def _act(request: SignedInRequest, person: User) -> None:
    """Apply the pressed button to a focus of that person."""
    actor, posted = request.user, request.POST
    try:
        if "choose" in posted:
            choose_focus(person=person, metric=posted["choose"], actor=actor)
        else:
            _act_on_area(request, person)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Plan updated."))


def _act_on_area(request: SignedInRequest, person: User) -> None:
    area = get_object_or_404(focus_areas_for(person), pk=uuid_of(request.POST.get("area", "")))
    if "end" in request.POST:
        end_focus(area=area, actor=request.user)
        return
    form = StepForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("There are three steps."))
    set_step(area=area, actor=request.user, **form.cleaned_data)
