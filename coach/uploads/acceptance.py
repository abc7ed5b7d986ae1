"""What becomes of a recording that arrived: a take, a question, or a sentence."""

from __future__ import annotations

from pathlib import Path

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.forms import TalkForm
from coach.lib.pages.plain_text import storable
from coach.lib.web.http import SignedInRequest, wants_json
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import own_talks_for
from coach.rehearsals.services import note_ease
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.services import (
    StillArriving,
    UploadGone,
    complete_upload,
    discard_upload,
    keep_context,
)
from coach.uploads.storing import find_twin, submit_rehearsal


def accept(request: SignedInRequest, form: TalkForm, upload: Upload) -> HttpResponse:
    """Make it a take and go there; where that is not possible now, say why and keep it."""
    try:
        upload = complete_upload(upload=upload)
        return _taken(request, form, upload)
    except UploadGone:
        messages.error(
            request,
            _("This upload no longer exists: it was discarded, or its retention period ended."),
        )
        return go_to(request, reverse("feedback:takes"))
    except StillArriving:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
        return go_to(request, reverse("feedback:takes"))
    except StorageUnavailable:
        keep_context(upload=upload, fields=answers_of(request))
        messages.error(request, str(AWAY_SENTENCE))
        return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))
    except ValidationError as error:
        keep_context(upload=upload, fields=answers_of(request))
        messages.error(request, error.messages[0])
        return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


def _taken(request: SignedInRequest, form: TalkForm, upload: Upload) -> HttpResponse:
    token = form.cleaned_data["token"]
    context = form.context(fallback_title=Path(upload.name).stem[:120] or _("Rehearsal"))
    twin = find_twin(owner=request.user, sha256=upload.sha256, context=context)
    if twin is not None and token != twin.form_token and upload.rehearsal != twin:
        discard_upload(upload=upload)
        messages.info(
            request,
            _(
                "You uploaded this file for this talk on %(date)s. This is that take; nothing "
                "was stored twice."
            )
            % {"date": date_words(twin.created_at)},
        )
        return go_to(request, _page_of(twin))
    talk = own_talks_for(request.user).filter(pk=form.cleaned_data["talk"]).first()
    rehearsal = submit_rehearsal(
        owner=request.user, upload=upload, context=context, form_token=token, talk=talk
    )
    note_ease(rehearsal=rehearsal, before=form.cleaned_data["ease_before"])
    # A double click: the first click's rehearsal stands, a second copy goes.
    discard_upload(upload=upload)
    return go_to(request, _page_of(rehearsal))


def _page_of(rehearsal: Rehearsal) -> str:
    return reverse("feedback:analysing", args=[rehearsal.pk])


def stopped_midway(request: SignedInRequest, upload: Upload | None) -> HttpResponse:
    """Go to what arrived, if anything did."""
    if upload is None:
        messages.error(
            request, _("The upload stopped before we received anything. Please try again.")
        )
        return go_to(request, reverse("feedback:new"))
    keep_context(upload=upload, fields=answers_of(request))
    return go_to(request, reverse("feedback:cut_off", args=[upload.pk]))


def answers_of(request: SignedInRequest) -> dict[str, str]:
    """The form's answers as far as they arrived; they stand before the file in the form."""
    posted = request.POST
    answers = {name: posted[name][:500] for name in TalkForm.base_fields if name in posted}
    return {name: storable(answer) for name, answer in answers.items()}


def go_to(request: SignedInRequest, url: str) -> HttpResponse:
    """The next page, for a browser or for the page's script."""
    return JsonResponse({"next": url}) if wants_json(request) else redirect(url)
