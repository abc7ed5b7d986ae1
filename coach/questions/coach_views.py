"""Views of coaches: written questions, and answers that go along with a take."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import coaches_only
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.questions.coach_page import answers_page, written_page
from coach.questions.forms import AnswerCommentForm, WrittenQuestionForm
from coach.questions.selectors import shared_questions_for, written_questions_for
from coach.questions.services import (
    QuestionWords,
    archive_question,
    change_question,
    comment_on_answer,
    write_question,
)
from coach.rehearsals.selectors import shared_rehearsals_for


@require_http_methods(["GET", "POST"])
@coaches_only
def written(request: SignedInRequest) -> HttpResponse:
    """Show the coach's questions, and save a new one for a group."""
    form = None
    if request.method == "POST":
        form = WrittenQuestionForm(request.POST, coach=request.user)
        if form.is_valid():
            try:
                write_question(coach=request.user, words=QuestionWords(**form.cleaned_data))
            except ValidationError as error:
                form.add_error(None, error)
            else:
                messages.success(request, _("Saved"))
                return redirect("review:questions")
    page = written_page(request.user, form)
    return render(request, "questions/written.html", {"page": page}, status=422 if form else 200)


@require_POST
@coaches_only
def edit_written(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Change an own question, archive it (`wish=archive`) or restore it (`wish=restore`)."""
    question = get_object_or_404(written_questions_for(request.user), pk=question_id)
    wish = request.POST.get("wish", "")
    if wish in {"archive", "restore"}:
        archive_question(written=question, is_archived=wish == "archive")
        messages.success(request, _("Saved"))
        return redirect("review:questions")
    form = WrittenQuestionForm(
        request.POST, coach=request.user, for_talk=question.talk_id is not None
    )
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            change_question(written=question, words=QuestionWords(**form.cleaned_data))
        except ValidationError as error:
            problem = error.messages[0]
    (messages.error if problem else messages.success)(request, problem or _("Saved"))
    return redirect("review:questions")


@require_http_methods(["GET", "POST"])
@coaches_only
def answers(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the answers that go along with a take, and save a question for its talk."""
    take = get_object_or_404(shared_rehearsals_for(request.user), pk=rehearsal_id)
    form = None
    if request.method == "POST":
        form = WrittenQuestionForm(request.POST, coach=request.user, for_talk=True)
        if form.is_valid():
            words = QuestionWords(**form.cleaned_data, talk=take.talk)
            write_question(coach=request.user, words=words)
            messages.success(request, _("Saved"))
            return redirect("review:answers", take.pk)
    page = answers_page(take, request.user, form)
    return render(request, "questions/answers.html", {"page": page}, status=422 if form else 200)


@require_POST
@coaches_only
def comment(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Save the coach's comment on an answer."""
    question = get_object_or_404(shared_questions_for(request.user), pk=question_id)
    form = AnswerCommentForm(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            comment_on_answer(
                question=question, coach=request.user, comment=form.cleaned_data["comment"]
            )
        except ValidationError as error:
            problem = error.messages[0]
    said = problem or _("Saved. The trainee can read it now.")
    (messages.error if problem else messages.success)(request, said)
    return redirect("review:answers", question.session.take_id)
