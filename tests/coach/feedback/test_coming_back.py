"""A released take comes back to the queue where its trainee disagrees or asks, and to whom."""

from __future__ import annotations

import re
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.messages import OTHERS_AFTER, answer, ask_about_item, dispute_item
from coach.feedback.models import Dispute, Feedback, Question, Verdict
from coach.feedback.releases import begin_correction, release_feedback, take_release_back
from coach.feedback.verdicts import decide_on_item
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.review.queue.follow_ups import come_back_for
from coach.review.services import finish_review
from tests.coach.conftest import SignIn
from tests.coach.feedback.conversing import item_of, later, told


def test_a_question_comes_back_to_who_released_it_and_then_to_anybody(
    released: Feedback, trainee: User, coach: User, colleague: User, sign_in: SignIn
) -> None:
    take, item = released.rehearsal, item_of(released)
    url = reverse("feedback:ask", args=[take.pk, item.pk])
    sign_in(trainee).post(url, {"text": "Where could I breathe?"})
    question = Question.objects.get()
    assert told(coach) == [Kind.QUESTION]
    assert told(colleague) == [], "Bea has the first word"
    assert list(come_back_for(coach)) == [take]
    assert list(come_back_for(colleague)) == []
    later(question, OTHERS_AFTER + timedelta(minutes=1))
    assert list(come_back_for(colleague)) == [take]
    assert "Back with you" in sign_in(coach).get(reverse("review:queue")).content.decode()


def test_the_desk_opens_every_item_on_which_the_trainee_waits(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    """A browser keeps one open of those that share a name: these have none."""
    desk = reverse("review:desk", args=[released.rehearsal_id])
    items = list(released.items.filter(is_chosen=True))
    client = sign_in(coach)
    assert folds(client.get(desk).content.decode(), "open") == []
    for item in items:
        ask_about_item(item=item, owner=trainee, text="Where?")
    page = client.get(desk).content.decode()
    waiting = folds(page, "open")
    assert len(waiting) == len(items)
    assert not [each for each in waiting if "name=" in each]
    answer(said=Question.objects.filter(item=items[0]).get(), by=coach, text="There.")
    assert len(folds(client.get(desk).content.decode(), "open")) == len(items) - 1


def folds(page: str, word: str) -> list[str]:
    found = re.findall(r"<details class=\"item__fold\"[^>]*>", page)
    assert found
    return [each for each in found if each.endswith(f" {word}>")]


def test_it_is_anybodys_at_once_where_its_coach_has_left(
    released: Feedback, trainee: User, coach: User, colleague: User
) -> None:
    coach.memberships.all().delete()
    ask_about_item(item=item_of(released), owner=trainee, text="Where?")
    assert list(come_back_for(colleague)) == [released.rehearsal]
    assert told(colleague) == [Kind.QUESTION]


def test_an_objection_after_the_release_comes_back_one_from_before_was_decided_on(
    draft: Feedback, trainee: User, coach: User
) -> None:
    item = item_of(draft)
    dispute_item(item=item, owner=trainee, reason="not_right", note="")
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=draft.rehearsal, coach=coach)
    assert list(come_back_for(coach)) == []
    item.refresh_from_db()
    Dispute.objects.update(at=timezone.now() + timedelta(seconds=1))
    assert list(come_back_for(coach)) == [draft.rehearsal]


def corrected(released: Feedback, coach: User, *, leaves_in: timedelta = timedelta(0)) -> Feedback:
    """Bea has looked again, and released what she thinks now."""
    fresh = begin_correction(feedback=released, coach=coach)
    release_feedback(feedback=fresh, coach=coach, leaves_in=leaves_in)
    fresh.refresh_from_db()
    return fresh


def told_in_two_days(person: User) -> list[str]:
    return [each.kind for each in new_for(person, timezone.now() + timedelta(days=2))]


def test_colleagues_are_not_told_of_an_objection_that_a_correction_has_answered(
    released: Feedback, trainee: User, coach: User, colleague: User
) -> None:
    dispute_item(item=item_of(released), owner=trainee, reason="not_right", note="")
    assert Kind.QUESTION in told_in_two_days(colleague)
    corrected(released, coach)
    assert not come_back_for(coach).exists()
    assert Kind.QUESTION not in told_in_two_days(colleague)


def test_they_are_told_after_all_where_the_correction_is_taken_back(
    released: Feedback, trainee: User, coach: User, colleague: User
) -> None:
    dispute_item(item=item_of(released), owner=trainee, reason="not_right", note="")
    fresh = corrected(released, coach, leaves_in=timedelta(seconds=30))
    assert take_release_back(feedback=fresh, coach=coach)
    assert Kind.QUESTION in told_in_two_days(colleague)


def test_a_question_that_a_correction_leaves_without_an_answer_still_comes_to_colleagues(
    released: Feedback, trainee: User, coach: User, colleague: User
) -> None:
    ask_about_item(item=item_of(released), owner=trainee, text="Should I slow down?")
    corrected(released, coach)
    assert Kind.QUESTION in told_in_two_days(colleague)
