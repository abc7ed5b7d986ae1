"""Reading the studio's rows: the working copy, proposals, mutes, and whose takes may be shown."""

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
    """One rule as it stands now: what speaks, what is proposed, whether it is muted."""

    rule: str
    active: RuleVersion | None
    approved: Proposal | None
    open: Proposal | None
    mute: Mute | None

    @property
    def newest(self) -> RuleVersion:
        """What an edit starts from: the newest version that still counts."""
        live = [each.version for each in (self.open, self.approved) if each is not None]
        standing = self.active or (self.mute.version if self.mute else None)
        found = [*live, *([standing] if standing else [])]
        return max(found, key=lambda version: version.number)


def working_rules() -> dict[str, WorkingRule]:
    """Every rule of the working copy, by id."""
    release = active_release()
    active = versions_of(release) if release else {}
    return _working(active, live=live_proposals(), muted=standing_mutes())


def working_rule(rule: str) -> WorkingRule | None:
    """One rule of the working copy; nothing is read of the others."""
    release = active_release()
    version = version_in(release, rule) if release else None
    live, muted = live_proposals().filter(rule=rule), standing_mutes().filter(rule=rule)
    return _working({rule: version} if version else {}, live=live, muted=muted).get(rule)


def newest_version(rule: str) -> RuleVersion | None:
    """What a change begins with; of a rule that went out of use its last version."""
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
    """Open and approved ones, newest first."""
    return Proposal.objects.filter(state__in=LIVE).select_related("version", "version__base")


def standing_mutes() -> QuerySet[Mute]:
    """The mutes that nobody has lifted."""
    return Mute.objects.filter(lifted_at=None).select_related("version")


def rule_set_with(proposal: Proposal) -> RuleSet:
    """The active rules with one proposed version in its place: what a dry run compares with."""
    return _rule_set({proposal.rule: proposal.version})


def next_rule_set() -> RuleSet:
    """The rules as publishing would make them now."""
    return _rule_set({rule: each.version for rule, each in approved_proposals().items()})


def proposals_among(versions: Mapping[str, int]) -> list[Proposal]:
    """The live proposals whose versions are among these, given by rule."""
    return [each for each in live_proposals() if versions.get(each.rule) == each.version.number]


def returned_to(author: User) -> list[Proposal]:
    """What was sent back to its author, who has not proposed anything newer for the rule."""
    newer = RuleVersion.objects.filter(
        rule=OuterRef("rule"), number__gt=OuterRef("version__number")
    )
    return list(
        Proposal.objects.filter(
            ~Exists(newer), state=Proposal.State.SENT_BACK, version__author=author
        ).select_related("version")
    )


def approved_proposals() -> dict[str, Proposal]:
    """What the next release takes up, by rule; a muted rule stays out until it is unmuted."""
    muted = {each.rule for each in standing_mutes()}
    approved = live_proposals().filter(state=Proposal.State.APPROVED)
    return {each.rule: each for each in approved if each.rule not in muted}


def next_versions() -> dict[str, RuleVersion]:
    """The versions that publishing would put together, by rule."""
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
    """Everybody who may approve."""
    return User.objects.filter(is_active=True, roles__contains=[Role.CURATOR])


def may_approve_alone() -> bool:
    """Whether the site named a waiting time, and has one curator only."""
    return settings.SINGLE_CURATOR_WAIT_HOURS > 0 and curators().count() <= 1


def preview_runs_for(curator: User) -> QuerySet[Run]:
    """Analyses on which a card may be tried: one's own, and those whose owner agreed to it."""
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
