"""Views of the codebook."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.accounts.models import Language
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.research.coding.codebook.forms import CodeForm, MergeForm, SplitForm
from coach.research.coding.codebook.merging import (
    merge_codes,
    parts_of,
    replace_in_free_codings,
    sort_codings,
    split_code,
    why_not_now,
)
from coach.research.coding.codebook.pages import (
    code_page,
    codebook_page,
    quotes_of,
    version_page,
)
from coach.research.coding.codebook.services import (
    add_code,
    change_code,
    move_code,
    remove_code,
    restore_code,
    retire_code,
)
from coach.research.coding.codebook.starter_codes import begin_codebook
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Code
from coach.research.coding.permissions import edited_code, edited_study, study_of
from coach.research.coding.selectors import codes_for

_AT_ONCE = 100
"""Codings to sort on one page."""
_MOST_FIGURES = 8


@require_GET
@researchers_only
def codebook(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the tree of codes and its versions."""
    study = study_of(request, slug)
    context = codebook_page(study, request.user) | {"languages": Language.choices}
    return render(request, "research/coding/codebook.html", context)


@require_GET
@researchers_only
def colours(request: SignedInRequest, slug: str) -> HttpResponse:
    """Return the colours of the codes as a style sheet: pages have no inline styles."""
    codes = codes_for(request.user, study_of(request, slug)).exclude(colour="")
    rules = "\n".join(f".code-{code.pk} {{ --code: {code.colour}; }}" for code in codes)
    return HttpResponse(rules, content_type="text/css")


@require_http_methods(["GET", "POST"])
@researchers_only
def new_code(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add a code."""
    study = edited_study(request, slug)
    form = CodeForm(
        request.POST or None, study=study, initial={"parent": request.GET.get("below", "")}
    )
    if request.method == "POST" and form.is_valid():
        try:
            add_code(code=form.save(commit=False), actor=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("research:codebook", slug)
    return render(request, "research/coding/new_code.html", {"form": form, "study": study})


@require_http_methods(["GET", "POST"])
@researchers_only
def code(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Change a code, and show its history."""
    found = edited_code(request, slug, pk)
    form = CodeForm(request.POST or None, instance=found, study=found.study)
    if request.method == "POST" and form.is_valid():
        try:
            change_code(code=form.save(commit=False), actor=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Saved."))
            return _back(request, slug)
    kept = edited_code(request, slug, pk)
    context = code_page(kept, request.user) | {"form": form}
    return render(request, "research/coding/code.html", context)


def _back(request: SignedInRequest, slug: str) -> HttpResponse:
    """Redirect to the coding page that was left to change a code, or to the codebook."""
    share = request.GET.get("from", "")
    if share.isdecimal() and len(share) < _MOST_FIGURES:
        return redirect("research:coding", slug, int(share))
    return redirect("research:codebook", slug)


@require_POST
@researchers_only
def move(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Move a code up or down among its siblings."""
    found = edited_code(request, slug, pk)
    by = {"up": -1, "down": 1}.get(request.POST.get("to", ""))
    if by is None:
        raise Http404
    move_code(code=found, by=by, actor=request.user)
    return redirect(f"{_codebook_url(slug)}#code-{pk}")


def _codebook_url(slug: str) -> str:
    return redirect("research:codebook", slug).url


_STEPS: dict[str, Callable[..., None]] = {
    "retire": retire_code,
    "restore": restore_code,
    "remove": remove_code,
}


@require_POST
@do_not_replay
@researchers_only
def code_state(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Retire, restore or delete a code."""
    found = edited_code(request, slug, pk)
    act = _STEPS.get(request.POST.get("step", ""))
    if act is None:
        raise Http404
    try:
        act(code=found, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:codebook", slug)


@require_http_methods(["GET", "POST"])
@researchers_only
def merge(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Merge a code into another; while an open round uses it, in free codings only."""
    found = edited_code(request, slug, pk)
    form = MergeForm(request.POST or None, code=found)
    act = merge_codes if request.POST.get("what") != "free" else replace_in_free_codings
    if request.method == "POST" and form.is_valid():
        try:
            act(code=found, into=form.cleaned_data["into"], actor=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return _back(request, slug)
    context = code_page(found, request.user) | {"form": form}
    return render(request, "research/coding/merge.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def split(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Split a code into new ones."""
    found = edited_code(request, slug, pk)
    form = SplitForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            split_code(code=found, names=form.cleaned_data["names"], actor=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("research:sort_codings", slug, pk)
    context = code_page(found, request.user) | {"form": form}
    return render(request, "research/coding/split.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def sort(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Sort the codings of a split code into its parts."""
    found = edited_code(request, slug, pk)
    parts = parts_of(found)
    if not parts or why_not_now(found):
        messages.error(request, why_not_now(found) or _("This code has not been split."))
        return redirect("research:code", slug, pk)
    if request.method == "POST":
        sort_codings(code=found, into=_sorted(request, parts), actor=request.user)
        return redirect("research:sort_codings", slug, pk)
    quotes = quotes_of(found, request.user, _AT_ONCE)
    context = {"study": found.study, "code": found, "parts": parts, "quotes": quotes}
    return render(request, "research/coding/sort.html", context)


def _sorted(request: SignedInRequest, parts: list[Code]) -> dict[int, Code]:
    by_key = {str(part.pk): part for part in parts}
    return {
        int(name[1:]): by_key[value]
        for name, value in request.POST.items()
        if isinstance(value, str) and value in by_key and _is_key(name)
    }


def _is_key(name: str) -> bool:
    return name[:1] == "c" and name[1:].isdecimal() and len(name) < 12  # keys are short


@require_POST
@researchers_only
def begin(request: SignedInRequest, slug: str) -> HttpResponse:
    """Start an empty codebook with the eleven starter codes."""
    study = edited_study(request, slug)
    language = request.POST.get("language", "")
    if language not in Language.values:
        raise Http404
    try:
        begin_codebook(study=study, language=language, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:codebook", slug)


@require_POST
@researchers_only
def keep(request: SignedInRequest, slug: str) -> HttpResponse:
    """Save the codebook as its next version."""
    study = edited_study(request, slug)
    try:
        made = keep_version(
            study=study, note=typed_note(request.POST.get("note", ""), most=500), actor=request.user
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Saved as version %(number)s.") % {"number": made.number})
    return redirect("research:codebook", slug)


@require_GET
@researchers_only
def version(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show one saved version."""
    study = study_of(request, slug)
    found = get_object_or_404(study.codebooks, number=number)
    return render(request, "research/coding/version.html", version_page(found))
