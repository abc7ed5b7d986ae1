"""Views of a recording: plan, upload or record, progress, deletion."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)
from django_htmx.http import HttpResponseClientRefresh

from coach.accounts.access import researchers_only
from coach.accounts.models import User
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.rehearsals.models import SpokenLanguage
from coach.rehearsals.views import delivered
from coach.research.coding.interviews.recording_consent import everybody_agrees
from coach.research.coding.interviews.selectors import studies_redacted_by
from coach.research.coding.models import Recording
from coach.research.coding.recordings.forms import PlanForm, RecordingFileForm
from coach.research.coding.recordings.pages import progress_page, send_page
from coach.research.coding.recordings.selectors import recordings_for
from coach.research.coding.recordings.services import (
    delete,
    log_listening,
    plan_recording,
    stop,
    transcribe_again,
)
from coach.research.coding.recordings.words_pages import words_page
from coach.research.studies.models import Scope
from coach.uploads.pages import recorder_words
from coach.uploads.views import with_devices


def recording_of(request: SignedInRequest, slug: str, recording_id: UUID) -> Recording:
    """Return a recording of the user's studies. Raises 404 unless all its participants consent."""
    rows = recordings_for(request.user).select_related("study", "interview", "guide")
    found = get_object_or_404(rows, pk=recording_id, study__slug=slug)
    if found.state != Recording.State.REMOVED and not everybody_agrees(found):
        raise Http404
    return found


@require_http_methods(["GET", "POST"])
@researchers_only
def new(request: SignedInRequest, slug: str) -> HttpResponse:
    """Plan a recording: name its speakers."""
    study = get_object_or_404(studies_redacted_by(request.user), slug=slug)
    form = PlanForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            made = plan_recording(study=study, plan=form.plan(), actor=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("research:recording", slug, made.pk)
    may_record = study.documents.filter(scope=Scope.RECORDING).exists()
    context = {"study": study, "form": form, "may_record": may_record}
    status = 422 if form.errors else 200
    return render(request, "research/recordings/new.html", context, status=status)


@require_GET
@researchers_only
def recording(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Show the upload page, the progress, or the transcript."""
    found = recording_of(request, slug, recording_id)
    if found.state == Recording.State.AWAITED:
        context = {**send_page(found, request.user), "form": RecordingFileForm()}
        return render(request, "research/recordings/send.html", context)
    if found.state == Recording.State.DONE:
        return render(request, "research/recordings/words.html", words_page(request, found))
    return render(request, "research/recordings/state.html", progress_page(found))


@require_GET
@researchers_only
def now(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Return the progress for htmx; reload the page once it is over."""
    found = recording_of(request, slug, recording_id)
    if found.state not in Recording.GOING_ON:
        return HttpResponseClientRefresh()
    return render(request, "research/recordings/_progress.html", progress_page(found))


@require_safe
@researchers_only
def record(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Record with this browser's microphone; leaving the page loses nothing."""
    found = recording_of(request, slug, recording_id)
    if found.state != Recording.State.AWAITED:
        return redirect("research:recording", slug, recording_id)
    context = {**send_page(found, request.user), "said": recorder_words()}
    return with_devices(render(request, "research/recordings/record.html", context))


@require_safe
@login_required
def media(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponseBase:
    """Deliver the recording by byte range, and log who opened it."""
    found = recording_of(request, slug, recording_id)
    if not (found.is_here and found.has_copy):
        raise Http404
    log_listening(recording=found, user=request.user)
    kind = found.playback_type or "application/octet-stream"
    return delivered(request, found.plays, content_type=kind)


def _delete(found: Recording, user: User, _language: str) -> str:
    delete(recording=found, actor=user)
    return _("The recording has been permanently deleted.")


def _stop(found: Recording, user: User, _language: str) -> str:
    stop(recording=found, actor=user)
    return _("Transcription stopped. The recording has been kept.")


def _again(found: Recording, user: User, language: str) -> str:
    transcribe_again(recording=found, actor=user, language=language)
    return ""


_STEPS: dict[str, Callable[[Recording, User, str], str]] = {
    "delete": _delete,
    "stop": _stop,
    "again": _again,
}


@require_POST
@do_not_replay
@researchers_only
def step(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Stop, retry or delete."""
    found = recording_of(request, slug, recording_id)
    wanted = request.POST.get("step", "")
    if wanted not in _STEPS:
        raise Http404
    language = request.POST.get("language", "")
    if language not in {"", *SpokenLanguage.values}:
        raise Http404
    try:
        said = _STEPS[wanted](found, request.user, language)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:recording", slug, recording_id)
    if said:
        messages.success(request, said)
    if wanted == "delete":
        return redirect("research:interviews", slug)
    return redirect("research:recording", slug, recording_id)
