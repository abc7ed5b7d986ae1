"""Views of the coding pages of texts and takes, and their actions.

With JavaScript only what changed is returned; without it, the page at the same turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import researchers_only
from coach.lib.pages.plain_text import one_line, typed_note
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.lib.words.clock import seconds_of
from coach.rehearsals.models import Rehearsal
from coach.research.coding.annotation.forms import CodeSpanForm
from coach.research.coding.annotation.free import new_code, open_freely, recode
from coach.research.coding.annotation.pages import (
    SHOWS_OTHERS,
    coding_page,
    own_codings,
    touched,
)
from coach.research.coding.annotation.reading import read_turns
from coach.research.coding.annotation.services import (
    TakeSpan,
    TextSpan,
    mark,
    unmark,
    write_coding_memo,
    write_text_memo,
)
from coach.research.coding.annotation.undo import remember, undo
from coach.research.coding.models import Assignment, Code, Coding, Interview
from coach.research.coding.permissions import study_of
from coach.research.coding.rounds.selectors import (
    assignments_for,
    codable_interviews,
    codes_of,
    text_of,
)
from coach.research.coding.rounds.services import finish_share
from coach.research.coding.rounds.takes import (
    consented_rehearsals,
    consented_rehearsals_with_media,
)
from coach.research.coding.selectors import may_code
from coach.research.coding.takes.pages import take_page, take_touched
from coach.research.coding.takes.words import lines_of, words_between
from coach.research.studies.models import Study

_Act = Callable[[SignedInRequest, Assignment], HttpResponse]
_Span = TextSpan | TakeSpan


def _share(request: SignedInRequest, slug: str, pk: int) -> Assignment:
    """Return one's own assignment; of a take while its owner consents. Raises 404."""
    own = assignments_for(request.user)
    found: Assignment = get_object_or_404(own, pk=pk, round__study__slug=slug)
    if found.rehearsal_id:
        get_object_or_404(consented_rehearsals(found.round.study), pk=found.rehearsal_id)
    return found


