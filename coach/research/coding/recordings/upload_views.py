"""Upload of an interview recording: resumable, or as a plain form."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError
from django.http import HttpResponse, JsonResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from coach.accounts.access import researchers_only
from coach.feedback.uploads.handing_in import go_to
from coach.feedback.uploads.recording import looked_at
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of, wants_json
from coach.lib.web.large_bodies import slots
from coach.rehearsals.models import Upload
from coach.rehearsals.quota import QuotaExceeded, size_obstacle, upload_obstacle
from coach.rehearsals.selectors import uploads_meant_for
from coach.rehearsals.storage_unavailable import AWAY_SENTENCE
from coach.rehearsals.tus.protocol import Refusal
from coach.rehearsals.tus.views import begin, speaks_tus
from coach.rehearsals.uploading import (
    CsrfFailed,
    KeepingUploadHandler,
    WrongKind,
    check_recording,
    check_sender,
    receive,
)
from coach.rehearsals.uploads import StillArriving, UploadGone, admit_upload, discard_upload
from coach.research.coding.interviews.heard import everybody_agrees
from coach.research.coding.models import Recording
from coach.research.coding.recordings.selectors import recordings_for
from coach.research.coding.recordings.services import hand_in
from coach.research.coding.recordings.views import recording_of
from coach.storage import StorageUnavailable


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
    size = request.GET.get("bytes", "")
    expected = int(size) if size.isdecimal() and len(size) < 19 else 0
    return JsonResponse({"message": _obstacle(request, found, expected)})


def _obstacle(request: SignedInRequest, found: Recording, size: int) -> str:
    try:
        check_recording(request.body)
    except WrongKind as problem:
        return problem.sentence
    return (
        size_obstacle(size)
        or slots.obstacle(request.user.pk)
        or upload_obstacle(owner=request.user, expected_bytes=size, meant_for=found.upload_key)
    )


@csrf_exempt  # checked before the first byte is kept, below
@require_POST
@researchers_only
def send(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Receive the file with a plain form, without JavaScript."""
    found = recording_of(request, slug, recording_id)
    handler = KeepingUploadHandler(lambda name, said: _admit(request, found, name, said))
    problem = size_obstacle(int(request.META.get("CONTENT_LENGTH") or 0))
    try:
        if not problem:
            receive(request, handler)
    except CsrfFailed as forged:
        return forged.answer  # type: ignore[return-value]  # Django's own page, or the project's
    except (QuotaExceeded, WrongKind) as refusal:
        problem = refusal.sentence
    except (UnreadablePostError, MultiPartParserError, OSError):
        handler.keep_what_arrived()
    except (OperationalError, InterfaceError, StorageUnavailable):
        problem = str(AWAY_SENTENCE)
    return _sent(request, found, handler.upload, problem)


def _admit(request: SignedInRequest, found: Recording, name: str, said: QueryDict) -> Upload:
    """Admit an upload. Raises CsrfFailed and QuotaExceeded."""
    check_sender(request, said)
    if found.state != Recording.State.AWAITED:
        raise QuotaExceeded(_("No recording is expected here."))
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    return admit_upload(
        owner=request.user,
        name=name,
        expected_bytes=size,
        answers={},
        meant_for=found.upload_key,
    )


@csrf_protect
def _sent(
    request: SignedInRequest, found: Recording, upload: Upload | None, problem: str
) -> HttpResponse:
    if upload is None or problem:
        messages.error(request, problem or _("Choose a recording first."))
    elif upload.state == Upload.State.COMPLETE:
        return _handed_in(request, found, upload)
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
