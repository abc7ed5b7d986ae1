"""Views that serve stored media after a permission check."""

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
    """Serve the recording, with byte ranges."""
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
    """Return the recording for a player; the caller has checked permissions.

    This is the copy without metadata. The owner gets the original while there is no copy; for
    others, a missing copy raises Http404.
    """
    if not (rehearsal.has_copy or is_owner):
        raise Http404
    content_type = rehearsal.playback_type or "application/octet-stream"
    return delivered(request, rehearsal.plays, content_type=content_type)


def delivered_poster(request: HttpRequest, rehearsal: Rehearsal) -> HttpResponseBase:
    """Return the still picture; the caller has checked permissions. Raises Http404."""
    if not rehearsal.has_poster:
        raise Http404
    return delivered(request, places.poster(rehearsal.pk), content_type="image/jpeg")


def delivered(request: HttpRequest, name: str, *, content_type: str) -> HttpResponseBase:
    """Return a stored file with byte ranges, without revealing a URL in the storage.

    The caller has checked permissions. Raises Http404 if the file is missing.
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
