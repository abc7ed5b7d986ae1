"""Upload of an interview recording: resumable, or as a plain form."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of, wants_json
from coach.rehearsals.models import Upload
from coach.rehearsals.selectors import uploads_meant_for
from coach.research.coding.interviews.recording_consent import everybody_agrees
from coach.research.coding.models import Recording
from coach.research.coding.recordings.forms import RecordingFileForm
from coach.research.coding.recordings.selectors import recordings_for
from coach.research.coding.recordings.services import hand_in
from coach.research.coding.recordings.views import recording_of
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.limits import QuotaExceeded
from coach.uploads.plain_form import (
    RecordingUploadHandler,
    receive_with,
    store_recording,
)
from coach.uploads.services import StillArriving, UploadGone, discard_upload
from coach.uploads.tus.protocol import Refusal
from coach.uploads.tus.views import begin, speaks_tus
from coach.uploads.views import go_to, looked_at, upload_check


@speaks_tus
def recording_uploads(
    request: SignedInRequest, method: str, slug: str, recording_id: UUID
) -> HttpResponse:
    """Start a resumable upload for this recording; later requests go to the URL it gets."""
    rows = recordings_for(request.user).filter(study__slug=slug, state=Recording.State.AWAITED)
    found = rows.filter(pk=recording_id).select_related("study").first()
    if found is None:
        raise Refusal(404, _("No recording is expected here."))
    if not everybody_agrees(found):
        raise Refusal(403, _("Someone in this recording no longer agrees to be recorded."))
    return begin(request, method, meant_for=found.upload_key)


@require_POST
@researchers_only
def check(request: SignedInRequest, slug: str, recording_id: UUID) -> JsonResponse:
    """Check whether a file could be sent now, from its first bytes and its size in the URL."""
    found = recording_of(request, slug, recording_id)
    return JsonResponse({"message": upload_check(request, meant_for=found.upload_key)})


@csrf_exempt  # checked by `_sent`, which reads the form
@require_POST
@researchers_only
def send(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Receive the file with the form, where the script of the page does not run."""
    found = recording_of(request, slug, recording_id)
    return _sent(request, found, receive_with(request, meant_for=found.upload_key))


@csrf_protect
def _sent(
    request: SignedInRequest, found: Recording, handler: RecordingUploadHandler
) -> HttpResponse:
    form, problem = RecordingFileForm(request.POST, request.FILES), handler.problem
    try:
        if found.state != Recording.State.AWAITED:
            problem = _("No recording is expected here.")
        elif not problem and form.is_valid():
            file = form.cleaned_data["recording"]
            upload = store_recording(request, file, meant_for=found.upload_key)
            return _handed_in(request, found, upload)
    except QuotaExceeded as refusal:
        problem = refusal.sentence
    messages.error(request, problem or _("Choose a recording first."))
    return go_to(request, reverse("research:recording", args=[found.study.slug, found.pk]))


@require_POST
@researchers_only
def hand_in_upload(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Make the upload the recording."""
    found = recording_of(request, slug, recording_id)
    if found.state != Recording.State.AWAITED:  # pressed twice
        return go_to(request, reverse("research:recording", args=[slug, recording_id]))
    return _handed_in(request, found, _upload(request, found))


@require_POST
@do_not_replay
@researchers_only
def discard(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Discard the upload."""
    found = recording_of(request, slug, recording_id)
    if discard_upload(upload=_upload(request, found)):
        messages.success(request, _("The uploaded part has been deleted."))
    return go_to(request, reverse("research:recording", args=[slug, recording_id]))


def _upload(request: SignedInRequest, found: Recording) -> Upload:
    """Return the user's own upload for this recording; the script names it in the URL.
    Raises 404.
    """
    named = request.POST.get("upload") or request.GET.get("upload", "")
    return get_object_or_404(uploads_meant_for(request.user, found.upload_key), pk=uuid_of(named))


def _handed_in(request: SignedInRequest, found: Recording, upload: Upload) -> HttpResponse:
    problem = ""
    try:
        hand_in(recording=found, upload=upload, actor=request.user)
    except StillArriving:
        problem = _("This recording is still uploading. Try again in a minute.")
    except UploadGone:
        problem = _("This upload is no longer available: it was discarded or has expired.")
    except StorageUnavailable:
        problem = str(AWAY_SENTENCE)
    except ValidationError as error:
        problem = error.messages[0]
    if problem and wants_json(request):
        return JsonResponse({"errors": {}, "message": problem})
    if problem:
        messages.error(request, problem)
    return go_to(request, reverse("research:recording", args=[found.study.slug, found.pk]))


@require_POST
@researchers_only
def look(request: SignedInRequest) -> JsonResponse:
    """Check a second of sound before recording; none of it is stored."""
    return looked_at(request)
