"""Who could give a second opinion is told once a first coach is on the take, and nobody else."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.notices.models import Kind, Notice
from coach.notices.selectors import kinds_for, new_for
from coach.notices.services import KEPT_FOR, forget_old
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.second.services import TOLD_WITHIN, tell_of_seconds
from coach.review.services import claim_rehearsal
from tests.coach.conftest import SignIn
from tests.coach.review.second.judging import url


def told() -> list[str]:
    found = Notice.objects.filter(kind=Kind.SECOND, settled_at=None)
    return sorted(found.values_list("person__email", flat=True))


def test_the_others_are_told_once_somebody_is_on_it(
    sampled: Rehearsal, coach: User, dora: User, stranger: User, trainee: User
) -> None:
    assert tell_of_seconds() == 0
    claim_rehearsal(rehearsal=sampled, coach=coach)
    assert tell_of_seconds() == 1
    assert tell_of_seconds() == 0
    assert told() == [dora.email]
    assert Kind.SECOND in kinds_for(dora)
    assert Kind.SECOND not in kinds_for(trainee)


def test_it_leads_to_where_nothing_is_shown_and_is_over_once_it_is_taken(
    sampled: Rehearsal, coach: User, dora: User, leader: User, sign_in: SignIn
) -> None:
    claim_rehearsal(rehearsal=sampled, coach=coach)
    tell_of_seconds()
    assert told() == [dora.email, leader.email]
    client = sign_in(dora)
    page = client.get(reverse("notices:list")).content.decode()
    assert "is waiting for your second opinion" in page
    assert f'href="{reverse("review:seconds")}"' in page
    client.post(url(sampled, "take_second"))
    assert told() == []
    assert not new_for(leader).filter(kind=Kind.SECOND).exists()
    client.post(url(sampled, "give_up"))
    assert told() == [leader.email]


def test_who_has_seen_what_was_found_is_not_asked(
    sampled: Rehearsal, coach: User, dora: User, sign_in: SignIn
) -> None:
    sign_in(dora).get(url(sampled, "desk"))
    claim_rehearsal(rehearsal=sampled, coach=dora)
    sign_in(coach).get(url(sampled, "desk"))
    tell_of_seconds()
    assert told() == []


def test_nobody_is_told_again_of_an_old_one_once_its_notice_is_forgotten(
    sampled: Rehearsal, coach: User, dora: User
) -> None:
    claim_rehearsal(rehearsal=sampled, coach=coach)
    tell_of_seconds()
    long_ago = timezone.now() - KEPT_FOR - timedelta(days=1)
    Notice.objects.update(seen_at=long_ago, not_before=long_ago)
    Review.objects.update(finished_at=long_ago, handled_by=coach)
    assert forget_old() > 0
    assert tell_of_seconds() == 0
    assert told() == []


def test_what_nobody_could_be_told_of_is_not_looked_at_for_ever(
    sampled: Rehearsal, coach: User
) -> None:
    Review.objects.update(finished_at=timezone.now() - timedelta(days=1), handled_by=coach)
    assert tell_of_seconds() == 1
    Review.objects.update(finished_at=timezone.now() - TOLD_WITHIN - timedelta(days=1))
    assert tell_of_seconds() == 0
