"""The list of rules, one rule with its history, and muting."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.curation import words
from coach.curation.access import curators_only
from coach.curation.models import Mute, Proposal
from coach.curation.preview import sample_previews
from coach.curation.releases import mute_rule, unmute_rule
from coach.curation.selectors import (
    WorkingRule,
    approved_proposals,
    returned_to,
    working_rule,
)
from coach.curation.services import begin_rule
from coach.curation.statistics import rule_statistics_for
from coach.curation.studio import (
    FILTERS,
    diff_view,
    rule_rows,
    speaking_version,
    state_choices,
    statistics_words,
    working_states,
)
from coach.lib.http import SignedInRequest
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import active_release, history_of, rule_of


@require_GET
@curators_only
def rules(request: SignedInRequest) -> HttpResponse:
    """Every rule of the working copy."""
    wanted = {name: request.GET.get(name, "")[:80] for name in FILTERS}
    context = {
        "rows": rule_rows(request.user, wanted),
        "wanted": wanted,
        "is_narrowed": any(wanted.values()),
        "lists": (
            ("quality", _("Quality"), words.qualities(), wanted["quality"]),
            ("tone", _("Tone"), words.choices(words.TONE), wanted["tone"]),
            ("state", _("What is going on"), state_choices(), wanted["state"]),
        ),
        "release": active_release(),
        "approved": len(approved_proposals()),
        "returned": returned_to(request.user),
    }
    return render(request, "curation/rules.html", context)


def working_or_404(rule: str) -> WorkingRule:
    """A rule that is there."""
    working = working_rule(rule)
    if working is None:
        raise Http404
    return working


@require_GET
@curators_only
def rule(request: SignedInRequest, rule: str) -> HttpResponse:
    """One rule: what it says, what is proposed, its history."""
    working = working_or_404(rule)
    version = speaking_version(working)
    read = rule_of(version)
    statistics = rule_statistics_for(request.user).get(rule)
    context = {
        "working": working,
        "version": version,
        "read": read,
        "quality": dict(words.qualities())[read.quality],
        "tone": words.TONE[read.tone],
        "status": words.STATUS[read.status],
        "grade": words.GRADE[read.grade],
        "decided_by": words.DECIDED_BY[read.decided_by],
        "states": [name for _code, name in working_states(working)],
        "statistics": statistics_words(statistics),
        "is_flagged": statistics is not None and statistics.is_flagged(version.number),
        "previews": sample_previews(read)[:1],
        "history": _history(rule),
        "mutes": Mute.objects.filter(rule=rule),
    }
    return render(request, "curation/rule.html", context)


def _history(rule: str) -> list[tuple[RuleVersion, Proposal | None]]:
    proposals = {each.version_id: each for each in Proposal.objects.filter(rule=rule)}
    return [(version, proposals.get(version.pk)) for version in history_of(rule)]


@require_GET
@curators_only
def version(request: SignedInRequest, rule: str, number: int) -> HttpResponse:
    """One version of a rule: what it changed, and its whole text."""
    found = get_object_or_404(RuleVersion, rule=rule, number=number)
    earlier = RuleVersion.objects.filter(rule=rule, number__lt=number).first()
    context = {"version": found, "diff": diff_view(found.base or earlier, found)}
    return render(request, "curation/version.html", context)


@require_POST
@curators_only
def begin(request: SignedInRequest, rule: str) -> HttpResponse:
    """A new rule, begun as a copy of this one."""
    version = speaking_version(working_or_404(rule))
    new = request.POST.get("id", "").strip().upper()[:20]
    try:
        proposal = begin_rule(version=version, rule_id=new, author=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:rule", rule)
    messages.success(request, _("Begun, and silent: make it your own, then set its status."))
    return redirect("curation:edit", proposal.rule)


@require_POST
@curators_only
def mute(request: SignedInRequest, rule: str) -> HttpResponse:
    """Silence a rule at once."""
    working_or_404(rule)
    try:
        release = mute_rule(rule=rule, curator=request.user, why=request.POST.get("why", "")[:2000])
        messages.success(
            request,
            _("Muted. Rule set %(number)s is in use without it; drafts that run keep theirs.")
            % {"number": release.number},
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:rule", rule)


@require_POST
@curators_only
def unmute(request: SignedInRequest, rule: str) -> HttpResponse:
    """Let it speak again."""
    working_or_404(rule)
    try:
        release = unmute_rule(rule=rule, curator=request.user)
        messages.success(
            request, _("It speaks again, in rule set %(number)s.") % {"number": release.number}
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:rule", rule)
