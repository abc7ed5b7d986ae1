"""Views of the editor: the form, its live check, and saving as a proposal."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from coach.accounts.access import curators_only
from coach.curation.editor.differences import differences
from coach.curation.editor.merging import merged
from coach.curation.editor.reading import document_from, with_rows_changed
from coach.curation.figures import kept_of, still_open
from coach.curation.pages.editing import (
    Look,
    look_at,
    previews_of,
    with_cases_adapted,
    with_figure_set,
)
from coach.curation.pages.effect import effect_of
from coach.curation.pages.preview import take_choices
from coach.curation.request_values import number_in, text_in
from coach.curation.selectors import newest_version
from coach.curation.services import EditedMeanwhile, propose_change
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of
from feedback_rules.loader import rule_to_document

Given = dict[str, list[str]]

_SAVED = gettext_lazy(
    "Saved as a proposal. Start a dry run, then ask a second curator to approve it."
)


def _given(request: SignedInRequest) -> Given:
    return {name: [str(each) for each in values] for name, values in request.POST.lists()}


def _newest(rule: str) -> RuleVersion:
    newest = newest_version(rule)
    if newest is None:
        raise Http404
    return newest


def _base(request: SignedInRequest, rule: str) -> RuleVersion:
    """Return the version that this edit began from. Raises Http404."""
    number = number_in(request.POST.get("base", ""))
    return get_object_or_404(RuleVersion, rule=rule, number=number)


@require_http_methods(["GET", "POST"])
@curators_only
def edit(request: SignedInRequest, rule: str) -> HttpResponse:
    """Edit a rule, starting from its newest or an earlier version (`?from=2`)."""
    if request.method == "GET":
        return _show(request, look_at(_newest(rule), _beginning(request, rule)))
    given, base = _given(request), _base(request, rule)
    do = request.POST.get("do", "look")
    document = document_from(given)
    if do == "save":
        return _save(request, look_at(base, document))
    if do == "look":
        return _show(request, look_at(base, document))
    if do == "count":
        return _count(request, look_at(base, document))
    if do.startswith("figure|"):
        document = with_figure_set(base, document, do.removeprefix("figure|"))
    elif do.startswith("adapt"):
        document = with_cases_adapted(base, document, number_in(do.removeprefix("adapt|")))
    else:
        document = with_rows_changed(document, do, request.POST.get(f"new|{do}", ""))
    return _show(request, look_at(base, document))


def _beginning(request: SignedInRequest, rule: str) -> dict[str, Any] | None:
    number = request.GET.get("from", "")
    if not number:
        return None
    earlier = get_object_or_404(RuleVersion, rule=rule, number=number_in(number))
    return rule_to_document(rule_of(earlier))


@require_POST
@curators_only
@do_not_replay
def check(request: SignedInRequest, rule: str) -> HttpResponse:
    """Return the check of the form's current values, without saving."""
    look = look_at(_base(request, rule), document_from(_given(request)))
    return render(request, "curation/_checked.html", _context(request, look))


def _show(request: SignedInRequest, look: Look, **more: Any) -> HttpResponse:
    context = _context(request, look) | {"takes": take_choices(request.user)} | more
    return render(request, "curation/edit.html", context)


def _context(request: SignedInRequest, look: Look) -> dict[str, Any]:
    run_id = request.POST.get("preview_on", "")
    return {
        "look": look,
        "page": look.page,
        "rule": look.base.rule,
        "base": look.base,
        "previews": previews_of(look, run_id=run_id, curator=request.user),
        "preview_on": run_id,
        "why": request.POST.get("why", ""),
        "figures_kept": _figures_kept(request, look.base.rule),
        "may_save": look.check.rule is not None,
    }


def _figures_kept(request: SignedInRequest, rule: str) -> frozenset[str]:
    """Return the card texts whose number a curator has confirmed."""
    return frozenset(request.POST.getlist("kept_figure")) | kept_of(rule)


def _save(request: SignedInRequest, look: Look) -> HttpResponse:
    rule, why = look.check.rule, text_in(request, "why")
    if rule is None:
        problem = _(
            "Some fields need another look. They are marked below. Your text is still here."
        )
        return _show(request, look, problem=problem)
    if not why:
        problem = _(
            "Say in one sentence why you change this rule. The second curator will read it."
        )
        return _show(request, look, problem=problem, why_missing=True)
    kept = _figures_kept(request, rule.id)
    if still_open(look.stale.figures, kept):
        problem = _(
            "The card still states the old number (listed above). Use the new number, or "
            "confirm that it is a study’s figure."
        )
        return _show(request, look, problem=problem)
    given = {figure.text for figure in look.stale.figures} & kept
    try:
        proposal = propose_change(
            rule=rule, base=look.base, author=request.user, why=why, figures_kept=given
        )
    except ValidationError as error:
        return _show(request, look, problem=error.messages[0])
    except EditedMeanwhile as meanwhile:
        return _both(request, look, meanwhile.newest)
    messages.success(request, _SAVED)
    return _go(request, reverse("curation:proposal", args=[proposal.pk]))


def _count(request: SignedInRequest, look: Look) -> HttpResponse:
    """Show the form with the change's effect on the latest takes."""
    if look.check.rule is None:
        problem = _(
            "Some fields need another look. They are marked below. Your text is still here."
        )
        return _show(request, look, problem=problem)
    return _show(request, look, effect=effect_of(look.check.rule))


def _both(request: SignedInRequest, look: Look, theirs: RuleVersion) -> HttpResponse:
    """Show both curators' changes merged in one form, after another version was saved."""
    base = rule_to_document(rule_of(look.base))
    document, _clashes = merged(base, look.document, rule_to_document(rule_of(theirs)))
    document["version"] = theirs.number
    their_changes = differences(look.base, theirs)
    return _show(request, look_at(theirs, document), meanwhile=theirs, their_changes=their_changes)


def _go(request: SignedInRequest, url: str) -> HttpResponse:
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
