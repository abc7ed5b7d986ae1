"""Views of uploaded study files: a worker parses them, and the page waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRefresh, HttpResponseStopPolling

from coach.accounts.access import researchers_only
from coach.lib.files.scratch import scratch
from coach.lib.web.http import SignedInRequest
from coach.research.coding.interviews.selectors import transcripts_for
from coach.research.exports.bundle_forms import BundleForm
from coach.research.exports.codebook_files import codes_found, preview_of
from coach.research.exports.document_pages import loading_page
from coach.research.exports.models import BundleImport
from coach.research.exports.selectors import imports_for
from coach.research.exports.services import ask_for_import
from coach.research.studies.views import study_led_by


def send_to_worker(request: SignedInRequest, file: UploadedFile[Any], **about: Any) -> BundleImport:
    """Store an upload for a worker to read. Raises ValidationError."""
    with scratch() as place:
        path = place / "bundle"
        with path.open("wb") as kept:
            for piece in file.chunks():
                kept.write(piece)
        return ask_for_import(researcher=request.user, path=path, **about)


@require_http_methods(["GET", "POST"])
@researchers_only
def load(request: SignedInRequest, slug: str = "") -> HttpResponse:
    """Import a bundle, or a project of another tool, into a new study or one that the user
    leads.
    """
    into = study_led_by(request, slug) if slug else None
    form = BundleForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        about = {"study": into} | {n: form.cleaned_data[n] for n in ("language", "declared")}
        try:
            asked = send_to_worker(request, file, name=Path(file.name).stem, **about)
            return redirect("research:loading", asked.pk)
        except ValidationError as error:
            form.add_error("file", error)
    title = _("Import a project from another tool") if into else _("Import a bundle or project")
    context = {"form": form, "title": title, "study": into}
    return render(request, "research/studies/form.html", context)


@require_GET
@researchers_only
def loading(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """Show whether a file was read, or why not; htmx polls the same view."""
    asked = get_object_or_404(imports_for(request.user), pk=import_id)
    is_over = asked.state not in BundleImport.GOING_ON
    is_found = asked.state == BundleImport.State.DONE and asked.kind != BundleImport.Kind.PROJECT
    if request.htmx:
        if is_found:
            return HttpResponseClientRefresh()
        response = render(request, "research/exports/loading_progress.html", loading_page(asked))
        if is_over:
            response.status_code = HttpResponseStopPolling.status_code
        return response
    if is_found:
        return _found(request, asked)
    return render(request, "research/exports/loading.html", loading_page(asked))


def _found(request: SignedInRequest, asked: BundleImport) -> HttpResponse:
    """Show the parsed content before it is imported."""
    if asked.kind == BundleImport.Kind.TRANSCRIPT:
        key = asked.found["transcript"]
        if not transcripts_for(request.user).filter(pk=key).exists():  # taken in, or dropped
            return redirect("research:interviews", asked.study.slug)
        return redirect("research:transcript", key)
    rows = preview_of(asked.study, codes_found(asked))
    context = {"study": asked.study, "asked": asked, "rows": rows}
    return render(request, "research/exports/codebook_preview.html", context)
