"""Views for downloading a codebook for another tool, and importing one after a preview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest, attachment
from coach.research.coding.codebook.versions import document_of
from coach.research.coding.permissions import edited_study, study_of
from coach.research.exports.codebook_files import (
    MOST_BYTES,
    as_file,
    take_found_in,
    without_hidden_quotes,
)
from coach.research.exports.document_pages import sent_files
from coach.research.exports.document_views import send_to_worker
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Study

_KINDS = {"qdc": "application/xml", "csv": "text/csv; charset=utf-8"}


def small_enough(file: UploadedFile[Any]) -> None:
    """Raise ValidationError for a file larger than any codebook."""
    if (file.size or 0) > MOST_BYTES:
        raise ValidationError(gettext_lazy("This file is too large for a codebook."))


class CodebookForm(forms.Form):
    """A codebook from another tool."""

    file = forms.FileField(
        label=gettext_lazy("Codebook (.qdc, .qdpx, or .csv from Taguette)"),
        help_text=gettext_lazy("You see a preview before anything is saved."),
        validators=[small_enough],
        widget=forms.FileInput(attrs={"accept": ".qdc,.qdpx,.csv,.tsv,.xml"}),
    )


@require_GET
@researchers_only
def codebook_file(
    request: SignedInRequest, slug: str, kind: str, number: int | None = None
) -> HttpResponse:
    """Download the active codes, current or of a version."""
    study = study_of(request, slug)
    if kind not in _KINDS:
        raise Http404
    version = get_object_or_404(study.codebooks, number=number) if number is not None else None
    document = version.document if version else document_of(study)
    content = as_file(without_hidden_quotes(study, document), kind)
    name = f"{study.slug}-codebook{f'-v{number}' if version else ''}.{kind}"
    headers = attachment(name)
    return HttpResponse(content, content_type=_KINDS[kind], headers=headers)


@require_http_methods(["GET", "POST"])
@researchers_only
def load(request: SignedInRequest, slug: str) -> HttpResponse:
    """Choose a file, preview its codes, and import them."""
    study = edited_study(request, slug)
    if request.POST.get("found"):
        return _taken_in(request, study)
    form = CodebookForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file, kind = form.cleaned_data["file"], BundleImport.Kind.CODEBOOK
        try:
            asked = send_to_worker(request, file, name=file.name, study=study, kind=kind)
            return redirect("research:loading", asked.pk)
        except ValidationError as error:
            form.add_error("file", error)
    sent = sent_files(request.user, study, BundleImport.Kind.CODEBOOK)
    context = {"form": form, "title": _("Import a codebook"), "study": study, "sent": sent}
    return render(request, "research/studies/form.html", context)


def _taken_in(request: SignedInRequest, study: Study) -> HttpResponse:
    try:
        added = take_found_in(study=study, key=request.POST["found"], actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        said = ngettext("%(n)s code added.", "%(n)s codes added.", added)
        messages.success(request, said % {"n": added})
    return redirect("research:codebook", study.slug)
