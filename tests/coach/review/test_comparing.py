"""A random share of takes comes without automatic cards; minutes are compared once enough."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback
from coach.feedback.verdicts import CoachItem, add_coach_item
from coach.lib.words.numbers import decimal
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.comparing.draw import drawn_cards, show_cards
from coach.review.comparing.figures import (
    MinutesCompared,
    compared_words,
    comparison_facts,
    difference_of,
    mean_of,
    minutes_in,
)
from coach.review.models import Review
from coach.review.services import claim_rehearsal, enqueue_sent
from coach.review.team.item_times import LEAST_COACHES
from tests.coach.conftest import SignIn

OWN = CoachItem(
    tone="improvement", quality="pace", claim="Slower here.", suggestion="", clips=((1.0, 3.0),)
)


@pytest.fixture
def without(sent: Rehearsal, draft: Feedback, coach: User) -> Rehearsal:
    """Ana's take, drawn to come without cards, and claimed ten minutes ago."""
    enqueue_sent()
    claim_rehearsal(rehearsal=sent, coach=coach)
    begun = timezone.now() - timedelta(minutes=10)
    Review.objects.update(cards=Review.Cards.WITHOUT, claimed_at=begun)
    return sent


def url(take: Rehearsal, name: str) -> str:
    return reverse(f"review:{name}", args=[take.pk])


def test_nothing_is_drawn_by_default_and_about_the_share_otherwise(
    sent: Rehearsal, cohort: Cohort
) -> None:
    grant = AccessGrant.objects.get()
    assert drawn_cards(grant) == ""
    grant.cohort.without_cards_percent = 25
    drawn = []
    for number in range(400):
        grant.pk = number
        drawn.append(drawn_cards(grant))
    assert drawn_cards(grant) == drawn[-1]
    assert 60 < drawn.count("without") < 140
    assert drawn.count("with") + drawn.count("without") == 400


def test_the_cards_are_hidden_until_the_coach_has_written_one_and_the_minutes_are_kept(
    without: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    [chosen] = draft.items.filter(is_chosen=True)
    page = client.get(url(without, "desk"))
    assert page.context["desk"].items == ()
    assert chosen.card.claim not in page.content.decode()
    for name in ("summary", "facts"):
        assert client.get(url(without, name)).status_code == 302
    client.post(url(without, "release"))
    draft.refresh_from_db()
    assert draft.state == Feedback.State.DRAFT
    with pytest.raises(ValidationError):
        show_cards(rehearsal=without, feedback=draft, coach=coach)
    add_coach_item(feedback=draft, coach=coach, words=OWN)
    assert len(client.get(url(without, "desk")).context["desk"].items) == 1
    report = json.dumps([{"id": "report-number-1", "items": {}, "desk": 240.0}])
    client.post(url(without, "show_cards"), {"item_times": report})
    review = Review.objects.get()
    assert (review.own_seconds, review.desk_seconds) == (240, 240)
    assert len(client.get(url(without, "desk")).context["desk"].items) > 1


def test_no_more_than_passed_is_believed_and_only_of_drawn_takes(
    without: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    report = json.dumps([{"id": "report-number-1", "items": {}, "desk": 9e9}])
    client.post(url(without, "renew"), {"item_times": report})
    assert 595 < Review.objects.get().desk_seconds < 605
    client.post(url(without, "renew"), {"item_times": report})
    assert Review.objects.get().desk_seconds < 605, "the same report again"
    Review.objects.update(cards="", desk_seconds=0, timed_until=None)
    other = json.dumps([{"id": "report-number-2", "items": {}, "desk": 60}])
    client.post(url(without, "renew"), {"item_times": other})
    assert Review.objects.get().desk_seconds == 0


def test_figures_need_enough_talks_and_coaches(
    without: Rehearsal, cohort: Cohort, leader: User, sign_in: SignIn
) -> None:
    groups = Cohort.objects.filter(pk=cohort.pk)
    team = sign_in(leader).get(reverse("review:team")).context["page"]
    assert team.compared == ()
    groups.update(without_cards_percent=20)
    assert [fact.value for fact in comparison_facts(groups)][-1] == "not known"
    found = MinutesCompared(
        with_cards=(4.0, 6.0) * 15, without_cards=(9.0, 11.0) * 15, coaches=LEAST_COACHES
    )
    with_cards, _without, saved = (fact.value for fact in compared_words(found))
    assert "30 talks" in with_cards
    assert saved.startswith(f"{decimal(5)} minutes")
    for few in (replace(found, coaches=2), replace(found, with_cards=(4.0,) * 29)):
        assert compared_words(few)[-1].value == "not known"


def test_takes_that_are_answered_and_timed_count(
    without: Rehearsal, cohort: Cohort, coach: User
) -> None:
    groups = Cohort.objects.filter(pk=cohort.pk)
    assert minutes_in(groups).without_cards == ()
    now = timezone.now()
    AccessGrant.objects.update(answered_at=now)
    Review.objects.update(finished_at=now, own_seconds=300, desk_seconds=500, handled_by=coach)
    found = minutes_in(groups)
    assert (found.without_cards, found.with_cards, found.coaches) == ((5.0,), (), 1)


def test_the_intervals_are_those_of_the_textbook() -> None:
    """As scipy.stats gives them: t.interval, and ttest_ind without equal variances."""
    values = [float(n % 7) for n in range(30)]
    mean = mean_of(values)
    assert (mean.low, mean.high) == pytest.approx((2.0607, 3.6060), abs=1e-4)
    other = [value + 2 for value in values[:20]]
    apart = difference_of(other, values)
    assert (apart.low, apart.value, apart.high) == pytest.approx((0.8419, 2.0167, 3.1914), abs=2e-4)
