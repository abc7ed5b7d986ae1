"""Saying who speaks, putting words right, taking it in. Each act is kept at once."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.lib.http import SignedInRequest
from coach.research.coding.models import Passage, Recording
from coach.research.coding.recordings.forms import TakeInForm, VoiceForm
from coach.research.coding.recordings.pages import voice_rows
from coach.research.coding.recordings.passages import (
    assign,
    join_to_the_one_before,
    rewrite,
    text_of,
)
from coach.research.coding.recordings.services import add_voice
from coach.research.coding.recordings.taking_in import take_in
from coach.research.coding.recordings.views import recording_of
from coach.research.coding.recordings.words_pages import (
    count_page,
    page_query,
    passage_row,
    words_page,
)


def _open(request: SignedInRequest, slug: str, recording_id: UUID) -> Recording:
    """Written down, and no interview yet."""
    found = recording_of(request, slug, recording_id)
    if found.state != Recording.State.DONE or found.interview_id is not None:
        raise Http404
    return found


def _one(found: Recording, number: str) -> Passage:
    key = int(number) if number.isdecimal() and len(number) < 19 else 0
    rows = found.passages.select_related("voice", "recording")
    return get_object_or_404(rows, pk=key)


@require_POST
@researchers_only
def assign_voice(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Whose a passage is: its key and the number of the voice."""
    found = _open(request, slug, recording_id)
    named, _colon, number = request.POST.get("voice", "").partition(":")
    passage = _one(found, named)
    numbers = {str(each.number): each for each in found.voices.select_related("participant")}
    if number not in numbers:
        raise Http404
    assign(passage=passage, voice=numbers[number])
    return _passage(request, found, passage)


def _passage(request: SignedInRequest, found: Recording, passage: Passage) -> HttpResponse:
    if not request.htmx:
        page = reverse("research:recording", args=[found.study.slug, found.pk])
        return redirect(f"{page}{page_query(request)}#p-{passage.pk}")
    context = {
        "recording": found,
        "study": found.study,
        "row": passage_row(passage),
        "voices": voice_rows(found),
        "is_alone": True,
        "page_query": page_query(request),
        **count_page(found),
    }
    return render(request, "research/recordings/_passage.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def passage(request: SignedInRequest, slug: str, recording_id: UUID, pk: int) -> HttpResponse:
    """Put its words right, split it by a new line, or join it to the one before."""
    found = _open(request, slug, recording_id)
    one = _one(found, str(pk))
    if request.method == "GET":
        context = {
            "recording": found,
            "study": found.study,
            "row": passage_row(one),
            "text": text_of(one),
            "page_query": page_query(request),
        }
        name = "_rewrite" if request.htmx else "rewrite"
        return render(request, f"research/recordings/{name}.html", context)
    problem = _changed(request, one)
    if request.htmx:
        context = words_page(request, found) | {"problem": problem, "is_fresh": True}
        return render(request, "research/recordings/_passages.html", context)
    if problem:
        messages.error(request, problem)
    page = reverse("research:recording", args=[slug, recording_id])
    return redirect(f"{page}{page_query(request)}")


def _changed(request: SignedInRequest, one: Passage) -> str:
    """What was asked for is done; else why not, in words."""
    try:
        if request.POST.get("step") == "join":
            join_to_the_one_before(passage=one)
        else:
            rewrite(passage=one, text=request.POST.get("text", ""))
    except ValidationError as error:
        return str(error.messages[0])
    return ""


@require_POST
@researchers_only
def voice(request: SignedInRequest, slug: str, recording_id: UUID) -> HttpResponse:
    """Somebody else is heard."""
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
    """It becomes an interview; names are taken out next."""
    found = recording_of(request, slug, recording_id)
    form = TakeInForm(request.POST)
    if found.state != Recording.State.DONE or not form.is_valid():
        messages.error(request, _("This could not be understood. Nothing was changed."))
        return redirect("research:recording", slug, recording_id)
    try:
        made = take_in(recording=found, actor=request.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:recording", slug, recording_id)
    messages.success(request, _("%(label)s is taken in.") % {"label": made.label})
    return redirect("research:redact", slug, made.number)
