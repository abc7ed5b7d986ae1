"""Views for assigning voices, correcting words and importing; each action is saved at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import retarget

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.lib.words.punctuation import within_quotes
from coach.research.coding.models import Passage, Recording
from coach.research.coding.recordings.forms import ImportRecordingForm, VoiceForm
from coach.research.coding.recordings.pages import voice_rows
from coach.research.coding.recordings.passages import (
    PassageChanged,
    assign,
    mark_of,
    merge_with_previous,
    rewrite,
    text_of,
)
from coach.research.coding.recordings.services import add_voice
from coach.research.coding.recordings.transcript_import import take_in
from coach.research.coding.recordings.views import recording_of
from coach.research.coding.recordings.words_pages import (
    count_page,
    first_of,
    page_query,
    passage_row,
    rewrite_row,
    with_what_is_typed,
    words_page,
)


def _open(request: SignedInRequest, slug: str, recording_id: UUID) -> Recording:
    """Return a transcribed recording that is not an interview yet. Raises 404."""
    found = recording_of(request, slug, recording_id)
    if found.state != Recording.State.DONE or found.interview_id is not None:
        raise Http404
    return found


def _one(found: Recording, number: str) -> Passage | None:
    key = int(number) if number.isdecimal() and len(number) < 19 else 0
    return found.passages.select_related("voice", "recording").filter(pk=key).first()


@require_POST
@researchers_only
def assign_voice(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Assign a passage, by its key, to the voice with this number."""
    found = _open(request, slug, recording_id)
    named, _colon, number = request.POST.get("voice", "").partition(":")
    numbers = {str(each.number): each for each in found.voices.select_related("participant")}
    if number not in numbers:
        raise Http404
    one = _one(found, named)
    if one is None:
        return _stale_passages(request, found)
    try:
        one = assign(passage=one, voice=numbers[number])
    except ValidationError as error:
        return _all(request, found, error.messages[0], request.POST.dict())
    return _passage(request, found, one)


def _passage(request: SignedInRequest, found: Recording, passage: Passage) -> HttpResponse:
    if not request.htmx:
        return _back(request, found, f"#p-{passage.pk}")
    context = {
        "recording": found,
        "study": found.study,
        "row": passage_row(passage) | {"is_first": passage.pk == first_of(found)},
        "voices": voice_rows(found),
        "is_alone": True,
        "page_query": page_query(request),
        **count_page(found),
    }
    return render(request, "research/recordings/_passage.html", context)


def _back(request: SignedInRequest, found: Recording, place: str = "") -> HttpResponse:
    page = reverse("research:recording", args=[found.study.slug, found.pk])
    return redirect(f"{page}{page_query(request)}{place}")


def _stale_passages(request: SignedInRequest, found: Recording) -> HttpResponse:
    """Return all passages, because another person has merged or split this one."""
    if not request.htmx:
        raise Http404
    return _all(request, found, PassageChanged().messages[0], request.POST.dict())


def _all(
    request: SignedInRequest, found: Recording, problem: str, typed: Mapping[str, str]
) -> HttpResponse:
    """Return all current passages; text typed into open fields is kept."""
    if not request.htmx:
        if problem:
            messages.error(request, problem)
        return _back(request, found)
    context = with_what_is_typed(words_page(request, found), typed)
    context |= {"problem": problem, "is_fresh": True}
    answer = render(request, "research/recordings/_passages.html", context)
    return retarget(answer, "#passages")


@require_http_methods(["GET", "POST"])
@researchers_only
def passage(request: SignedInRequest, slug: str, recording_id: UUID, pk: int) -> HttpResponse:
    """Correct a passage, split it at a new line, or merge it into the previous one."""
    found = _open(request, slug, recording_id)
    one = _one(found, str(pk))
    if one is None:
        return _stale_passages(request, found)
    if request.method == "POST":
        return _changed(request, found, one)
    if "leave" in request.GET:
        return _passage(request, found, one)
    return _rewriting(request, found, rewrite_row(one))


def _rewriting(
    request: SignedInRequest, found: Recording, row: dict[str, Any], problem: str = ""
) -> HttpResponse:
    context = {
        "recording": found,
        "study": found.study,
        "row": row,
        "problem": problem,
        "page_query": page_query(request),
    }
    name = "_rewrite" if request.htmx else "rewrite"
    return render(request, f"research/recordings/{name}.html", context)


def _changed(request: SignedInRequest, found: Recording, one: Passage) -> HttpResponse:
    """Apply the change, or show why not, keeping the typed text."""
    typed = request.POST.dict()
    text, seen = typed.get(f"text_{one.pk}", ""), typed.get(f"seen_{one.pk}", "")
    is_join = request.POST.get("step") == "join"
    try:
        if is_join:
            merge_with_previous(passage=one)
        else:
            rewrite(passage=one, text=text, seen=seen)
    except ValidationError as error:
        return _refused(request, found, one.pk, error.messages[0])
    if not is_join:
        typed.pop(f"text_{one.pk}", None)
    return _all(request, found, "", typed)


def _refused(request: SignedInRequest, found: Recording, pk: int, problem: str) -> HttpResponse:
    """Show why a change was not saved, with the current words; the typed text is kept."""
    typed = request.POST.dict()
    text, now = typed.get(f"text_{pk}"), _one(found, str(pk))
    if now is None or text is None:
        return _all(request, found, problem, typed)
    mark = mark_of(now)
    if typed.get(f"seen_{pk}") != mark:
        reads = _("The text is now: “%(words)s”") % {"words": within_quotes(text_of(now))}
        problem = f"{problem} {reads}"
    if request.htmx:
        return _all(request, found, problem, typed | {f"seen_{pk}": mark})
    return _rewriting(request, found, rewrite_row(now, text), problem)


@require_POST
@researchers_only
def voice(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Add a further voice."""
    found = _open(request, slug, recording_id)
    form = VoiceForm(request.POST)
    try:
        if form.is_valid():
            add_voice(recording=found, role=form.cleaned_data["role"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:recording", slug, recording_id)


@require_POST
@researchers_only
def take_recording_in(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Make it an interview, to be redacted next."""
    found = recording_of(request, slug, recording_id)
    form = ImportRecordingForm(request.POST)
    if found.state != Recording.State.DONE or not form.is_valid():
        messages.error(request, _("This request could not be read. Nothing was changed."))
        return redirect("research:recording", slug, recording_id)
    try:
        made = take_in(recording=found, actor=request.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:recording", slug, recording_id)
    messages.success(request, _("%(label)s imported.") % {"label": made.label})
    return redirect("research:redact", slug, made.number)
