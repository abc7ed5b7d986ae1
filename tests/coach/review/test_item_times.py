"""How long a coach works on an item: told by the desk, believed as far as the clock goes."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import join_cohort
from coach.feedback.models import Feedback, Item
from coach.feedback.verdicts import add_coach_item
from coach.portal.erasure import erase_person
from coach.portal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.review.item_times import (
    MOST_AT_ONCE,
    count_item_times,
    item_times_in,
    item_times_of,
)
from coach.review.models import ItemTime, Review
from coach.review.selectors import groups_led_by
from coach.review.services import claim_rehearsal, finish_review, give_back
from coach.review.timed import FIELD, read_item_times
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.review.deciding import own, settle

LONG_AGO = timedelta(days=90)


@pytest.fixture
def held(sent: Rehearsal, draft: Feedback, coach: User) -> Rehearsal:
    """Bea has had Ana's take for two minutes."""
    claim_rehearsal(rehearsal=sent, coach=coach)
    began(timedelta(minutes=2))
    return sent


@pytest.fixture
def leader(cohort: Cohort) -> User:
    eve = UserFactory(email="eve@example.org", name="Eve", roles=[Role.COACH])
    join_cohort(person=eve, cohort=cohort, role=Role.COACH, actor=None, leads=True)
    return eve


def began(ago: timedelta) -> None:
    """So long ago, and nothing was told since."""
    Review.objects.update(claimed_at=timezone.now() - ago, timed_until=None)


def tell(take: Rehearsal, coach: User, **seconds: float) -> float:
    told = {UUID(key): value for key, value in seconds.items()}
    return count_item_times(rehearsal_id=take.pk, coach=coach, told=told)


def on(item: Item, seconds: float) -> dict[str, float]:
    return {str(item.pk): seconds}


def first_of(draft: Feedback) -> Item:
    return draft.items.order_by("position", "pk")[:1].get()


def two_of(draft: Feedback, coach: User) -> tuple[Item, Item]:
    """The machine's, and one of the coach's own."""
    return first_of(draft), add_coach_item(feedback=draft, coach=coach, words=own())


def test_what_the_desk_tells_adds_up(held: Rehearsal, draft: Feedback, coach: User) -> None:
    item = first_of(draft)
    assert tell(held, coach, **on(item, 20)) == pytest.approx(20)
    Review.objects.update(timed_until=timezone.now() - timedelta(seconds=30))
    tell(held, coach, **on(item, 15))
    assert ItemTime.objects.get(item=item, coach=coach).seconds == pytest.approx(35)


