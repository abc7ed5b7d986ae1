"""Reading people: the only door to who may see whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django_stubs_ext import WithAnnotations

from coach.accounts.models import (
    Cohort,
    Consent,
    LegalHold,
    Membership,
    Policy,
    PolicyPin,
    Purpose,
    Role,
    User,
)
from coach.accounts.profile import Profile
from coach.accounts.purposes import current_version, is_ever_reworded, least_version
from coach.lib.words.dates import written


def cohorts_as(user: User, *, role: Role) -> list[Cohort]:
    """The cohorts in which the person has this part."""
    return list(
        Cohort.objects.filter(memberships__user=user, memberships__role=role).order_by("pk")
    )


def is_last_administrator(user: User) -> bool:
    """Whether nobody is left to keep people and cohorts once this person is gone."""
    return user.is_staff and are_all_administrators([user])


def are_all_administrators(people: Iterable[User]) -> bool:
    """Whether some of these keep people and cohorts, and nobody else does."""
    keys = {person.pk for person in people if person.is_staff}
    others = User.objects.filter(is_staff=True, is_active=True).exclude(pk__in=keys)
    return bool(keys) and not others.exists()


def ways_to_recordings(
    *, roles: Collection[str], coaches_in: Iterable[int], is_active: bool
) -> frozenset[str]:
    """Return what lets an administrator open other people's recordings; empty for anybody else."""
    if Role.ADMINISTRATOR not in roles or not is_active:
        return frozenset()
    groups = {f"cohort:{key}" for key in coaches_in} if Role.COACH in roles else set()
    return frozenset(groups | ({"research"} if Role.RESEARCHER in roles else set()))


def ways_of(person: User) -> frozenset[str]:
    """Return the same of a person as they are stored."""
    coached = Membership.objects.filter(user=person, role=Role.COACH)
    return ways_to_recordings(
        roles=person.roles,
        coaches_in=coached.values_list("cohort", flat=True),
        is_active=person.is_active,
    )


def profile_of(user: User) -> Profile:
    """What the person wishes; the usual where they never said anything."""
    try:
        return user.profile
    except Profile.DoesNotExist:
        return Profile(user=user)


def consents_that_count(purpose: Purpose) -> QuerySet[Consent]:
    """Everybody's consents to this purpose that hold now: not taken back, and to no less than is
    asked now."""
    return Consent.objects.filter(
        purpose=purpose, withdrawn_at=None, version__gte=least_version(purpose)
    )


def has_consent(user: User, *, purpose: Purpose) -> bool:
    """Whether the person's consent to this purpose holds."""
    return consents_that_count(purpose).filter(user=user).exists()


def consents_to_renew(user: User) -> list[Consent]:
    """What the person agreed to in an earlier wording; nothing is looked up where none changed."""
    if not is_ever_reworded():
        return []
    standing = Consent.objects.filter(user=user, withdrawn_at=None).order_by("given_at", "pk")
    return [each for each in standing if each.version < current_version(Purpose(each.purpose))]


def standing_consents(user: User) -> dict[str, Consent]:
    """The consents that stand, by purpose."""
    return {each.purpose: each for each in Consent.objects.filter(user=user, withdrawn_at=None)}


def consents_of(user: User) -> QuerySet[Consent]:
    """Everything that a person ever agreed to, newest first."""
    return Consent.objects.filter(user=user).order_by("-given_at", "-pk")


def standing_holds() -> QuerySet[LegalHold]:
    """The holds that stand."""
    return LegalHold.objects.filter(lifted_at=None)


def hold_on(user: User) -> LegalHold | None:
    """Why nothing of a person may be deleted now: a hold on them, or on a cohort of theirs."""
    theirs = Q(user=user) | Q(cohort__memberships__user=user)
    return standing_holds().filter(theirs).order_by("set_at").first()


def hold_words(user: User) -> str:
    """That nothing of theirs can be deleted now, and why; empty where it can."""
    hold = hold_on(user)
    if hold is None:
        return ""
    return _(
        "You cannot delete this now. An administrator set a legal hold on %(day)s: %(reason)s"
    ) % {"day": written(hold.set_at, "j F Y"), "reason": hold.reason}


def cohort_has_coach(cohort: Cohort, *, besides: User | None = None) -> bool:
    """Whether anybody can answer; `besides`: whose takes, since nobody answers their own."""
    coaches = _who_coach().filter(cohort=cohort)
    return (coaches.exclude(user=besides) if besides else coaches).exists()


def has_coach(user: User) -> bool:
    """Whether somebody else coaches in a group that the person practises in."""
    return any(group.is_coached for group in groups_of_trainee(user))


class _Coached(TypedDict):
    is_coached: bool
    """Whether somebody else could answer there."""


def groups_of_trainee(user: User) -> list[WithAnnotations[Cohort, _Coached]]:
    """Where the person practises, the oldest first, and whether somebody else coaches there."""
    coached = Exists(_who_coach().filter(cohort=OuterRef("pk")).exclude(user=user))
    theirs = Cohort.objects.filter(memberships__user=user, memberships__role=Role.TRAINEE)
    return list(theirs.annotate(is_coached=coached).order_by("pk"))


def _who_coach() -> QuerySet[Membership]:
    coaches = Membership.objects.filter(role=Role.COACH, user__is_active=True)
    return coaches.filter(user__roles__contains=[Role.COACH])


def read_by_coaches_first(take: str = "") -> Exists:
    """Of rows that lead to a take: whether its cohort's policy has it so, while somebody besides
    its owner is there to read. Else they would wait for ever.

    Where a study holds the policy they wait in any case: what they read is part of its protocol.
    `take` is the path to it, such as `rehearsal__`.
    """
    owner = OuterRef(OuterRef(f"{take}owner"))
    coached = Exists(_who_coach().filter(cohort=OuterRef("pk")).exclude(user=owner))
    held = Exists(PolicyPin.objects.filter(cohort=OuterRef("pk")))
    waits = Cohort.objects.filter(coached | held, policy=Policy.COACH_FIRST)
    return Exists(waits.filter(pk=OuterRef(f"{take}cohort")))
