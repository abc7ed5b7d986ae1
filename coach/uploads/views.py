"""Views of uploads: the form of a new take, unfinished uploads, and their acceptance."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.accounts.selectors import profile_of
from coach.accounts.trial import most_minutes
from coach.feedback.forms import TalkForm, answers_for_new_talk, answers_from
from coach.feedback.pages.incomplete_uploads import recorded_uploads
from coach.feedback.pages.rest_advice import rest_words
from coach.feedback.runs.allowance import analysis_obstacle
from coach.lib.pages.plain_text import storable
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of, wants_json
from coach.lib.web.large_bodies import SMALL_BODY_BYTES, slots
from coach.lib.words.dates import date_words
from coach.lib.words.sizes import size_words
from coach.rehearsals.media_types import kinds_in_words
from coach.rehearsals.models import MOST_KEY_WORDS_CHARACTERS, Rehearsal, Upload
from coach.rehearsals.selectors import (
    gaze_calibrations_for,
    how_one_speaks_for,
    own_rehearsals_for,
    own_talks_for,
    uploads_for,
)
from coach.rehearsals.services import note_ease
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.device_check import Busy, looker
from coach.uploads.forms import (
    BeforeRecordingForm,
    NewRehearsalForm,
    TopicForm,
    form_errors,
)
from coach.uploads.gaze.page import recorder_calibrations
from coach.uploads.limits import (
    QuotaExceeded,
    WrongKind,
    check_recording,
    size_obstacle,
    trial_obstacle,
    upload_obstacle,
)
from coach.uploads.pages import as_shown, recorder_words, unfinished_uploads, upload_words
from coach.uploads.plain_form import RecordingUploadHandler, receive_with, store_recording
from coach.uploads.services import (
    StillArriving,
    UploadGone,
    complete_upload,
    discard_upload,
    keep_context,
)
from coach.uploads.storing import find_twin, submit_rehearsal

_MOST_PIXELS = 16_384


@csrf_exempt  # checked by `_receive`, which reads the form
@require_http_methods(["GET", "POST"])
@trainees_only
def new_rehearsal(request: SignedInRequest) -> HttpResponse:
    """Show the form, or receive it with its recording if the script does not run."""
    if request.method == "GET":
        form = NewRehearsalForm(initial=said_before(request))
        return _new_page(request, form, status=200)
    return _receive(request, receive_with(request))


@csrf_protect
def _receive(request: SignedInRequest, handler: RecordingUploadHandler) -> HttpResponse:
    form = NewRehearsalForm(request.POST, request.FILES)
    if handler.problem:
        return _refused(request, handler.problem)
    is_valid = form.is_valid()
    if "recording" in form.errors:
        return _invalid(request, form)
    try:
        upload = store_recording(
            request, form.cleaned_data["recording"], answers=answers_of(request)
        )
    except QuotaExceeded as refusal:
        return _refused(request, refusal.sentence)
    if is_valid:
        return accept(request, form, upload)
    messages.error(request, _("Your recording is uploaded. Please check the marked answers."))
    return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


@require_POST
@trainees_only
def check_upload(request: SignedInRequest) -> JsonResponse:
    """Return whether a recording could be sent now; an empty message means yes.

    All checks run again when it is sent.
    """
    obstacle = upload_check(request) or analysis_obstacle(request.user)
    return JsonResponse({"message": obstacle})


def upload_check(request: SignedInRequest, *, meant_for: str = "") -> str:
    """Return why a file cannot be sent now, or an empty string.

    The request's body has its first bytes, and the query string its size.
    """
    size = request.GET.get("bytes", "")
    expected = int(size) if size.isdecimal() and len(size) < 19 else 0
    try:
        check_recording(request.body)
    except WrongKind as problem:
        return problem.sentence
    return (
        size_obstacle(expected)
        or slots.obstacle(request.user.pk)
        or upload_obstacle(owner=request.user, expected_bytes=expected, meant_for=meant_for)
    )


def said_before(request: SignedInRequest) -> dict[str, Any]:
    """Return the form's initial values: the repeated take's answers, or those of the last talk."""
    known = answers_from(_take_to_rehearse_again(request))
    if known:
        return known
    last = own_rehearsals_for(request.user).select_related("talk").order_by("-created_at").first()
    known = answers_for_new_talk(last) | how_one_speaks_for(request.user)
    return {**known, **_topic_in(request)}


def _topic_in(request: SignedInRequest) -> dict[str, Any]:
    """Return the plan that another page proposes (`?title=&minutes=&aim=` …)."""
    form = TopicForm(request.GET)
    if not form.is_valid():
        return {}
    said = form.cleaned_data
    given = {name: said[name] for name in said if name != "minutes" and said[name]}
    minutes = said["minutes"]
    is_whole = minutes is not None and minutes.is_integer()
    return {**given, "time_limit_minutes": int(minutes) if is_whole else minutes}


def again_in(request: SignedInRequest) -> str:
    """Return the query string with which another page continues the same talk, or an empty one."""
    take = _take_to_rehearse_again(request)
    if take:
        return f"?again={take.pk}"
    form = TopicForm(request.GET)
    is_planned = form.is_valid() and form.cleaned_data["talk"]
    return f"?{urlencode({name: form.data[name] for name in form.data})}" if is_planned else ""


def _take_to_rehearse_again(request: SignedInRequest) -> Rehearsal | None:
    """Return the user's own take in the query string (`?again=`), or None."""
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
    """Return the limits that the page states before an upload."""
    return {
        "max_bytes": settings.MAX_UPLOAD_BYTES,
        "max_size": size_words(settings.MAX_UPLOAD_BYTES),
        "max_minutes": settings.MAX_MINUTES,
        "kinds": kinds_in_words(),
    }


