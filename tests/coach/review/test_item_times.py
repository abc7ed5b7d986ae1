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
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.review.models import ItemTime, Review
from coach.review.selectors import groups_led_by
from coach.review.services import claim_rehearsal, finish_review, give_back
from coach.review.team.item_times import (
    LEAST_COACHES,
    LEAST_TIMED,
    MOST_AT_ONCE,
    REMEMBERED,
    TimeReport,
    count_item_times,
    item_times_in,
    item_times_of,
)
from coach.review.team.timed import FIELD, read_reports
from tests.coach.cast import one_more
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


def began(ago: timedelta) -> None:
    """So long ago, and nothing was told since."""
    Review.objects.update(claimed_at=timezone.now() - ago, timed_until=None)


def tell(take: Rehearsal, coach: User, **seconds: float) -> float:
    return tell_again(take, coach, str(uuid4()), **seconds)


def tell_again(take: Rehearsal, coach: User, name: str, **seconds: float) -> float:
    told = TimeReport(name=name, seconds={UUID(key): value for key, value in seconds.items()})
    return count_item_times(rehearsal_id=take.pk, coach=coach, reports=[told])


def sent_along(item: Item, seconds: float, name: str = "a-report-1") -> str:
    """As the desk's script writes it."""
    return json.dumps([{"id": name, "items": on(item, seconds)}])


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
    """Two desks of one coach."""
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


def test_a_report_whose_answer_was_lost_counts_once(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    item = first_of(draft)
    tell_again(held, coach, "a-report-1", **on(item, 20))
    Review.objects.update(timed_until=timezone.now() - timedelta(minutes=5))
    assert tell_again(held, coach, "a-report-1", **on(item, 20)) == 0
    assert tell_again(held, coach, "a-report-2", **on(item, 5)) == pytest.approx(5)
    assert ItemTime.objects.get().seconds == pytest.approx(25)


def test_of_several_that_come_together_the_known_one_is_left_out(
    held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    item = first_of(draft)
    tell_again(held, coach, "a-report-1", **on(item, 20))
    both = [{"id": f"a-report-{each}", "items": on(item, 20)} for each in (1, 2, 2)]
    Review.objects.update(timed_until=timezone.now() - timedelta(minutes=5))
    address = reverse("review:renew", args=[held.pk])
    sign_in(coach).post(address, {FIELD: json.dumps(both)})
    assert ItemTime.objects.get().seconds == pytest.approx(40)


def test_only_the_newest_names_are_kept(held: Rehearsal, draft: Feedback, coach: User) -> None:
    for each in range(REMEMBERED + 3):
        tell_again(held, coach, f"a-report-{each}", **on(first_of(draft), 0.001))
    assert Review.objects.get().timed_reports == [
        f"a-report-{each}" for each in range(3, REMEMBERED + 3)
    ]


AN_ID = '"id": "a-report-1"'
SOME_ITEM = UUID(int=5)


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "ten",
        "[1, 2]",
        "{}",
        f"[{{{AN_ID}}}]",
        f'[{{{AN_ID}, "items": [5]}}]',
        f'[{{{AN_ID}, "items": {{"not-an-item": 5}}}}]',
        f'[{{"items": {{"{SOME_ITEM}": 5}}}}]',
        f'[{{"id": 5, "items": {{"{SOME_ITEM}": 5}}}}]',
        f'[{{"id": "{"x" * 41}", "items": {{"{SOME_ITEM}": 5}}}}]',
        *(
            f'[{{{AN_ID}, "items": {{"{SOME_ITEM}": {seconds}}}}}]'
            for seconds in ('"5"', "true", "-5", "NaN", "Infinity", "1" + "0" * 400)
        ),
        "[" * 15_000,
        "[" + " " * 17_000 + "]",
    ],
)
def test_nonsense_is_left_out(nonsense: str) -> None:
    assert read_reports(nonsense) == []


