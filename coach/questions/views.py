"""Views of the owner's questions: begin, answer, skip, repeat, share, delete; impromptu topics."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of
from coach.questions.models import AskedQuestion
from coach.questions.page import begin_page, session_page
from coach.questions.selectors import heard_answers_for, questions_for, sessions_for
from coach.questions.services import (
    answer_question,
    answering_obstacle,
    ask_again,
    begin_session,
    delete_session,
    let_coach_listen,
    measure_again,
    skip_question,
)
from coach.questions.topics_page import topics_page
from coach.rehearsals.models import Upload
from coach.rehearsals.selectors import own_rehearsals_for, uploads_for
from coach.rehearsals.services import record_viewing
from coach.rehearsals.views import delivered_recording
from coach.storage import StorageUnavailable
from coach.uploads.pages import recorder_words
from coach.uploads.services import StillArriving, UploadGone
from coach.uploads.views import with_devices


@require_safe
@trainees_only
def topics(request: SignedInRequest) -> HttpResponse:
    """Show a topic to speak about without a talk."""
    page = topics_page(request.GET.get("n", ""))
    return render(request, "questions/topics.html", {"page": page})


@require_http_methods(["GET", "POST"])
@trainees_only
def begin(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Say what follows, and begin three questions."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    if request.method == "POST":
        try:
            session = begin_session(take=take, with_hostile="with_hostile" in request.POST)
        except ValidationError as error:
            messages.error(request, error.messages[0])
        else:
            return redirect("questions:session", session.pk)
    page = begin_page(take, answering_obstacle(take))
    return render(request, "questions/begin.html", {"page": page})


@require_safe
@trainees_only
def session(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Show the question to answer now, or all answers."""
    page = session_page(get_object_or_404(sessions_for(request.user), pk=session_id))
    context = {
        "page": page,
        "said": {
            **recorder_words(),
            "longest_near": _("Recording. It stops automatically in a few seconds."),
        },
        "pending": _pending(request),
    }
    answer = render(request, "questions/session.html", context)
    return with_devices(answer) if page.current else answer


def _pending(request: SignedInRequest) -> Upload | None:
    """Return an own upload that an earlier attempt could not use."""
    key = uuid_of(request.GET.get("upload", ""))
    used = [Upload.State.USED, Upload.State.EXPIRED]
    return uploads_for(request.user).exclude(state__in=used).filter(pk=key).first() if key else None


@require_safe
@trainees_only
def now(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Return the part of the page that is polled while it waits."""
    page = session_page(get_object_or_404(sessions_for(request.user), pk=session_id))
    if not page.is_waiting:
        return HttpResponseClientRefresh()
    return render(request, "questions/_running.html", {"page": page})


@require_POST
@trainees_only
def hand_in(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Submit a recording as the answer."""
    question = get_object_or_404(questions_for(request.user), pk=question_id)
    key = uuid_of(request.POST.get("upload", ""))
    upload = get_object_or_404(uploads_for(request.user), pk=key)
    try:
        answer_question(question=question, upload=upload)
    except StillArriving:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
    except (UploadGone, StorageUnavailable):
        messages.error(request, _("We could not reach the recording. Please try again."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        return _to_session(question)
    # The browser no longer has what it sent: the page asks for this upload again.
    here = reverse("questions:session", args=[question.session_id])
    return redirect(f"{here}?upload={upload.pk}")


@require_POST
@trainees_only
def skip(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Leave a question without an answer."""
    question = get_object_or_404(questions_for(request.user), pk=question_id)
    skip_question(question=question)
    return _to_session(question)


@require_POST
@trainees_only
@do_not_replay
def again(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Ask a question once more, in place of its answer."""
    question = get_object_or_404(questions_for(request.user), pk=question_id)
    return _tried(request, question, lambda: ask_again(question=question))


@require_POST
@trainees_only
def measure(request: SignedInRequest, question_id: UUID) -> HttpResponse:
    """Analyse an answer again after a failure."""
    question = get_object_or_404(questions_for(request.user), pk=question_id)
    return _tried(request, question, lambda: measure_again(question=question))


def _tried(
    request: SignedInRequest, question: AskedQuestion, act: Callable[[], None]
) -> HttpResponse:
    try:
        act()
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return _to_session(question)


def _to_session(question: AskedQuestion) -> HttpResponse:
    return redirect("questions:session", question.session_id)


@require_POST
@trainees_only
def share(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Save whether the coach may listen to the answers."""
    session = get_object_or_404(sessions_for(request.user), pk=session_id)
    let_coach_listen(session=session, may_listen="may_listen" in request.POST)
    messages.success(request, _("Saved"))
    return redirect("questions:session", session.pk)


@require_POST
@trainees_only
@do_not_replay
def delete(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Delete a session with its recordings."""
    session = get_object_or_404(sessions_for(request.user), pk=session_id)
    try:
        delete_session(session=session)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("questions:session", session.pk)
    messages.success(request, _("Questions deleted, with your answers."))
    return redirect("feedback:report", session.take_id)


@require_safe
@login_required
def recording(request: SignedInRequest, question_id: UUID) -> HttpResponseBase:
    """Serve an answer to its owner, and to coaches who may listen."""
    answer = get_object_or_404(heard_answers_for(request.user), answers_question=question_id)
    is_owner = answer.owner_id == request.user.pk
    take = answer.answers_question.session.take
    record_viewing(rehearsal=take, viewer=request.user, what="answers")
    return delivered_recording(request, answer, is_owner=is_owner)
