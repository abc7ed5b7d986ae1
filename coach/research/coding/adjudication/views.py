"""Views of a closed round: differences, adjudication, agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import reswap

from coach.accounts.access import researchers_only
from coach.accounts.models import User
from coach.lib.files.csv_tables import csv_bytes, for_spreadsheets
from coach.lib.pages.plain_text import one_line, typed_note
from coach.lib.web.http import SignedInRequest, attachment
from coach.rehearsals.models import Rehearsal
from coach.research.coding.adjudication.differences import (
    CodingDifference,
    differences_in,
    take_differences_in,
    text_in,
)
from coach.research.coding.adjudication.pages import (
    agreement_page,
    agreement_table,
    codes_offered,
    differences_page,
    interviews_in,
    may_settle,
    next_open,
    row_of,
    settling_page,
    shown_of,
    take_heading,
    take_shares_in,
    text_heading,
)
from coach.research.coding.adjudication.services import (
    Resolution,
    replace_code,
    settle,
    settle_as,
    unsettle,
)
from coach.research.coding.adjudication.undo import can_undo, forget, last_step, remember
from coach.research.coding.codebook.tree import code_paths
from coach.research.coding.models import Interview, Round, Text
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A text or a take of a closed round, whose differences a page shows."""

    round: Round
    source: Text | Rehearsal
    request: SignedInRequest

    def find(self) -> list[CodingDifference]:
        """Return its differences now."""
        if isinstance(self.source, Text):
            return differences_in(self.round, self.source)
        return take_differences_in(self.round, self.source)

    def named(self, found: Sequence[CodingDifference]) -> CodingDifference:
        """Return the difference that the address names. Raises 404."""
        key = self.request.GET.get("difference", "")
        return next((each for each in found if each.key == key), None) or _missing()

    def url(self, key: str) -> str:
        """Return the address of a difference on this page."""
        code = self.request.GET.get("code", "")
        query = f"?{urlencode({'code': code})}" if code else ""
        return f"{self.request.path}{query}#d-{key}"


def _missing() -> NoReturn:
    raise Http404


@require_http_methods(["GET", "POST"])
@researchers_only
def of_text(request: SignedInRequest, slug: str, number: int, interview: int) -> HttpResponse:
    """Show the differences of one text next to its words, and settle them."""
    found = _closed(request, slug, number)
    text = _text(found, interview)
    return _settling(_Place(round=found, source=text, request=request), text_heading(text))


@require_http_methods(["GET", "POST"])
@researchers_only
def of_take(request: SignedInRequest, slug: str, number: int, share: int) -> HttpResponse:
    """Show the differences of one take, with its recording for coders; settle them."""
    found = _closed(request, slug, number)
    take = _take(found, share)
    heading = take_heading(found, take, request.user)
    return _settling(_Place(round=found, source=take, request=request), heading)


def _take(coding_round: Round, share: int) -> Rehearsal:
    """Return a take by its assignment; consent is checked on each request. Raises 404."""
    for each in take_shares_in(coding_round):
        if each.pk == share and each.rehearsal:
            return each.rehearsal
    raise Http404


def _settling(place: _Place, heading: dict[str, Any]) -> HttpResponse:
    request, found = place.request, place.find()
    code = request.GET.get("code", "")
    if request.method == "GET":
        page = settling_page(place.round, request.user, found, code)
        page |= heading | {"can_undo": can_undo(request.session, place.round, place.source)}
        return render(request, "research/coding/settling.html", page)
    if not may_settle(request.user, place.round):
        raise Http404
    decision = request.POST.get("decision", "")
    try:
        if decision == "undo":
            return redirect(place.url(_undo(place, found)))
        if decision.startswith("all-"):
            return redirect(place.url(_take_all(place, shown_of(found, code), decision)))
        changed = _decide(place, found, place.named(found), decision)
        refusal = ""
    except ValidationError as error:
        changed, refusal = [], error.messages[0]
    at = request.GET.get("difference", "")
    if request.htmx and at:
        return _answer(place, heading, at, changed, refusal)
    if refusal:
        messages.error(request, refusal)
    return redirect(place.url(at if refusal else next_open(place.find(), at) or at))


