"""Views of a closed round: differences, adjudication, agreement."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import researchers_only
from coach.lib.files.csv_tables import csv_bytes, for_spreadsheets
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import SignedInRequest, attachment
from coach.research.coding.adjudication.differences import (
    CodingDifference,
    differences_in,
    take_differences_in,
    text_in,
)
from coach.research.coding.adjudication.pages import (
    agreement_page,
    agreement_table,
    differences_page,
    interviews_in,
    may_settle,
    next_open,
    take_page,
    take_shares_in,
    text_page,
)
from coach.research.coding.adjudication.services import Resolution, settle, unsettle
from coach.research.coding.models import Assignment, Interview, Round, Text
from coach.research.coding.rounds.views import round_of

_COLUMNS = (
    "round",
    "unit",
    "coder_a",
    "coder_b",
    "n_units",
    "n_both",
    "n_a_only",
    "n_b_only",
    "n_neither",
    "percent_agreement",
    "positive_agreement",
    "cohen_kappa",
    "krippendorff_alpha",
    "ci_low",
    "ci_high",
    "undefined_reason",
)


def _closed(request: SignedInRequest, slug: str, number: int) -> Round:
    """Return a closed round. Raises 404 for an open one, whose results are not shown."""
    found = round_of(request, slug, number)
    if found.state != Round.State.CLOSED:
        raise Http404
    return found


def _text(coding_round: Round, interview: int) -> Text:
    # A text imported from another tool may still contain names.
    locked = interviews_in(coding_round).filter(state=Interview.State.LOCKED)
    found = get_object_or_404(locked, number=interview)
    text = text_in(coding_round, found)
    if text is None:
        raise Http404
    return text


@require_GET
@researchers_only
def differences(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """List the texts that have differences."""
    context = differences_page(_closed(request, slug, number), request.user)
    return render(request, "research/coding/differences.html", context)


@require_GET
@researchers_only
def of_text(request: SignedInRequest, slug: str, number: int, interview: int) -> HttpResponse:
    """Show the differences of one text, next to its words."""
    found = _closed(request, slug, number)
    context = text_page(found, _text(found, interview), request.user)
    return render(request, "research/coding/differences_of.html", context)


@require_POST
@researchers_only
def decide(request: SignedInRequest, slug: str, number: int, interview: int) -> HttpResponse:
    """Settle or reopen one difference, then go to the next one."""
    coding_round = _closed(request, slug, number)
    if not may_settle(request.user, coding_round):
        raise Http404
    text = _text(coding_round, interview)
    page = redirect("research:differences_of", slug, number, interview).url
    key = _decided(request, coding_round, lambda: differences_in(coding_round, text))
    return redirect(f"{page}#d-{key}")


@require_GET
@researchers_only
def of_take(request: SignedInRequest, slug: str, number: int, share: int) -> HttpResponse:
    """Show the differences of one take, next to its recording for coders."""
    found = _closed(request, slug, number)
    context = take_page(found, _take(found, share), request.user)
    return render(request, "research/coding/differences_of_take.html", context)


@require_POST
@researchers_only
def decide_take(request: SignedInRequest, slug: str, number: int, share: int) -> HttpResponse:
    """Settle or reopen one difference of a take, then go to the next one."""
    coding_round = _closed(request, slug, number)
    if not may_settle(request.user, coding_round):
        raise Http404
    take = _take(coding_round, share).rehearsal
    page = redirect("research:differences_of_take", slug, number, share).url
    key = _decided(
        request, coding_round, lambda: take_differences_in(coding_round, take) if take else []
    )
    return redirect(f"{page}#d-{key}")


def _take(coding_round: Round, share: int) -> Assignment:
    """Return the assignment of a take; consent is checked on each request. Raises 404."""
    for each in take_shares_in(coding_round):
        if each.pk == share:
            return each
    raise Http404


def _decided(
    request: SignedInRequest, coding_round: Round, look: Callable[[], list[CodingDifference]]
) -> str:
    """Apply the posted decision and return the key of the next open difference."""
    found = _named(look(), request.POST.get("difference", ""))
    try:
        _decide(request, coding_round, found)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return next_open(look(), found.key) or found.key


def _named(found: list[CodingDifference], key: str) -> CodingDifference:
    for each in found:
        if each.key == key:
            return each
    raise Http404


def _decide(request: SignedInRequest, coding_round: Round, found: CodingDifference) -> None:
    said = request.POST.get("decision", "")
    if said == "open":
        unsettle(coding_round=coding_round, difference=found, actor=request.user)
        return
    # A page from before a colleague settled it must reopen the difference first.
    if found.settled is not None and found.settled.by_id != request.user.pk:
        raise ValidationError(
            _(
                "%(name)s has resolved this in the meantime. Check their decision, and "
                "decide again if you disagree."
            )
            % {"name": found.settled.by or _("A deleted account")}
        )
    places = {f"as-{each.coding.pk}": (each.start, each.end) for each in found.marked}
    places["all"] = (found.start, found.end)
    if said not in places and said != "drop":
        raise ValidationError(_("Choose whether the code applies, and to which words."))
    note = typed_note(request.POST.get("note", ""), most=2000)
    settle(
        coding_round=coding_round,
        difference=found,
        decision=Resolution(holds=places.get(said), note=note),
        actor=request.user,
    )


@require_GET
@researchers_only
def agreement(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show the agreement of the coders of a closed round."""
    context = agreement_page(_closed(request, slug, number))
    return render(request, "research/coding/agreement.html", context)


@require_GET
@researchers_only
def agreement_csv(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Download the agreement as CSV, with the columns of the export."""
    coding_round = _closed(request, slug, number)
    rows = [{**row, "code": row["code"].name} for row in agreement_table(coding_round)]
    content = csv_bytes(("code_guid", "code", *_COLUMNS), rows)
    lines = for_spreadsheets([content])
    name = f"agreement-{coding_round.study.slug}-round-{coding_round.number}.csv"
    return HttpResponse(lines, content_type="text/csv; charset=utf-8", headers=attachment(name))
