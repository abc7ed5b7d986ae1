"""The page on which a rehearsal starts, and what happens when an upload stops midway."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods

from coach.feedback.forms import NewRehearsalForm, TalkForm, form_errors
from coach.feedback.presentation import date_words
from coach.feedback.services import submit_rehearsal
from coach.feedback.views import limits
from coach.lib.http import SignedInRequest
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import uploads_for
from coach.rehearsals.services import (
    begin_upload,
    discard_upload,
    find_twin,
    finish_upload,
    keep_context,
)
from coach.rehearsals.uploading import KeepingUploadHandler, ReceivedRecording

_FORM_SPACE = 1024 * 1024


@require_GET
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """What is this talk for, the file, ready."""
    return _new_page(request, NewRehearsalForm(), status=200)


def _new_page(request: SignedInRequest, form: TalkForm, *, status: int) -> HttpResponse:
    context = {"form": form, "limits": _limits_in_words()}
    return render(request, "feedback/new.html", context, status=status)


def _limits_in_words() -> dict[str, object]:
    return {**limits(), "max_size": filesizeformat(settings.MAX_UPLOAD_BYTES)}


@csrf_exempt
@login_required
@require_http_methods(["GET", "POST"])
def new_rehearsal(request: SignedInRequest) -> HttpResponse:
    """Show the form, or take a recording in.

    The upload handler has to be in place before anything reads the body, the CSRF check
    included; that check then runs in `_receive`, before anything is stored as a rehearsal.
    """
    if request.method == "GET":
        return new(request)
    if int(request.META.get("CONTENT_LENGTH") or 0) > settings.MAX_UPLOAD_BYTES + _FORM_SPACE:
        return _refused_for_size(request)
    handler = KeepingUploadHandler(
        begin=lambda name, size: begin_upload(owner=request.user, name=name, expected_bytes=size),
        finish=lambda upload, size, sha256, complete: finish_upload(
            upload=upload, received_bytes=size, sha256=sha256, complete=complete
        ),
    )
    request.upload_handlers = [handler]
    try:
        request.POST  # noqa: B018  # parses the body, which may break off
    except (UnreadablePostError, MultiPartParserError, OSError):
        handler.keep_what_arrived()
        return _stopped_midway(request, handler.upload)
    if handler.upload is not None and handler.upload.state == Upload.State.CUT_OFF:
        return _stopped_midway(request, handler.upload)
    return _receive(request)


def _refused_for_size(request: SignedInRequest) -> HttpResponse:
    sentence = _("This file is larger than %(limit)s, so nothing was sent or stored.") % {
        "limit": _limits_in_words()["max_size"]
    }
    if _wants_json(request):
        return JsonResponse({"errors": {"recording": [sentence]}, "message": sentence}, status=413)
    form = NewRehearsalForm()
    messages.error(request, sentence)
    return _new_page(request, form, status=413)


def _stopped_midway(request: SignedInRequest, upload: Upload | None) -> HttpResponse:
    if upload is None:
        messages.error(request, _("The upload stopped before anything arrived. Please try again."))
        return redirect("feedback:new")
    keep_context(upload=upload, fields=_answers(request))
    return redirect("feedback:cut_off", upload.pk)


def _answers(request: SignedInRequest) -> dict[str, str]:
    """The form's answers as far as they arrived; they stand before the file in the form."""
    posted = getattr(request, "_post", None) or {}
    answers = {name: posted[name][:500] for name in TalkForm.base_fields if name in posted}
    # PostgreSQL stores no null characters.
    return {name: answer.replace("\0", "") for name, answer in answers.items()}


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
        return _stopped_midway(request, upload)
    return _accept(request, form, upload)


def _accept(request: SignedInRequest, form: TalkForm, upload: Upload) -> HttpResponse:
    context = form.context(fallback_title=Path(upload.name).stem[:120] or _("Rehearsal"))
    twin = find_twin(owner=request.user, sha256=upload.sha256, context=context)
    if twin is not None and twin.form_token != form.cleaned_data["token"]:
        discard_upload(upload=upload)
        messages.info(
            request,
            _(
                "You uploaded this same file for the same talk on %(date)s. "
                "Here it is; nothing was stored twice."
            )
            % {"date": date_words(twin.created_at)},
        )
        return _go_to(request, twin)
    try:
        rehearsal = submit_rehearsal(
            owner=request.user,
            upload=upload,
            context=context,
            form_token=form.cleaned_data["token"],
        )
    except ValidationError as error:
        form.add_error(None, error.messages[0])
        return _invalid(request, form)
    if upload.state != Upload.State.USED:
        # A double click: the first click's rehearsal stands, this copy goes.
        discard_upload(upload=upload)
    return _go_to(request, rehearsal)


def _go_to(request: SignedInRequest, rehearsal: Rehearsal) -> HttpResponse:
    url = reverse("feedback:progress", args=[rehearsal.pk])
    return JsonResponse({"next": url}) if _wants_json(request) else redirect(url)


def _invalid(request: SignedInRequest, form: TalkForm) -> HttpResponse:
    """Show what to mend. A recording that arrived is kept: it need not be sent again."""
    recording = request.FILES.get("recording")
    if isinstance(recording, ReceivedRecording) and "recording" not in form.errors:
        keep_context(upload=recording.upload, fields=_answers(request))
        messages.error(request, _("Your recording is here. Please look at the marked answers."))
        url = reverse("feedback:cut_off", args=[recording.upload.pk])
        return JsonResponse({"next": url}) if _wants_json(request) else redirect(url)
    if _wants_json(request):
        return JsonResponse(form_errors(form), status=422)
    return _new_page(request, form, status=422)


def _wants_json(request: SignedInRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


@login_required
@require_http_methods(["GET", "POST"])
def cut_off(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """An upload that stopped midway, or whose form needs mending: go on with what arrived."""
    waiting = (Upload.State.CUT_OFF, Upload.State.COMPLETE)
    uploads = uploads_for(request.user).filter(state__in=waiting)
    upload = get_object_or_404(uploads, pk=upload_id)
    form = TalkForm(request.POST or upload.context or None)
    if request.method == "POST" and form.is_valid():
        return _accept(request, form, upload)
    context = {
        "form": form,
        "upload": {
            "name": upload.name,
            "is_complete": upload.state == Upload.State.COMPLETE,
            "received": filesizeformat(upload.received_bytes),
            "expected": filesizeformat(upload.expected_bytes) if upload.expected_bytes else "",
            "when": date_words(upload.created_at),
            "analyse_url": reverse("feedback:cut_off", args=[upload.pk]),
            "discard_url": reverse("rehearsals:discard_upload", args=[upload.pk]),
        },
    }
    return render(request, "feedback/cut_off.html", context)
