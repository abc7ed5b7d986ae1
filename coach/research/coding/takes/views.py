"""Views for coding a take. Its owner sees who opened it, as for every recording."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from coach.accounts.access import researchers_only
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import SignedInRequest
from coach.lib.words.clock import clock, seconds_of
from coach.rehearsals.services import record_viewing
from coach.rehearsals.views import delivered_recording
from coach.research.coding.annotation.pages import state_of
from coach.research.coding.annotation.services import (
    mark_span,
    own_memo,
    unmark,
    write_coding_memo,
    write_text_memo,
)
from coach.research.coding.annotation.undo import remember, undo
from coach.research.coding.models import Assignment, Coding
from coach.research.coding.rounds.pages import take_names, unit_name
from coach.research.coding.rounds.selectors import assignments_for, codes_of, described
from coach.research.coding.rounds.takes import consented_rehearsals
from coach.research.coding.selectors import codings_for

_Act = Callable[[SignedInRequest, Assignment], None]


def _share(request: SignedInRequest, slug: str, pk: int) -> Assignment:
    """Return one's own assignment of a usable take; consent is checked each time. Raises 404."""
    found: Assignment = get_object_or_404(
        assignments_for(request.user), pk=pk, round__study__slug=slug, rehearsal__isnull=False
    )
    usable = consented_rehearsals(found.round.study)
    if found.rehearsal is None or not usable.filter(pk=found.rehearsal.pk).exists():
        raise Http404
    return found


def _own(request: SignedInRequest, share: Assignment) -> list[Coding]:
    return list(
        codings_for(request.user)
        .filter(round=share.round, coder=share.coder, rehearsal=share.rehearsal_id)
        .exclude(status=Coding.Status.ADJUDICATED)
        .select_related("code", "coder", "round")
        .order_by("start_ms", "end_ms", "pk")
    )


@require_GET
@researchers_only
def take(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show a recording with one's own codings."""
    share = _share(request, slug, pk)
    codings, memo, codes = _own(request, share), own_memo(share), codes_of(share.round)
    has_recording = share.rehearsal is not None and share.rehearsal.media_removed_at is None
    state = state_of(share, request.session, len(codings))
    context: dict[str, Any] = {
        **state,
        "may_mark": state["may_mark"] and has_recording,
        "has_recording": has_recording,
        "memo": memo.body if memo else "",
        "study": share.round.study,
        "round": share.round,
        "name": unit_name(share, take_names(share.round.study)),
        "take": share.rehearsal,
        "codes": codes,
        "described": described(codes),
        "rows": [_row(each, max(each.pk for each in codings)) for each in codings],
    }
    return render(request, "research/coding/take.html", context)


def _row(coding: Coding, last: int) -> dict[str, Any]:
    start, end = (coding.start_ms or 0) / 1000, (coding.end_ms or 0) / 1000
    words = f"{clock(start)}–{clock(end)}"
    return {"coding": coding, "start": start, "words": words, "is_last": coding.pk == last}


@require_safe
@login_required
def media(request: SignedInRequest, slug: str, pk: int) -> HttpResponseBase:
    """Deliver the recording by byte range, to its coders."""
    share = _share(request, slug, pk)
    if share.rehearsal is None or share.rehearsal.media_removed_at is not None:
        raise Http404
    record_viewing(rehearsal=share.rehearsal, viewer=request.user, what="recording")
    return delivered_recording(request, share.rehearsal)


def _on_own_take(act: _Act) -> Callable[[SignedInRequest, str, int], HttpResponse]:
    """Wrap an action on one's own take; a ValidationError is shown as a message."""

    @wraps(act)
    def view(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
        share = _share(request, slug, pk)
        page = redirect("research:coding_take", slug, pk).url
        try:
            act(request, share)
        except ValidationError as error:
            messages.error(request, error.messages[0])
        return redirect(page)

    return require_POST(researchers_only(view))


@_on_own_take
def mark_take(request: SignedInRequest, share: Assignment) -> None:
    """Apply a code to a span."""
    codes = {str(each["code"].pk): each["code"] for each in codes_of(share.round)}
    key = request.POST.get("code", "")
    if key not in codes:
        raise ValidationError(_("Choose a code from this round."))
    span = (_ms(request.POST.get("start", "")), _ms(request.POST.get("end", "")))
    made = mark_span(assignment=share, code=codes[key], span_ms=span)
    if made is not None:
        remember(request.session, share, {"marked": [str(made.guid)]})


def _ms(text: str) -> int:
    try:
        return round(seconds_of(text) * 1000)
    except ValueError as error:
        raise ValidationError(_("Mark the start and the end of the passage.")) from error


@_on_own_take
def unmark_take(request: SignedInRequest, share: Assignment) -> None:
    """Remove one of one's own codings."""
    found = _named(request, share)
    remember(request.session, share, {"unmarked": unmark(assignment=share, coding=found)})


def _named(request: SignedInRequest, share: Assignment) -> Coding:
    mine = {str(each.pk): each for each in _own(request, share)}
    found = mine.get(request.POST.get("coding", ""))
    if found is None:
        raise Http404
    return found


@_on_own_take
def take_coding_memo(request: SignedInRequest, share: Assignment) -> None:
    """Save the memo of one of one's own codings."""
    memo = typed_note(request.POST.get("memo", ""), most=4000)
    write_coding_memo(assignment=share, coding=_named(request, share), memo=memo)


@_on_own_take
def take_memo(request: SignedInRequest, share: Assignment) -> None:
    """Save the memo of the take."""
    body = typed_note(request.POST.get("body", ""), most=20_000)
    write_text_memo(assignment=share, body=body)


@_on_own_take
def undo_take(request: SignedInRequest, share: Assignment) -> None:
    """Undo the last step."""
    undo(request.session, share)
