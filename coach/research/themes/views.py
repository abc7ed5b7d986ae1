"""Views of passages and themes."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.lib.files.csv_tables import for_spreadsheets
from coach.lib.web.http import SignedInRequest, attachment, do_not_replay
from coach.research.coding.models import Theme
from coach.research.coding.permissions import study_of
from coach.research.coding.selectors import may_code
from coach.research.studies.models import Study
from coach.research.studies.selectors import may_export
from coach.research.themes.forms import (
    RUN_UP,
    MergeThemeForm,
    PassagesForm,
    ReelForm,
    ThemeForm,
    ThemeNameForm,
)
from coach.research.themes.moments import found_for
from coach.research.themes.pages import passages_page, reel_page, theme_page, themes_page
from coach.research.themes.services import (
    add_theme,
    change_theme,
    memo_of,
    merge_themes,
    move_theme,
    remove_theme,
    themes_for,
)
from coach.research.themes.table import passages_csv as table_of

_MOST_FIGURES = 8


def _start(request: SignedInRequest) -> int:
    start = request.GET.get("from", "")
    return int(start) if start.isdecimal() and len(start) < _MOST_FIGURES else 0


@require_GET
@researchers_only
def passages(request: SignedInRequest, slug: str) -> HttpResponse:
    """Search all interviews and coded takes by words, codes and people."""
    study = study_of(request, slug)
    form = PassagesForm(request.GET, study=study)
    context = passages_page(study, request.user, form, _start(request))
    context |= {"asked": _asked(request)}
    return render(request, "research/themes/passages.html", context)


def _asked(request: SignedInRequest) -> str:
    rest = request.GET.copy()
    rest.pop("from", None)
    return rest.urlencode()


@require_GET
@researchers_only
def reel(request: SignedInRequest, slug: str) -> HttpResponse:
    """Play the found moments one after another, as far as consent allows it now."""
    study = study_of(request, slug)
    asked = request.GET.copy()
    asked.setdefault("before", str(RUN_UP))
    form = ReelForm(asked, study=study)
    context = reel_page(study, request.user, form, _start(request)) | {"asked": _asked(request)}
    return render(request, "research/themes/reel.html", context)


@require_GET
@researchers_only
def passages_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """Download the found passages, for members who may export."""
    study = study_of(request, slug)
    if not may_export(request.user, study):
        raise Http404
    query = PassagesForm(request.GET, study=study).query()
    found = [] if query.is_empty else found_for(request.user, study, query)
    try:
        content = table_of(study, request.user, found)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        page = redirect("research:passages", slug).url
        return redirect(f"{page}?{request.GET.urlencode()}")
    headers = attachment(f"{study.slug}-passages.csv")
    lines = for_spreadsheets([content])
    return HttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def _edited(request: SignedInRequest, slug: str) -> Study:
    study = study_of(request, slug)
    if not may_code(request.user, study):
        raise Http404
    return study


def _theme(request: SignedInRequest, slug: str, pk: int) -> Theme:
    study = study_of(request, slug) if request.method == "GET" else _edited(request, slug)
    found: Theme = get_object_or_404(themes_for(request.user, study).select_related("study"), pk=pk)
    return found


@require_http_methods(["GET", "POST"])
@researchers_only
def themes(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the candidate themes of a study, and add one."""
    study = study_of(request, slug) if request.method == "GET" else _edited(request, slug)
    form = ThemeNameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = add_theme(study=study, name=form.cleaned_data["name"], actor=request.user)
        return redirect("research:theme", slug, made.pk)
    context = themes_page(study, request.user) | {"form": form}
    return render(request, "research/themes/themes.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def theme(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show a theme with its passages, and change it."""
    found = _theme(request, slug, pk)
    initial = {"name": found.name, "memo": memo_of(found)}
    form = ThemeForm(request.POST or None, theme=found, initial=initial)
    if request.method == "POST" and form.is_valid():
        change_theme(theme=found, actor=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("research:theme", slug, pk)
    context = theme_page(found, request.user, _start(request)) | {
        "form": form,
        "merging": MergeThemeForm(theme=found),
    }
    return render(request, "research/themes/theme.html", context)


@require_POST
@do_not_replay
@researchers_only
def theme_step(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Move, merge or delete a theme."""
    found, step = _theme(request, slug, pk), request.POST.get("step", "")
    moves = {"up": -1, "down": 1}
    if step in moves:
        move_theme(theme=found, by=moves[step], actor=request.user)
    elif step == "merge":
        form = MergeThemeForm(request.POST, theme=found)
        if not form.is_valid():
            messages.error(request, _("Choose another theme."))
            return redirect("research:theme", slug, pk)
        merge_themes(theme=found, into=form.cleaned_data["into"], actor=request.user)
    elif step == "remove":
        remove_theme(theme=found, actor=request.user)
    else:
        raise Http404
    return redirect("research:themes", slug)
