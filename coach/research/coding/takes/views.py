"""Views that deliver the recordings of takes. Their owner sees who opened one."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_safe

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.services import record_viewing
from coach.rehearsals.views import delivered_recording
from coach.research.coding.permissions import study_of
from coach.research.coding.rounds.takes import consented_rehearsals_with_media
from coach.research.coding.selectors import may_code


@require_safe
@login_required
def media(request: SignedInRequest, slug: str, rehearsal_id: UUID) -> HttpResponseBase:
    """Deliver the recording by byte range, to members who may code it; consent is checked on
    each request.
    """
    study = study_of(request, slug)
    if not may_code(request.user, study):
        raise Http404
    take = get_object_or_404(consented_rehearsals_with_media(study), pk=rehearsal_id)
    record_viewing(rehearsal=take, viewer=request.user, what="recording")
    return delivered_recording(request, take)


@require_GET
@researchers_only
def moved(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Redirect from the address that a take's page had up to release 0.3."""
    return redirect("research:coding", slug, pk)
