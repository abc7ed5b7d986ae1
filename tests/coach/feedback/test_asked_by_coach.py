"""What a coach asks before releasing stops the clock until it is answered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.messages import ask_about_item, ask_trainee, go_on_without_answer
from coach.feedback.models import Feedback, Question
from coach.notices.models import Kind, Notice
from coach.review.reply_pause import LONGEST
from coach.review.selectors import waiting_for
from coach.review.services import claim_next, claim_rehearsal, enqueue_sent
from tests.coach.conftest import SignIn
from tests.coach.feedback.conversing import ANY, item_of, later, told


def due(coach: User) -> Any:
    return waiting_for(coach).get()


def test_the_clock_stands_still_until_the_trainee_has_answered(
    draft: Feedback, trainee: User, coach: User, colleague: User, sign_in: SignIn
) -> None:
    take = draft.rehearsal
    take.grants.update(created_at=timezone.now() - timedelta(days=1))
    enqueue_sent()
    promised = due(coach).due_at
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[take.pk]))
    client.post(reverse("review:ask", args=[take.pk]), {"text": "Which part is new?"})
    question = Question.objects.get()
    later(question, timedelta(hours=5))
    row = due(coach)
    assert row.is_paused
    assert timedelta(hours=4.9) < row.due_at - promised < timedelta(hours=5.1)
    assert claim_next(coach=colleague, wanted=ANY) is None, "it waits for Ana, not for Dan"
    queue = client.get(reverse("review:queue")).content.decode()
    assert "Question sent to Ana" in queue
    assert "Reply time paused" in queue
    assert told(trainee) == [Kind.QUESTION]
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert "Bea has a question" in page
    sign_in(trainee).post(reverse("feedback:answer", args=[take.pk]), {"text": "The end."})
    row = due(coach)
    assert not row.is_paused
    assert row.due_at - promised > timedelta(hours=4.9), "the time that it stood is not counted"
    assert told(coach) == [Kind.ANSWER]
    assert "The end." in client.get(reverse("review:desk", args=[take.pk])).content.decode()


def test_only_a_coachs_question_asks_something_of_the_trainee(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    """What a trainee asks waits for the coach, and must not come back as a question to answer."""
    client = sign_in(trainee)
    ask_about_item(item=item_of(draft), owner=trainee, text="Where could I breathe?")
    home = client.get(reverse("feedback:takes")).content.decode()
    assert "With your coach" in home
    assert "Your coach has a question" not in home
    assert told(trainee) == []
    ask_trainee(feedback=draft, coach=coach, text="Which part is new?")
    Notice.objects.filter(person=trainee).update(seen_at=timezone.now())
    home = client.get(reverse("feedback:takes")).content.decode()
    assert "Your coach has a question" in home
    assert "Answer your coach’s question about" in home
    go_on_without_answer(feedback=draft, coach=coach)
    assert "Your coach has a question" not in client.get(reverse("feedback:takes")).content.decode()


def test_who_does_not_answer_holds_nothing_up(
    draft: Feedback, coach: User, colleague: User
) -> None:
    enqueue_sent()
    promised = due(coach).due_at
    question = ask_trainee(feedback=draft, coach=coach, text="Which part is new?")
    later(question, LONGEST + timedelta(days=4))
    draft.rehearsal.grants.update(created_at=timezone.now() - timedelta(days=10))
    row = due(coach)
    assert not row.is_paused
    assert row.due_at == row.grant.created_at + timedelta(hours=48) + LONGEST
    assert promised is not None
    assert claim_next(coach=colleague, wanted=ANY) is not None


def test_the_coach_may_go_on_without_an_answer_and_releasing_does_so(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    enqueue_sent()
    claim_rehearsal(rehearsal=draft.rehearsal, coach=coach)
    ask_trainee(feedback=draft, coach=coach, text="Which part is new?")
    with pytest.raises(ValidationError):
        ask_trainee(feedback=draft, coach=coach, text="And why?")
    go_on_without_answer(feedback=draft, coach=coach)
    assert not due(coach).is_paused
    assert told(trainee) == []
    url = reverse("feedback:answer", args=[draft.rehearsal_id])
    answered = sign_in(trainee).post(url, {"text": "The end."}, follow=True)
    assert "nothing was sent" in answered.content.decode()
