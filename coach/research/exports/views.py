"""Pages of researchers."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from coach.accounts.access import researchers_only
from coach.lib.http import SignedInRequest
from coach.lib.paging import count_words
from coach.research.exports.downloads import BY_NAME, FORMATS, export
from coach.research.exports.selectors import counts_for_research, downloads_for
from coach.research.studies.selectors import studies_for


@require_GET
@researchers_only
def home(request: SignedInRequest) -> HttpResponse:
    """What can be downloaded, and how much it holds."""
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
        ],
        "downloads": downloads_for(request.user)[:20],
        "now": timezone.now(),
        "studies": studies_for(request.user),
    }
    return render(request, "research/home.html", context)


@require_GET
@researchers_only
def export_file(request: SignedInRequest, name: str) -> HttpResponse:
    """One file of the export."""
    chosen = BY_NAME.get(name)
    if chosen is None:
        raise Http404
    content = export(researcher=request.user, chosen=chosen)
    headers = {"Content-Disposition": f'attachment; filename="{chosen.name}"'}
    return HttpResponse(content, content_type=chosen.content_type, headers=headers)
