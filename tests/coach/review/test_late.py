"""Notifications of late takes: one for each take, and none to coaches who are away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from coach.accounts.away import end_away, set_away
from coach.accounts.models import Cohort, User
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.late import tell_of_late
from coach.review.models import Review
from coach.review.services import assign, claim_rehearsal, enqueue_sent, finish_review


@pytest.fixture
def late(sent: Rehearsal, leader: User) -> Rehearsal:
    """Ana's take, sent 50 hours ago to a group that promises an answer in 48."""
    enqueue_sent()
    AccessGrant.objects.update(created_at=timezone.now() - timedelta(hours=50))
    return sent


def told() -> set[User]:
    return {each.person for each in Notice.objects.filter(kind=Kind.LATE)}


def test_all_coaches_are_told_once_if_nobody_has_it(
    late: Rehearsal, coach: User, leader: User
) -> None:
    assert (tell_of_late(), tell_of_late()) == (1, 0)
    assert told() == {coach, leader}
    claim_rehearsal(rehearsal=late, coach=coach)
    assert not Notice.objects.filter(kind=Kind.LATE, settled_at=None).exists()
    assert tell_of_late() == 0


def test_only_its_coach_is_told_and_no_more_once_it_is_answered(
    late: Rehearsal, coach: User
) -> None:
    claim_rehearsal(rehearsal=late, coach=coach)
    assert tell_of_late() == 1
    assert told() == {coach}
    finish_review(rehearsal=late, coach=coach)
    assert not Notice.objects.filter(kind=Kind.LATE, settled_at=None).exists()


def test_nobody_is_told_while_away(late: Rehearsal, coach: User, leader: User) -> None:
    assign(review=Review.objects.get(), lead=leader, to=coach)
    today = timezone.localdate()
    for person in (coach, leader):
        set_away(coach=person, first=today, last=today)
    assert tell_of_late() == 0
    end_away(coach=leader)
    assert tell_of_late() == 1
    assert told() == {leader}


def test_in_time_without_a_promise_or_turned_off_nobody_is_told(
    late: Rehearsal, cohort: Cohort
) -> None:
    groups = Cohort.objects.filter(pk=cohort.pk)
    groups.update(late_notices=False)
    assert tell_of_late() == 0
    groups.update(late_notices=True, reply_hours=None)
    assert tell_of_late() == 0
    groups.update(reply_hours=72)
    assert tell_of_late() == 0
    groups.update(reply_hours=48)
    assert tell_of_late() == 1
