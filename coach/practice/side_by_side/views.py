"""View of two takes side by side."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coach.lib.web.http import SignedInRequest, uuid_of
from coach.practice.side_by_side.page import side_by_side, takes_beside
from coach.practice.side_by_side.selectors import comparable_takes_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import record_viewing


@require_safe
@login_required
def beside(request: SignedInRequest) -> HttpResponse:
    """Show two takes of a talk, named by `one` and `other`; without `other`, the nearest one."""
    one, other = _named(request)
    page = side_by_side(request.user, one, other)
    seen = {column.id for column in page.columns}
    for take in takes_beside(request.user, one):
        if str(take.pk) in seen:
            record_viewing(rehearsal=take, viewer=request.user, what="report")
    return render(request, "practice/side_by_side.html", {"page": page})


def _named(request: SignedInRequest) -> tuple[Rehearsal, Rehearsal | None]:
    """Return both takes. Raises 404 for one that the reader may not open, or of another talk."""
    key, second = (uuid_of(request.GET.get(name, "")) for name in ("one", "other"))
    one = comparable_takes_for(request.user).filter(pk=key).first() if key else None
    if one is None:
        raise Http404
    takes = {each.pk: each for each in takes_beside(request.user, one)}
    if one.pk not in takes:
        raise Http404
    if second is None or second == one.pk:
        return one, None
    if second not in takes:
        raise Http404
    return one, takes[second]
