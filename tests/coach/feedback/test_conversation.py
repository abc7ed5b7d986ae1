"""What a trainee objects and asks, what is answered, and what can be taken back."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import Cohort, Purpose, User
from coach.audit.models import Entry
from coach.curation.statistics.counting import count_rules
from coach.feedback.messages import answer, ask_about_item, dispute_item, withdraw_dispute
from coach.feedback.models import Dispute, Feedback, Item, Question
from coach.feedback.releases import begin_correction, release_feedback
from coach.notices.models import Kind, Notice
from coach.portal.personal.consents import take_back_consent
from coach.review.queue.follow_ups import come_back_for
from tests.coach.conftest import SignIn
from tests.coach.feedback.conversing import item_of, told


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
    assert "Withdraw question" not in page


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
    assert "Bea answered this in the meantime" in page.content.decode()
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
    assert "You withdrew this." in page.content.decode()
    assert Entry.objects.get(action="feedback.dispute_withdrawn").detail["before"] == "not_right"


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

    too_long = "This has 2001 characters; the limit is 2000."
    assert too_long in said(trainee, ask, text=long)
    assert "Write your question first." in said(trainee, ask, text=empty)
    assert too_long in said(trainee, dispute, reason="not_right", note=long)
    assert "Choose what is wrong with this card." in said(trainee, dispute, note="x")
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
    assert "Disagreement withdrawn" in html
    assert "Disagree again" in html
    html = pressed(item, trainee, sign_in, "redo_dispute")
    assert "Disagreement restored." in html
    assert "Withdraw disagreement" in html
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
    assert "has no coach at the moment, so nobody can answer" in html
    assert not Question.objects.exists()


def test_who_disagrees_or_has_asked_reads_that_no_coach_is_there_any_more(
    released: Feedback, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    item = item_of(released)
    ask_about_item(item=item, owner=trainee, text="Should I slow down?")
    cohort.memberships.filter(user=coach).delete()
    html = pressed(item, trainee, sign_in, "dispute", reason="not_right", note="")
    assert "for the next coach who joins your group" in html
    assert "your coach sees it" not in html
    assert "The next coach who joins will see your question." in html
    assert "Your coach has not answered yet." not in html


def test_an_objection_is_noted_after_consent_to_coaches_was_withdrawn_and_told_to_nobody(
    released: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take_back_consent(user=trainee, purpose=Purpose.COACH)
    html = pressed(item_of(released), trainee, sign_in, "dispute", reason="not_right", note="")
    assert "Thank you. Your disagreement is saved with the card." in html
    assert "your coach sees it" not in html, "what was taken back is not sent again"
    assert told(coach) == []
    assert Dispute.objects.get().is_open
