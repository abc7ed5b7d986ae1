"""Views of the researchers' home page and downloads."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from coach.accounts.access import researchers_only
from coach.lib.pages.paging import count_words
from coach.lib.web.http import SignedInRequest, attachment
from coach.lib.web.large_bodies import held_slot, slots
from coach.research.exports.downloads import (
    BY_NAME,
    FORMATS,
    RECORDINGS,
    export,
    export_recordings,
)
from coach.research.exports.selectors import counts_for_research, downloads_for
from coach.research.studies.selectors import studies_for


@require_GET
@researchers_only
def home(request: SignedInRequest) -> HttpResponse:
    """Show the available downloads and their sizes."""
    counts = {name: count_words(count) for name, count in counts_for_research(request.user).items()}
    context = {
        "counts": counts,
        "consented": counts["people"],
        "formats": [
            {
                "label": each.label,
                "what": each.what,
                "url": reverse("research:export", args=[each.name]),
            }
            for each in FORMATS
        ]
        + [_recordings_row()],
        "downloads": downloads_for(request.user)[:20],
        "now": timezone.now(),
        "studies": studies_for(request.user),
    }
    return render(request, "research/home.html", context)


def _recordings_row() -> dict[str, str]:
    return {
        "label": _("Recordings (ZIP)"),
        "what": _(
            "Sound and picture of people who agreed to both, or sound only for takes "
            "without a picture."
        ),
        "url": reverse("research:recordings"),
    }


@require_GET
@login_required
def recordings(request: SignedInRequest) -> HttpResponseBase:
    """Download permitted recordings as one ZIP archive, built while it is sent."""
    if not request.user.can_research:
        raise Http404
    if slots.obstacle(request.user.pk):
        return _busy(request)
    pieces = held_slot(request.user.pk, export_recordings(researcher=request.user))
    headers = attachment(RECORDINGS)
    return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)


def _busy(request: SignedInRequest) -> HttpResponse:
    messages.error(
        request, _("Many files are being transferred at the moment. Try again in a minute.")
    )
    return redirect("research:home")


@require_GET
@login_required
def export_file(request: SignedInRequest, name: str) -> HttpResponseBase:
    """Download one file of the export, generated while it is sent."""
    chosen = BY_NAME.get(name)
    if chosen is None or not request.user.can_research:
        raise Http404
    if slots.obstacle(request.user.pk):
        return _busy(request)
    pieces = held_slot(request.user.pk, iter(export(researcher=request.user, chosen=chosen)))
    headers = attachment(chosen.name)
    return StreamingHttpResponse(pieces, content_type=chosen.content_type, headers=headers)
