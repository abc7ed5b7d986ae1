"""Services to keep, change and delete the notes of a live session."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.practice.models import CoachingSession


@transaction.atomic
def keep_session(*, person: User, coach: User, held_on: date, notes: str) -> CoachingSession:
    """Keep the notes of a session. The same notes of the same day are kept once."""
    # A second, simultaneous click waits here.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    session, is_new = CoachingSession.objects.get_or_create(
        person=person,
        coach=coach,
        held_on=held_on,
        notes=notes,
        defaults={"coach_name": str(coach)},
    )
    if is_new:
        record_act(action="practice.session_kept", target=session, actor=coach)
    return session


@transaction.atomic
def change_session(*, session: CoachingSession, held_on: date, notes: str) -> None:
    """Change the day and the notes of a session."""
    session.held_on, session.notes = held_on, notes
    session.save(update_fields=["held_on", "notes", "changed_at"])
    record_act(action="practice.session_changed", target=session, actor=session.coach)


@transaction.atomic
def delete_session(*, session: CoachingSession) -> None:
    """Delete the notes of a session."""
    record_act(action="practice.session_deleted", target=session, actor=session.coach)
    session.delete()
