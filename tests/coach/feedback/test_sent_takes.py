"""Two takes of one talk lie with the coach: their owner is told, and takes one back by a click."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for, standing_grant
from coach.rehearsals.services import send_to_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis
from tests.coach.review.deciding import settle

BUTTON = "Withdraw older take"


def address(take: Rehearsal) -> str:
    return reverse("feedback:report", args=[take.pk])


def text_of(take: Rehearsal, reader: User, sign_in: SignIn) -> str:
    return sign_in(reader).get(address(take)).content.decode()


def test_the_page_of_the_newer_one_says_that_an_older_one_waits_and_takes_it_back(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert BUTTON in text_of(newer, newer.owner, sign_in)
    url = reverse("feedback:withdraw", args=[sent.pk])
    response = sign_in(newer.owner).post(url, {"back": str(newer.pk)}, follow=True)
    assert response.redirect_chain[-1][0] == address(newer)
    html = response.content.decode()
    assert "is private again. This one stays with your coach." in html
    assert BUTTON not in html
    assert list(shared_rehearsals_for(coach)) == [newer]


def test_the_page_of_the_older_one_leads_to_the_newer_one(
    sent: Rehearsal, newer: Rehearsal, sign_in: SignIn
) -> None:
    html = text_of(sent, sent.owner, sign_in)
    assert "You have since sent a newer take of this talk" in html
    assert address(newer) in html
    assert BUTTON not in html


def test_nothing_is_said_while_only_one_of_them_is_sent(
    sent: Rehearsal, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=sent.owner, cohort=cohort, talk=sent.talk, title=sent.title)
    finish_analysis(take)
    assert BUTTON not in text_of(take, sent.owner, sign_in)
    assert "newer take" not in text_of(sent, sent.owner, sign_in)


def test_another_talk_is_no_older_take(sent: Rehearsal, cohort: Cohort, sign_in: SignIn) -> None:
    take = RehearsalFactory(owner=sent.owner, cohort=cohort)
    finish_analysis(take)
    send_to_coach(rehearsal=take, note="")
    assert BUTTON not in text_of(take, sent.owner, sign_in)


def test_an_older_one_that_is_answered_waits_no_longer(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    settle(Feedback.objects.get(rehearsal=sent), coach)
    release_feedback(feedback=Feedback.objects.get(rehearsal=sent), coach=coach)
    Feedback.objects.filter(rehearsal=sent).update(released_at=long_ago)
    assert BUTTON not in text_of(newer, newer.owner, sign_in)
    assert "newer take" not in text_of(sent, sent.owner, sign_in)


def test_an_older_one_that_a_coach_answers_meanwhile_is_not_taken_back_for_good(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    settle(Feedback.objects.get(rehearsal=sent), coach)
    release_feedback(feedback=Feedback.objects.get(rehearsal=sent), coach=coach)
    url = reverse("feedback:withdraw", args=[sent.pk])
    response = sign_in(newer.owner).post(url, {"back": str(newer.pk)}, follow=True)
    assert response.redirect_chain[-1][0] == address(sent)
    assert "in the meantime, so it was not withdrawn." in response.content.decode()
    assert standing_grant(sent) is not None


def test_pressing_twice_once_the_newer_one_is_private_too_says_nothing_of_a_coach(
    sent: Rehearsal, newer: Rehearsal, sign_in: SignIn
) -> None:
    browser = sign_in(newer.owner)
    browser.post(reverse("feedback:withdraw", args=[newer.pk]))
    url = reverse("feedback:withdraw", args=[sent.pk])
    for _ in range(2):
        html = browser.post(url, {"back": str(newer.pk)}, follow=True).content.decode()
        assert "is private again." in html
        assert "stays with your coach" not in html


def test_a_coach_who_reads_the_report_is_told_nothing_of_other_takes(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    html = text_of(newer, coach, sign_in)
    assert BUTTON not in html
    assert "newer take" not in text_of(sent, coach, sign_in)


@pytest.mark.parametrize("back", ["", "no key", str(uuid.UUID(int=7))])
def test_a_page_to_go_back_to_that_is_none_of_ones_own_leads_to_the_take_itself(
    sent: Rehearsal, sign_in: SignIn, back: str
) -> None:
    url = reverse("feedback:withdraw", args=[sent.pk])
    response = sign_in(sent.owner).post(url, {"back": back})
    assert response.headers["Location"] == address(sent)


def test_nobody_takes_back_what_is_another_persons(
    sent: Rehearsal, newer: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:withdraw", args=[sent.pk])
    for person in (coach, stranger):
        assert sign_in(person).post(url, {"back": str(newer.pk)}).status_code == 404
    assert standing_grant(sent) is not None
