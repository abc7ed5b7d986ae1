"""Views for writing key messages, and for saying whether a take contains them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.practice.key_messages.forms import KeyMessagesForm, VerdictForm
from coach.practice.key_messages.parts import waiting_values
from coach.practice.key_messages.selectors import key_messages_for, messages_of
from coach.practice.key_messages.services import (
    decide_on_message,
    decide_on_sentence,
    reopen_message,
    set_key_messages,
)
from coach.practice.models import KeyMessage
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


@require_http_methods(["GET", "POST"])
@login_required
def key_messages(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Write the key messages of the take's talk."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    known = {f"message_{each.place}": each.text for each in messages_of(take)}
    form = KeyMessagesForm(request.POST or None, initial=known)
    if form.is_valid():
        set_key_messages(talk=take.talk, texts=form.texts())
        if request.htmx:
            return _beside_analysis(request, take)
        messages.success(request, _("Saved. The report shows where you say each message."))
        return _to_report(take)
    context = {"form": form, "take": take}
    status = 422 if form.errors else 200
    return render(request, "practice/key_messages.html", context, status=status)


def _beside_analysis(request: SignedInRequest, take: Rehearsal) -> HttpResponse:
    """Return the saved messages for the page on which the owner waits."""
    context = {"part": waiting_values(take)}
    return render(request, "practice/_key_messages_waiting.html", context)


@require_POST
@login_required
def decide(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save a decision about one message in this take."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = VerdictForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _to_report(take)
    said = form.cleaned_data
    own = key_messages_for(request.user).filter(talk=take.talk_id)
    _save(take, get_object_or_404(own, pk=said["message"]), wish=said["wish"], at=said["at"])
    return _to_report(take)


def _save(take: Rehearsal, message: KeyMessage, *, wish: str, at: float) -> None:
    match wish:
        case "left_out" | "other_words":
            decide_on_message(take=take, message=message, is_said=wish == "other_words")
        case "reopen":
            reopen_message(take=take, message=message)
        case _sentence:
            decide_on_sentence(take=take, message=message, at_seconds=at, is_it=wish == "yes")


def _to_report(take: Rehearsal) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("feedback:report", args=[take.pk]) + "#key-messages")
