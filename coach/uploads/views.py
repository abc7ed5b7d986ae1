"""The page on which a rehearsal starts, and what happens when an upload stops midway."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import InterfaceError, OperationalError
from django.http import (
    HttpResponse,
    JsonResponse,
    QueryDict,
    UnreadablePostError,
)
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import trainees_only
from coach.feedback.forms import TalkForm, answers_from
from coach.feedback.pages.rest_advice import rest_words
from coach.feedback.runs.allowance import analysis_obstacle
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of, wants_json
from coach.lib.web.large_bodies import slots
from coach.lib.words.sizes import size_words
from coach.rehearsals.media_types import kinds_in_words
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import how_one_speaks_for, own_rehearsals_for, uploads_for
from coach.uploads.acceptance import accept, answers_of, go_to, stopped_midway
from coach.uploads.forms import NewRehearsalForm, form_errors
from coach.uploads.pages import as_shown, unfinished_uploads, upload_words
from coach.uploads.plain_form import (
    CsrfFailed,
    KeepingUploadHandler,
    ReceivedRecording,
    WrongKind,
    check_recording,
    check_sender,
    receive,
)
from coach.uploads.quota import QuotaExceeded, size_obstacle, upload_obstacle
from coach.uploads.services import admit_upload, discard_upload, finish_upload, keep_context

_FORM_SPACE = 1024 * 1024


@csrf_exempt
@require_http_methods(["GET", "POST"])
@trainees_only
def new_rehearsal(request: SignedInRequest) -> HttpResponse:
    """Show the form, or take a recording in.

    The recording is received by our own handler, which asks `_admit` before the first byte of it
    is stored: the CSRF check, which the form's token stands before the file for, is made there.
    """
    if request.method == "GET":
        form = NewRehearsalForm(initial=said_before(request))
        return _new_page(request, form, status=200)
    too_large = size_obstacle(int(request.META.get("CONTENT_LENGTH") or 0) - _FORM_SPACE)
    if too_large:
        return _refused(request, too_large, status=413)
    handler = KeepingUploadHandler(lambda name, answers: _admit(request, name, answers))
    try:
        receive(request, handler)
    except CsrfFailed as forged:
        return forged.answer  # type: ignore[return-value]  # Django's own page, or the project's
    except (QuotaExceeded, WrongKind) as problem:
        return _refused(request, problem.sentence, status=422)
    except (UnreadablePostError, MultiPartParserError, OSError):
        handler.keep_what_arrived()
    except (OperationalError, InterfaceError):
        return _refused(request, _interrupted(), status=503)
    if handler.upload is not None and handler.upload.state == Upload.State.CUT_OFF:
        return stopped_midway(request, handler.upload)
    return _receive(request)


def _admit(request: SignedInRequest, name: str, answers: QueryDict) -> Upload:
    """Let a recording begin. Raises CsrfFailed and QuotaExceeded."""
    check_sender(request, answers)
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    return admit_upload(
        owner=request.user, name=name, expected_bytes=size, answers=answers_of(request)
    )


@require_POST
@trainees_only
def check_upload(request: SignedInRequest) -> JsonResponse:
    """Whether a recording could be sent now: its first bytes come here, its size in the address.

    An empty message says that it can. Asked before anything is sent, and true only at that moment:
    everything is checked again when it is.
    """
    size = request.GET.get("bytes", "")
    expected = int(size) if size.isdecimal() and len(size) < 19 else 0
    return JsonResponse({"message": _obstacle(request, expected)})


def _obstacle(request: SignedInRequest, size: int) -> str:
    try:
        check_recording(request.body)
    except WrongKind as problem:
        return problem.sentence
    return (
        size_obstacle(size)
        or slots.obstacle(request.user.pk)
        or upload_obstacle(owner=request.user, expected_bytes=size)
        or analysis_obstacle(request.user)
    )


def said_before(request: SignedInRequest) -> dict[str, Any]:
    """What the form knows already: all of a take that is rehearsed again, else how one speaks."""
    known = answers_from(_take_to_rehearse_again(request))
    return known or dict(how_one_speaks_for(request.user))


def again_in(request: SignedInRequest) -> str:
    """The end of the address of another page that goes on with the same talk."""
    take = _take_to_rehearse_again(request)
    return f"?again={take.pk}" if take else ""


def _take_to_rehearse_again(request: SignedInRequest) -> Rehearsal | None:
    """The person's own take that is named in the address (`?again=`); None where none is."""
    named = uuid_of(request.GET.get("again", ""))
    return own_rehearsals_for(request.user).filter(pk=named).first() if named else None


