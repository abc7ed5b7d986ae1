"""Queries for the studio: working copy, proposals, mutes, and takes for previews."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from coach.accounts.models import Purpose, Role, User
from coach.accounts.selectors import consents_that_count
from coach.curation.models import Mute, Proposal
from coach.feedback.models import Run
from coach.rehearsals.kinds import Kind
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import active_release, rule_of, version_in, versions_of
from feedback_rules.model import RuleSet

LIVE = (Proposal.State.OPEN, Proposal.State.APPROVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingRule:
    """The current state of a rule: its version in use, proposals and mute."""

    rule: str
    active: RuleVersion | None
    approved: Proposal | None
    open: Proposal | None
    mute: Mute | None

    @property
    def newest(self) -> RuleVersion:
        """The newest version in use or proposed, from which an edit starts."""
        live = [each.version for each in (self.open, self.approved) if each is not None]
        standing = self.active or (self.mute.version if self.mute else None)
        found = [*live, *([standing] if standing else [])]
        return max(found, key=lambda version: version.number)


def working_rules() -> dict[str, WorkingRule]:
    """Return all rules of the working copy, by id."""
    release = active_release()
    active = versions_of(release) if release else {}
    return _working(active, live=live_proposals(), muted=standing_mutes())


def working_rule(rule: str) -> WorkingRule | None:
    """Return one rule of the working copy without loading the others, or None."""
    release = active_release()
    version = version_in(release, rule) if release else None
    live, muted = live_proposals().filter(rule=rule), standing_mutes().filter(rule=rule)
    return _working({rule: version} if version else {}, live=live, muted=muted).get(rule)


def newest_version(rule: str) -> RuleVersion | None:
    """Return the version that an edit starts from, the last one of an unused rule, or None."""
    working = working_rule(rule)
    if working is not None:
        return working.newest
    return RuleVersion.objects.filter(rule=rule).order_by("-number").first()


def _working(
    active: dict[str, RuleVersion], *, live: QuerySet[Proposal], muted: QuerySet[Mute]
) -> dict[str, WorkingRule]:
    mutes = {each.rule: each for each in muted}
    proposed = list(live)
    open_ones = {each.rule: each for each in proposed if each.state == Proposal.State.OPEN}
    approved = {each.rule: each for each in proposed if each.state == Proposal.State.APPROVED}
    return {
        rule: WorkingRule(
            rule=rule,
            active=active.get(rule),
            approved=approved.get(rule),
            open=open_ones.get(rule),
            mute=mutes.get(rule),
        )
        for rule in sorted({*active, *mutes, *open_ones, *approved})
    }


def live_proposals() -> QuerySet[Proposal]:
    """Return open and approved proposals, newest first."""
    return Proposal.objects.filter(state__in=LIVE).select_related("version", "version__base")


def standing_mutes() -> QuerySet[Mute]:
    """Return the mutes that are not lifted."""
    return Mute.objects.filter(lifted_at=None).select_related("version")


def rule_set_with(proposal: Proposal) -> RuleSet:
    """Return the active rules with one proposed version, for a dry run."""
    return _rule_set({proposal.rule: proposal.version})


def next_rule_set() -> RuleSet:
    """Return the rules that publishing would put into use now."""
    return _rule_set({rule: each.version for rule, each in approved_proposals().items()})


def proposals_among(versions: Mapping[str, int]) -> list[Proposal]:
    """Return the live proposals whose version numbers are in this mapping by rule."""
    return [each for each in live_proposals() if versions.get(each.rule) == each.version.number]


def returned_to(author: User) -> list[Proposal]:
    """Return the author's returned proposals without a newer version of the rule."""
    newer = RuleVersion.objects.filter(
        rule=OuterRef("rule"), number__gt=OuterRef("version__number")
    )
    return list(
        Proposal.objects.filter(
            ~Exists(newer), state=Proposal.State.SENT_BACK, version__author=author
        ).select_related("version")
    )


def approved_proposals() -> dict[str, Proposal]:
    """Return the proposals for the next release by rule, except those of muted rules."""
    muted = {each.rule for each in standing_mutes()}
    approved = live_proposals().filter(state=Proposal.State.APPROVED)
    return {each.rule: each for each in approved if each.rule not in muted}


def next_versions() -> dict[str, RuleVersion]:
    """Return the versions that publishing would put into use, by rule."""
    release = active_release()
    standing = versions_of(release) if release else {}
    return standing | {rule: each.version for rule, each in approved_proposals().items()}


def _rule_set(changed: dict[str, RuleVersion]) -> RuleSet:
    release = active_release()
    standing = versions_of(release) if release else {}
    versions = standing | changed
    rules = tuple(rule_of(versions[rule]) for rule in sorted(versions))
    return RuleSet(number=(release.number if release else 0) + 1, rules=rules)


def curators() -> QuerySet[User]:
    """Return the active users who may approve proposals."""
    return User.objects.filter(is_active=True, roles__contains=[Role.CURATOR])


def may_approve_alone() -> bool:
    """Return whether the site has a single curator and a waiting time for this case."""
    return settings.SINGLE_CURATOR_WAIT_HOURS > 0 and curators().count() <= 1


def preview_runs_for(curator: User) -> QuerySet[Run]:
    """Return the analyses for previews: the curator's own, and those with consent."""
    agreed = Q(
        rehearsal__owner__consents__in=consents_that_count(Purpose.RULE_PREVIEW),
    )
    own = Q(rehearsal__owner=curator)
    return (
        Run.objects.filter(own | agreed, rehearsal__kind=Kind.TAKE, state=Run.State.DONE)
        .filter(report__isnull=False)
        .distinct()
        .select_related("rehearsal")
    )
