"""Two coaches at once: one has it, the other is told who; and the most urgent comes first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.feedback.models import Verdict
from coach.notices.selectors import new_for
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach, withdraw_from_coach
from coach.review.access import reviewed_by, try_to_claim
from coach.review.models import Review
from coach.review.selectors import QueueFilter
from coach.review.services import (
    LEAST_LEASE,
    HeldByOther,
    claim_next,
    claim_rehearsal,
    enqueue_sent,
    finish_review,
    give_back,
    lease_length,
    renew_claim,
)
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join
from tests.coach.review.deciding import taken

ANY = QueueFilter()


@pytest.fixture
def send_one(cohort: Cohort) -> Callable[..., Rehearsal]:
    """Another trainee of the group sends a take."""

    def send(**kept: Any) -> Rehearsal:
        trainee = UserFactory()
        join(cohort, trainee, Role.TRAINEE)
        take: Rehearsal = RehearsalFactory(owner=trainee, cohort=cohort)
        finish_analysis(take)
        send_to_coach(rehearsal=take, note="", **kept)
        return take

    return send


def test_the_second_coach_is_told_who_is_on_it(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    with pytest.raises(HeldByOther, match="Bea"):
        claim_rehearsal(rehearsal=sent, coach=second_coach)


@pytest.mark.usefixtures("draft")
def test_a_take_that_is_taken_back_between_the_door_and_the_claim_is_not_there(
    sent: Rehearsal, coach: User
) -> None:
    for first_claim in (lambda: None, lambda: claim_rehearsal(rehearsal=sent, coach=coach)):
        first_claim()
        take, _feedback = reviewed_by(coach, sent.pk)
        withdraw_from_coach(rehearsal=sent)
        with pytest.raises(Http404):
            try_to_claim(take, coach)
        send_to_coach(rehearsal=sent, note="")


def test_coming_back_renews_ones_own_claim(sent: Rehearsal, coach: User) -> None:
    first = claim_rehearsal(rehearsal=sent, coach=coach)
    again = claim_rehearsal(rehearsal=sent, coach=coach)
    assert again.pk == first.pk
    assert again.claimed_at == first.claimed_at
    assert again.until is not None
    assert first.until is not None
    assert again.until >= first.until


def test_an_abandoned_claim_is_free_again(sent: Rehearsal, coach: User, second_coach: User) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    Review.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert claim_rehearsal(rehearsal=sent, coach=second_coach).coach == second_coach


def test_giving_back_frees_it_at_once_and_only_ones_own(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    give_back(rehearsal=sent, coach=second_coach)
    with pytest.raises(HeldByOther):
        claim_rehearsal(rehearsal=sent, coach=second_coach)
    give_back(rehearsal=sent, coach=coach)
    assert claim_rehearsal(rehearsal=sent, coach=second_coach).coach == second_coach


def test_what_a_colleague_has_by_now_is_not_said_to_be_back_in_the_queue(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    Review.objects.update(until=timezone.now() - timedelta(seconds=1))
    claim_rehearsal(rehearsal=sent, coach=second_coach)
    url = reverse("review:give_back", args=[sent.pk])
    text = sign_in(coach).post(url, follow=True).content.decode()
    assert f"{second_coach} is now working on this take." in text
    assert "Returned to the queue" not in text
    text = sign_in(second_coach).post(url, follow=True).content.decode()
    assert "Returned to the queue" in text


def test_while_another_coach_is_on_it_nothing_one_does_changes_anything(
    sent: Rehearsal, coach: User, second_coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    item = sent.feedback.get().items.first()
    assert item is not None
    client = sign_in(second_coach)
    client.post(reverse("review:verdict", args=[sent.pk, item.pk]), {"action": "accept"})
    client.post(reverse("review:release", args=[sent.pk]))
    assert not Verdict.objects.exists()
    assert sent.feedback.get().state == "draft"
    assert "With Bea until" in client.get(reverse("review:desk", args=[sent.pk])).content.decode()


def test_the_next_one_is_found_and_taken_in_one_statement(sent: Rehearsal, coach: User) -> None:
    enqueue_sent()
    with CaptureQueriesContext(connection) as captured:
        assert taken(claim_next(coach=coach, wanted=ANY)) == sent
    updates = [each["sql"] for each in captured if each["sql"].startswith("UPDATE review")]
    assert len(updates) == 1
    assert "FOR NO KEY UPDATE OF" in updates[0]
    assert "SKIP LOCKED" in updates[0]
    assert not any("SKIP LOCKED" in each["sql"] for each in captured if each["sql"] != updates[0])


def test_ones_own_open_take_comes_before_a_more_urgent_one(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    send_one(needed_by=timezone.localdate())
    enqueue_sent()
    assert taken(claim_next(coach=coach, wanted=ANY)) == sent
    assert Entry.objects.filter(action="review.claimed").count() == 1


def test_the_most_urgent_comes_first_and_no_take_twice(
    sent: Rehearsal, coach: User, second_coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    soon = send_one(needed_by=timezone.localdate())
    enqueue_sent()
    assert taken(claim_next(coach=coach, wanted=ANY)) == soon
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent
    give_back(rehearsal=sent, coach=second_coach)
    third = UserFactory(roles=[Role.COACH])
    assert sent.cohort is not None
    join(sent.cohort, third, Role.COACH)
    assert taken(claim_next(coach=third, wanted=ANY)) == sent
    assert claim_next(coach=second_coach, wanted=ANY) is None


def test_a_stranger_to_the_group_is_given_nothing(sent: Rehearsal, stranger: User) -> None:
    stranger.roles = [Role.COACH]
    stranger.save()
    enqueue_sent()
    assert claim_next(coach=stranger, wanted=ANY) is None


def test_who_gave_a_take_back_is_given_the_others_first(
    sent: Rehearsal, coach: User, second_coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    other = send_one()
    enqueue_sent()
    assert taken(claim_next(coach=coach, wanted=ANY)) == sent
    give_back(rehearsal=sent, coach=coach)  # of their own cousin, say
    assert taken(claim_next(coach=coach, wanted=ANY)) == other
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent
    give_back(rehearsal=sent, coach=second_coach)
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent  # nothing else is left


def test_what_came_in_is_put_in_the_queue_with_few_queries_and_told_once(
    send_one: Callable[..., Rehearsal], coach: User, second_coach: User
) -> None:
    def queries_for(takes: int) -> int:
        for _each in range(takes):
            send_one()
        with CaptureQueriesContext(connection) as asked:
            assert enqueue_sent() == takes
        return len(asked)

    one = queries_for(1)
    assert (queries_for(11) - one) / 10 <= 4
    assert len(new_for(coach)) == len(new_for(second_coach)) == 12


def test_an_open_desk_keeps_the_claim_and_learns_when_it_is_gone(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    Review.objects.update(until=timezone.now() - timedelta(seconds=1))
    renewed = renew_claim(rehearsal=sent, coach=coach)  # The laptop slept; nobody came.
    assert renewed.is_held()
    Review.objects.update(until=timezone.now() - timedelta(seconds=1))
    claim_rehearsal(rehearsal=sent, coach=second_coach)
    with pytest.raises(HeldByOther, match="Dan"):
        renew_claim(rehearsal=sent, coach=coach)


def test_a_lease_is_three_times_as_long_as_half_of_the_reviews_take(
    sent: Rehearsal, coach: User, send_one: Callable[..., Rehearsal]
) -> None:
    assert lease_length() == LEAST_LEASE
    for take, minutes in ((sent, 8), (send_one(), 10), (send_one(), 90)):
        claim_rehearsal(rehearsal=take, coach=coach)
        Review.objects.filter(rehearsal=take).update(
            claimed_at=timezone.now() - timedelta(minutes=minutes)
        )
        finish_review(rehearsal=take, coach=coach)
    assert lease_length() == pytest.approx(timedelta(minutes=30), abs=timedelta(seconds=5))


def test_a_take_that_is_sent_again_waits_anew_in_nobodys_hands(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    withdraw_from_coach(rehearsal=sent)
    assert claim_next(coach=second_coach, wanted=ANY) is None
    send_to_coach(rehearsal=sent, note="Once more")
    enqueue_sent()
    assert taken(claim_next(coach=second_coach, wanted=ANY)) == sent
    assert Review.objects.get().grant == AccessGrant.objects.get(revoked_at=None)


def test_a_take_that_was_answered_before_there_was_a_queue_can_still_be_opened(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    AccessGrant.objects.update(answered_at=timezone.now())
    assert not Review.objects.exists()
    desk = sign_in(coach).get(reverse("review:desk", args=[sent.pk]))
    assert desk.status_code == 200
    assert Review.objects.get(rehearsal=sent).coach == coach


def test_a_newer_draft_of_an_answered_take_is_worked_on_like_any_other(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    finish_review(rehearsal=sent, coach=coach)
    AccessGrant.objects.update(answered_at=timezone.now())
    client = sign_in(coach)
    assert "Reserved for you" in client.get(reverse("review:desk", args=[sent.pk])).content.decode()
    assert (
        "Reserved for you" in client.post(reverse("review:renew", args=[sent.pk])).content.decode()
    )


@pytest.mark.django_db(transaction=True)
def test_of_twelve_coaches_at_once_exactly_one_gets_it(sent: Rehearsal, cohort: Cohort) -> None:
    coaches = _coaches(cohort, 12)
    won: list[User] = []
    lost: list[User] = []

    def reach_for_it(person: User) -> None:
        try:
            claim_rehearsal(rehearsal=sent, coach=person)
            won.append(person)
        except HeldByOther:
            lost.append(person)

    _all_at_once(coaches, reach_for_it)
    assert len(won) == 1
    assert len(lost) == 11
    assert Review.objects.get().coach == won[0]


@pytest.mark.django_db(transaction=True)
def test_fifty_coaches_at_once_get_fifty_takes_none_twice_and_nobody_nothing(
    cohort: Cohort, send_one: Callable[..., Rehearsal]
) -> None:
    coaches = _coaches(cohort, 1)
    for _each in range(50):
        send_one()
    enqueue_sent()
    # Only now: each of them would be told of each take.
    coaches += _coaches(cohort, 49)
    given: dict[int, Review | None] = {}

    def take_one(person: User) -> None:
        given[person.pk] = claim_next(coach=person, wanted=ANY)

    _all_at_once(coaches, take_one)
    takes = [review.rehearsal_id for review in given.values() if review is not None]
    assert len(takes) == 50
    assert len(set(takes)) == 50
    assert Review.objects.filter(coach__isnull=False).count() == 50


def _coaches(cohort: Cohort, count: int) -> list[User]:
    people = [UserFactory(roles=[Role.COACH]) for _each in range(count)]
    for each in people:
        join(cohort, each, Role.COACH)
    return people


def _all_at_once(people: list[User], act: Callable[[User], None]) -> None:
    start = threading.Barrier(len(people), timeout=60)

    def run(person: User) -> None:
        start.wait()
        try:
            act(person)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(each,)) for each in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
