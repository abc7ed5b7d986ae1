"""Links that are made, and a permission that is taken away, at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import User
from coach.guests.models import GuestLink
from coach.guests.services import MOST_OPEN_LINKS, let_coach_invite, make_link, share_report
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import let_go
from tests.coach.crossing import in_the_middle_of, on_its_own, waits

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = 16


def link(take: Rehearsal, maker: User) -> tuple[GuestLink, str]:
    return make_link(rehearsal=take, maker=maker, meant_for="Paul", days=7, shows_findings=False)


def test_of_sixteen_links_that_are_made_at_the_same_moment_ten_are_open(sent: Rehearsal) -> None:
    start = Barrier(TRIES, timeout=60)
    share = partial(share_report, meant_for="Zoe", days=7, with_recording=True, shows_all=True)

    def make(number: int) -> bool:
        start.wait()
        try:
            link(sent, sent.owner) if number % 2 else share(rehearsal=sent)
        except ValidationError:
            return False
        return True

    with ThreadPoolExecutor(TRIES) as pool:
        tries = [pool.submit(on_its_own(partial(make, number))) for number in range(TRIES)]
        made = [each.result(timeout=60) for each in tries]
    assert made.count(True) == GuestLink.objects.count() == MOST_OPEN_LINKS == 10


def test_the_eleventh_waits_for_the_tenth(sent: Rehearsal) -> None:
    for _number in range(MOST_OPEN_LINKS - 1):
        link(sent, sent.owner)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(lambda: link(sent, sent.owner), pool):
            eleventh = pool.submit(on_its_own(lambda: link(sent, sent.owner)))
            assert waits(eleventh)
        with pytest.raises(ValidationError, match="ten open links"):
            eleventh.result(timeout=30)


def test_a_coach_who_may_invite_no_longer_makes_no_link_meanwhile(
    sent: Rehearsal, coach: User
) -> None:
    let_coach_invite(rehearsal=sent, may=True)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(lambda: let_coach_invite(rehearsal=sent, may=False), pool):
            late = pool.submit(on_its_own(lambda: link(sent, coach)))
            assert waits(late)
        with pytest.raises(ValidationError, match="can no longer invite guests"):
            late.result(timeout=30)
    assert not GuestLink.objects.exists()


def test_a_link_that_a_coach_makes_while_it_is_taken_away_is_ended(
    sent: Rehearsal, coach: User
) -> None:
    let_coach_invite(rehearsal=sent, may=True)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(lambda: link(sent, coach), pool):
            taken_away = pool.submit(
                on_its_own(lambda: let_coach_invite(rehearsal=sent, may=False))
            )
            assert waits(taken_away)
        taken_away.result(timeout=30)
    assert GuestLink.objects.get().revoked_at is not None


def test_a_take_that_is_deleted_at_the_same_moment_gets_no_link(sent: Rehearsal) -> None:
    owner = sent.owner
    go = partial(
        let_go, rehearsal=Rehearsal.objects.get(), action="rehearsals.deleted", actor=owner
    )
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(go, pool):
            late = pool.submit(on_its_own(lambda: link(sent, owner)))
            assert waits(late)
        with pytest.raises(ValidationError, match="can no longer invite guests"):
            late.result(timeout=30)
