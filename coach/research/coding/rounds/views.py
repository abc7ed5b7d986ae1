"""Pages of rounds."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.lib.http import SignedInRequest, asked_anew
from coach.research.coding.gate import study_of
from coach.research.coding.models import Round
from coach.research.coding.rounds.forms import RoundForm
from coach.research.coding.rounds.pages import round_page, rounds_page
from coach.research.coding.rounds.selectors import may_run_rounds, rounds_for
from coach.research.coding.rounds.services import close_round, open_round
from coach.research.studies.models import Study


def round_of(request: SignedInRequest, slug: str, number: int) -> Round:
    """A round, for the members of its study."""
    study = study_of(request, slug)
    found: Round = get_object_or_404(rounds_for(request.user, study), number=number)
    return found


def _run_by(request: SignedInRequest, slug: str) -> Study:
    study = study_of(request, slug)
    if not may_run_rounds(request.user, study):
        raise Http404
    return study


@require_GET
@researchers_only
def rounds(request: SignedInRequest, slug: str) -> HttpResponse:
    """All rounds of a study, and one's own texts."""
    study = study_of(request, slug)
    return render(request, "research/coding/rounds.html", rounds_page(study, request.user))


@require_http_methods(["GET", "POST"])
@researchers_only
def new(request: SignedInRequest, slug: str) -> HttpResponse:
    """Open a round."""
    study = _run_by(request, slug)
    form = RoundForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            made = open_round(study=study, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("codebook", error)
        else:
            return redirect("research:round", slug, made.number)
    context = {"form": form, "title": _("Open a round"), "study": study}
    return render(request, "research/studies/form.html", context)


@require_GET
@researchers_only
def one(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Who has finished what."""
    found = round_of(request, slug, number)
    return render(request, "research/coding/round.html", round_page(found, request.user))


@require_POST
@asked_anew
@researchers_only
def close(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Close it: coders see each other's codings from now on."""
    _run_by(request, slug)
    close_round(coding_round=round_of(request, slug, number), actor=request.user)
    messages.success(request, _("The round is closed. Everybody sees all of its codings now."))
    return redirect("research:round", slug, number)
