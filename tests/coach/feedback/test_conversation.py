"""Objections and questions come back to the queue; a coach's question stops the clock."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Purpose, Role, User
from coach.audit.models import Entry
from coach.curation.statistics.counting import count_rules
from coach.feedback.conversation import (
    OTHERS_AFTER,
    answer,
    ask_about_item,
    ask_trainee,
    dispute_item,
    go_on_without_answer,
    withdraw_dispute,
)
from coach.feedback.models import Dispute, Feedback, Item, Question, Verdict
from coach.feedback.releases import begin_correction, release_feedback, take_release_back
from coach.feedback.verdicts import decide_on_item
from coach.notices.models import Kind, Notice
from coach.notices.selectors import new_for
from coach.portal.personal.consents import take_back_consent
from coach.review.queue.comeback import come_back_for
from coach.review.selectors import QueueFilter, waiting_for
from coach.review.services import claim_next, claim_rehearsal, enqueue_sent, finish_review
from coach.review.standstill import LONGEST
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join

ANY = QueueFilter()


@pytest.fixture
def released(draft: Feedback, coach: User) -> Feedback:
    """Bea has released it."""
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=draft.rehearsal, coach=coach)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def colleague(cohort: Cohort) -> User:
    """Dan, another coach of the group."""
    dan = UserFactory(email="dan@example.org", name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    return dan


def item_of(feedback: Feedback) -> Item:
    return feedback.items.filter(is_chosen=True)[0]


def told(person: User) -> list[str]:
    return list(new_for(person).values_list("kind", flat=True))


def later(said: Dispute | Question, by: timedelta) -> None:
    type(said).objects.filter(pk=said.pk).update(at=said.at - by)


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
    assert "Come back to you" in sign_in(coach).get(reverse("review:queue")).content.decode()


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


def test_the_answer_stands_on_the_report_and_nothing_waits_any_more(
    released: Feedback, trainee: User, coach: User, colleague: User, sign_in: SignIn
) -> None:
    take, item = released.rehearsal, item_of(released)
    ask_about_item(item=item, owner=trainee, text="Where could I breathe?")
    url = reverse("review:answer", args=[take.pk, item.pk])
    sign_in(coach).post(url, {"what": "question", "text": "After the number."})
    assert Kind.ANSWER in told(trainee)
    assert told(coach) == []
    assert not Notice.objects.filter(person=colleague, settled_at=None).exists()
    assert list(come_back_for(coach)) == []
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert "After the number." in page
    assert "Take the question back" not in page


def test_a_second_answer_is_refused_and_its_words_are_handed_back(
    released: Feedback, trainee: User, coach: User, colleague: User, sign_in: SignIn
) -> None:
    item = item_of(released)
    question = ask_about_item(item=item, owner=trainee, text="Where?")
    answer(said=question, by=coach, text="After the number.")
    url = reverse("review:answer", args=[released.rehearsal_id, item.pk])
    page = sign_in(colleague).post(
        url, {"what": "question", "text": "Before the number."}, follow=True
    )
    assert "Bea has answered this meanwhile" in page.content.decode()
    assert "Before the number." in page.content.decode()
    question.refresh_from_db()
    assert question.answer == "After the number."


def test_one_question_an_item_and_it_can_be_taken_back_until_it_is_answered(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take, item = released.rehearsal, item_of(released)
    client = sign_in(trainee)
    ask = reverse("feedback:ask", args=[take.pk, item.pk])
    client.post(ask, {"text": "Where?"})
    client.post(ask, {"text": "And how?"})
    assert Question.objects.get().text == "Where?"
    client.post(reverse("feedback:undo_ask", args=[take.pk, item.pk]))
    assert not Question.objects.exists()
    assert told(coach) == []


def test_nobody_is_asked_about_a_private_take(take: object, trainee: User, sign_in: SignIn) -> None:
    feedback = Feedback.objects.get()
    with pytest.raises(ValidationError):
        ask_about_item(item=item_of(feedback), owner=trainee, text="Where?")
    page = sign_in(trainee).get(reverse("feedback:report", args=[feedback.rehearsal_id]))
    assert "Ask my coach about this" not in page.content.decode()


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


def test_an_objection_can_be_taken_back_also_once_it_is_answered(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    item = Item.objects.select_related("feedback__rehearsal").get(pk=item_of(released).pk)
    dispute = dispute_item(item=item, owner=trainee, reason="not_right", note="I did not.")
    assert told(coach) == [Kind.QUESTION]
    answer(said=dispute, by=coach, text="Listen at 0:03.")
    with pytest.raises(ValidationError):
        dispute_item(item=item, owner=trainee, reason="not_helpful", note="")
    withdraw_dispute(item=item, owner=trainee)
    page = sign_in(trainee).get(reverse("feedback:report", args=[released.rehearsal_id]))
    assert "Listen at 0:03." in page.content.decode()
    assert "You took this back." in page.content.decode()
    assert Entry.objects.get(action="feedback.dispute_withdrawn").detail["before"] == "not_right"


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
    assert "Ana was asked something" in queue
    assert "The clock stands still" in queue
    assert told(trainee) == [Kind.QUESTION]
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert "Bea asks you something" in page
    sign_in(trainee).post(reverse("feedback:answer", args=[take.pk]), {"text": "The end."})
    row = due(coach)
    assert not row.is_paused
    assert row.due_at - promised > timedelta(hours=4.9), "the time that it stood is not counted"
    assert told(coach) == [Kind.ANSWER]
    assert "The end." in client.get(reverse("review:desk", args=[take.pk])).content.decode()


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


def test_statistics_of_rules_forget_what_was_taken_back(
    released: Feedback, trainee: User, coach: User
) -> None:
    item = item_of(released)
    dispute = dispute_item(item=item, owner=trainee, reason="not_right", note="")
    answer(said=dispute, by=coach, text="Listen at 0:03.")
    withdraw_dispute(item=item, owner=trainee)
    assert all(rule.total.disputed == {} for rule in count_rules(days=None).values())


def test_what_was_said_stands_on_a_correction_as_well(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    item = item_of(released)
    question = ask_about_item(item=item, owner=trainee, text="Where could I breathe?")
    fresh = begin_correction(feedback=released, coach=coach)
    release_feedback(feedback=fresh, coach=coach)
    assert list(come_back_for(coach)) == [released.rehearsal]
    desk = sign_in(coach).get(reverse("review:desk", args=[released.rehearsal_id]))
    url = reverse("review:answer", args=[released.rehearsal_id, item.pk])
    assert f'action="{url}"' in desk.content.decode()
    answer(said=question, by=coach, text="After the number.")
    page = sign_in(trainee).get(reverse("feedback:report", args=[released.rehearsal_id]))
    assert "After the number." in page.content.decode()


def test_what_is_too_long_is_refused_for_that_and_not_as_missing(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take, item = released.rehearsal, item_of(released)
    ask = reverse("feedback:ask", args=[take.pk, item.pk])
    dispute = reverse("feedback:dispute", args=[take.pk, item.pk])
    reply = reverse("review:answer", args=[take.pk, item.pk])
    long, empty = "y" * 2001, ""

    def said(person: User, url: str, **fields: str) -> str:
        return sign_in(person).post(url, fields, follow=True).content.decode()

    too_long = "This has 2001 characters; it may have 2000 at most."
    assert too_long in said(trainee, ask, text=long)
    assert "Write your question first." in said(trainee, ask, text=empty)
    assert too_long in said(trainee, dispute, reason="not_right", note=long)
    assert "Choose what is off about it." in said(trainee, dispute, note="x")
    assert not Question.objects.exists()
    assert not Dispute.objects.exists()
    ask_about_item(item=item, owner=trainee, text="Where could I breathe?")
    assert too_long in said(coach, reply, what="question", text=long)
    assert "Write your answer first." in said(coach, reply, what="question", text=empty)
    assert Question.objects.get().answer == ""
    begin_correction(feedback=released, coach=coach)
    assert too_long in said(coach, reverse("review:ask", args=[take.pk]), text=long)


def pressed(item: Item, by: User, sign_in: SignIn, what: str, **sent: str) -> str:
    url = reverse(f"feedback:{what}", args=[item.feedback.rehearsal_id, item.pk])
    return sign_in(by).post(url, sent, follow=True).content.decode()


def test_what_was_taken_back_by_mistake_counts_again_with_the_answer_that_it_had(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    item = item_of(released)
    answer(
        said=dispute_item(item=item, owner=trainee, reason="not_right", note="I did not."),
        by=coach,
        text="Listen at 0:03.",
    )
    html = pressed(item, trainee, sign_in, "undo_dispute")
    assert "your disagreement no longer counts" in html
    assert "I disagree after all" in html
    html = pressed(item, trainee, sign_in, "redo_dispute")
    assert "Your disagreement counts again." in html
    assert "I no longer disagree" in html
    dispute = Dispute.objects.get()
    assert (dispute.note, dispute.answer, dispute.withdrawn_at) == (
        "I did not.",
        "Listen at 0:03.",
        None,
    )
    assert sum(sum(r.total.disputed.values()) for r in count_rules(days=None).values()) == 1
    pressed(item, trainee, sign_in, "redo_dispute")
    assert Entry.objects.filter(action="feedback.disputed").count() == 2


def test_nothing_is_made_of_an_objection_that_was_never_raised(
    released: Feedback, trainee: User, sign_in: SignIn
) -> None:
    pressed(item_of(released), trainee, sign_in, "redo_dispute")
    assert not Dispute.objects.exists()


def test_nobody_is_asked_a_question_that_nobody_could_answer(
    released: Feedback, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    item = item_of(released)
    cohort.memberships.filter(user=coach).delete()
    url = reverse("feedback:report", args=[released.rehearsal_id])
    assert "Ask my coach about this" not in sign_in(trainee).get(url).content.decode()
    html = pressed(item, trainee, sign_in, "ask", text="Should I slow down?")
    assert "has no coach now who could answer" in html
    assert not Question.objects.exists()


def test_who_disagrees_or_has_asked_reads_that_no_coach_is_there_any_more(
    released: Feedback, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    item = item_of(released)
    ask_about_item(item=item, owner=trainee, text="Should I slow down?")
    cohort.memberships.filter(user=coach).delete()
    html = pressed(item, trainee, sign_in, "dispute", reason="not_right", note="")
    assert "for a coach who comes to your group" in html
    assert "your coach sees it" not in html
    assert "One who comes reads your question." in html
    assert "Your coach has not answered yet." not in html


def test_an_objection_is_noted_after_consent_to_coaches_was_withdrawn_and_told_to_nobody(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take_back_consent(user=trainee, purpose=Purpose.COACH)
    html = pressed(item_of(released), trainee, sign_in, "dispute", reason="not_right", note="")
    assert "Thank you. It is noted with the item." in html
    assert "your coach sees it" not in html, "what was taken back is not sent again"
    assert told(coach) == []
    assert Dispute.objects.get().is_open


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
