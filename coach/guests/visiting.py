"""Views for guests: entry, page, recording and comments."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.pages.transcript import captions as webvtt
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.guests.access import (
    Guest,
    discreet,
    guests_only,
    may_use_name,
    open_link,
    over,
    start_visit,
)
from coach.guests.forms import CommentForm, NameForm
from coach.guests.models import GuestLink
from coach.guests.moments import moment_page
from coach.guests.pages import comments_part, guest_page
from coach.guests.services import comment, remove_comment
from coach.guests.shared import shared_page
from coach.lib.pages.forms import first_error
from coach.rehearsals.services import record_guest
from coach.rehearsals.views import delivered, delivered_poster, delivered_recording
from coach.storage import places


@require_http_methods(["GET", "POST"])
def door(request: HttpRequest, token: str) -> HttpResponseBase:
    """Ask for the guest's name; later requests do not need the link's secret."""
    link = open_link(request, token)
    if link is None:
        return over(request)
    form, status = NameForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        if may_use_name(request, link, name):
            start_visit(request, link, name)
            return discreet(redirect("guests:visit", link.pk))
        messages.error(
            request,
            _("Many guests have just opened links from your network. Try again in an hour."),
        )
        status = 429
    owner = link.rehearsal.owner
    context = {"owner": owner, "form": form, "link": link}
    return discreet(render(request, "guests/door.html", context, status=status))


@require_GET
@guests_only
def visit(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Show the take to a guest and record the visit."""
    record_guest(rehearsal=guest.link.rehearsal, name=_named(guest), what="guest")
    if guest.link.kind == GuestLink.Kind.CLIP:
        return _moment(request, guest)
    if guest.link.kind == GuestLink.Kind.READ:
        return _shared(request, guest)
    return _page(request, guest)


def _shared(request: HttpRequest, guest: Guest) -> HttpResponse:
    page = shared_page(guest)
    template = "guests/not_yet.html" if page is None else "guests/read.html"
    return render(request, template, {"page": page})


def _moment(request: HttpRequest, guest: Guest) -> HttpResponse:
    page = moment_page(guest)
    template = "guests/not_yet.html" if page is None else "guests/moment.html"
    return render(request, template, {"page": page})


def _page(request: HttpRequest, guest: Guest) -> HttpResponse:
    page = guest_page(guest)
    template = "guests/not_yet.html" if page is None else "guests/visit.html"
    return render(request, template, {"page": page})


def _named(guest: Guest) -> str:
    """Return the guest's own name, and the name that the link was made for."""
    if guest.name == guest.link.meant_for:
        return guest.name
    return f"{guest.name} ({guest.link.meant_for})"[:120]


def _watched_only(guest: Guest) -> None:
    """Raise 404 unless the guest link includes the whole recording."""
    link = guest.link
    if not link.shows_recording or link.kind == GuestLink.Kind.CLIP:
        raise Http404
    # Their page says "not yet" then, so the recording must not play either.
    if link.kind == GuestLink.Kind.READ and is_held_back(link.rehearsal):
        raise Http404


@require_safe
@guests_only
def media(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Deliver the recording, or the clip of a moment, to the player on the page only."""
    is_clip = guest.link.kind == GuestLink.Kind.CLIP
    if not is_clip:
        _watched_only(guest)
    if request.headers.get("Sec-Fetch-Dest", "video") not in {"video", "audio", "empty"}:
        raise Http404
    take = guest.link.rehearsal
    if is_clip:
        return _clip(request, guest)
    record_guest(rehearsal=take, name=_named(guest), what="recording")
    return delivered_recording(request, take)


def _clip(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Deliver the file of a clip; the recording itself is never read for such a link."""
    link, take = guest.link, guest.link.rehearsal
    if link.clip != GuestLink.Clip.READY or moment_page(guest) is None:
        raise Http404
    record_guest(rehearsal=take, name=_named(guest), what="clip")
    kind = "video/mp4" if take.has_video else "audio/mp4"
    return delivered(request, places.clip(take.pk, link.pk), content_type=kind)


@require_safe
@guests_only
def poster(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Deliver the poster image."""
    _watched_only(guest)
    return delivered_poster(request, guest.link.rehearsal)


@require_GET
@guests_only
def captions(_request: HttpRequest, guest: Guest) -> HttpResponse:
    """Deliver the captions for the player."""
    _watched_only(guest)
    take = guest.link.rehearsal
    run = latest_report_run(take)
    text = webvtt(report_for_reading(run, feedback_for_owner(take))) if run else "WEBVTT\n"
    return HttpResponse(text, content_type="text/vtt; charset=utf-8")


@require_POST
@guests_only
def write(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Add a comment at a time."""
    if guest.link.kind != GuestLink.Kind.COMMENT:
        raise Http404
    form, problem = CommentForm(request.POST), ""
    if form.is_valid():
        data = form.cleaned_data
        try:
            comment(
                link=guest.link,
                visit=guest.visit,
                name=guest.name,
                at_seconds=data["start"],
                text=data["text"],
            )
        except ValidationError as error:
            problem = error.messages[0]
    else:
        problem = first_error(form)
    return _answer(request, guest, problem)


@require_POST
@guests_only
def take_back(request: HttpRequest, guest: Guest, comment_id: UUID) -> HttpResponse:
    """Delete the guest's own comment."""
    own = guest.link.comments.filter(visit=guest.visit).select_related("link__rehearsal")
    remove_comment(written=get_object_or_404(own, pk=comment_id), actor=None)
    return _answer(request, guest, "")


def _answer(request: HttpRequest, guest: Guest, problem: str) -> HttpResponse:
    """Return the comments for htmx, or redirect to the page without it."""
    if getattr(request, "htmx", False):
        page = comments_part(guest, problem=problem)
        return render(request, "guests/_comments.html", {"page": page})
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("Saved."))
    return redirect("guests:visit", guest.link.pk)
