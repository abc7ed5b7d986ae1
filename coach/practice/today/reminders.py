"""Reminders at an hour that a person chooses: saving, deleting, and announcing them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.practice.models import PracticeReminder
from coach.practice.plan.selectors import last_practice_of
from coach.rehearsals.selectors import own_rehearsals_for

LATE = timedelta(hours=2)
"""A reminder later than this is left out: the hour was chosen, another would disturb (rule of
thumb)."""


@transaction.atomic
def set_reminder(
    *, person: User, at: time, days: Sequence[int], zone: str, by_email: bool
) -> PracticeReminder:
    """Save the person's reminder. `days`: Monday is 0."""
    reminder = PracticeReminder(
        person=person, at=at, days=sorted(set(days)), zone=zone, by_email=by_email
    )
    reminder.next_at = next_moment(reminder, timezone.now())
    values = {
        name: getattr(reminder, name) for name in ("at", "days", "zone", "by_email", "next_at")
    }
    saved, _is_new = PracticeReminder.objects.update_or_create(person=person, defaults=values)
    record_act(action="practice.reminder_set", target=saved, actor=person)
    return saved


@transaction.atomic
def delete_reminder(*, person: User) -> None:
    """Delete the person's reminder, if there is one."""
    reminder = PracticeReminder.objects.filter(person=person).first()
    if reminder is not None:
        settle(about=reminder, kind=Kind.PRACTICE)
        record_act(action="practice.reminder_deleted", target=reminder, actor=person)
        reminder.delete()


def next_moment(reminder: PracticeReminder, after: datetime) -> datetime:
    """Return the next chosen hour after a moment, in the reminder's time zone."""
    zone = ZoneInfo(reminder.zone)
    today = after.astimezone(zone).date()
    for ahead in range(8):
        day = today + timedelta(days=ahead)
        moment = datetime.combine(day, reminder.at, tzinfo=zone)
        if day.weekday() in reminder.days and moment > after:
            return moment
    raise ValueError("a reminder names at least one day")


def announce_due(now: datetime | None = None) -> int:
    """Notify everybody whose hour has come; return their number."""
    now = now or timezone.now()
    due = PracticeReminder.objects.filter(next_at__lte=now, person__is_active=True)
    return sum(_announce(person, now) for person in due.values_list("person", flat=True))


@transaction.atomic
def _announce(person: int, now: datetime) -> bool:
    """Notify one person, unless they practised today; a round at the same time skips the row."""
    rows = PracticeReminder.objects.select_for_update(skip_locked=True, of=("self",))
    reminder = rows.select_related("person").filter(person=person, next_at__lte=now).first()
    if reminder is None:
        return False
    is_late = now - reminder.next_at > LATE
    reminder.next_at = next_moment(reminder, now)
    reminder.save(update_fields=["next_at"])
    take = own_rehearsals_for(reminder.person).order_by("-created_at").first()
    if is_late or take is None or not reminder.by_email or _practised_today(reminder, now):
        return False
    settle(about=reminder, kind=Kind.PRACTICE)
    notify(person=reminder.person, kind=Kind.PRACTICE, rehearsal=take, about=reminder)
    return True


def _practised_today(reminder: PracticeReminder, now: datetime) -> bool:
    last, zone = last_practice_of(reminder.person), ZoneInfo(reminder.zone)
    return last is not None and last.astimezone(zone).date() == now.astimezone(zone).date()
