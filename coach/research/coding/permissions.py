"""Permission checks of coding pages: return the study or raise 404."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from coach.lib.web.http import SignedInRequest
from coach.research.coding.models import Code
from coach.research.coding.selectors import codes_for, may_change_code, may_edit_codebook
from coach.research.studies.models import Study
from coach.research.studies.selectors import studies_for


def study_of(request: SignedInRequest, slug: str) -> Study:
    """Return the study if the user is a member. Raises 404."""
    return get_object_or_404(studies_for(request.user), slug=slug)


def edited_study(request: SignedInRequest, slug: str) -> Study:
    """Return the study if the user may edit its codebook. Raises 404."""
    study = study_of(request, slug)
    if not may_edit_codebook(request.user, study):
        raise Http404
    return study


def edited_code(request: SignedInRequest, slug: str, pk: int) -> Code:
    """Return a code of the study if the user may change it. Raises 404."""
    found: Code = get_object_or_404(codes_for(request.user, study_of(request, slug)), pk=pk)
    if not may_change_code(request.user, found):
        raise Http404
    return found
