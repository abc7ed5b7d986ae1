"""Days on which a coach is away: no take is assigned to them, and none waits for them."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Role, User
from coach.audit.services import record_act


def away_now(prefix: str = "") -> Q:
    """Return a filter for people who are away today; `prefix` leads to the user."""
    today = timezone.localdate()
    return Q(**{f"{prefix}away_from__lte": today, f"{prefix}away_until__gte": today})


def away_days_in(cohort: Cohort) -> list[date | None]:
    """Return the last day away of each coach of a group, or None for one who is there."""
    coaches = User.objects.filter(
        memberships__cohort=cohort,
        memberships__role=Role.COACH,
        is_active=True,
        roles__contains=[Role.COACH],
    )
    return [each.away_until if each.is_away else None for each in coaches]


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
