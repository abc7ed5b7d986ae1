"""Services to set, tick and delete a task for a trainee."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.practice.models import CoachTask
from coach.rehearsals.models import Rehearsal

MOST_OPEN = 5
"""The number of open tasks of one person: more are rarely done (rule of thumb)."""


@transaction.atomic
def set_task(*, take: Rehearsal, coach: User, exercise: str, text: str, due_on: date) -> CoachTask:
    """Set a task for the owner of a take and notify them. The same open task is set once.

    Raises ValidationError if they have many open tasks.
    """
    # A second, simultaneous click waits here.
    person = User.objects.select_for_update(no_key=True).get(pk=take.owner_id)
    open_tasks = CoachTask.objects.filter(person=person, done_at=None)
    words = text.strip()
    same = open_tasks.filter(set_by=coach, exercise=exercise, text=words, due_on=due_on).first()
    if same is not None:
        return same
    if open_tasks.count() >= MOST_OPEN:
        raise ValidationError(
            _("%(name)s has %(count)s open tasks. Delete one of yours first, or wait.")
            % {"name": person, "count": MOST_OPEN}
        )
    task = CoachTask.objects.create(
        person=person,
        set_by=coach,
        set_by_name=str(coach),
        exercise=exercise,
        text=words,
        due_on=due_on,
    )
    notify(person=person, kind=Kind.TASK, rehearsal=take, about=task)
    record_act(action="practice.task_set", target=task, actor=coach)
    return task


@transaction.atomic
def tick_task(*, task: CoachTask, is_done: bool) -> None:
    """Mark a task as done, or as open again."""
    held = CoachTask.objects.select_for_update(no_key=True).get(pk=task.pk)
    if (held.done_at is not None) == is_done:
        return
    held.done_at = timezone.now() if is_done else None
    held.save(update_fields=["done_at"])
    settle(about=held, kind=Kind.TASK)
    action = "practice.task_done" if is_done else "practice.task_reopened"
    record_act(action=action, target=held, actor=held.person)


@transaction.atomic
def delete_task(*, task: CoachTask) -> None:
    """Delete a task that its coach no longer wants."""
    settle(about=task, kind=Kind.TASK)
    record_act(action="practice.task_deleted", target=task, actor=task.set_by)
    task.delete()
