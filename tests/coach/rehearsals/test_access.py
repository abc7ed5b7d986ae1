"""Who may open what: the owner; those the owner shares with, now; nobody else."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import Cohort, Role, User
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import (
    answering_cohort,
    own_rehearsals_for,
    rehearsals_for,
    shared_rehearsals_for,
)
from coach.rehearsals.services import send_to_coach, withdraw_from_coach
from tests.coach.factories import RehearsalFactory, UserFactory, join


def test_a_take_is_private_until_it_is_sent(take: Rehearsal, trainee: User, coach: User) -> None:
    assert take in rehearsals_for(trainee)
    assert take not in rehearsals_for(coach)


def test_sending_lets_the_coaches_of_the_cohort_open_it(sent: Rehearsal, coach: User) -> None:
    assert sent in rehearsals_for(coach)
    assert sent in shared_rehearsals_for(coach)
    assert sent not in own_rehearsals_for(coach)


def test_a_coach_of_another_cohort_stays_a_stranger(sent: Rehearsal, stranger: User) -> None:
    assert sent not in rehearsals_for(stranger)


def test_an_administrator_is_a_stranger_too(sent: Rehearsal) -> None:
    admin = User.objects.create_superuser("root@example.org", "x" * 12, name="Root")
    assert sent not in rehearsals_for(admin)


def test_another_trainee_of_the_cohort_is_a_stranger_too(sent: Rehearsal) -> None:
    other = UserFactory()
    sent.cohort.memberships.create(user=other, role=Role.TRAINEE)  # type: ignore[union-attr]
    assert sent not in rehearsals_for(other)


def test_taking_it_back_makes_it_private_again_and_it_can_be_sent_again(
    sent: Rehearsal, coach: User
) -> None:
    withdraw_from_coach(rehearsal=sent)
    assert sent not in rehearsals_for(coach)
    send_to_coach(rehearsal=sent, note="Again")
    assert sent in rehearsals_for(coach)


def test_sending_twice_changes_nothing(sent: Rehearsal) -> None:
    send_to_coach(rehearsal=sent, note="again")
    assert sent.grants.count() == 1


def test_a_trainee_who_coaches_the_same_cohort_does_not_review_themselves(
    sent: Rehearsal, trainee: User
) -> None:
    sent.cohort.memberships.create(user=trainee, role=Role.COACH)  # type: ignore[union-attr]
    assert sent not in shared_rehearsals_for(trainee)


def test_who_changed_groups_sends_to_the_coaches_that_they_have_now(
    take: Rehearsal, trainee: User, coach: User
) -> None:
    carla = UserFactory(roles=[Role.COACH])
    elsewhere = Cohort.objects.create(name="Tuesday group")
    join(elsewhere, carla, Role.COACH)
    trainee.memberships.update(cohort=elsewhere)
    send_to_coach(rehearsal=take, note="")
    assert take in rehearsals_for(carla)
    assert take not in rehearsals_for(coach)


def test_who_is_no_longer_a_coach_opens_nothing_and_nothing_is_sent_to_them(
    sent: Rehearsal, coach: User
) -> None:
    coach.roles = [Role.TRAINEE]
    coach.save()
    assert sent not in rehearsals_for(coach)
    assert sent not in shared_rehearsals_for(coach)
    withdraw_from_coach(rehearsal=sent)
    with pytest.raises(ValidationError, match="nobody can reply"):
        send_to_coach(rehearsal=sent, note="")


@pytest.mark.django_db
def test_where_nobody_could_answer_it_is_said_and_not_sent() -> None:
    alone = RehearsalFactory()
    with pytest.raises(ValidationError, match="nobody can reply"):
        send_to_coach(rehearsal=alone, note="")


def test_of_two_groups_the_one_with_somebody_who_can_answer_is_sent_to(
    take: Rehearsal, trainee: User, coach: User
) -> None:
    carla = UserFactory(roles=[Role.COACH])
    second = Cohort.objects.create(name="Tuesday group")
    join(second, trainee, Role.TRAINEE)
    assert answering_cohort(take) == take.cohort
    coach.memberships.all().delete()
    join(take.cohort, trainee, Role.COACH)  # type: ignore[arg-type]
    assert answering_cohort(take) == take.cohort
    join(second, carla, Role.COACH)
    assert answering_cohort(take) == second
    send_to_coach(rehearsal=take, note="")
    assert take in rehearsals_for(carla)
