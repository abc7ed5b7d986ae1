"""Services for members of a study: set up, manage members, start, end."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from coach.accounts.models import Role, User
from coach.accounts.people import hold_policy, let_go_of_policies
from coach.audit.services import record_act
from coach.research.studies.models import (
    ConsentDocument,
    Member,
    Study,
    StudySecret,
)
from coach.research.studies.selectors import changed_weights, weights_now
from coach.rulesets.selectors import active_release
from coach.rulesets.services import let_go_of_pins, move_pins, publish_builtin_rules

_SLUG_LENGTH = 50


@transaction.atomic
def create_study(*, study: Study, lead: User) -> Study:
    """Save a new study; its creator leads it."""
    study.slug, study.created_by = _free_slug(study.title), lead
    study.save()
    StudySecret.objects.create(study=study)
    Member.objects.create(study=study, user=lead, role=Member.Role.LEAD)
    record_act(action="research.study_created", target=study, actor=lead, title=study.title)
    return study


def _free_slug(title: str) -> str:
    base = slugify(title)[:_SLUG_LENGTH] or "study"
    taken = set(Study.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    names = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


@transaction.atomic
def change_study(*, study: Study, actor: User, before: dict[str, Any]) -> None:
    """Save a changed study and log the former values."""
    study.save()
    after = {name: str(getattr(study, name)) for name in before}
    changed = {name: [before[name], after[name]] for name in before if before[name] != after[name]}
    if changed:
        record_act(action="research.study_changed", target=study, actor=actor, changed=changed)


@transaction.atomic
def start_study(*, study: Study, actor: User) -> None:
    """Start a study: people can join, and rules, policy and models are pinned.

    Raises ValidationError without an information sheet, or without groups that may join.
    """
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if held.state != Study.State.DRAFT:
        return
    if not held.documents.exists():
        raise ValidationError(_("Write an information sheet first, so that people can consent."))
    if not held.cohorts.exists():
        raise ValidationError(_("Choose the groups that may take part first."))
    policies = set(held.cohorts.values_list("policy", flat=True))
    if len(policies) > 1:
        raise ValidationError(
            _("These groups show feedback at different times. Choose groups with the same setting.")
        )
    held.state, held.started_at = Study.State.RUNNING, timezone.now()
    held.rule_set = active_release() or publish_builtin_rules()
    held.policy = policies.pop()
    held.weights = weights_now()
    held.save()
    hold_policy(cohorts=held.cohorts.all(), holder=held.holder)
    record_act(
        action="research.study_started",
        target=held,
        actor=actor,
        rule_set=held.rule_set.number,
        policy=held.policy,
    )


@transaction.atomic
def close_study(*, study: Study, actor: User) -> None:
    """Close a study: nobody joins any more, and later takes do not count."""
    now = timezone.now()
    if Study.objects.filter(pk=study.pk, state=Study.State.RUNNING).update(
        state=Study.State.CLOSED, closed_at=now, ends_on=timezone.localdate(now)
    ):
        let_go_of_policies(holder=study.holder)
        let_go_of_pins(holder=study.holder)
        record_act(action="research.study_closed", target=study, actor=actor)


@transaction.atomic
def take_over_newest_rules(*, study: Study, actor: User) -> None:
    """Update the study to the newest rules, for example to silence a muted rule.

    Drafted feedback stays; each exported item names its rule set.
    """
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    before, newest = held.rule_set, active_release()
    if held.state != Study.State.RUNNING or newest is None or before == newest:
        return
    held.rule_set = newest
    held.save(update_fields=["rule_set"])
    move_pins(holder=held.holder, release=newest)
    record_act(
        action="research.rules_taken_over",
        target=held,
        actor=actor,
        before=before.number if before else None,
        after=newest.number,
    )


@transaction.atomic
def take_over_newest_models(*, study: Study, actor: User) -> None:
    """Update the study to this site's models; earlier takes stay as they are.

    The export compares each take with the pins at the time it is made.
    """
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    changed, before = changed_weights(held), held.weights
    if held.state != Study.State.RUNNING or not changed:
        return
    held.weights = weights_now()
    held.save(update_fields=["weights"])
    record_act(
        action="research.models_taken_over",
        target=held,
        actor=actor,
        before={name: before[name] for name in changed},
        after={name: held.weights.get(name, "") for name in changed},
    )


@transaction.atomic
def unblind_study(*, study: Study, actor: User) -> None:
    """Reveal to all members which letter is which condition. This cannot be undone."""
    if Study.objects.filter(pk=study.pk, unblinded_at=None).update(unblinded_at=timezone.now()):
        record_act(action="research.study_unblinded", target=study, actor=actor)


@transaction.atomic
def set_member(*, study: Study, email: str, role: str, actor: User) -> None:
    """Give a researcher a role. Raises ValidationError for other users."""
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None or not user.has_role(Role.RESEARCHER):
        words = _(
            "No researcher uses this address. An administrator of this site can give "
            "someone that role."
        )
        raise ValidationError({"email": words})
    before = Member.objects.filter(study=study, user=user).first()
    _keep_a_lead(study, without=before if role != Member.Role.LEAD else None)
    Member.objects.update_or_create(study=study, user=user, defaults={"role": role})
    record_act(
        action="research.member_set",
        target=study,
        actor=actor,
        person=user.pk,
        before=before.role if before else "",
        after=role,
    )


@transaction.atomic
def remove_member(*, member: Member, actor: User) -> None:
    """Remove a member. Raises ValidationError for the last lead."""
    _keep_a_lead(member.study, without=member)
    record_act(
        action="research.member_removed",
        target=member.study,
        actor=actor,
        person=member.user_id,
        before=member.role,
    )
    member.delete()


def _keep_a_lead(study: Study, *, without: Member | None) -> None:
    leads = Member.objects.select_for_update().filter(study=study, role=Member.Role.LEAD)
    if without is not None and {each.pk for each in leads} == {without.pk}:
        raise ValidationError(_("A study needs a lead. Make someone else the lead first."))


@transaction.atomic
def write_sheets(
    *,
    study: Study,
    scopes: Sequence[str],
    language: str,
    text: str,
    is_material: bool,
    actor: User,
) -> list[ConsentDocument]:
    """Save one information sheet for several scopes: each scope has a version with its text."""
    return [
        write_sheet(
            study=study,
            scope=scope,
            language=language,
            text=text,
            is_material=is_material,
            actor=actor,
        )
        for scope in scopes
    ]


@transaction.atomic
def write_sheet(
    *, study: Study, scope: str, language: str, text: str, is_material: bool, actor: User
) -> ConsentDocument:
    """Save a new version of an information sheet; earlier ones stay unchanged."""
    text = text.replace("\r\n", "\n").strip() + "\n"
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    of_scope = ConsentDocument.objects.filter(study=study, scope=scope)
    last = of_scope.filter(language=language).aggregate(last=Max("version"))["last"] or 0
    others = of_scope.aggregate(last=Max("version"))["last"] or 0
    # A translation of an existing version has its number.
    version = others if last < others else last + 1
    sheet = ConsentDocument.objects.create(
        study=study,
        scope=scope,
        language=language,
        version=version,
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        is_material=is_material,
        created_by=actor,
    )
    record_act(
        action="research.sheet_written",
        target=sheet,
        actor=actor,
        scope=scope,
        version=version,
        language=language,
        sha256=sheet.sha256,
    )
    return sheet
