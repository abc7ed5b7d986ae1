"""Reading people: the only door to who may see whom."""

from __future__ import annotations

from coach.accounts.models import Cohort, Consent, Purpose, Role, User


def cohorts_as(user: User, *, role: Role) -> list[Cohort]:
    """The cohorts in which the person has this part."""
    return list(
        Cohort.objects.filter(memberships__user=user, memberships__role=role).order_by("pk")
    )


def has_consent(user: User, *, purpose: Purpose) -> bool:
    """Whether the person's consent to this purpose stands."""
    return Consent.objects.filter(user=user, purpose=purpose, withdrawn_at=None).exists()


def standing_consents(user: User) -> dict[str, Consent]:
    """The consents that stand, by purpose."""
    return {each.purpose: each for each in Consent.objects.filter(user=user, withdrawn_at=None)}


def cohort_has_coach(cohort: Cohort) -> bool:
    """Whether anybody can answer."""
    coaches = cohort.memberships.filter(role=Role.COACH, user__is_active=True)
    return coaches.filter(user__roles__contains=[Role.COACH]).exists()
