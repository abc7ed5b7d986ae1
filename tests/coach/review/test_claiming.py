"""Two coaches at once: one has it, the other is told who."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Verdict
from coach.rehearsals.models import Rehearsal
from coach.review.models import Claim
from coach.review.services import HeldByOther, claim_rehearsal, give_back
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join


@pytest.fixture
def second_coach(cohort: Cohort) -> User:
    dan = UserFactory(email="dan@example.org", name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    return dan


def test_the_second_coach_is_told_who_is_on_it(
    sent: Rehearsal, coach: User, second_coach: User
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    with pytest.raises(HeldByOther, match="Bea"):
        claim_rehearsal(rehearsal=sent, coach=second_coach)


def test_coming_back_renews_ones_own_claim(sent: Rehearsal, coach: User) -> None:
    first = claim_rehearsal(rehearsal=sent, coach=coach)
    again = claim_rehearsal(rehearsal=sent, coach=coach)
    assert again.pk == first.pk
    assert again.until >= first.until


def test_an_abandoned_claim_is_free_again(sent: Rehearsal, coach: User, second_coach: User) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    Claim.objects.update(until=timezone.now() - timedelta(seconds=1))
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
    assert "Bea is on it" in client.get(reverse("review:desk", args=[sent.pk])).content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_twelve_coaches_at_once_exactly_one_gets_it(sent: Rehearsal, cohort: Cohort) -> None:
    coaches = [UserFactory(roles=[Role.COACH]) for _each in range(12)]
    for each in coaches:
        join(cohort, each, Role.COACH)
    start = threading.Barrier(len(coaches))
    won: list[User] = []
    lost: list[User] = []

    def reach_for_it(person: User) -> None:
        start.wait()
        try:
            claim_rehearsal(rehearsal=sent, coach=person)
            won.append(person)
        except HeldByOther:
            lost.append(person)
        finally:
            connection.close()

    threads = [threading.Thread(target=reach_for_it, args=(each,)) for each in coaches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert len(lost) == 11
    assert Claim.objects.get().coach == won[0]