def _refused(request: SignedInRequest, sentence: str) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"errors": {"recording": [sentence]}, "message": sentence}, status=422)
    messages.error(request, sentence)
    return _new_page(request, NewRehearsalForm(initial=answers_of(request)), status=422)


def _invalid(request: SignedInRequest, form: TalkForm) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(form_errors(form), status=422)
    return _new_page(request, form, status=422)


@require_safe
@trainees_only
def record(request: SignedInRequest) -> HttpResponse:
    """Show the recorder: camera and microphone, takes, and the choice of one."""
    if trial_obstacle(request.user):
        return redirect("portal:trial")
    known = said_before(request)
    gentle = profile_of(request.user).gentle
    context = {
        # In the format of a submitted form.
        "known": {
            name: "on" if said is True else str(said) for name, said in known.items() if said
        },
        "form": BeforeRecordingForm(initial=known, asks_ease=gentle),
        "sound_only": gentle,
        "minutes": known.get("time_limit_minutes") or "",
        "looks_first": bool(known.get("looks_into_lens_first")),
        "max_minutes": most_minutes(request.user),
        "said": recorder_words(),
        "waiting": recorded_uploads(request.user),
        "rest": rest_words(request.user),
        "again": again_in(request),
        "gaze": recorder_calibrations(request.user),
    }
    return with_devices(render(request, "feedback/record.html", context))


def with_devices(response: HttpResponse) -> HttpResponse:
    """Allow a page to use camera and microphone.

    Every other page may not (coach.lib.web.http.forbid_camera_and_microphone).
    """
    response.headers["Permissions-Policy"] = "camera=(self), microphone=(self)"
    return response


@require_POST
@trainees_only
def look(request: SignedInRequest) -> JsonResponse:
    """Check picture and sound before a take is recorded."""
    return looked_at(request)


def looked_at(request: SignedInRequest) -> JsonResponse:
    """Return the findings about a picture (JPEG) or sound (16 bits, 16 kHz), without storing it."""
    width, height = (_pixels(request.GET.get(name, "")) for name in ("width", "height"))
    kind = request.GET.get("kind")
    if kind not in {"picture", "sound"} or (kind == "picture" and not width * height):
        return JsonResponse({"message": _("We could not read this.")}, status=400)
    if int(request.META.get("CONTENT_LENGTH") or 0) > SMALL_BODY_BYTES:
        return JsonResponse({"message": _("This is more than a picture.")}, status=413)
    try:
        if kind == "picture":
            findings = looker.ask("picture", request.body, width=width, height=height)
        else:
            findings = looker.ask("sound", request.body)
    except Busy:
        return JsonResponse({"message": _("The check is busy just now.")}, status=503)
    return JsonResponse({"findings": findings})