def _new_page(request: SignedInRequest, form: TalkForm, *, status: int) -> HttpResponse:
    unfinished = unfinished_uploads(request.user)
    context = {
        "form": form,
        "limits": _limits(),
        "unfinished": unfinished,
        "upload_words": upload_words(),
        "again": again_in(request),
        "rest": rest_words(request.user),
    }
    return render(request, "feedback/new.html", context, status=status)


def _limits() -> dict[str, object]:
    """What the page states before anything is sent."""
    return {
        "max_bytes": settings.MAX_UPLOAD_BYTES,
        "max_size": size_words(settings.MAX_UPLOAD_BYTES),
        "max_minutes": settings.MAX_MINUTES,
        "kinds": kinds_in_words(),
    }


def _interrupted() -> str:
    return _(
        "Something failed on our side during the upload. The uploaded part is saved: within two "
        "minutes it appears on your Practise page, where you can analyse it."
    )


def _refused(request: SignedInRequest, sentence: str, *, status: int) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(
            {"errors": {"recording": [sentence]}, "message": sentence}, status=status
        )
    messages.error(request, sentence)
    form = NewRehearsalForm(initial=answers_of(request) if status == 422 else None)
    return _new_page(request, form, status=status)


@csrf_protect
def _receive(request: SignedInRequest) -> HttpResponse:
    form = NewRehearsalForm(request.POST, request.FILES)
    if not form.is_valid():
        return _invalid(request, form)
    upload: Upload = form.cleaned_data["recording"].upload
    expected = form.cleaned_data["expected_bytes"]
    if expected is not None and upload.received_bytes < expected:
        finish_upload(
            upload=upload,
            received_bytes=upload.received_bytes,
            sha256=upload.sha256,
            complete=False,
        )
        return stopped_midway(request, upload)
    return accept(request, form, upload)


def _invalid(request: SignedInRequest, form: TalkForm) -> HttpResponse:
    """Show what to mend. A recording that arrived is kept: it need not be sent again."""
    recording = request.FILES.get("recording")
    if isinstance(recording, ReceivedRecording) and "recording" not in form.errors:
        keep_context(upload=recording.upload, fields=answers_of(request))
        messages.error(request, _("Your recording is uploaded. Please check the marked answers."))
        return go_to(request, reverse("feedback:cut_off", args=[recording.upload.pk]))
    if wants_json(request):
        return JsonResponse(form_errors(form), status=422)
    return _new_page(request, form, status=422)


@require_http_methods(["GET", "POST"])
@trainees_only
def cut_off(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """An upload that stopped midway, or whose form needs mending: go on with what arrived."""
    upload = get_object_or_404(uploads_for(request.user), pk=upload_id)
    if upload.rehearsal_id is not None:
        return go_to(request, reverse("feedback:analysing", args=[upload.rehearsal_id]))
    if upload.state not in Upload.WAITING:
        return _not_waiting(request, upload)
    form = _answers_to(request, upload)
    if request.method == "POST" and form.is_valid():
        return accept(request, form, upload)
    if request.method == "POST" and wants_json(request):
        return JsonResponse(form_errors(form), status=422)
    context = {"form": form, "upload": as_shown(upload)}
    return render(request, "feedback/cut_off.html", context)


@require_POST
@trainees_only
def use_take(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """A take that was recorded here, with what is answered beside it: analysed where that is all
    that is asked, else its page begins with it."""
    upload = get_object_or_404(uploads_for(request.user), pk=upload_id)
    form = TalkForm(answers_of(request) | {"token": str(upload.pk)})
    if upload.state == Upload.State.COMPLETE and form.is_valid():
        return accept(request, form, upload)
    if upload.state in Upload.WAITING:
        keep_context(upload=upload, fields=answers_of(request))
    return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


def _answers_to(request: SignedInRequest, upload: Upload) -> TalkForm:
    """What was sent, or answered before; answers alone, without the form's token, are no form that
    has mistakes."""
    if request.method != "POST" and "token" not in upload.context:
        known = how_one_speaks_for(request.user)
        return TalkForm(initial={**known, **upload.context})
    return TalkForm(request.POST or upload.context)


def _not_waiting(request: SignedInRequest, upload: Upload) -> HttpResponse:
    if upload.state == Upload.State.EXPIRED:
        messages.info(request, _("This upload was deleted because its retention period ended."))
    else:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
    return go_to(request, reverse("feedback:takes"))


@require_POST
@login_required
@do_not_replay
def discard(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """Throw away an upload that waits."""
    waiting = (*Upload.WAITING, Upload.State.USED)
    upload = get_object_or_404(uploads_for(request.user), pk=upload_id, state__in=waiting)
    if discard_upload(upload=upload):
        messages.success(request, _("Upload deleted."))
    else:
        messages.info(
            request,
            _("This upload is already a take. It is listed below, and you can delete it there."),
        )
    return redirect("feedback:takes")