@pytest.mark.parametrize("name", ["review:renew", "review:release", "review:give_back"])
def test_it_goes_along_with_what_the_desk_sends(
    name: str, held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    settle(draft, coach)
    item = first_of(draft)
    sign_in(coach).post(reverse(name, args=[held.pk]), {FIELD: sent_along(item, 12.5)})
    assert ItemTime.objects.get(item=item, coach=coach).seconds == pytest.approx(12.5)


def test_a_verdict_brings_it_along(
    held: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    item = first_of(draft)
    told = {"action": "accept", FIELD: sent_along(item, 8)}
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
    told = {FIELD: sent_along(first_of(draft), 5)}
    address = reverse("review:renew", args=[held.pk])
    assert sign_in(stranger).post(address, told).status_code == 404
    held.grants.update(revoked_at=timezone.now())
    assert sign_in(coach).post(address, told).status_code == 404
    assert not ItemTime.objects.exists()


def more_items(draft: Feedback, how_many: int) -> list[Item]:
    return [one_more(draft, 30 + each) for each in range(how_many)]


def timed_by(coaches: list[User], items: list[Item]) -> None:
    """In turn, each item a second longer than the one before, from 41 on."""
    ItemTime.objects.bulk_create(
        ItemTime(item=item, coach=coaches[place % len(coaches)], seconds=41 + place)
        for place, item in enumerate(items)
    )


@pytest.fixture
def team(cohort: Cohort, coach: User, leader: User) -> list[User]:
    """Three coaches, one of whom leads."""
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    return [coach, leader, dan]


def test_who_leads_and_each_coach_read_it_once_it_is_answered(
    held: Rehearsal, draft: Feedback, team: list[User], sign_in: SignIn
) -> None:
    coach, leader, _dan = team
    timed_by(team, more_items(draft, LEAST_TIMED + 1))
    since = timezone.now() - LONG_AGO
    assert item_times_in(groups_led_by(leader), since).is_withheld  # may still grow
    finish_review(rehearsal=held, coach=coach)
    found = item_times_in(groups_led_by(leader), since)
    assert (found.count, found.median, found.p90) == (21, pytest.approx(51), pytest.approx(59))
    own_times = item_times_of(coach, since)
    assert (own_times.count, own_times.median) == (7, pytest.approx(50))
    team_page = sign_in(leader).get(reverse("review:team")).content.decode()
    assert "51 seconds" in team_page
    assert "59 seconds" in team_page
    assert "1.2 times its length at most" in team_page
    theirs = sign_in(coach).get(reverse("review:released")).content.decode()
    assert "50 seconds" in theirs
    assert "7 (fewer than 20: too few to tell much yet)" in theirs
    assert "50 seconds" not in sign_in(leader).get(reverse("review:released")).content.decode()


@pytest.mark.parametrize(
    ("coaches", "items"), [(1, LEAST_TIMED), (2, 40), (LEAST_COACHES, LEAST_TIMED - 1)]
)
def test_who_leads_reads_no_single_persons_time(
    coaches: int,
    items: int,
    held: Rehearsal,
    draft: Feedback,
    team: list[User],
    sign_in: SignIn,
) -> None:
    coach, leader, _dan = team
    timed_by(team[:coaches], more_items(draft, items))
    finish_review(rehearsal=held, coach=coach)
    found = item_times_in(groups_led_by(leader), timezone.now() - LONG_AGO)
    assert (found.is_withheld, found.count, found.median, found.p90) == (True, 0, None, None)
    page = sign_in(leader).get(reverse("review:team")).content.decode()
    assert "too few to show" in page
    assert " seconds</dd>" not in page
    assert "at least three coaches and twenty cards" in page
    own_page = sign_in(coach).get(reverse("review:released")).content.decode()
    assert " seconds</dd>" in own_page, "a coach's own stay theirs"
    assert "at least three coaches and twenty cards" in own_page


def test_another_groups_leader_reads_none_of_it(
    held: Rehearsal, draft: Feedback, team: list[User]
) -> None:
    timed_by(team, more_items(draft, LEAST_TIMED))
    finish_review(rehearsal=held, coach=team[0])
    zoe = UserFactory(name="Zoe", roles=[Role.COACH])
    elsewhere = Cohort.objects.create(name="Another group")
    join_cohort(person=zoe, cohort=elsewhere, role=Role.COACH, actor=None, leads=True)
    since = timezone.now() - LONG_AGO
    assert item_times_in(groups_led_by(zoe), since).is_withheld
    assert not item_times_in(groups_led_by(team[1]), since).is_withheld


def test_items_of_several_coaches_count_once(
    held: Rehearsal, draft: Feedback, team: list[User]
) -> None:
    items = more_items(draft, LEAST_TIMED)
    for coach in team:
        timed_by([coach], items)
    finish_review(rehearsal=held, coach=team[0])
    found = item_times_in(groups_led_by(team[1]), timezone.now() - LONG_AGO)
    assert (found.count, found.median) == (LEAST_TIMED, pytest.approx(3 * 50.5))


def test_a_coach_downloads_it_and_it_goes_with_the_account(
    held: Rehearsal, draft: Feedback, coach: User
) -> None:
    tell(held, coach, **on(first_of(draft), 40))
    (row,) = own_data(coach)["time_on_items"]
    assert row["seconds"] == pytest.approx(40)
    erase_person(user=coach)
    assert not ItemTime.objects.exists()
    assert Item.objects.filter(feedback=draft).exists()