def test_no_more_counts_than_has_passed_since_the_claim(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    counted = tell(held, coach, **on(first_of(draft), 86_400))
    assert counted == pytest.approx(120, abs=5)
    assert ItemTime.objects.get().seconds == pytest.approx(120, abs=5)


def test_nor_than_since_it_last_told(held: Rehearsal, draft: Feedback, coach: User) -> None:
    """Two desks of one coach, or one that tells the same twice."""
    item = first_of(draft)
    tell(held, coach, **on(item, 90))
    tell(held, coach, **on(item, 90))
    assert ItemTime.objects.get().seconds == pytest.approx(90, abs=5)


def test_several_items_share_what_has_passed(held: Rehearsal, draft: Feedback, coach: User) -> None:
    first, second = two_of(draft, coach)
    tell(held, coach, **on(first, 300), **on(second, 100))
    assert ItemTime.objects.get(item=first).seconds == pytest.approx(90, abs=5)
    assert ItemTime.objects.get(item=second).seconds == pytest.approx(30, abs=5)


def test_a_laptop_that_slept_was_not_worked_at(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    began(timedelta(hours=9))
    counted = tell(held, coach, **on(first_of(draft), 9 * 3600))
    assert counted == pytest.approx(MOST_AT_ONCE.total_seconds())


def test_only_who_has_the_take_in_hand_is_timed(
    held: Rehearsal, draft: Feedback, coach: User, leader: User
) -> None:
    item = first_of(draft)
    assert tell(held, leader, **on(item, 10)) == 0
    give_back(rehearsal=held, coach=coach)
    assert tell(held, coach, **on(item, 10)) == 0
    assert not ItemTime.objects.exists()


def test_only_items_of_this_take_are(held: Rehearsal, coach: User) -> None:
    assert tell(held, coach, **{str(uuid4()): 10.0}) == 0
    assert not ItemTime.objects.exists()


@pytest.mark.parametrize(
    "sent_along",
    [
        "",
        "ten",
        "[1, 2]",
        '{"not-an-item": 5}',
        f'{{"{uuid4()}": "5"}}',
        f'{{"{uuid4()}": true}}',
        f'{{"{uuid4()}": -5}}',
        f'{{"{uuid4()}": NaN}}',
        f'{{"{uuid4()}": Infinity}}',
        f'{{"{uuid4()}": 1{"0" * 400}}}',
        "[" * 3_000,
        "{" + " " * 5_000 + "}",
    ],
)
def test_nonsense_is_left_out(sent_along: str) -> None:
    assert read_item_times(sent_along) == {}


@pytest.mark.parametrize("name", ["review:renew", "review:release", "review:give_back"])
def test_it_goes_along_with_what_the_desk_sends(
    name: str, held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    settle(draft, coach)
    item = first_of(draft)
    sign_in(coach).post(reverse(name, args=[held.pk]), {FIELD: json.dumps(on(item, 12.5))})
    assert ItemTime.objects.get(item=item, coach=coach).seconds == pytest.approx(12.5)


def test_a_verdict_brings_it_along(
    held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    item = first_of(draft)
    told = {"action": "accept", FIELD: json.dumps(on(item, 8))}
    sign_in(coach).post(reverse("review:verdict", args=[held.pk, item.pk]), told)
    assert ItemTime.objects.get().seconds == pytest.approx(8)


def test_nonsense_keeps_no_act_from_happening(
    held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    item = first_of(draft)
    told = {"action": "accept", FIELD: "{"}
    sign_in(coach).post(reverse("review:verdict", args=[held.pk, item.pk]), told)
    assert item.verdicts.count() == 1
    assert not ItemTime.objects.exists()


def test_a_stranger_and_who_may_no_longer_see_the_take_write_nothing(
    held: Rehearsal, draft: Feedback, coach: User, stranger: User, sign_in: SignIn
) -> None:
    told = {FIELD: json.dumps(on(first_of(draft), 5))}
    address = reverse("review:renew", args=[held.pk])
    assert sign_in(stranger).post(address, told).status_code == 404
    held.grants.update(revoked_at=timezone.now())
    assert sign_in(coach).post(address, told).status_code == 404
    assert not ItemTime.objects.exists()


def test_who_leads_and_each_coach_read_it_once_it_is_answered(
    held: Rehearsal, draft: Feedback, coach: User, leader: User, sign_in: SignIn
) -> None:
    first, second = two_of(draft, coach)
    tell(held, coach, **on(first, 40), **on(second, 60))
    since = timezone.now() - LONG_AGO
    assert item_times_in(groups_led_by(leader), since).count == 0  # may still grow
    finish_review(rehearsal=held, coach=coach)
    found = item_times_in(groups_led_by(leader), since)
    assert (found.count, found.median, found.p90) == (2, pytest.approx(50), pytest.approx(58))
    assert item_times_of(coach, since) == found
    assert item_times_of(leader, since).count == 0
    team = sign_in(leader).get(reverse("review:team")).content.decode()
    theirs = sign_in(coach).get(reverse("review:released")).content.decode()
    for page in (team, theirs):
        assert "50 seconds" in page
        assert "58 seconds" in page
        assert "2 (fewer than 20: this says little yet)" in page
        assert "1.2 times its length at most" in page
    assert "50 seconds" not in sign_in(leader).get(reverse("review:released")).content.decode()


def test_another_groups_leader_reads_none_of_it(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    tell(held, coach, **on(first_of(draft), 40))
    finish_review(rehearsal=held, coach=coach)
    zoe = UserFactory(name="Zoe", roles=[Role.COACH])
    elsewhere = Cohort.objects.create(name="Another group")
    join_cohort(person=zoe, cohort=elsewhere, role=Role.COACH, actor=None, leads=True)
    assert item_times_in(groups_led_by(zoe), timezone.now() - LONG_AGO).count == 0


def test_items_of_two_coaches_count_once(
    held: Rehearsal, draft: Feedback, coach: User, cohort: Cohort, leader: User
) -> None:
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    item = first_of(draft)
    tell(held, coach, **on(item, 40))
    give_back(rehearsal=held, coach=coach)
    claim_rehearsal(rehearsal=held, coach=dan)
    began(timedelta(minutes=1))
    tell(held, dan, **on(item, 20))
    finish_review(rehearsal=held, coach=dan)
    found = item_times_in(groups_led_by(leader), timezone.now() - LONG_AGO)
    assert (found.count, found.median) == (1, pytest.approx(60))


def test_a_coach_downloads_it_and_it_goes_with_the_account(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    tell(held, coach, **on(first_of(draft), 40))
    (row,) = own_data(coach)["time_on_items"]
    assert row["seconds"] == pytest.approx(40)
    erase_person(user=coach)
    assert not ItemTime.objects.exists()
    assert Item.objects.filter(feedback=draft).exists()
