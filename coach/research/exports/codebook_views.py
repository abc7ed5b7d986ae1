"""Codebooks as files: downloading one for another tool, and taking one in after a look at it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import SignedInRequest, attachment
from coach.research.coding.codebook.versions import document_of
from coach.research.coding.gate import edited_study, study_of
from coach.research.exports.codebook_files import (
    MOST_BYTES,
    as_file,
    as_it_may_leave,
    codes_in,
    preview_of,
    sealed,
    take_codebook_in,
    unsealed,
)
from coach.research.exports.importing.refi.archive import NotRefi
from coach.research.exports.importing.refi.project import CodeIn
from coach.research.studies.models import Study

_KINDS = {"qdc": "application/xml", "csv": "text/csv; charset=utf-8"}


class CodebookForm(forms.Form):
    """A codebook from another tool."""

    file = forms.FileField(
        label=gettext_lazy("Codebook (.qdc, .qdpx, Taguette’s .csv)"),
        help_text=gettext_lazy("You see what is in it before anything is kept."),
        widget=forms.FileInput(attrs={"accept": ".qdc,.qdpx,.csv,.tsv,.xml"}),
    )


@require_GET
@researchers_only
def codebook_file(
    request: SignedInRequest, slug: str, kind: str, number: int | None = None
) -> HttpResponse:
    """The codes in use, as they stand or as a version has them."""
    study = study_of(request, slug)
    if kind not in _KINDS:
        raise Http404
    version = get_object_or_404(study.codebooks, number=number) if number is not None else None
    document = version.document if version else document_of(study)
    content = as_file(as_it_may_leave(study, document), kind)
    name = f"{study.slug}-codebook{f'-v{number}' if version else ''}.{kind}"
    headers = attachment(name)
    return HttpResponse(content, content_type=_KINDS[kind], headers=headers)


@require_http_methods(["GET", "POST"])
@researchers_only
def load(request: SignedInRequest, slug: str) -> HttpResponse:
    """Choose a file, look at what is in it, take it in."""
    study = edited_study(request, slug)
    if request.POST.get("seal"):
        return _taken_in(request, study)
    form = CodebookForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            codes = codes_in(file.name, file.read(MOST_BYTES + 1))
        except NotRefi:
            form.add_error("file", _("No codes were found in this file. It is left as it is."))
        else:
            return _preview(request, study, file.name, codes)
    context = {"form": form, "title": _("Load a codebook"), "study": study}
    return render(request, "research/studies/form.html", context)


def _preview(
    request: SignedInRequest, study: Study, name: str, codes: list[CodeIn]
) -> HttpResponse:
    context = {
        "study": study,
        "name": name,
        "rows": preview_of(study, codes),
        "seal": sealed(study, codes),
    }
    return render(request, "research/exports/codebook_preview.html", context)


def _taken_in(request: SignedInRequest, study: Study) -> HttpResponse:
    note = _("Taken in from %(file)s") % {
        "file": typed_note(request.POST.get("name", ""), most=200)
    }
    try:
        codes = unsealed(study, request.POST["seal"])
        added = take_codebook_in(study=study, codes=codes, note=note, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        said = ngettext("%(n)s code was added.", "%(n)s codes were added.", added)
        messages.success(request, said % {"n": added})
    return redirect("research:codebook", study.slug)
