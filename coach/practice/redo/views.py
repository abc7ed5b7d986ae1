"""Views for choosing a part of one's own take, recording it again, and comparing both."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from coach.accounts.access import trainees_only
from coach.feedback.models import Item
from coach.feedback.selectors import items_for_owner
from coach.lib.web.http import SignedInRequest, do_not_replay, uuid_of
from coach.practice.models import SpanAgain
from coach.practice.redo.forms import SpanForm
from coach.practice.redo.page import span_page
from coach.practice.redo.part_page import choosing_page
from coach.practice.redo.selectors import spans_for
from coach.practice.redo.services import begin_span, delete_span, hand_in_again, try_once_more
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import own_rehearsals_for, uploads_for
from coach.storage import StorageUnavailable
from coach.uploads.pages import recorder_words
from coach.uploads.services import StillArriving, UploadGone
from coach.uploads.views import with_devices


@require_http_methods(["GET", "POST"])
@trainees_only
def choose(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Choose the part and its measure, then continue to recording."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    item = _card_of(request, take)
    form = SpanForm(request.POST, take=take) if request.method == "POST" else None
    if form is not None and form.is_valid():
        try:
            return _to(begin_span(take=take, item=item, **form.cleaned_data))
        except ValidationError as error:
            form.add_error(None, error)
    page = choosing_page(take, item, form, measure=request.GET.get("measure", ""))
    return render(request, "practice/choose.html", {"page": page}, status=422 if form else 200)


def _card_of(request: SignedInRequest, take: Rehearsal) -> Item | None:
    """Return the card that led here; None for a key that is not one of this take."""
    named = uuid_of(request.POST.get("card") or request.GET.get("card", ""))
    own = items_for_owner(request.user).filter(feedback__rehearsal=take)
    return own.select_related("feedback").filter(pk=named).first() if named else None


def _to(span: SpanAgain) -> HttpResponse:
    return redirect("practice:span", span.pk)


@require_safe
@trainees_only
def show(request: SignedInRequest, span_id: UUID) -> HttpResponse:
    """Show the recorder, the progress of the analysis, or the comparison."""
    page = span_page(get_object_or_404(spans_for(request.user), pk=span_id))
    key = uuid_of(request.GET.get("upload", ""))
    open_ones = uploads_for(request.user).exclude(
        state__in=[Upload.State.USED, Upload.State.EXPIRED]
    )
    pending = open_ones.filter(pk=key).first() if key else None
    context = {
        "page": page,
        "said": recorder_words(),
        "max_minutes": page.max_minutes,
        "pending": pending,
    }
    return with_devices(render(request, "practice/span.html", context))


@require_safe
@trainees_only
def now(request: SignedInRequest, span_id: UUID) -> HttpResponse:
    """Return the part of the page that is polled while it waits."""
    page = span_page(get_object_or_404(spans_for(request.user), pk=span_id))
    if page.state != "running":
        return HttpResponseClientRefresh()
    return render(request, "practice/_span_running.html", {"page": page})


@require_POST
@trainees_only
def hand_in(request: SignedInRequest, span_id: UUID) -> HttpResponse:
    """Submit the new recording as the other side."""
    span = get_object_or_404(spans_for(request.user), pk=span_id)
    key = uuid_of(request.POST.get("upload", ""))
    upload = get_object_or_404(uploads_for(request.user), pk=key)
    try:
        hand_in_again(span=span, upload=upload)
    except StillArriving:
        messages.info(request, _("This recording is still uploading. Wait a minute."))
    except (UploadGone, StorageUnavailable):
        messages.error(request, _("We could not reach the recording. Please try again."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        return _to(span)
    # The browser no longer has what it sent: the page asks for this upload again.
    return redirect(f"{reverse('practice:span', args=[span.pk])}?upload={upload.pk}")


@require_POST
@trainees_only
def once_more(request: SignedInRequest, span_id: UUID) -> HttpResponse:
    """Begin another attempt at the same part."""
    span = get_object_or_404(spans_for(request.user), pk=span_id)
    try:
        return _to(try_once_more(span=span))
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return _to(span)


@require_POST
@trainees_only
@do_not_replay
def delete(request: SignedInRequest, span_id: UUID) -> HttpResponse:
    """Delete an attempt with its recording."""
    span = get_object_or_404(spans_for(request.user), pk=span_id)
    try:
        delete_span(span=span)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return _to(span)
    messages.success(request, _("Redo deleted, with its recording."))
    return redirect("feedback:report", span.take_id)
