"""Help: the list of guides, and each of them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from coach.portal.help import guides


@require_GET
@login_required
def help_index(request: HttpRequest) -> HttpResponse:
    """Show all guides, by kind."""
    language = get_language() or "en"
    context = {"kinds": guides.by_kind(language), "language": language}
    return render(request, "portal/help/index.html", context)


@require_GET
@login_required
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show one guide in the reader's language, or in English."""
    language = get_language() or "en"
    try:
        page = guides.guide(name, language)
    except KeyError as unknown:
        raise Http404 from unknown
    return render(request, "portal/help/guide.html", {"guide": page, "language": language})
