"""Between coach and trainee: a question before the release, answers after it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.feedback.forms import AnswerForm, QuestionForm
from coach.feedback.messages import answer, ask_trainee, go_on_without_answer
from coach.feedback.models import Dispute, Question
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.review.access import reviewed_by, try_to_claim
from coach.review.forms import written
from coach.review.services import keep_for


@require_POST
@login_required
def ask(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Ask the trainee something before releasing; the clock stands still meanwhile."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = QuestionForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and not form.is_valid():
        problem = first_error(form)
    if not problem:
        try:
            ask_trainee(feedback=feedback, coach=request.user, text=form.cleaned_data["text"])
        except ValidationError as error:
            problem = error.messages[0]
    if problem:
        messages.error(request, problem)
        return redirect("review:desk", rehearsal_id)
    keep_for(rehearsal=rehearsal, coach=request.user)
    words = _(
        "Question sent. The reply time is paused until %(name)s answers, and we will "
        "notify you then."
    )
    messages.success(request, words % {"name": rehearsal.owner})
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def go_on(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Do not wait for the answer any longer."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if problem:
        messages.error(request, problem)
    else:
        go_on_without_answer(feedback=feedback, coach=request.user)
        messages.success(request, _("Question withdrawn. The reply time is running again."))
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def answer_trainee(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Answer a question or an objection of the trainee."""
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    said = _what_was_said(request, rehearsal_id, item_id)
    try:
        text = written(AnswerForm(request.POST), "text")
        answer(said=said, by=request.user, text=text)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Sent. %(name)s will be notified.") % {"name": rehearsal.owner})
    place = reverse("review:desk", args=[rehearsal_id])
    return HttpResponseRedirect(f"{place}#item-{item_id}")


def _what_was_said(
    request: SignedInRequest, rehearsal_id: UUID, item_id: UUID
) -> Dispute | Question:
    """What the button stood below, also where a colleague has answered it meanwhile."""
    match request.POST.get("what"):
        case "dispute":
            on_take = Dispute.objects.filter(item__feedback__rehearsal=rehearsal_id)
            return get_object_or_404(on_take, item=item_id)
        case "question":
            return get_object_or_404(Question, item=item_id, rehearsal=rehearsal_id)
    raise Http404
