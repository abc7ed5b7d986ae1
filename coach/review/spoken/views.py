"""Views of spoken replies: record or upload one, play it, process it again, delete it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import coaches_only
from coach.feedback.models import Feedback
from coach.feedback.services import AlreadyReleased
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of
from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import uploads_meant_for
from coach.rehearsals.views import delivered
from coach.review.access import carry_out, reviewed_by, try_to_claim
from coach.review.spoken.execution import MOST_SECONDS
from coach.review.spoken.forms import ReplyFileForm, ReplyTimeForm
from coach.review.spoken.models import SpokenReply
from coach.review.spoken.page import captions_of, spoken_panel
from coach.review.spoken.selectors import spoken_replies_for
from coach.review.spoken.services import delete_reply, process_again, save_reply, upload_key
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.limits import QuotaExceeded
from coach.uploads.pages import recorder_words
from coach.uploads.plain_form import RecordingUploadHandler, receive_with, store_recording
from coach.uploads.services import StillArriving, UploadGone
from coach.uploads.tus.protocol import Refusal
from coach.uploads.tus.views import begin, speaks_tus
from coach.uploads.views import looked_at, with_devices


@require_safe
@login_required
def record(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the recorder for a reply at a time of the take."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if problem or feedback.state != Feedback.State.DRAFT:
        messages.error(
            request,
            problem or _("This feedback has been released and can no longer be changed."),
        )
        return redirect("review:desk", rehearsal_id)
    at = _time_in(request)
    waiting = uploads_meant_for(request.user, upload_key(rehearsal_id))
    context = {
        "take": rehearsal,
        "at": clock(at),
        "query": f"?at={at:.2f}",
        "place": upload_key(rehearsal_id),
        "form": ReplyFileForm(initial={"at": clock(at)}),
        "said": recorder_words(),
        "most_seconds": MOST_SECONDS,
        "pending": waiting.filter(state__in=Upload.WAITING).order_by("-created_at").first(),
    }
    return with_devices(render(request, "review/spoken/record.html", context))


def _time_in(request: SignedInRequest) -> float:
    form = ReplyTimeForm(request.GET)
    return form.cleaned_data["at"] if form.is_valid() else 0.0


@speaks_tus
def uploads(request: SignedInRequest, method: str, rehearsal_id: UUID) -> HttpResponse:
    """Start a resumable upload of a reply on this take."""
    try:
        reviewed_by(request.user, rehearsal_id)
    except Http404 as gone:
        raise Refusal(404, _("No reply is expected here.")) from gone
    return begin(request, method, meant_for=upload_key(rehearsal_id))


@require_POST
@coaches_only
def look(request: SignedInRequest) -> JsonResponse:
    """Check a second of sound before the recording; none of it is stored."""
    return looked_at(request)


@require_POST
@login_required
def use(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Make a recording of this page a reply."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    named = uuid_of(request.POST.get("upload", ""))
    own = uploads_meant_for(request.user, upload_key(rehearsal_id))
    upload = get_object_or_404(own, pk=named)
    return _saved(request, rehearsal, feedback, upload, _time_in(request))


@csrf_exempt  # checked by `_sent`, which reads the form
@require_POST
@login_required
def send(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Receive a file with the form."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    handler = receive_with(request, meant_for=upload_key(rehearsal_id))
    return _sent(request, rehearsal, feedback, handler)


@csrf_protect
def _sent(
    request: SignedInRequest,
    rehearsal: Rehearsal,
    feedback: Feedback,
    handler: RecordingUploadHandler,
) -> HttpResponse:
    form, problem = ReplyFileForm(request.POST, request.FILES), handler.problem
    try:
        if not problem and form.is_valid():
            file = form.cleaned_data["recording"]
            upload = store_recording(request, file, meant_for=upload_key(rehearsal.pk))
            return _saved(request, rehearsal, feedback, upload, form.cleaned_data["at"])
    except QuotaExceeded as refusal:
        problem = refusal.sentence
    messages.error(request, problem or first_error(form))
    return redirect("review:speak", rehearsal.pk)


def _saved(
    request: SignedInRequest, rehearsal: Rehearsal, feedback: Feedback, upload: Upload, at: float
) -> HttpResponse:
    problem = try_to_claim(rehearsal, request.user)
    try:
        if not problem:
            save_reply(feedback=feedback, coach=request.user, upload=upload, at=at)
    except StillArriving:
        problem = _("This recording is still uploading. Wait a minute.")
    except UploadGone:
        problem = _(
            "This upload no longer exists: it was discarded, or its retention period ended."
        )
    except StorageUnavailable:
        problem = str(AWAY_SENTENCE)
    except AlreadyReleased:
        problem = _("This feedback has been released and can no longer be changed.")
    except ValidationError as error:
        problem = error.messages[0]
    if problem:
        messages.error(request, problem)
        return redirect(f"{reverse('review:speak', args=[rehearsal.pk])}?at={at:.2f}")
    messages.success(request, _("Your spoken reply is saved. It goes out with the feedback."))
    return _to_desk(rehearsal.pk)


@require_safe
@login_required
def now(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Return the replies on the review page, fetched again until each one plays."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    can_record = feedback.state == Feedback.State.DRAFT
    panel = spoken_panel(rehearsal, can_record=can_record)
    return render(request, "review/spoken/_panel.html", {"spoken": panel})


@require_safe
@login_required
def media(request: SignedInRequest, reply_id: UUID) -> HttpResponseBase:
    """Serve a reply to its coaches, and to the owner of the take once it is released."""
    reply = get_object_or_404(spoken_replies_for(request.user), pk=reply_id, has_copy=True)
    kind = reply.playback_type or "application/octet-stream"
    return delivered(request, reply.plays, content_type=kind)


@require_safe
@login_required
def captions(request: SignedInRequest, reply_id: UUID) -> HttpResponse:
    """Return the captions of a reply."""
    reply = get_object_or_404(spoken_replies_for(request.user), pk=reply_id)
    return HttpResponse(captions_of(reply), content_type="text/vtt; charset=utf-8")


@require_POST
@login_required
def again(request: SignedInRequest, reply_id: UUID) -> HttpResponse:
    """Process a failed reply again."""
    reply, _feedback = _of_coach(request, reply_id)
    process_again(reply=reply, coach=request.user)
    return _to_desk(reply.rehearsal_id)


@require_POST
@do_not_replay
@login_required
def delete(request: SignedInRequest, reply_id: UUID) -> HttpResponse:
    """Delete a reply of a draft."""
    reply, feedback = _of_coach(request, reply_id)
    problem = try_to_claim(reply.rehearsal, request.user)
    act = partial(delete_reply, reply=reply, feedback=feedback, coach=request.user)
    problem = problem or carry_out(act)
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("The spoken reply has been deleted."))
    return _to_desk(reply.rehearsal_id)


def _of_coach(request: SignedInRequest, reply_id: UUID) -> tuple[SpokenReply, Feedback]:
    """Return a reply to a take that the coach reviews, with the newest feedback. Raises 404."""
    rows = spoken_replies_for(request.user).select_related("rehearsal")
    reply = get_object_or_404(rows, pk=reply_id)
    _rehearsal, feedback = reviewed_by(request.user, reply.rehearsal_id)
    return reply, feedback


def _to_desk(rehearsal_id: UUID) -> HttpResponse:
    return redirect(f"{reverse('review:desk', args=[rehearsal_id])}#spoken")
