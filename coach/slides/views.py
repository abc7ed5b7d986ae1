"""Views of slides: a deck, its pages, its changes during a take, and the part of a report."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.feedback.selectors import latest_report_run
from coach.lib.web.http import SignedInRequest, uuid_of
from coach.rehearsals.models import Talk
from coach.rehearsals.selectors import (
    all_uploads_for,
    own_rehearsals_for,
    own_talks_for,
    readable_rehearsals_for,
)
from coach.rehearsals.views import delivered
from coach.slides.forms import DeckForm
from coach.slides.models import Deck
from coach.slides.page import deck_json, deck_rows, report_part
from coach.slides.selectors import decks_for, decks_of_talk, own_decks_for, ready_decks_of
from coach.slides.services import add_deck, ask_comparison, delete_deck, note_shown
from coach.storage import StorageUnavailable, places
from coach.storage.unavailable import AWAY_SENTENCE


@require_POST
@trainees_only
def add(request: SignedInRequest) -> JsonResponse:
    """Store a file from the recorder, and return where to ask about it."""
    form = DeckForm(request.POST, request.FILES)
    named = uuid_of(request.POST.get("talk", ""))
    talk = own_talks_for(request.user).filter(pk=named).first() if named else None
    added = _added(request, form, talk)
    if isinstance(added, str):
        return JsonResponse({"message": added}, status=422)
    return JsonResponse(deck_json(added), status=201)


def _added(request: SignedInRequest, form: DeckForm, talk: Talk | None) -> Deck | str:
    """Return the new deck, or the sentence why there is none."""
    if not form.is_valid():
        return str(next(iter(form.errors.values()))[0])
    try:
        return add_deck(owner=request.user, file=form.cleaned_data["file"], talk=talk)
    except ValidationError as error:
        return str(error.messages[0])
    except StorageUnavailable:
        return str(AWAY_SENTENCE)


@require_http_methods(["GET", "POST"])
@trainees_only
def of_talk(request: SignedInRequest, talk_id: UUID) -> HttpResponse:
    """Show the slides of a talk, and add a file."""
    talk = get_object_or_404(own_talks_for(request.user), pk=talk_id)
    form = DeckForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        added = _added(request, form, talk)
        if isinstance(added, Deck):
            return redirect("slides:of_talk", talk.pk)
        if form.is_valid():
            form.add_error("file", added)
    context = {"talk": talk, "form": form, "decks": deck_rows(decks_of_talk(talk.pk))}
    if request.htmx:
        return render(request, "slides/_decks.html", context)
    return render(request, "slides/talk.html", context, status=422 if form.errors else 200)


@require_safe
@trainees_only
def recorder(request: SignedInRequest) -> HttpResponse:
    """Show the part of the recorder that chooses slides, with those of the talk."""
    named = uuid_of(request.GET.get("again", ""))
    take = own_rehearsals_for(request.user).filter(pk=named).first() if named else None
    decks = ready_decks_of(take.talk_id) if take else ()
    context = {"decks": decks, "form": DeckForm(), "talk": take.talk_id if take else ""}
    return render(request, "slides/_recorder.html", context)


@require_safe
@login_required
def deck_now(request: SignedInRequest, deck_id: UUID) -> JsonResponse:
    """Return the state of a deck, and its pages once they can be shown."""
    return JsonResponse(deck_json(get_object_or_404(decks_for(request.user), pk=deck_id)))


@require_safe
@login_required
def picture(request: SignedInRequest, deck_id: UUID, number: int) -> HttpResponseBase:
    """Serve the picture of a page."""
    deck = get_object_or_404(decks_for(request.user), pk=deck_id)
    if number >= deck.pages:
        raise Http404
    response = delivered(request, places.slide(deck.pk, number), content_type="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@require_POST
@login_required
def delete(request: SignedInRequest, deck_id: UUID) -> HttpResponse:
    """Delete a deck of one's own."""
    deck = get_object_or_404(own_decks_for(request.user), pk=deck_id)
    talk = deck.talk_id
    delete_deck(deck=deck)
    messages.success(request, _("Slides deleted."))
    return redirect("slides:of_talk", talk) if talk else redirect("feedback:takes")


@require_POST
@trainees_only
def shown(request: SignedInRequest, upload_id: UUID) -> JsonResponse:
    """Save when each slide was shown, sent with a take that was recorded here."""
    upload = get_object_or_404(all_uploads_for(request.user), pk=upload_id)
    try:
        sent = json.loads(request.body)
        key, changes = uuid_of(str(sent["deck"])), list(sent["changes"])
    except (ValueError, KeyError, TypeError):
        return JsonResponse({}, status=400)
    if key is None:
        return JsonResponse({}, status=400)
    deck = get_object_or_404(own_decks_for(request.user), pk=key)
    note_shown(upload=upload, deck=deck, changes=changes)
    return JsonResponse({})


@require_http_methods(["GET", "POST"])
@login_required
def compare(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Begin a comparison (POST), or show its state: the part of the report about slides."""
    rehearsal = get_object_or_404(readable_rehearsals_for(request.user), pk=rehearsal_id)
    run = latest_report_run(rehearsal)
    if request.method == "POST" and run is not None:
        ask_comparison(rehearsal=rehearsal, run=run)
    if not request.htmx:
        return redirect("feedback:report", rehearsal.pk)
    part = report_part(rehearsal, run=run)
    return render(request, "slides/_report.html", {"part": part})
