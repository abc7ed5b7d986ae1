"""Services for people's own settings, consents and legal holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.metrics import PROFILE_FAMILIES
from coach.accounts.models import Consent, Language, LegalHold, Purpose, User
from coach.accounts.profile import Manner, Profile
from coach.accounts.purposes import current_text, current_version, least_version
from coach.audit.services import record_act


@transaction.atomic
def give_consent(*, user: User, purpose: Purpose, is_answer: bool = False) -> Consent:
    """Record a consent; giving it twice changes nothing.

    A valid consent to an earlier wording stays as it is; answering the question itself
    (`is_answer`) accepts the current wording.
    """
    version = current_version(purpose)
    least = version if is_answer else least_version(purpose)
    standing = Consent.objects.filter(user=user, purpose=purpose, withdrawn_at=None)
    standing.filter(version__lt=least).update(withdrawn_at=timezone.now())
    consent, created = Consent.objects.get_or_create(
        user=user,
        purpose=purpose,
        withdrawn_at=None,
        defaults={
            "version": version,
            "text": current_text(purpose),
            "language": get_language() or "",
        },
    )
    if created:
        record_act(
            action="accounts.consent_given",
            target=consent,
            actor=user,
            purpose=purpose,
            version=version,
        )
    return consent


@transaction.atomic
def withdraw_consent(*, user: User, purpose: Purpose) -> None:
    """Withdraw a consent; later exports leave the person out."""
    standing = Consent.objects.filter(user=user, purpose=purpose, withdrawn_at=None)
    for consent in standing:
        consent.withdrawn_at = timezone.now()
        consent.save(update_fields=["withdrawn_at"])
        record_act(action="accounts.consent_withdrawn", target=consent, actor=user, purpose=purpose)


@transaction.atomic
def set_disabled_families(*, user: User, families: Collection[str]) -> None:
    """Set the families of measures to leave out of later analyses. Raises ValidationError."""
    unknown = set(families) - PROFILE_FAMILIES.keys()
    if unknown:
        raise ValidationError(
            _("This measure does not exist: %(names)s.") % {"names": ", ".join(sorted(unknown))}
        )
    user.disabled_families = sorted(families)
    user.save(update_fields=["disabled_families"])
    record_act(action="accounts.families_changed", target=user, actor=user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The preferences in a profile, as its person sets them."""

    respects: tuple[str, ...] = ()
    coach_may_know: bool = False
    one_item: bool = False
    coach_first: bool = False
    gentle: bool = False
    reflects_first: bool = True
    manner: str = Manner.USUAL


@transaction.atomic
def set_wishes(*, user: User, wishes: Wishes) -> Profile:
    """Save the person's preferences; those on analysis apply from the next rehearsal.

    The log says that they changed, never to what. Raises ValidationError.
    """
    said = {**asdict(wishes), "respects": sorted(wishes.respects)}
    profile = Profile(user=user, **said)
    profile.full_clean(validate_unique=False)
    Profile.objects.update_or_create(user=user, defaults=said)
    record_act(action="accounts.profile_changed", target=user, actor=user)
    return profile


@transaction.atomic
def set_shortcuts(*, user: User, keys: Mapping[str, str]) -> None:
    """Save a person's own keys by action; checked by `chosen_keys`."""
    _keep_shortcuts(user, {**user.shortcuts, "keys": dict(keys)})


@transaction.atomic
def switch_shortcuts(*, user: User, are_on: bool) -> None:
    """Switch single-key shortcuts on or off for this person, on all devices."""
    _keep_shortcuts(user, {**user.shortcuts, "off": not are_on})


def _keep_shortcuts(user: User, kept: dict[str, object]) -> None:
    before, user.shortcuts = user.shortcuts, kept
    user.save(update_fields=["shortcuts"])
    record_act(action="accounts.keys_changed", target=user, actor=user, before=before, after=kept)


def set_language(*, user: User, language: Language) -> None:
    """Set the language of the person's pages and emails."""
    user.language = language
    user.save(update_fields=["language"])


@transaction.atomic
def end_other_sign_ins(*, user: User) -> None:
    """End the person's sessions everywhere; the calling session renews itself."""
    user.sign_in_round += 1
    user.save(update_fields=["sign_in_round"])
    record_act(action="accounts.signed_out_elsewhere", target=user, actor=user)


@transaction.atomic
def set_hold(*, hold: LegalHold, actor: User) -> None:
    """Set a legal hold on a person or a cohort, which stops all deletion of their data.

    Raises ValidationError.
    """
    hold.set_by = actor
    hold.full_clean()
    hold.save()
    record_act(
        action="accounts.hold_set", target=hold.user or hold.cohort, actor=actor, reason=hold.reason
    )


@transaction.atomic
def lift_hold(*, hold: LegalHold, actor: User) -> None:
    """Lift a legal hold; retention periods apply again, and those concerned are warned
    before a deletion.
    """
    if LegalHold.objects.filter(pk=hold.pk, lifted_at=None).update(lifted_at=timezone.now()):
        record_act(action="accounts.hold_lifted", target=hold.user or hold.cohort, actor=actor)
