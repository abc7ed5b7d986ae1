"""Media in storage, delivered by permission; letting a take go."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from coach.lib.web.http import SignedInRequest, ranged_response
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import recordings_for, rehearsals_for
from coach.rehearsals.services import record_glance, record_viewing
from coach.storage import Gone, places, storage


@require_safe
@login_required
def media(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponseBase:
    """Serve the recording by byte range."""
    rehearsal = get_object_or_404(recordings_for(request.user), pk=rehearsal_id)
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="recording")
    return delivered_recording(request, rehearsal, is_owner=rehearsal.owner_id == request.user.pk)


@require_safe
@login_required
def poster(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponseBase:
    """Serve the still picture."""
    rehearsal = get_object_or_404(rehearsals_for(request.user), pk=rehearsal_id)
    record_glance(rehearsal=rehearsal, viewer=request.user)
    return delivered_poster(request, rehearsal)


def delivered_recording(
    request: HttpRequest, rehearsal: Rehearsal, *, is_owner: bool = False
) -> HttpResponseBase:
    """Return the recording for a player; the caller has checked that the reader may have it.

    The copy without metadata. The owner gets the original as long as there is no copy; for
    everybody else this raises Http404.
    """
    if not (rehearsal.has_copy or is_owner):
        raise Http404
    content_type = rehearsal.playback_type or "application/octet-stream"
    return delivered(request, rehearsal.plays, content_type=content_type)


def delivered_poster(request: HttpRequest, rehearsal: Rehearsal) -> HttpResponseBase:
    """Serve the still picture under the same condition."""
    if not rehearsal.has_poster:
        raise Http404
    return delivered(request, places.poster(rehearsal.pk), content_type="image/jpeg")


def delivered(request: HttpRequest, name: str, *, content_type: str) -> HttpResponseBase:
    """Return a stored file by byte range; nobody is given an address in the storage itself.

    The caller has checked that the reader may have it. Raises Http404 if there is no such file.
    """
    size = storage().size(name)
    if size is None:
        raise Http404
    try:
        return ranged_response(
            request,
            size=size,
            read=lambda start, length: storage().read(name, start=start, length=length),
            content_type=content_type,
        )
    except Gone as error:
        raise Http404 from error
