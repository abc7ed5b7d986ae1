"""Views of an exercise that listens: record or upload, wait, read and hear the answer."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of
from coach.practice.cards import card_now
from coach.practice.exercises.catalogue import CatalogueExercise, exercises
from coach.practice.exercises.listening.forms import ExerciseFileForm
from coach.practice.exercises.listening.page import answer_page, recording_page
from coach.practice.exercises.listening.selectors import recorded_exercises_for
from coach.practice.exercises.listening.services import (
    delete_recorded,
    hand_in_exercise,
    note_facts_of,
)
from coach.practice.exercises.own import own_exercise
from coach.practice.exercises.selectors import own_card
from coach.practice.models import ExerciseDone
from coach.rehearsals.models import Upload
from coach.rehearsals.selectors import uploads_for
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.limits import QuotaExceeded
from coach.uploads.pages import recorder_words
from coach.uploads.plain_form import RecordingUploadHandler, receive_with, store_recording
from coach.uploads.services import StillArriving, UploadGone
from coach.uploads.views import with_devices


@require_safe
@trainees_only
def record(request: SignedInRequest, exercise_id: str) -> HttpResponse:
    """Show the recorder for an exercise, and a form for a file."""
    found = _found(exercise_id)
    item = own_card(request.user, request.GET.get("card", ""))
    own = own_exercise(card_now(item), found) if item else None
    page = recording_page(
        found,
        user=request.user,
        item=item,
        days=settings.KEEP_EXERCISES_DAYS,
        task=own.text if own else "",
    )
    named = uuid_of(request.GET.get("upload", ""))
    open_ones = uploads_for(request.user).exclude(
        state__in=[Upload.State.USED, Upload.State.EXPIRED]
    )
    context = {
        "page": page,
        "form": ExerciseFileForm(),
        "said": recorder_words(),
        "max_minutes": page.max_minutes,
        "pending": open_ones.filter(pk=named).first() if named else None,
    }
    return with_devices(render(request, "practice/record_exercise.html", context))


@require_POST
@trainees_only
def use(request: SignedInRequest, exercise_id: str) -> HttpResponse:
    """Submit what was recorded here."""
    found = _found(exercise_id)
    named = uuid_of(request.POST.get("upload", ""))
    upload = get_object_or_404(uploads_for(request.user), pk=named)
    return _handed_in(request, found, upload)


@csrf_exempt  # checked by `_sent`, which reads the form
@require_POST
@trainees_only
def send(request: SignedInRequest, exercise_id: str) -> HttpResponse:
    """Receive a file with the form."""
    return _sent(request, _found(exercise_id), receive_with(request))


@csrf_protect
def _sent(
    request: SignedInRequest, found: CatalogueExercise, handler: RecordingUploadHandler
) -> HttpResponse:
    form, problem = ExerciseFileForm(request.POST, request.FILES), handler.problem
    try:
        if not problem and form.is_valid():
            return _handed_in(
                request, found, store_recording(request, form.cleaned_data["recording"])
            )
    except QuotaExceeded as refusal:
        problem = refusal.sentence
    messages.error(request, problem or str(form.errors["recording"][0]))
    return redirect(_recorder(request, found))


def _recorder(request: SignedInRequest, found: CatalogueExercise, **more: str) -> str:
    item = own_card(request.user, request.GET.get("card", ""))
    named = {"card": str(item.pk)} if item else {}
    query = "&".join(f"{name}={value}" for name, value in {**named, **more}.items())
    return f"{reverse('practice:record_exercise', args=[found.id])}?{query}".removesuffix("?")


def _handed_in(request: SignedInRequest, found: CatalogueExercise, upload: Upload) -> HttpResponse:
    item = own_card(request.user, request.GET.get("card", ""))
    try:
        done = hand_in_exercise(user=request.user, exercise=found, upload=upload, item=item)
    except StillArriving:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
    except UploadGone:
        messages.error(
            request,
            _("This upload no longer exists: it was discarded, or its retention period ended."),
        )
    except StorageUnavailable:
        messages.error(request, str(AWAY_SENTENCE))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        return redirect("practice:exercise_heard", done.recording_id)
    # The browser no longer has what it sent: the page asks for this upload again.
    return redirect(_recorder(request, found, upload=str(upload.pk)))


@require_safe
@trainees_only
def heard(request: SignedInRequest, recording_id: UUID) -> HttpResponse:
    """Show the progress of the analysis, or what was heard."""
    done = _done(request, recording_id)
    if done.recording is None:
        raise Http404
    note_facts_of(recording=done.recording)
    page = answer_page(done, done.recording)
    return render(request, "practice/exercise_heard.html", {"page": page})


@require_safe
@trainees_only
def now(request: SignedInRequest, recording_id: UUID) -> HttpResponse:
    """Return the part of the page that is polled while it waits."""
    done = _done(request, recording_id)
    if done.recording is None:
        raise Http404
    page = answer_page(done, done.recording)
    if page.state != "running":
        return HttpResponseClientRefresh()
    return render(request, "practice/_exercise_running.html", {"page": page})


@require_POST
@trainees_only
@do_not_replay
def delete(request: SignedInRequest, recording_id: UUID) -> HttpResponse:
    """Delete a recorded exercise with its counts."""
    done = _done(request, recording_id)
    try:
        delete_recorded(done=done)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("practice:exercise_heard", recording_id)
    messages.success(request, _("Recording deleted, with its counts."))
    return redirect("practice:exercise", done.exercise)


def _done(request: SignedInRequest, recording_id: UUID) -> ExerciseDone:
    return get_object_or_404(recorded_exercises_for(request.user), recording=recording_id)


def _found(exercise_id: str) -> CatalogueExercise:
    found = exercises().get(exercise_id)
    if found is None or found.answer is None:
        raise Http404
    return found
