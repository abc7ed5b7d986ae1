"""Services to publish approved changes, roll back to an earlier release, and mute rules."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.curation.approval_checks import open_problems
from coach.curation.dry_runs.selectors import latest_dry_run
from coach.curation.figures import figure_obstacle
from coach.curation.models import Mute, Proposal
from coach.curation.selectors import (
    approved_proposals,
    curators,
    next_rule_set,
    next_versions,
    standing_mutes,
)
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import active_release, rule_of, versions_of
from coach.rulesets.services import publish_release

_MUTING = (RuleSetRelease.Kind.MUTED, RuleSetRelease.Kind.UNMUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """A rule's versions before and after a release."""

    rule: str
    before: RuleVersion | None
    after: RuleVersion | None


def changes_between(
    before: dict[str, RuleVersion], after: dict[str, RuleVersion]
) -> tuple[RuleChange, ...]:
    """Return the differences between two sets of versions, by rule."""
    return tuple(
        RuleChange(rule=rule, before=before.get(rule), after=after.get(rule))
        for rule in sorted({*before, *after})
        if before.get(rule) != after.get(rule)
    )


def planned_changes() -> tuple[RuleChange, ...]:
    """Return the changes that publishing would make now."""
    release = active_release()
    return changes_between(versions_of(release) if release else {}, next_versions())


def _problems_of(change: RuleChange) -> tuple[str, ...]:
    if change.after is None:
        return ()
    figure = figure_obstacle(change.before, change.after)
    return (*open_problems(rule_of(change.after)), *((figure,) if figure else ()))


def publish_obstacle(changes: tuple[RuleChange, ...]) -> str:
    """Return why publishing is impossible now, or an empty string."""
    if not changes:
        return _("There are no approved changes to publish.")
    if latest_dry_run(next_rule_set()) is None:
        return _("Start a dry run first, to see what these rules would change.")
    for change in changes:
        problems = _problems_of(change)
        if problems:
            return _("%(version)s: %(problem)s") % {
                "version": change.after,
                "problem": problems[0],
            }
    return ""


@transaction.atomic
def publish_approved(*, curator: User, seen: tuple[int, ...], note: str = "") -> RuleSetRelease:
    """Publish all approved versions as the next rule set. Raises ValidationError.

    `seen`: ids of the versions on the page; if the approved ones have changed, it raises.
    """
    active = _active_held()
    approved = approved_proposals()
    if sorted(each.version_id for each in approved.values()) != sorted(seen):
        raise ValidationError(
            _(
                "The approved changes are different from when this page was opened. Please "
                "check them again."
            )
        )
    obstacle = publish_obstacle(planned_changes())
    if obstacle:
        raise ValidationError(obstacle)
    versions = versions_of(active) | {rule: each.version for rule, each in approved.items()}
    release = publish_release(
        versions=versions.values(), kind=RuleSetRelease.Kind.PUBLISHED, actor=curator, note=note
    )
    for proposal in approved.values():
        proposal.state = Proposal.State.PUBLISHED
        proposal.published_in = release
        proposal.save(update_fields=["state", "published_in"])
    return release


def needs_second_curator(release: RuleSetRelease, curator: User) -> bool:
    """Return whether another curator must use this release again.

    One curator may go back at once, as an emergency brake. Bringing back later rules is no
    emergency, so it takes somebody else, as publishing does, if the site has two curators.
    """
    changed = RuleSetRelease.objects.exclude(kind__in=_MUTING)
    last = changed.select_related("restores").order_by("-number").first()
    if last is None or last.restores is None or last.published_by_id != curator.pk:
        return False
    return release.number > last.restores.number and curators().count() > 1


@transaction.atomic
def roll_back(*, release: RuleSetRelease, curator: User, why: str) -> RuleSetRelease:
    """Publish the documents of an earlier release again. Raises ValidationError.

    A muted rule stays out: lifting the mute then restores its document of that release.
    """
    active = _active_held()
    if not why.strip():
        raise ValidationError(_("Give a reason in one sentence. Other curators will read it."))
    if needs_second_curator(release, curator):
        raise ValidationError(
            _("You went back from these rules. Another curator must bring them back.")
        )
    wanted = versions_of(release)
    for mute in standing_mutes().select_for_update(of=("self",)):
        if mute.rule in wanted:
            mute.version = wanted.pop(mute.rule)
            mute.save(update_fields=["version"])
    if wanted == versions_of(active):
        raise ValidationError(
            _("The rules in use are already those of that set, except for muted rules.")
            if len(wanted) < len(release.documents)
            else _("The rules in use are already those of that set.")
        )
    made = publish_release(
        versions=wanted.values(),
        kind=RuleSetRelease.Kind.ROLLED_BACK,
        actor=curator,
        restores=release,
        note=why.strip(),
    )
    record_act(action="curation.rolled_back", target=made, actor=curator, restores=release.number)
    return made


@transaction.atomic
def mute_rule(*, rule: str, curator: User, why: str) -> RuleSetRelease:
    """Silence a rule at once, with a new rule set without it. Raises ValidationError."""
    if not why.strip():
        raise ValidationError(_("Give a reason in one sentence. Other curators will read it."))
    versions = versions_of(_active_held())
    version = versions.pop(rule, None)
    if version is None:
        raise ValidationError(_("This rule gives no cards now, so there is nothing to mute."))
    if not versions:
        raise ValidationError(_("The last rule cannot be muted."))
    mute = Mute.objects.create(
        rule=rule, version=version, muted_by=curator, muted_by_name=str(curator), why=why.strip()
    )
    record_act(action="curation.muted", target=mute, actor=curator, rule=rule)
    return publish_release(
        versions=versions.values(),
        kind=RuleSetRelease.Kind.MUTED,
        actor=curator,
        note=f"{rule}: {why.strip()}",
    )


@transaction.atomic
def unmute_rule(*, rule: str, curator: User) -> RuleSetRelease:
    """Put a muted rule back into use, in its muted version. Raises ValidationError."""
    active = _active_held()
    mute = standing_mutes().select_for_update(of=("self",)).filter(rule=rule).first()
    if mute is None:
        raise ValidationError(_("This rule is not muted."))
    mute.lifted_at = timezone.now()
    mute.lifted_by = curator
    mute.lifted_by_name = str(curator)
    mute.save()
    record_act(action="curation.unmuted", target=mute, actor=curator, rule=rule)
    versions = versions_of(active) | {rule: mute.version}
    return publish_release(
        versions=versions.values(),
        kind=RuleSetRelease.Kind.UNMUTED,
        actor=curator,
        note=rule,
    )


def _active_held() -> RuleSetRelease:
    """Return the active release, locked until the transaction ends. Raises ValidationError."""
    active = RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    if active is None:
        raise ValidationError(_("There is no rule set yet. The first start publishes one."))
    return active
