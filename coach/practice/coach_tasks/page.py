"""Tasks that coaches set, in words, for the trainee and for coaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.pages.extensions import PagePart
from coach.lib.words.dates import written
from coach.lib.words.placeholder_names import name_words
from coach.practice.coach_tasks.selectors import coach_tasks_for
from coach.practice.exercises.catalogue import exercises
from coach.practice.models import CoachTask

DONE_FOR = timedelta(days=7)
"""The time for which a ticked task stays listed (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachTaskRow:
    """A task with its day and its coach."""

    id: str
    title: str
    """The exercise, else the task in the coach's words."""
    text: str
    """The coach's words about an exercise; empty without any."""
    exercise_url: str
    words: str
    """The day and the coach."""
    is_done: bool
    is_over: bool
    """Whether the day has passed and it is open."""
    is_own: bool
    """Whether the reader set it."""


def task_rows(
    person: User, reader: User, *, since: datetime | None = None
) -> tuple[CoachTaskRow, ...]:
    """Return open tasks and those done since then, or in the last days."""
    lately = since or timezone.now() - DONE_FOR
    tasks = coach_tasks_for(person).filter(Q(done_at=None) | Q(done_at__gte=lately))
    return tuple(_row(each, reader) for each in tasks.order_by(F("done_at").asc(), "due_on", "pk"))


def _row(task: CoachTask, reader: User) -> CoachTaskRow:
    exercise = exercises().get(task.exercise)
    words = (
        _("Done on %(day)s") % {"day": written(task.done_at, "j F")}
        if task.done_at
        else _("Due on %(day)s") % {"day": written(task.due_on, "j F")}
    )
    return CoachTaskRow(
        id=str(task.pk),
        title=exercise.words.title if exercise else task.text,
        text=task.text if exercise else "",
        exercise_url=reverse("practice:exercise", args=[exercise.id]) if exercise else "",
        words=_("%(when)s · set by %(name)s")
        % {"when": words, "name": name_words(task.set_by_name)},
        is_done=task.done_at is not None,
        is_over=task.done_at is None and task.due_on < timezone.localdate(),
        is_own=task.set_by_id == reader.pk,
    )


def at_home(user: User) -> Iterable[PagePart]:
    """Yield the tasks of a trainee, if there are any."""
    rows = task_rows(user, user) if user.can_practise else ()
    if rows:
        yield PagePart(place="top", template="practice/_tasks.html", context={"tasks": rows})
