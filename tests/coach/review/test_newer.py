"""A coach sees that a newer take of the same talk was sent since, in the queue and at the desk."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Feedback
from coach.feedback.releases import release_feedback
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.review.deciding import settle

WAITS = "A newer take of this talk is also waiting"


def desk(take: Rehearsal) -> str:
    return reverse("review:desk", args=[take.pk])


def read(person: User, sign_in: SignIn, url: str) -> str:
    return sign_in(person).get(url).content.decode()


def test_the_older_one_says_so_in_the_queue_and_at_its_desk(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert read(coach, sign_in, reverse("review:queue")).count(WAITS) == 1
    html = read(coach, sign_in, desk(sent))
    assert "Ana sent a newer take of this talk on " in html
    assert f'<a href="{desk(newer)}">Open the newer take</a>' in html
    assert "Open the newer take" not in read(coach, sign_in, desk(newer))


def test_that_the_newer_one_is_answered_is_told_in_other_words(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    settle(Feedback.objects.get(rehearsal=newer), coach)
    release_feedback(feedback=Feedback.objects.get(rehearsal=newer), coach=coach)
    queue = read(coach, sign_in, reverse("review:queue"))
    assert "A newer take of this talk has been answered" in queue
    assert WAITS not in queue
    assert "It has already been answered." in read(coach, sign_in, desk(sent))


def test_a_newer_one_that_was_not_sent_or_taken_back_is_told_to_nobody(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    withdraw_from_coach(rehearsal=newer)
    assert "newer take" not in read(coach, sign_in, reverse("review:queue"))
    assert "newer take" not in read(coach, sign_in, desk(sent))


def test_a_newer_one_that_another_group_has_is_told_to_no_coach_of_this_one(
    sent: Rehearsal, newer: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    elsewhere = Cohort.objects.create(name="Tuesday group")
    join(elsewhere, UserFactory(roles=[Role.COACH]), Role.COACH)
    newer.grants.update(cohort=elsewhere)
    assert "newer take" not in read(coach, sign_in, reverse("review:queue"))
    assert "newer take" not in read(coach, sign_in, desk(sent))


def test_a_stranger_reads_of_neither(
    sent: Rehearsal, newer: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    assert "newer take" not in read(stranger, sign_in, reverse("review:queue"))
    assert sign_in(stranger).get(desk(sent)).status_code == 404
