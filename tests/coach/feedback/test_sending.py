"""What the report says about sending, where sending does something else than one may think."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, Policy, PolicyPin, Role, User
from coach.feedback.messages import answer, ask_trainee
from coach.feedback.models import Feedback, Question, Verdict
from coach.feedback.pages.takes import TAKES_OF_A_TALK
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.lib.words.dates import date_words
from coach.notices.models import Kind
from coach.notices.services import notify
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import rehearsals_for
from coach.rehearsals.services import withdraw_from_coach
from coach.review.models import Review
from coach.review.priority import with_priority
from coach.review.services import enqueue_sent
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis


def report(client: Client, take: Rehearsal) -> str:
    return client.get(reverse("feedback:report", args=[take.pk])).content.decode()


def release(draft: Feedback, coach: User) -> None:
    for item in draft.items.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)


def test_a_released_take_that_was_taken_back_is_not_sent_into_nowhere(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    release(draft, coach)
    take = draft.rehearsal
    withdraw_from_coach(rehearsal=take)
    client = sign_in(trainee)
    assert "Send to my coach" not in report(client, take)
    answer = client.post(reverse("feedback:send", args=[take.pk]), follow=True).content.decode()
    assert "Your coach has already replied to this take" in answer
    assert take not in rehearsals_for(coach)


def test_the_first_sending_is_told_as_ever(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    assert "Send to my coach" in report(client, take)
    answer = client.post(reverse("feedback:send", args=[take.pk]), follow=True)
    assert "Sent. Your coach can now open this take" in answer.content.decode()


def test_an_answer_to_a_take_behind_newer_ones_is_the_next_step(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take, home = draft.rehearsal, reverse("feedback:takes")
    for _newer in range(TAKES_OF_A_TALK):
        finish_analysis(RehearsalFactory(owner=trainee, talk=take.talk, title=take.title))
    release(draft, coach)
    client = sign_in(trainee)
    page = client.get(home).content.decode()
    told = f'<a href="{reverse("feedback:report", args=[take.pk])}">Your coach has replied'
    assert told in page
    client.get(reverse("feedback:report", args=[take.pk]))
    # What a guest says is new as well, and no coach has said it.
    notify(person=trainee, kind=Kind.GUEST, rehearsal=take, about=take)
    assert "Your coach has replied" not in client.get(home).content.decode()


def test_where_a_coach_reads_first_the_next_step_is_to_send_then_to_wait(
    trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    cohort.policy = Policy.COACH_FIRST
    cohort.save()
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take)
    client = sign_in(trainee)
    page = report(client, take)
    assert "the button is at the top of this page" in page
    assert "Record another take when you like" not in page
    client.post(reverse("feedback:send", args=[take.pk]))
    assert "Wait for your coach" in report(client, take)
    coach.memberships.all().delete()
    # Nobody could answer, so nobody waits: neither for this coach nor, taken back, for any other.
    page = report(client, take)
    assert "Wait for your coach" not in page
    assert "Reply due" not in page
    withdraw_from_coach(rehearsal=take)
    assert "Ask your administrator to add you to a group with a coach" not in report(client, take)
    # What is read in a study is part of its protocol.
    PolicyPin.objects.create(cohort=cohort, holder="study:first-talks")
    assert "Ask your administrator to add you to a group with a coach" in report(client, take)


def test_the_home_page_asks_to_send_what_a_coach_reads_first_and_praises_no_reading(
    trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST, reply_hours=48)
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    draft = finish_analysis(take)
    client, home = sign_in(trainee), reverse("feedback:takes")
    page = client.get(home).content.decode()
    assert f"Send “{take.title}” to your coach, who reviews it before you see the feedback." in page
    assert "Not sent to your coach yet" in page
    assert "Read your feedback on" not in page
    assert "Ready to read" not in page
    client.get(reverse("feedback:report", args=[take.pk]))
    assert "choose one thing to try" not in client.get(home).content.decode()
    client.post(reverse("feedback:send", args=[take.pk]))
    page = client.get(home).content.decode()
    assert f"“{take.title}” is with your coach. You can record another take in the meantime" in page
    release(draft, coach)
    assert "Your coach has replied" in client.get(home).content.decode()


def test_who_waits_knows_how_long_as_the_group_promised_it(
    take: Rehearsal, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    Cohort.objects.filter(pk=cohort.pk).update(reply_hours=None)
    assert "in your group reply within" not in report(client, take)
    Cohort.objects.filter(pk=cohort.pk).update(reply_hours=48)
    assert "Coaches in your group reply within 48 hours." in report(client, take)
    client.post(reverse("feedback:send", args=[take.pk]))
    due = take.grants.get().created_at + timedelta(hours=48)
    assert f"Reply due by {date_words(due)}." in report(client, take)
    draft = take.feedback.get()
    question = ask_trainee(feedback=draft, coach=coach, text="For whom is it?")
    assert "Reply due" not in report(client, take)  # the clock stands still
    Question.objects.filter(pk=question.pk).update(at=question.at - timedelta(hours=20))
    AccessGrant.objects.filter(rehearsal=take).update(created_at=due - timedelta(hours=72))
    answer(said=question, by=trainee, text="For my class.")
    enqueue_sent()
    later = with_priority(Review.objects.filter(grant__rehearsal=take)).get().due_at
    assert timedelta(hours=-5) < later - due < timedelta(hours=-3)
    assert f"Reply due by {date_words(later)}." in report(client, take)
    release(draft, coach)
    assert "in your group reply within" not in report(client, take)


def test_who_left_the_group_reads_who_still_has_the_take(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    assert "who can see it until" not in report(client, sent)
    trainee.memberships.filter(role=Role.TRAINEE).delete()
    page = report(client, sent)
    assert "to the coaches of “Monday group”, who can see it until it is withdrawn" in page
    assert "Withdraw take" in page
    assert sent in rehearsals_for(coach)
