"""Views of rounds."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.research.coding.models import Round
from coach.research.coding.permissions import study_of
from coach.research.coding.rounds.forms import RoundForm, SharesForm
from coach.research.coding.rounds.pages import (
    give_page,
    round_page,
    rounds_page,
    shares_shown,
)
from coach.research.coding.rounds.selectors import may_run_rounds, rounds_for
from coach.research.coding.rounds.services import (
    assign_more,
    close_round,
    distribution_of,
    open_round,
    set_coder_kind,
)
from coach.research.coding.rounds.sharing import new_seed
from coach.research.studies.models import Study


def round_of(request: SignedInRequest, slug: str, number: int) -> Round:
    """Return a round for members of its study. Raises 404."""
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
    """Show all rounds of a study, and one's own texts."""
    study = study_of(request, slug)
    return render(request, "research/coding/rounds.html", rounds_page(study, request.user))


@require_http_methods(["GET", "POST"])
@researchers_only
def new(request: SignedInRequest, slug: str) -> HttpResponse:
    """Open a round; a random distribution is previewed first."""
    study = _run_by(request, slug)
    form = RoundForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        if form.is_drawn and request.POST.get("shares") != "as-shown":
            return _shares(request, study, form)
        try:
            made = open_round(study=study, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("codebook", error)
        else:
            return redirect("research:round", slug, made.number)
    context = {"form": form, "title": _("Open a coding round"), "study": study}
    return render(request, "research/studies/form.html", context)


def _shares(request: SignedInRequest, study: Study, form: RoundForm) -> HttpResponse:
    """Preview a random distribution, drawn again each time."""
    said, seed = form.cleaned_data, new_seed()
    dealt = distribution_of(
        said["coders"], said["interviews"], said.get("takes", ()), said["each_to"], seed
    )
    context = {"study": study, "seed": seed, "each_to": said["each_to"]}
    rows = shares_shown(study, list(said["coders"]), dealt)
    values = [
        (name, value)
        for name in form.fields
        for value in request.POST.getlist(name)
        if name != "seed"
    ]
    return render(request, "research/coding/sharing.html", context | rows | {"values": values})


@require_http_methods(["GET", "POST"])
@researchers_only
def give(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Assign more work in an open round: new coders, or more texts and takes."""
    study = _run_by(request, slug)
    found = round_of(request, slug, number)
    if found.state != Round.State.OPEN:
        raise Http404
    form = SharesForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            count = assign_more(coding_round=found, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            words = ngettext(
                "%(n)s text or take assigned.", "%(n)s texts and takes assigned.", count
            )
            messages.success(request, words % {"n": count})
            return redirect("research:round", slug, number)
    return render(request, "research/coding/give.html", {"form": form, **give_page(found)})


@require_GET
@researchers_only
def one(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show who has finished what."""
    found = round_of(request, slug, number)
    return render(request, "research/coding/round.html", round_page(found, request.user))


@require_POST
@do_not_replay
@researchers_only
def close(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Close a round, so that coders see each other's codings."""
    _run_by(request, slug)
    close_round(coding_round=round_of(request, slug, number), actor=request.user)
    messages.success(request, _("The round is closed. Everyone can now see all of its codings."))
    return redirect("research:round", slug, number)


@require_POST
@do_not_replay
@researchers_only
def coder(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Set whether an imported coder is a person or a model."""
    _run_by(request, slug)
    found = round_of(request, slug, number)
    whose = {str(each.pk): each for each in found.coders.all()}
    if request.POST.get("coder", "") not in whose:
        raise Http404
    try:
        set_coder_kind(
            coder=whose[request.POST["coder"]],
            kind=request.POST.get("kind", ""),
            model=typed_note(request.POST.get("model", ""), most=200),
            actor=request.user,
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:round", slug, number)