def _pixels(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 6 else 0
    return count if count <= _MOST_PIXELS else 0


@require_http_methods(["GET", "POST"])
@trainees_only
def cut_off(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """Continue with an interrupted upload, or one whose form needs a correction."""
    upload = get_object_or_404(uploads_for(request.user), pk=upload_id)
    if upload.rehearsal_id is not None:
        return go_to(request, reverse("feedback:analysing", args=[upload.rehearsal_id]))
    if upload.state not in Upload.WAITING:
        return _not_waiting(request, upload)
    form = _answers_to(request, upload)
    if request.method == "POST" and form.is_valid():
        return accept(request, form, upload)
    if request.method == "POST" and wants_json(request):
        return _invalid(request, form)
    context = {"form": form, "upload": as_shown(upload)}
    return render(request, "feedback/cut_off.html", context)


@require_POST
@trainees_only
def use_take(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    """Use a take recorded here: analyse it if its answers are complete, else show the form."""
    upload = get_object_or_404(uploads_for(request.user), pk=upload_id)
    form = TalkForm(answers_of(request) | {"token": str(upload.pk)})
    if upload.state == Upload.State.COMPLETE and form.is_valid():
        return accept(request, form, upload)
    if upload.state in Upload.WAITING:
        keep_context(upload=upload, fields=answers_of(request))
    return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


def _answers_to(request: SignedInRequest, upload: Upload) -> TalkForm:
    """Return the submitted form, or one with the earlier answers.

    Answers without a form token show no errors yet.
    """
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
    """Delete a waiting upload."""
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


def accept(request: SignedInRequest, form: TalkForm, upload: Upload) -> HttpResponse:
    """Make a take of the upload and redirect to it, or keep the upload and show the problem."""
    try:
        upload = complete_upload(upload=upload)
        return _taken(request, form, upload)
    except UploadGone:
        messages.error(
            request,
            _("This upload no longer exists: it was discarded, or its retention period ended."),
        )
        return go_to(request, reverse("feedback:takes"))
    except StillArriving:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
        return go_to(request, reverse("feedback:takes"))
    except StorageUnavailable:
        keep_context(upload=upload, fields=answers_of(request))
        messages.error(request, str(AWAY_SENTENCE))
        return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))
    except ValidationError as error:
        keep_context(upload=upload, fields=answers_of(request))
        messages.error(request, error.messages[0])
        return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


def _taken(request: SignedInRequest, form: TalkForm, upload: Upload) -> HttpResponse:
    token = form.cleaned_data["token"]
    context = form.context(fallback_title=Path(upload.name).stem[:120] or _("Rehearsal"))
    twin = find_twin(owner=request.user, sha256=upload.sha256, context=context)
    if twin is not None and token != twin.form_token and upload.rehearsal != twin:
        discard_upload(upload=upload)
        messages.info(
            request,
            _(
                "You uploaded this file for this talk on %(date)s. This is that take; nothing "
                "was stored twice."
            )
            % {"date": date_words(twin.created_at)},
        )
        return go_to(request, _page_of(twin))
    talk = own_talks_for(request.user).filter(pk=form.cleaned_data["talk"]).first()
    calibrations = gaze_calibrations_for(request.user)
    rehearsal = submit_rehearsal(
        owner=request.user,
        upload=upload,
        context=context,
        form_token=token,
        talk=talk,
        key_words=form.talk_notes,
        part=form.part,
        gaze_calibration=calibrations.filter(pk=form.cleaned_data["gaze_calibration"]).first(),
    )
    note_ease(rehearsal=rehearsal, before=form.cleaned_data["ease_before"])
    # After a double click, delete the upload of the second click.
    discard_upload(upload=upload)
    return go_to(request, _page_of(rehearsal))


def _page_of(rehearsal: Rehearsal) -> str:
    return reverse("feedback:analysing", args=[rehearsal.pk])


def answers_of(request: SignedInRequest) -> dict[str, str]:
    """Return the submitted answers of the form."""
    posted = request.POST
    most = {"key_words": MOST_KEY_WORDS_CHARACTERS}
    answers = {
        name: posted[name][: most.get(name, 500)] for name in TalkForm.base_fields if name in posted
    }
    return {name: storable(answer) for name, answer in answers.items()}


def go_to(request: SignedInRequest, url: str) -> HttpResponse:
    """Redirect the browser, or return the next URL to the page's script."""
    return JsonResponse({"next": url}) if wants_json(request) else redirect(url)
