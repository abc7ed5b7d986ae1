"""Template contexts of the rule studio's pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.curation import words
from coach.curation.approval_checks import open_problems
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.selectors import drafts_since, latest_dry_run, results_of
from coach.curation.figures import unanswered_figures
from coach.curation.models import Mute, Proposal
from coach.curation.pages.dry_runs import changed_words
from coach.curation.pages.preview import compared_previews, sample_previews
from coach.curation.pages.sentences import both_say, when_it_speaks
from coach.curation.pages.studio import (
    diff_view,
    diff_views,
    rule_rows,
    speaking_version,
    state_choices,
    statistics_words,
    working_states,
)
from coach.curation.releases import changes_between, planned_changes, publish_obstacle
from coach.curation.selectors import (
    LIVE,
    WorkingRule,
    approved_proposals,
    next_rule_set,
    returned_to,
    rule_set_with,
    standing_mutes,
    working_rule,
)
from coach.curation.services import approval_obstacle
from coach.curation.statistics.cached import rule_statistics_for
from coach.curation.trials import trial_of
from coach.lib.words.rule_words import source_of
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import active_release, history_of, rule_of, versions_of

Context = dict[str, Any]


def rules_context(curator: User, wanted: dict[str, str]) -> Context:
    """Return the context of the list of rules, filtered by `wanted`."""
    return {
        "rows": rule_rows(curator, wanted),
        "wanted": wanted,
        "is_narrowed": any(wanted.values()),
        "lists": (
            ("quality", _("Quality"), words.qualities(), wanted["quality"]),
            ("tone", _("Tone"), words.choices(words.TONE), wanted["tone"]),
            ("state", _("Activity"), state_choices(), wanted["state"]),
        ),
        "release": active_release(),
        "approved": len(approved_proposals()),
        "returned": returned_to(curator),
    }


def rule_context(curator: User, working: WorkingRule) -> Context:
    """Return the context of a rule's page."""
    version = speaking_version(working)
    read = rule_of(version)
    statistics = rule_statistics_for(curator).get(working.rule)
    return {
        "working": working,
        "version": version,
        "read": read,
        "source": source_of(read),
        "quality": dict(words.qualities())[read.quality],
        "tone": words.TONE[read.tone],
        "status": words.STATUS[read.status],
        "grade": words.GRADE[read.grade],
        "decided_by": words.DECIDED_BY[read.decided_by],
        "states": [name for _code, name in working_states(working)],
        "statistics": statistics_words(statistics),
        "may_retire": working.open is None and working.newest.document["status"] != "retired",
        "is_flagged": statistics is not None and statistics.is_flagged(version.number),
        "trial": trial_of(version, statistics),
        "may_try": read.decided_by == "machine" and working.open is None,
        "speaks": when_it_speaks(read),
        "previews": sample_previews(read),
        "history": _history(working.rule),
        "mutes": Mute.objects.filter(rule=working.rule),
    }


def _history(rule: str) -> list[tuple[RuleVersion, Proposal | None]]:
    proposals = {each.version_id: each for each in Proposal.objects.filter(rule=rule)}
    return [(version, proposals.get(version.pk)) for version in history_of(rule)]


def proposal_context(curator: User, proposal: Proposal) -> Context:
    """Return the context of a proposal's page, compared with the current rule while undecided."""
    working = working_rule(proposal.rule)
    standing = speaking_version(working) if working else None
    is_live = proposal.state in LIVE
    before = standing if is_live and standing != proposal.version else proposal.version.base
    rule = rule_of(proposal.version)
    # A decided proposal has no current rule to compare with: we show only its changes.
    standing_rule = rule_of(before) if before and is_live else None
    compared = compared_previews(rule, standing_rule) if standing_rule else ()
    speaks, spoke = when_it_speaks(rule), when_it_speaks(standing_rule) if standing_rule else ()
    return {
        "proposal": proposal,
        "diff": diff_view(before, proposal.version),
        "problems": open_problems(rule) if is_live else (),
        "obstacle": approval_obstacle(proposal, curator=curator),
        "is_open": proposal.state == Proposal.State.OPEN,
        "is_live": is_live,
        "is_own": proposal.version.author_id == curator.pk,
        "speaks": speaks,
        "spoke": spoke,
        "kept": both_say(speaks, spoke),
        "compared": compared,
        "old_numbers": unanswered_figures(standing, proposal.version),
        "previews": () if compared else sample_previews(rule),
        **_dry_run(latest_dry_run(rule_set_with(proposal)) if is_live else None),
    }


def publish_context() -> Context:
    """Return the context of the publishing page: the changes that it would make now."""
    changes = planned_changes()
    return {
        "diffs": diff_views(changes),
        "obstacle": publish_obstacle(changes),
        "approved": approved_proposals(),
        "muted": [each.rule for each in standing_mutes()],
        "release": active_release(),
        **_dry_run(latest_dry_run(next_rule_set()) if changes else None),
    }


def _dry_run(dry_run: DryRun | None) -> Context:
    return {
        "dry_run": dry_run,
        "dry_run_words": changed_words(results_of(dry_run)) if dry_run else "",
        "since": drafts_since(dry_run).count() if dry_run else 0,
    }


def release_context(release: RuleSetRelease) -> Context:
    """Return the context of a rule set: its changes, and those of a rollback to it."""
    earlier = RuleSetRelease.objects.filter(number__lt=release.number).first()
    now = active_release()
    these = versions_of(release)
    changes = changes_between(versions_of(earlier), these) if earlier else ()
    return {
        "release": release,
        "earlier": earlier,
        "diffs": diff_views(changes),
        "back": changes_between(versions_of(now), these) if now else (),
    }
