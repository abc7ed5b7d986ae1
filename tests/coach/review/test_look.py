"""A read-only look claims nothing and keeps the right to a blind second opinion."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import record_glance
from coach.review.look.page import open_to_second
from coach.review.models import Review
from coach.review.services import enqueue_sent
from tests.coach.conftest import SignIn


@pytest.fixture
def sampled(sent: Rehearsal) -> Rehearsal:
    """A sent take in the sample for second opinions."""
    enqueue_sent()
    Review.objects.update(wants_second=True)
    return sent


def test_a_look_claims_nothing_and_keeps_the_second_opinion(
    sampled: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    answer = client.get(reverse("review:look", args=[sampled.pk]))
    assert answer.status_code == 200
    assert Review.objects.get().coach is None
    assert Viewing.objects.get().what == "look"
    assert open_to_second(coach, [sampled.pk]) == {sampled.pk}
    client.get(reverse("review:desk", args=[sampled.pk]))
    assert open_to_second(coach, [sampled.pk]) == set()


def test_a_look_shows_no_finding(sampled: Rehearsal, coach: User, sign_in: SignIn) -> None:
    page = sign_in(coach).get(reverse("review:look", args=[sampled.pk])).content.decode()
    for mark in ("data-item", "data-lanes", 'class="f"', 'class="p"'):
        assert mark not in page


def test_a_recording_played_for_hours_stays_a_look(sampled: Rehearsal, coach: User) -> None:
    Viewing.objects.create(rehearsal=sampled, viewer=coach, what="look")
    Viewing.objects.update(at=timezone.now() - timedelta(hours=2))
    record_glance(rehearsal=sampled, viewer=coach)
    assert set(Viewing.objects.values_list("what", flat=True)) == {"look"}


def test_the_queue_says_what_opening_ends(sampled: Rehearsal, coach: User, sign_in: SignIn) -> None:
    page = sign_in(coach).get(reverse("review:queue")).context["page"]
    assert [(row.ends_second, row.look_url) for row in page.rows] == [
        (True, reverse("review:look", args=[sampled.pk]))
    ]
