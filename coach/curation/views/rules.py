"""Views of the list of rules, of a rule with its history, and of mutes."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import curators_only
from coach.curation.pages.contexts import rule_context, rules_context
from coach.curation.pages.gallery import gallery_context
from coach.curation.pages.studio import FILTERS, diff_view, speaking_version
from coach.curation.releases import mute_rule, unmute_rule
from coach.curation.request_values import number_in, text_in
from coach.curation.selectors import WorkingRule, newest_version, working_rule
from coach.curation.services import (
    EditedMeanwhile,
    begin_rule,
    propose_decider,
    propose_to_retire,
)
from coach.curation.trials import COACHES_FIRST
from coach.lib.web.http import SignedInRequest
from coach.rulesets.models import RuleVersion


@require_GET
@curators_only
def rules(request: SignedInRequest) -> HttpResponse:
    """Show all rules of the working copy."""
    wanted = {name: request.GET.get(name, "")[:80] for name in FILTERS}
    return render(request, "curation/rules.html", rules_context(request.user, wanted))


@require_GET
@curators_only
def gallery(request: SignedInRequest) -> HttpResponse:
    """Show each rule on a case with a card and on one without."""
    context = gallery_context(request.GET.get("quality", "")[:30])
    return render(request, "curation/gallery.html", context)


def working_or_404(rule: str) -> WorkingRule:
    """Return a rule of the working copy. Raises Http404 if it is missing."""
    working = working_rule(rule)
    if working is None:
        raise Http404
    return working


@require_GET
@curators_only
def rule(request: SignedInRequest, rule: str) -> HttpResponse:
    """Show a rule with its proposals and history, or the last version of an unused rule."""
    working, last = working_rule(rule), newest_version(rule)
    if working is None and last is not None:
        return redirect("curation:version", rule, last.number)
    context = rule_context(request.user, working_or_404(rule))
    return render(request, "curation/rule.html", context)


@require_GET
@curators_only
def version(request: SignedInRequest, rule: str, number: int) -> HttpResponse:
    """Show a version of a rule: its changes and its whole text."""
    found = get_object_or_404(RuleVersion, rule=rule, number=number)
    earlier = RuleVersion.objects.filter(rule=rule, number__lt=number).first()
    context = {
        "version": found,
        "diff": diff_view(found.base or earlier, found),
        "is_out_of_use": working_rule(rule) is None,
    }
    return render(request, "curation/version.html", context)


@require_POST
@curators_only
def begin(request: SignedInRequest, rule: str) -> HttpResponse:
    """Create a new rule as a copy of this one."""
    version = speaking_version(working_or_404(rule))
    new = text_in(request, "id").upper()[:20]
    try:
        proposal = begin_rule(version=version, rule_id=new, author=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:rule", rule)
    messages.success(
        request, _("Rule created. It gives no cards yet: edit it, then set its status.")
    )
    return redirect("curation:edit", proposal.rule)


@require_POST
@curators_only
def retire(request: SignedInRequest, rule: str) -> HttpResponse:
    """Propose to retire a rule; a second curator decides."""
    working_or_404(rule)
    why, base = text_in(request, "why"), number_in(request.POST.get("base", ""))
    try:
        proposal = propose_to_retire(rule=rule, base=base, author=request.user, why=why)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:rule", rule)
    except EditedMeanwhile:
        messages.error(request, _("This rule was changed in the meantime. Check it again."))
        return redirect("curation:rule", rule)
    messages.success(
        request,
        _(
            "Proposed. The rule stays in use until a second curator agrees and the next "
            "rule set is published."
        ),
    )
    return redirect("curation:proposal", proposal.pk)


@require_POST
@curators_only
def trial(request: SignedInRequest, rule: str) -> HttpResponse:
    """Propose to start a trial with coaches only, or to end it."""
    working_or_404(rule)
    base = number_in(request.POST.get("base", ""))
    decider = "machine" if "end" in request.POST else COACHES_FIRST
    try:
        proposal = propose_decider(rule=rule, base=base, author=request.user, decided_by=decider)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:rule", rule)
    except EditedMeanwhile:
        messages.error(request, _("This rule was changed in the meantime. Check it again."))
        return redirect("curation:rule", rule)
    messages.success(request, _("Proposed. A second curator decides."))
    return redirect("curation:proposal", proposal.pk)


@require_POST
@curators_only
def mute(request: SignedInRequest, rule: str) -> HttpResponse:
    """Mute a rule at once."""
    working_or_404(rule)
    try:
        release = mute_rule(rule=rule, curator=request.user, why=text_in(request, "why"))
        messages.success(
            request,
            _(
                "Muted. Rule set %(number)s is in use without this rule. Drafts in progress "
                "keep their rule set."
            )
            % {"number": release.number},
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:rule", rule)


@require_POST
@curators_only
def unmute(request: SignedInRequest, rule: str) -> HttpResponse:
    """Unmute a rule."""
    working_or_404(rule)
    try:
        release = unmute_rule(rule=rule, curator=request.user)
        messages.success(request, _("Unmuted in rule set %(number)s.") % {"number": release.number})
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:rule", rule)
