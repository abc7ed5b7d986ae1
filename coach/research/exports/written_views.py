"""View for redacting what coders wrote: memos, codes, reasons and saved codebook versions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.research.coding.permissions import study_of
from coach.research.coding.selectors import may_code
from coach.research.coding.written import (
    Writing,
    redact_written,
    replacing,
    writings_of,
    writings_seen_by,
)
from coach.research.exports.written_pages import MOST_SHOWN, key_of, places_in
from coach.research.studies.models import Study
from coach.research.studies.selectors import may_redact

_MOST_WORDS = 100


@require_http_methods(["GET", "POST"])
@researchers_only
def written(request: SignedInRequest, slug: str) -> HttpResponse:
    """List names in what coders wrote, and redact words there."""
    study = study_of(request, slug)
    seen = _written_for(request, study)
    if request.method == "POST":
        _redact(request, study, seen)
        return redirect("research:written", slug)
    places = list(islice(places_in(study, seen), MOST_SHOWN))
    context = {"study": study, "places": places, "redacts": may_redact(request.user, study)}
    return render(request, "research/exports/written.html", context)


def _written_for(request: SignedInRequest, study: Study) -> tuple[Writing, ...]:
    """Return everything for members who redact, for coders their own. Raises 404."""
    if may_redact(request.user, study):
        return writings_seen_by(request.user, study)
    if not may_code(request.user, study):
        raise Http404
    return writings_of(request.user, study)


def _redact(request: SignedInRequest, study: Study, seen: Iterable[Writing]) -> None:
    about = request.POST.get("about", "")
    said = request.POST.get("found" if about else "words", "")
    words = [each.strip() for each in said.splitlines() if each.strip()]
    chosen = [_only(each, about) for each in seen] if about else list(seen)
    count = redact_written(
        study=study, written=chosen, replace=replacing(words[:_MOST_WORDS]), actor=request.user
    )
    if not count:
        messages.error(request, _("These words do not occur in the text."))
        return
    done = ngettext("Redacted in %(n)s text.", "Redacted in %(n)s texts.", count)
    messages.success(request, done % {"n": count})


def _only(written: Writing, about: str) -> Writing:
    keys = [row.pk for row in written.rows if key_of(row) == about]
    return Writing(kind=written.kind, rows=written.rows.filter(pk__in=keys), fields=written.fields)
