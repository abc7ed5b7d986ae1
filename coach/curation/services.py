"""Services to propose changes to rules and to decide on them."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.curation.figures import figure_obstacle, keep_figures
from coach.curation.models import Mute, Proposal
from coach.curation.selectors import (
    LIVE,
    WorkingRule,
    curators,
    may_approve_alone,
    working_rule,
    working_rules,
)
from coach.curation.trials import COACHES_FIRST, with_decider
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import FORMER_CURATOR
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import rule_of
from coach.rulesets.services import content_digest, publish_builtin_rules, store_version
from feedback_rules.explain import problems_of
from feedback_rules.model import Rule

_RULE_ID = re.compile(r"[A-Z]{3}[0-9]{3}")
_FIRST_NUMBER, _AFTER_NUMBERS = 101, 1000


class EditedMeanwhile(Exception):
    """An error: another version was saved since this edit began; nothing was stored."""

    def __init__(self, newest: RuleVersion) -> None:
        super().__init__(str(newest))
        self.newest = newest


@transaction.atomic
def propose_change(
    *,
    rule: Rule,
    base: RuleVersion | None,
    author: User | None,
    why: str,
    origin: RuleVersion.Origin = RuleVersion.Origin.STUDIO,
    figures_kept: Collection[str] = (),
) -> Proposal:
    """Store a new version and propose it. Raises EditedMeanwhile, ValidationError.

    `base` is the version that the edit began from. If it is no longer the newest, nothing is
    stored and the caller can show both.
    """
    lock_rules()
    working = working_rule(rule.id)
    newest = working.newest if working else None
    if newest is not None and (base is None or base.pk != newest.pk):
        raise EditedMeanwhile(newest)
    if newest is not None and newest.digest == content_digest(rule):
        raise ValidationError(_("Nothing was changed, so there is nothing to propose."))
    version = store_version(rule=rule, origin=origin, author=author, why=why, base=base)
    proposal = _proposed(version, author)
    if figures_kept and author is not None:
        keep_figures(proposal=proposal, curator=author, texts=figures_kept)
    return proposal


def lock_rules() -> None:
    """Lock the active release, so that proposals and releases are made one after another."""
    RuleSetRelease.objects.select_for_update().filter(is_active=True).first()


def _proposed(version: RuleVersion, author: User | None) -> Proposal:
    Proposal.objects.filter(rule=version.rule, state=Proposal.State.OPEN).update(
        state=Proposal.State.REPLACED, decided_at=timezone.now()
    )
    proposal = Proposal.objects.create(rule=version.rule, version=version)
    record_act(
        action="curation.proposed",
        target=proposal,
        actor=author,
        rule=version.rule,
        version=version.number,
    )
    return proposal


def begin_rule(*, version: RuleVersion, rule_id: str, author: User) -> Proposal:
    """Propose a new rule as a silent copy of another one. Raises ValidationError."""
    _check_new_id(rule_id)
    # Documents are permanent: a person's name in one would outlive the account. A version's author
    # has a column of its own.
    copied = rule_of(version).model_copy(
        update={"id": rule_id, "version": 1, "status": "draft", "author": _("The curators here")}
    )
    why = _("Started as a copy of %(version)s.") % {"version": version}
    return propose_change(rule=copied, base=None, author=author, why=why)


def propose_new_rule(*, rule: Rule, author: User) -> Proposal:
    """Propose a rule that was written from scratch. Raises ValidationError."""
    _check_new_id(rule.id)
    return propose_change(rule=rule, base=None, author=author, why=_("A new rule."))


def _check_new_id(rule_id: str) -> None:
    taken = RuleVersion.objects.filter(rule=rule_id).exists()
    if taken or not _RULE_ID.fullmatch(rule_id):
        raise ValidationError(
            _(
                "A new rule needs an unused id of three capital letters and three digits, for "
                "example ABC123."
            )
        )


def free_rule_id(letters: str) -> str:
    """Return an unused id with these letters; those of built-in rules are below 101."""
    taken = set(RuleVersion.objects.filter(rule__startswith=letters).values_list("rule", flat=True))
    ids = (f"{letters}{number}" for number in range(_FIRST_NUMBER, _AFTER_NUMBERS))
    return next((each for each in ids if each not in taken), "")


@transaction.atomic
def propose_to_retire(*, rule: str, base: int | None, author: User, why: str) -> Proposal:
    """Propose to retire a rule. Raises EditedMeanwhile, ValidationError.

    `base` is the version number on the curator's page. An open change has to be decided on by the
    curators first, because retiring would include it unseen.
    """
    if not why:
        raise ValidationError(
            _("Say in one sentence why you retire this rule. The second curator will read it.")
        )
    newest = _undisputed(rule, base)
    retired = rule_of(newest).model_copy(update={"status": "retired"})
    return propose_change(rule=retired, base=newest, author=author, why=why)


@transaction.atomic
def propose_decider(*, rule: str, base: int | None, author: User, decided_by: str) -> Proposal:
    """Propose who decides on the cards of a rule: to start or to end a trial with coaches only.

    Raises EditedMeanwhile, ValidationError.
    """
    newest = _undisputed(rule, base)
    changed = with_decider(rule_of(newest), decided_by)
    if problems_of(changed):
        raise ValidationError(
            _("The checks of the rule would not pass. Change “Who decides” in the editor.")
        )
    is_trial = decided_by == COACHES_FIRST
    why = _("Start a trial with coaches only.") if is_trial else _("End the trial.")
    return propose_change(rule=changed, base=newest, author=author, why=why)


def _undisputed(rule: str, base: int | None) -> RuleVersion:
    """Return the newest version of a rule without an open change, with the rules locked.

    Raises EditedMeanwhile, ValidationError.
    """
    lock_rules()
    working = working_rule(rule)
    if working is None or working.newest.document["status"] == "retired":
        raise ValidationError(_("This rule is already retired."))
    if working.open is not None:
        raise ValidationError(_("A change to this rule is already proposed. Decide on it first."))
    if working.newest.number != base:
        raise EditedMeanwhile(working.newest)
    return working.newest


def approval_obstacle(proposal: Proposal, *, curator: User) -> str:
    """Return why this curator may not approve the proposal now, or an empty string."""
    if proposal.state != Proposal.State.OPEN:
        return _("This proposal has already been decided.")
    if not curators().filter(pk=curator.pk).exists():
        return _("Only curators can decide on rules.")
    if proposal.version.author_id == curator.pk:
        return _own_obstacle(proposal)
    return _rule_obstacle(proposal)


def _rule_obstacle(proposal: Proposal) -> str:
    """Return the rule's first remaining problem, or an empty string."""
    if problems_of(rule_of(proposal.version)):
        return _("It can be approved once its cases and texts pass.")
    working = working_rule(proposal.rule)
    return figure_obstacle(working.active if working else None, proposal.version)


