"""Queries about people, cohorts, consents and legal holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias, TypedDict

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
    """Return the cohorts in which the person has this role."""
    return list(
        Cohort.objects.filter(memberships__user=user, memberships__role=role).order_by("pk")
    )


def is_last_administrator(user: User) -> bool:
    """Return whether this person is the last active administrator."""
    return user.is_staff and are_all_administrators([user])


def are_all_administrators(people: Iterable[User]) -> bool:
    """Return whether these people include every active administrator, and at least one."""
    keys = {person.pk for person in people if person.is_staff}
    others = User.objects.filter(is_staff=True, is_active=True).exclude(pk__in=keys)
    return bool(keys) and not others.exists()


def ways_to_recordings(
    *,
    roles: Collection[str],
    coaches_in: Iterable[int],
    is_active: bool,
    administers_departments: bool = False,
) -> frozenset[str]:
    """Return the ways in which an administrator, of the site or of departments, can open others'
    recordings; empty for other people.
    """
    is_administrator = Role.ADMINISTRATOR in roles or administers_departments
    if not is_administrator or not is_active:
        return frozenset()
    groups = {f"cohort:{key}" for key in coaches_in} if Role.COACH in roles else set()
    return frozenset(groups | ({"research"} if Role.RESEARCHER in roles else set()))


def ways_of(person: User) -> frozenset[str]:
    """Return the same ways for a person as stored."""
    coached = Membership.objects.filter(user=person, role=Role.COACH)
    return ways_to_recordings(
        roles=person.roles,
        coaches_in=coached.values_list("cohort", flat=True),
        is_active=person.is_active,
        administers_departments=person.administers_departments,
    )


def profile_of(user: User) -> Profile:
    """Return the person's preferences, or the defaults if they have set none."""
    try:
        return user.profile
    except Profile.DoesNotExist:
        return Profile(user=user)


def consents_that_count(purpose: Purpose) -> QuerySet[Consent]:
    """Return all valid consents to a purpose: not withdrawn, and at least as wide as the
    current wording.
    """
    return Consent.objects.filter(
        purpose=purpose, withdrawn_at=None, version__gte=least_version(purpose)
    )


def has_consent(user: User, *, purpose: Purpose) -> bool:
    """Return whether the person has a valid consent to this purpose."""
    return consents_that_count(purpose).filter(user=user).exists()


def consents_to_renew(user: User) -> list[Consent]:
    """Return the person's consents to earlier wordings; makes no query if no wording has
    changed.
    """
    if not is_ever_reworded():
        return []
    standing = Consent.objects.filter(user=user, withdrawn_at=None).order_by("given_at", "pk")
    return [each for each in standing if each.version < current_version(Purpose(each.purpose))]


def standing_consents(user: User) -> dict[str, Consent]:
    """Return the person's consents that are not withdrawn, by purpose."""
    return {each.purpose: each for each in Consent.objects.filter(user=user, withdrawn_at=None)}


def consents_of(user: User) -> QuerySet[Consent]:
    """Return all consents that the person ever gave, newest first."""
    return Consent.objects.filter(user=user).order_by("-given_at", "-pk")


def standing_holds() -> QuerySet[LegalHold]:
    """Return the legal holds that are not lifted."""
    return LegalHold.objects.filter(lifted_at=None)


def hold_on(user: User) -> LegalHold | None:
    """Return the legal hold on a person or one of their cohorts; None if there is none."""
    theirs = Q(user=user) | Q(cohort__memberships__user=user)
    return standing_holds().filter(theirs).order_by("set_at").first()


def hold_words(user: User) -> str:
    """Return why none of a person's data can be deleted now, as a sentence; empty if it can."""
    hold = hold_on(user)
    if hold is None:
        return ""
    return _(
        "You cannot delete this now. An administrator set a legal hold on %(day)s: %(reason)s"
    ) % {"day": written(hold.set_at, "j F Y"), "reason": hold.reason}


def cohort_has_coach(cohort: Cohort, *, besides: User | None = None) -> bool:
    """Return whether a cohort has a coach other than `besides`, since owners do not review
    their own takes.
    """
    coaches = _coach_memberships().filter(cohort=cohort)
    return (coaches.exclude(user=besides) if besides else coaches).exists()


def has_coach(user: User) -> bool:
    """Return whether another person coaches in one of the trainee's groups."""
    return any(group.is_coached for group in groups_of_trainee(user))


class Coached(TypedDict):
    """What `groups_of_trainee` adds to a group."""

    is_coached: bool
    """Whether another person could review there."""


CoachedCohort: TypeAlias = "WithAnnotations[Cohort, Coached]"


def groups_of_trainee(user: User) -> list[CoachedCohort]:
    """Return the trainee's groups, oldest first, each with whether another person coaches there."""
    coached = Exists(_coach_memberships().filter(cohort=OuterRef("pk")).exclude(user=user))
    theirs = Cohort.objects.filter(memberships__user=user, memberships__role=Role.TRAINEE)
    return list(theirs.annotate(is_coached=coached).order_by("pk"))


def _coach_memberships() -> QuerySet[Membership]:
    coaches = Membership.objects.filter(role=Role.COACH, user__is_active=True)
    return coaches.filter(user__roles__contains=[Role.COACH])


def read_by_coaches_first(take: str = "") -> Exists:
    """Return a condition for rows of takes that a coach must release first.

    It applies if the cohort's policy says so and a coach other than the owner is there; otherwise
    the take would wait for ever. If a study has locked the policy it always applies, as part of the
    protocol. `take` is the path to the take, such as `rehearsal__`.
    """
    owner = OuterRef(OuterRef(f"{take}owner"))
    coached = Exists(_coach_memberships().filter(cohort=OuterRef("pk")).exclude(user=owner))
    held = Exists(PolicyPin.objects.filter(cohort=OuterRef("pk")))
    waits = Cohort.objects.filter(coached | held, policy=Policy.COACH_FIRST)
    return Exists(waits.filter(pk=OuterRef(f"{take}cohort")))
