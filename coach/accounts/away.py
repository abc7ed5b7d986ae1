"""Days on which a coach is away: no take is assigned to them, and none waits for them."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.services import record_act


def away_now(prefix: str = "") -> Q:
    """Return a filter for people who are away today; `prefix` leads to the user."""
    today = timezone.localdate()
    return Q(**{f"{prefix}away_from__lte": today, f"{prefix}away_until__gte": today})


def present_among(people: QuerySet[User]) -> QuerySet[User]:
    """Return the people who are not away today."""
    return people.exclude(away_now())


def back_on(cohort: Cohort) -> date | None:
    """Return the last day on which every coach of a group is away, or None if one is there."""
    coaches = Membership.objects.filter(
        cohort=cohort,
        role=Role.COACH,
        user__is_active=True,
        user__roles__contains=[Role.COACH],
    )
    until = list(coaches.filter(away_now("user__")).values_list("user__away_until", flat=True))
    if not until or coaches.count() > len(until):
        return None
    return min(day for day in until if day is not None)


@transaction.atomic
def set_away(*, coach: User, first: date, last: date) -> None:
    """Set the days on which a coach is away. Raises ValidationError for days that are over."""
    if last < first:
        raise ValidationError(_("The last day is before the first day."))
    if last < timezone.localdate():
        raise ValidationError(_("These days are over. Choose a last day that is today or later."))
    coach.away_from, coach.away_until = first, last
    coach.save(update_fields=["away_from", "away_until"])
    record_act(
        action="accounts.away_set",
        target=coach,
        actor=coach,
        first=first.isoformat(),
        last=last.isoformat(),
    )


@transaction.atomic
def end_away(*, coach: User) -> None:
    """Remove the days on which a coach is away."""
    if coach.away_until is None:
        return
    coach.away_from = coach.away_until = None
    coach.save(update_fields=["away_from", "away_until"])
    record_act(action="accounts.away_ended", target=coach, actor=coach)