def _answer(
    place: _Place, heading: dict[str, Any], at: str, changed: Sequence[str], refusal: str
) -> HttpResponse:
    """Return the rows that changed, and how many are open, to update on the page."""
    found = place.find()
    names = code_paths(place.round.study_id)
    rows = {each.key: row_of(each, names) for each in found if each.key in {at, *changed}}
    context = heading | {
        "row": rows.pop(at, None),
        "others": list(rows.values()),
        "at": at,
        "refusal": refusal,
        "settles": True,
        "open": sum(each.settled is None for each in found),
        "can_undo": can_undo(place.request.session, place.round, place.source),
        "study": place.round.study,
        "code": place.request.GET.get("code", ""),
    }
    answer = render(place.request, "research/coding/_settled.html", context)
    # What is typed in a refused row stays.
    return reswap(answer, "none") if refusal else answer


def _decide(
    place: _Place, found: Sequence[CodingDifference], one: CodingDifference, decision: str
) -> list[str]:
    """Settle or reopen one difference; return the keys of those that changed."""
    user, session = place.request.user, place.request.session
    if decision == "open":
        unsettle(coding_round=place.round, difference=one, actor=user)
        forget(session, place.round, place.source, one.key)
        return [one.key]
    _still_open(one, user)
    note = typed_note(place.request.POST.get("note", ""), most=2000)
    if decision == "code":
        name = one_line(place.request.POST.get("code", ""))
        code = codes_offered(place.round).filter(name__iexact=name).first()
        if code is None:
            raise ValidationError(_("Choose a code of the codebook, by its name."))
        other = replace_code(
            coding_round=place.round,
            difference=one,
            code=code,
            found=found,
            note=note,
            actor=user,
        )
        changed = [one.key, other.key]
    else:
        spans = _spans(one, decision)
        settle(
            coding_round=place.round,
            difference=one,
            decision=Resolution(spans=spans, note=note),
            actor=user,
        )
        changed = [one.key]
    remember(session, place.round, place.source, changed)
    return changed


def _spans(one: CodingDifference, decision: str) -> tuple[tuple[int, int], ...]:
    """Return the spans on which the code applies, as decided. Raises ValidationError."""
    decisions = {f"as-{coder.pk}": one.spans_of(coder.pk) for coder in one.judges}
    decisions |= {"all": ((one.start, one.end),), "drop": ()}
    if decision not in decisions:
        raise ValidationError(_("Choose whether the code applies, and to which words."))
    return decisions[decision]


def _still_open(one: CodingDifference, user: User) -> None:
    # A page from before a colleague settled it must reopen the difference first.
    if one.settled is not None and one.settled.by_id != user.pk:
        raise ValidationError(
            _(
                "%(name)s has resolved this in the meantime. Check their decision, and "
                "decide again if you disagree."
            )
            % {"name": one.settled.by or _("A deleted account")}
        )


def _take_all(place: _Place, shown: Sequence[CodingDifference], decision: str) -> str:
    """Settle every open difference shown as one coder coded it; return the key of the first."""
    is_open = [each for each in shown if each.settled is None]
    coders = {f"all-{coder.pk}": coder for each in is_open for coder in each.judges}
    if decision not in coders or place.request.POST.get("count") != str(len(is_open)):
        raise ValidationError(
            _("The disagreements have changed in the meantime. Check them, and confirm again.")
        )
    settle_as(
        coding_round=place.round,
        differences=is_open,
        coder=coders[decision],
        note=typed_note(place.request.POST.get("note", ""), most=2000),
        actor=place.request.user,
    )
    keys = [each.key for each in is_open]
    remember(place.request.session, place.round, place.source, keys)
    messages.success(
        place.request,
        ngettext(
            "%(n)d disagreement resolved as %(name)s coded it.",
            "%(n)d disagreements resolved as %(name)s coded them.",
            len(keys),
        )
        % {"n": len(keys), "name": coders[decision].label},
    )
    return keys[0]


def _undo(place: _Place, found: Sequence[CodingDifference]) -> str:
    """Reopen what one's last step settled; return the key of the first."""
    keys = last_step(place.request.session, place.round, place.source)
    mine = [
        each
        for each in found
        if each.key in keys and each.settled and each.settled.by_id == place.request.user.pk
    ]
    for each in mine:
        unsettle(coding_round=place.round, difference=each, actor=place.request.user)
    if mine:
        messages.success(place.request, _("Undone."))
    return mine[0].key if mine else ""


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
