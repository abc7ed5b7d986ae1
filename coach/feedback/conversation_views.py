"""What the trainee says to the coach about a take: objections, questions, answers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.feedback.conversation import (
    answer,
    ask_about_item,
    dispute_item,
    stand_by_dispute,
    withdraw_dispute,
    withdraw_question,
)
from coach.feedback.forms import AnswerForm, DisputeForm, QuestionForm
from coach.feedback.models import Item
from coach.feedback.pages.report_words import noted_words
from coach.feedback.selectors import items_for_owner, questions_to
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest


def _own_item(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> Item:
    items = items_for_owner(request.user).filter(feedback__rehearsal=rehearsal_id)
    return get_object_or_404(items.select_related("feedback__rehearsal"), pk=item_id)


def _back(rehearsal_id: UUID, place: str) -> HttpResponseRedirect:
    """The report, at the place where one was reading."""
    return HttpResponseRedirect(reverse("feedback:report", args=[rehearsal_id]) + place)


@require_POST
@login_required
def dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Say that an item is not right or not helpful."""
    item = _own_item(request, rehearsal_id, item_id)
    form = DisputeForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _back(rehearsal_id, f"#card-{item_id}")
    try:
        dispute_item(item=item, owner=request.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, noted_words(item.feedback))
    return _back(rehearsal_id, f"#card-{item_id}")


@require_POST
@login_required
def undo_dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Take back that an item is not right or not helpful."""
    withdraw_dispute(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Disagreement withdrawn."))
    return _back(rehearsal_id, f"#card-{item_id}")


@require_POST
@login_required
def redo_dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Disagree after all, where a coach has answered and it was taken back."""
    stand_by_dispute(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Disagreement restored."))
    return _back(rehearsal_id, f"#card-{item_id}")


@require_POST
@login_required
def ask(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Ask the coach about an item."""
    item = _own_item(request, rehearsal_id, item_id)
    form = QuestionForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _back(rehearsal_id, f"#card-{item_id}")
    try:
        ask_about_item(item=item, owner=request.user, text=form.cleaned_data["text"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(
            request, _("Question sent. We notify you here and by email when your coach answers.")
        )
    return _back(rehearsal_id, f"#card-{item_id}")


@require_POST
@login_required
def undo_ask(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Take a question back."""
    withdraw_question(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Question withdrawn."))
    return _back(rehearsal_id, f"#card-{item_id}")


@require_POST
@login_required
def answer_coach(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Answer what the coach asked before releasing."""
    asked = questions_to(request.user).filter(rehearsal=rehearsal_id).order_by("-at")
    question = get_object_or_404(asked[:1])
    form = AnswerForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _back(rehearsal_id, "#asked")
    try:
        answer(said=question, by=request.user, text=form.cleaned_data["text"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Sent. Your coach continues with your take."))
    return _back(rehearsal_id, "#asked")