def _own_obstacle(proposal: Proposal) -> str:
    if not may_approve_alone() and curators().count() <= 1:
        return _(
            "You wrote this, and you are the only curator. Ask an administrator to add "
            "another curator, who can then approve it."
        )
    if not may_approve_alone():
        return _("You wrote this, so another curator has to approve it.")
    ready = alone_from(proposal)
    if timezone.now() < ready:
        return _("You are the only curator here. You can approve it from %(time)s.") % {
            "time": date_words(ready)
        }
    return _rule_obstacle(proposal)


def alone_from(proposal: Proposal) -> datetime:
    """Return when a single curator may approve their own proposal."""
    return proposal.created_at + timedelta(hours=settings.SINGLE_CURATOR_WAIT_HOURS)


@transaction.atomic
def approve_proposal(*, proposal: Proposal, curator: User) -> Proposal:
    """Approve another curator's change. Raises ValidationError."""
    lock_rules()
    proposal = _held(proposal)
    obstacle = approval_obstacle(proposal, curator=curator)
    if obstacle:
        raise ValidationError(obstacle)
    Proposal.objects.filter(rule=proposal.rule, state=Proposal.State.APPROVED).update(
        state=Proposal.State.REPLACED
    )
    return _decided(proposal, Proposal.State.APPROVED, curator, "curation.approved")


@transaction.atomic
def send_back(*, proposal: Proposal, curator: User, reason: str) -> Proposal:
    """Return a change to its author with a reason. Raises ValidationError."""
    if not reason.strip():
        raise ValidationError(_("Say what the author should change."))
    lock_rules()
    proposal = _held(proposal)
    if proposal.state not in LIVE:
        raise ValidationError(_("This proposal has already been decided."))
    proposal.reason = reason.strip()
    return _decided(proposal, Proposal.State.SENT_BACK, curator, "curation.sent_back")


@transaction.atomic
def withdraw_proposal(*, proposal: Proposal, curator: User) -> Proposal:
    """Withdraw the curator's own change. Raises ValidationError."""
    lock_rules()
    proposal = _held(proposal)
    if proposal.state not in LIVE or proposal.version.author_id != curator.pk:
        raise ValidationError(
            _("Only the author can withdraw a change, and only before it is published.")
        )
    return _decided(proposal, Proposal.State.WITHDRAWN, curator, "curation.withdrawn")


def _held(proposal: Proposal) -> Proposal:
    return (
        Proposal.objects.select_for_update(of=("self",))
        .select_related("version")
        .get(pk=proposal.pk)
    )


def _decided(proposal: Proposal, state: Proposal.State, curator: User, action: str) -> Proposal:
    proposal.state = state
    proposal.decided_by = curator
    proposal.decided_by_name = str(curator)
    proposal.decided_at = timezone.now()
    proposal.save()
    record_act(
        action=action,
        target=proposal,
        actor=curator,
        rule=proposal.rule,
        version=proposal.version.number,
    )
    return proposal


@transaction.atomic
def take_up_builtin_rules() -> list[Proposal]:
    """After an upgrade, publish unchanged built-in rules and propose the others.

    An open change of a curator is never replaced: the built-in version waits for the decision.
    """
    publish_builtin_rules()
    working = working_rules()
    newest: dict[str, RuleVersion] = {}
    for version in RuleVersion.objects.filter(origin=RuleVersion.Origin.BUILTIN).order_by("number"):
        newest[version.rule] = version
    return [
        _proposed(version, None)
        for version in newest.values()
        if version.rule in working and _is_news(version, working[version.rule])
    ]


def _is_news(version: RuleVersion, working: WorkingRule) -> bool:
    """Return whether a version was never released, proposed or in use here."""
    if working.open is not None or version == working.active:
        return False
    if Proposal.objects.filter(version=version).exists():
        return False
    named = [{"id": version.rule, "version": version.number}]
    return not RuleSetRelease.objects.filter(documents__contains=named).exists()


def erase_for(user: User) -> int:
    """Remove a user's name from rules, proposals, mutes and releases. Return the row count."""
    former = FORMER_CURATOR
    changed = RuleVersion.objects.filter(author=user).update(author=None, author_name=former)
    changed += Proposal.objects.filter(decided_by=user).update(
        decided_by=None, decided_by_name=former
    )
    changed += Mute.objects.filter(muted_by=user).update(muted_by=None, muted_by_name=former)
    changed += Mute.objects.filter(lifted_by=user).update(lifted_by=None, lifted_by_name=former)
    return changed + RuleSetRelease.objects.filter(published_by=user).update(
        published_by=None, published_by_name=former
    )
