"""Views of a study with its ledger, and for requesting, watching and downloading a bundle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseStopPolling

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest, attachment, do_not_replay
from coach.research.exports.bundle.guard.problem import INNER_STATE, KNOWN_NAME
from coach.research.exports.bundle_forms import ExportForm
from coach.research.exports.bundle_pages import export_row, export_rows
from coach.research.exports.ledger import record_told, unreported_withdrawals
from coach.research.exports.models import Export
from coach.research.exports.pending_bundles import drop_if_withdrawn
from coach.research.exports.selectors import exports_for, last_refused
from coach.research.exports.services import ask_for_export, take_bundle
from coach.research.studies.forms import MemberForm
from coach.research.studies.models import Study
from coach.research.studies.pages import condition_names, study_page
from coach.research.studies.selectors import leads, may_export, may_redact, studies_for

_MOST_LISTED = 20


@require_GET
@researchers_only
def study(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show everything about one study, to its members."""
    found = get_object_or_404(studies_for(request.user), slug=slug)
    page = study_page(found, request.user)
    context: dict[str, Any] = {
        "page": page,
        "member_form": MemberForm(),
        "condition_names": condition_names(found),
    }
    if page.may_export:
        exports = exports_for(request.user).filter(study=found)[:_MOST_LISTED]
        told = unreported_withdrawals(found).count()
        context |= {"exports": export_rows(found, exports), "to_be_told": told}
    return render(request, "research/studies/study.html", context)


def _exportable(request: SignedInRequest, slug: str) -> Study:
    found = get_object_or_404(studies_for(request.user), slug=slug)
    if not may_export(request.user, found):
        raise Http404
    return found


@require_http_methods(["GET", "POST"])
@researchers_only
def ask(request: SignedInRequest, slug: str) -> HttpResponse:
    """Request an export with its recipient and purpose."""
    found = _exportable(request, slug)
    form = ExportForm(request.POST or None, initial=last_refused(request.user, found))
    if request.method == "POST" and form.is_valid():
        export = ask_for_export(study=found, researcher=request.user, **form.cleaned_data)
        return redirect("research:bundle", export.pk)
    context = {"form": form, "title": _("Export the study"), "study": found}
    return render(request, "research/studies/form.html", context)


@require_GET
@researchers_only
def bundle(request: SignedInRequest, export_id: UUID) -> HttpResponse:
    """Show the progress, then the content or the reason for a refusal."""
    export = get_object_or_404(exports_for(request.user), pk=export_id)
    return render(request, "research/exports/bundle.html", _bundle_page(request, export))


def _bundle_page(request: SignedInRequest, export: Export) -> dict[str, Any]:
    """Return the export's row; a lead may allow words that stopped it."""
    is_by_word = any(problem[0] in {KNOWN_NAME, INNER_STATE} for problem in export.problems)
    may_let_through = is_by_word and leads(request.user, export.study)
    return {
        "row": export_row(export),
        "may_let_words_through": may_let_through,
        "may_redact": may_redact(request.user, export.study),
    }


@require_GET
@researchers_only
def bundle_progress(request: SignedInRequest, export_id: UUID) -> HttpResponse:
    """Return the progress for htmx, with the status that stops polling."""
    export = get_object_or_404(exports_for(request.user), pk=export_id)
    response = render(request, "research/exports/progress.html", _bundle_page(request, export))
    if export.state not in Export.GOING_ON:
        response.status_code = HttpResponseStopPolling.status_code
    return response


@require_POST
@do_not_replay
@login_required
def fetch(request: SignedInRequest, export_id: UUID) -> HttpResponseBase:
    """Download the archive, once."""
    export = get_object_or_404(exports_for(request.user), pk=export_id)
    if drop_if_withdrawn(export=export):
        messages.error(
            request,
            _(
                "This export was deleted because a participant in it has withdrawn. Request "
                "a new one."
            ),
        )
        return redirect("research:bundle", export.pk)
    try:
        pieces = take_bundle(export=export, researcher=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:bundle", export.pk)
    day = f"{timezone.localdate(export.asked_at):%Y%m%d}"
    name = f"coaching-research-export-{slugify(export.study.slug)}-{day}.zip"
    headers = {**attachment(name), "Content-Length": str(export.size_bytes)}
    return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)


@require_POST
@researchers_only
def told(request: SignedInRequest, export_id: UUID) -> HttpResponse:
    """Record that the recipient was told whose data to delete."""
    export = get_object_or_404(exports_for(request.user), pk=export_id)
    record_told(export=export, actor=request.user)
    return redirect("research:study", export.study.slug)
