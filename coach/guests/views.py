"""Views for inviting guests, for the owner and a permitted coach."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.feedback.selectors import items_for_owner
from coach.guests.forms import ClipLinkForm, GuestLinkForm, ReportLinkForm
from coach.guests.models import GuestLink
from coach.guests.moments import share_page
from coach.guests.pages import invite_page
from coach.guests.selectors import comments_for, links_for, takes_to_invite_to
from coach.guests.services import (
    end_link,
    let_coach_invite,
    make_link,
    remove_comment,
    share_clip,
    share_report,
)
from coach.guests.tasks import enqueue_clip
from coach.lib.web.http import SignedInRequest
from coach.notices.services import note_seen
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

# Both forms are on one page, with fields of the same names.
_INVITING, _SHARING = "make-%s", "share-%s"


@require_GET
@login_required
def invite(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show links, comments and visits."""
    rehearsal = get_object_or_404(takes_to_invite_to(request.user), pk=rehearsal_id)
    note_seen(person=request.user, rehearsal=rehearsal)
    return _page(request, rehearsal)


def _page(
    request: SignedInRequest,
    rehearsal: Rehearsal,
    *,
    fresh: tuple[GuestLink, str] | None = None,
    inviting: GuestLinkForm | None = None,
    sharing: ReportLinkForm | None = None,
) -> HttpResponse:
    """Render the page with a new link, or with a rejected form."""
    context = {
        "page": invite_page(rehearsal, reader=request.user, fresh=fresh),
        "inviting": inviting or GuestLinkForm(auto_id=_INVITING),
        "sharing": sharing or ReportLinkForm(auto_id=_SHARING),
    }
    status = 422 if inviting or sharing else 200
    return render(request, "guests/invite.html", context, status=status)


@require_POST
@login_required
def make(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Create a link, shown once in the response."""
    rehearsal = get_object_or_404(takes_to_invite_to(request.user), pk=rehearsal_id)
    form = GuestLinkForm(request.POST, auto_id=_INVITING)
    if not form.is_valid():
        return _page(request, rehearsal, inviting=form)
    try:
        made = make_link(rehearsal=rehearsal, maker=request.user, **form.cleaned_data)
    except ValidationError as error:
        form.add_error(None, error)
        return _page(request, rehearsal, inviting=form)
    return _page(request, rehearsal, fresh=_with_address(request, *made))


@require_POST
@login_required
def share(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Create a link to the report, shown once in the response."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = ReportLinkForm(request.POST, auto_id=_SHARING)
    if not form.is_valid():
        return _page(request, rehearsal, sharing=form)
    try:
        made = share_report(rehearsal=rehearsal, **form.cleaned_data)
    except ValidationError as error:
        form.add_error(None, error)
        return _page(request, rehearsal, sharing=form)
    return _page(request, rehearsal, fresh=_with_address(request, *made))


@require_http_methods(["GET", "POST"])
@login_required
def share_moment(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Share one moment of a card by a link, shown once in the response."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    item = get_object_or_404(items_for_owner(request.user), pk=item_id)
    page = share_page(rehearsal, item)
    if page is None:
        raise Http404
    form = ClipLinkForm(request.POST or None, initial={"moment": 0})
    if request.method == "POST" and form.is_valid():
        try:
            made = share_clip(rehearsal=rehearsal, item=item, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            enqueue_clip(made[0].pk)
            return _page(request, rehearsal, fresh=_with_address(request, *made))
    context = {"page": page, "form": form}
    return render(request, "guests/moment_share.html", context, status=422 if form.errors else 200)


def _with_address(request: SignedInRequest, link: GuestLink, token: str) -> tuple[GuestLink, str]:
    return link, request.build_absolute_uri(reverse("guests:door", args=[token]))


@require_POST
@login_required
def end(request: SignedInRequest, rehearsal_id: UUID, link_id: UUID) -> HttpResponse:
    """End a link at once."""
    rehearsal = get_object_or_404(takes_to_invite_to(request.user), pk=rehearsal_id)
    link = get_object_or_404(links_for(request.user, rehearsal), pk=link_id)
    end_link(link=link, actor=request.user)
    messages.success(request, _("Link ended."))
    return redirect("guests:invite", rehearsal_id)


@require_POST
@login_required
def let_coach(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Let the coaches who have the take create links, or stop that."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    let_coach_invite(rehearsal=rehearsal, may=request.POST.get("wish") == "give")
    return redirect("guests:invite", rehearsal_id)


@require_POST
@login_required
def remove(request: SignedInRequest, rehearsal_id: UUID, comment_id: UUID) -> HttpResponse:
    """Delete a guest's comment, for the owner."""
    written = comments_for(request.user).filter(link__rehearsal=rehearsal_id)
    remove_comment(written=get_object_or_404(written, pk=comment_id), actor=request.user)
    messages.success(request, _("Comment deleted."))
    return redirect("guests:invite", rehearsal_id)
