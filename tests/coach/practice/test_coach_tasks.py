"""A coach sets an exercise or a task; the trainee ticks it, and the agenda lists it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.notices.models import Kind, Notice
from coach.portal.personal.own_data import own_data
from coach.practice.coach_tasks.services import MOST_OPEN, set_task, tick_task
from coach.practice.coaching_sessions.page import agenda_for
from coach.practice.coaching_sessions.services import keep_session
from coach.practice.models import CoachTask
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join

WORDS = "Say your opening to a friend."


def test_a_coach_sets_a_task_that_the_trainee_ticks(
    sent: Rehearsal, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url, today = reverse("practice:tasks_of", args=[sent.pk]), timezone.localdate()
    client = sign_in(coach)
    assert client.post(url, {"due_on": today.isoformat()}).status_code == 422
    yesterday = (today - timedelta(days=1)).isoformat()
    assert client.post(url, {"text": WORDS, "due_on": yesterday}).status_code == 422
    for _press in range(2):
        client.post(url, {"text": WORDS, "due_on": today.isoformat()})
    task = CoachTask.objects.get()
    assert (task.person, task.set_by, task.text) == (trainee, coach, WORDS)
    assert Notice.objects.get(kind=Kind.TASK).person == trainee
    own = sign_in(trainee)
    for page in ("feedback:takes", "practice:plan"):
        assert WORDS in own.get(reverse(page)).content.decode()
    tick = reverse("practice:tick_task", args=[task.pk])
    for other in (coach, stranger):
        assert sign_in(other).post(tick, {"done": "yes"}).status_code == 404
    own.post(tick, {"done": "yes"})
    task.refresh_from_db()
    assert task.done_at is not None
    own.post(tick, {"done": "no"})
    task.refresh_from_db()
    assert task.done_at is None


def test_the_agenda_lists_open_tasks_and_those_done_since_the_last_session(
    sent: Rehearsal, trainee: User, coach: User
) -> None:
    today = timezone.localdate()
    keep_session(person=trainee, coach=coach, held_on=today, notes="We breathed.")
    names = ("old", "new", "open")
    tasks = {
        name: set_task(take=sent, coach=coach, exercise="", text=name, due_on=today)
        for name in names
    }
    for name in ("old", "new"):
        tick_task(task=tasks[name], is_done=True)
    earlier = timezone.now() - timedelta(days=3)
    CoachTask.objects.filter(text="old").update(done_at=earlier)
    rows = agenda_for(coach, sent).tasks
    assert {(row.title, row.is_done) for row in rows} == {("open", False), ("new", True)}


def test_only_the_coach_who_set_a_task_deletes_it_and_few_are_open(
    sent: Rehearsal, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    today = timezone.localdate()
    for number in range(MOST_OPEN):
        task = set_task(take=sent, coach=coach, exercise="", text=str(number), due_on=today)
    with pytest.raises(ValidationError):
        set_task(take=sent, coach=coach, exercise="", text="One more", due_on=today)
    url = reverse("practice:tasks_of", args=[sent.pk])
    colleague = UserFactory(roles=[Role.COACH])
    join(cohort, colleague, Role.COACH)
    assert sign_in(colleague).post(url, {"delete": task.pk}).status_code == 404
    sign_in(coach).post(url, {"delete": task.pk})
    assert CoachTask.objects.count() == MOST_OPEN - 1
    assert own_data(trainee)["coach_tasks"][0]["set_by_name"] == str(coach)
