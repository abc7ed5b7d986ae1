"""Views of a study's dashboard, for members who may export."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from coach.accounts.access import researchers_only
from coach.lib.files.csv_tables import csv_lines, for_spreadsheets
from coach.lib.web.http import SignedInRequest, attachment
from coach.research.dashboard.drawing import draw
from coach.research.dashboard.pages import asked_by, chart_of, glance_page, overview
from coach.research.dashboard.registry import BY_NAME
from coach.research.dashboard.services import note_taken
from coach.research.dashboard.spec import Asked, Glance
from coach.research.studies.models import Study
from coach.research.studies.selectors import may_export, studies_for


def _asked(request: SignedInRequest, slug: str) -> Asked:
    study: Study = get_object_or_404(studies_for(request.user), slug=slug)
    if not may_export(request.user, study):
        raise Http404
    return asked_by(request.user, study, request.GET.dict())


def _glance(name: str) -> Glance:
    if name not in BY_NAME:
        raise Http404
    return BY_NAME[name]


@require_GET
@researchers_only
def glance(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the amounts of data, what is missing, and the other pages."""
    return render(request, "research/glance/overview.html", overview(_asked(request, slug)))


@require_GET
@researchers_only
def glance_of(request: SignedInRequest, slug: str, table: str) -> HttpResponse:
    """Show one table with its chart."""
    page = glance_page(_glance(table), _asked(request, slug))
    return render(request, "research/glance/glance.html", {"page": page})


@require_GET
@researchers_only
def glance_chart(request: SignedInRequest, slug: str, table: str) -> HttpResponse:
    """Return the chart as an image."""
    chart = chart_of(_glance(table), _asked(request, slug))
    if chart is None:
        raise Http404
    theme = "dark" if request.GET.get("theme") == "dark" else "light"
    image = draw(chart, theme=theme, is_narrow="narrow" in request.GET)
    headers = {"Content-Security-Policy": _ALONE}
    return HttpResponse(image, content_type="image/svg+xml", headers=headers)


_ALONE = "default-src 'none'; style-src 'unsafe-inline'"
"""An image: it may look like itself, and load nothing."""


_CSV = "text/csv; charset=utf-8"


@require_GET
@login_required
def glance_csv(request: SignedInRequest, slug: str, table: str) -> StreamingHttpResponse:
    """Download the whole table as CSV, and log it."""
    found, asked = _glance(table), _asked(request, slug)
    note_taken(glance=found, asked=asked, researcher=request.user)
    names = [column.name for column in found.columns]
    lines = csv_lines(names, (found.all_rows or found.rows)(asked))
    headers = attachment(f"{asked.included.study.slug}-{found.name}.csv")
    return StreamingHttpResponse(for_spreadsheets(lines), content_type=_CSV, headers=headers)