def _on_own_share(act: _Act) -> Callable[[SignedInRequest, str, int], HttpResponse]:
    """Wrap an action on one's own assignment; a ValidationError is shown as a message."""

    @wraps(act)
    def view(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
        share = _share(request, slug, pk)
        try:
            return act(request, share)
        except ValidationError as error:
            return _answer(request, share, [], error.messages[0], is_refused=True)

    return require_POST(researchers_only(view))


def _answer(
    request: SignedInRequest,
    share: Assignment,
    places: Iterable[tuple[int, int]],
    news: str,
    *,
    is_refused: bool = False,
) -> HttpResponse:
    context: dict[str, Any] = {"news": news, "is_refused": is_refused}
    if share.rehearsal_id:
        context |= take_touched(share, request.user, request.session)
    else:
        context |= touched(share, request.user, request.session, list(places))
    if request.POST.get("new"):
        context["codes"] = codes_of(share.round)
    if request.htmx:
        return render(request, "research/coding/_touched.html", context)
    if is_refused:
        messages.error(request, news)
    page = redirect("research:coding", share.round.study.slug, share.pk).url
    first = context["turns"][0].read.turn.number if context.get("turns") else ""
    return redirect(f"{page}#turn-{first}" if first else page)


@require_GET
@researchers_only
def coding(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show a text or a take with one's own codings."""
    share, replaces = _share(request, slug, pk), request.GET.get("replace", "")
    if share.rehearsal_id:
        context = take_page(share, request.user, request.session, replaces)
        return render(request, "research/coding/take.html", context)
    context = coding_page(share, request.user, request.session, replaces)
    return render(request, "research/coding/coding.html", context)


@_on_own_share
def mark_words(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Apply a code to the selected words, the ticked turns, or the passage of a recording.

    In free coding the code may be new, or replace that of one of one's own codings.
    """
    replaced = _own(request, share, "replace") if request.POST.get("replace") else None
    stretches = _spans(request, share, replaced)
    code = _code(request, share, stretches[0])
    if replaced is not None:
        return _recoded(request, share, replaced, code)
    made = mark(assignment=share, code=code, stretches=stretches)
    if made:
        remember(request.session, share, {"marked": [str(each.guid) for each in made]})
    places = [(each.start, each.end) for each in stretches]
    news = _("Coded: %(code)s") if made else _("%(code)s is already applied here.")
    return _answer(request, share, places, news % {"code": code.name})


def _spans(request: SignedInRequest, share: Assignment, replaced: Coding | None) -> Sequence[_Span]:
    if share.rehearsal is not None:
        times = request.POST.get("start", ""), request.POST.get("end", "")
        start, end = map(_ms, times) if replaced is None else _place(replaced)
        return [TakeSpan(share.rehearsal, start, end)]
    text = text_of(share)
    if request.POST.get("seen", text.sha256) != text.sha256:
        raise ValidationError(_("The text has changed in the meantime. Reload the page."))
    if replaced is not None:
        return [TextSpan(text, *_place(replaced))]
    turns, ticked = read_turns(text), request.POST.getlist("turn")
    return CodeSpanForm(request.POST).stretches(text, turns, ticked)


def _place(coding: Coding) -> tuple[int, int]:
    if coding.rehearsal_id:
        return coding.start_ms or 0, coding.end_ms or 0
    return coding.start or 0, coding.end or 0


def _ms(text: str) -> int:
    try:
        return round(seconds_of(text) * 1000)
    except ValueError as error:
        raise ValidationError(_("Mark the start and the end of the passage.")) from error


def _recoded(
    request: SignedInRequest, share: Assignment, coding: Coding, code: Code
) -> HttpResponse:
    before = coding.code_id
    recode(assignment=share, coding=coding, code=code)
    remember(request.session, share, {"recoded": [str(coding.guid)], "from": before})
    news = _("Coded: %(code)s") % {"code": code.name}
    return _answer(request, share, [_place(coding)], news)


def _code(request: SignedInRequest, share: Assignment, span: _Span) -> Code:
    """Return the chosen code, or a new one: by the typed name or by the selected words."""
    new = request.POST.get("new", "")
    if new:
        is_in_vivo = new == "in-vivo"
        name = _said_in(share, span) if is_in_vivo else one_line(request.POST.get("name", ""))
        return new_code(assignment=share, name=name, actor=request.user)
    key = request.POST.get("code", "")
    found = {str(each["code"].pk): each["code"] for each in codes_of(share.round)}
    if key not in found:
        raise ValidationError(_("Choose a code from this round."))
    code: Code = found[key]
    return code


def _said_in(share: Assignment, span: _Span) -> str:
    """Return the words of a span, as the name of a code in vivo. Raises ValidationError."""
    if isinstance(span, TextSpan):
        return span.text.text[span.start : span.end]
    words = words_between(lines_of(share.round.study, span.take), span.start, span.end)
    if not words:
        raise ValidationError(_("There are no transcribed words in this passage."))
    return words


def _own(request: SignedInRequest, share: Assignment, field: str = "coding") -> Coding:
    key = request.POST.get(field, "")
    mine = {str(each.pk): each for each in own_codings(share, request.user)}
    if key not in mine:
        raise Http404
    return mine[key]


@require_POST
@researchers_only
def open_free(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Begin the free coding of an interview, or continue it."""
    study = _coded_study(request, slug)
    return _opened(request, study, get_object_or_404(codable_interviews(study), number=number))


@require_POST
@researchers_only
def open_free_take(request: SignedInRequest, slug: str, rehearsal_id: UUID) -> HttpResponse:
    """Begin the free coding of a take, or continue it."""
    study = _coded_study(request, slug)
    takes = consented_rehearsals_with_media(study)
    return _opened(request, study, get_object_or_404(takes, pk=rehearsal_id))


def _coded_study(request: SignedInRequest, slug: str) -> Study:
    study = study_of(request, slug)
    if not may_code(request.user, study):
        raise Http404
    return study


def _opened(request: SignedInRequest, study: Study, unit: Interview | Rehearsal) -> HttpResponse:
    share = open_freely(study=study, unit=unit, actor=request.user)
    return redirect("research:coding", study.slug, share.pk)


@_on_own_share
def show_others(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Show or hide the codings of other coders in free coding."""
    request.session[SHOWS_OTHERS] = request.POST.get("show") == "yes"
    return redirect("research:coding", share.round.study.slug, share.pk)


@_on_own_share
def unmark_words(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Remove one of one's own codings."""
    found = _own(request, share)
    place, name = _place(found), found.code.name
    remember(request.session, share, {"unmarked": unmark(assignment=share, coding=found)})
    return _answer(request, share, [place], _("%(code)s removed.") % {"code": name})


@_on_own_share
def undo_step(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Undo the last step."""
    places = undo(request.session, share)
    return _answer(request, share, places, _("Undone.") if places else _("Nothing to undo."))


@_on_own_share
def coding_memo(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Save the memo of one of one's own codings."""
    memo = typed_note(request.POST.get("memo", ""), most=4000)
    write_coding_memo(assignment=share, coding=_own(request, share), memo=memo)
    return _answer(request, share, [], _("Memo saved."))


@_on_own_share
def text_memo(request: SignedInRequest, share: Assignment) -> HttpResponse:
    """Save the memo of the interview or take."""
    body = typed_note(request.POST.get("body", ""), most=20_000)
    write_text_memo(assignment=share, body=body)
    return _answer(request, share, [], _("Memo saved."))


@require_POST
@do_not_replay
@researchers_only
def finish(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Mark the assignment as finished, or resume it."""
    share = get_object_or_404(assignments_for(request.user), pk=pk, round__study__slug=slug)
    is_finished = request.POST.get("finished") == "yes"
    finish_share(assignment=share, is_finished=is_finished, actor=request.user)
    if is_finished:
        return redirect("research:round", slug, share.round.number)
    return redirect("research:coding", slug, pk)
