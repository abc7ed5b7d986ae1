"""Usage figures: those of the database, of no single person, and for administrators only."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, User
from coach.feedback.models import Run
from coach.portal.usage.selectors import FEWEST, WEEKS, figures_by_group, figures_by_week
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory

PAGES = ("portal:usage", "portal:usage_weeks", "portal:usage_groups")


@pytest.fixture
def takes(trainee: User, cohort: Cohort) -> list[Rehearsal]:
    """As many takes as figures of time need, each with a report after 4 minutes."""
    found = [RehearsalFactory(owner=trainee, cohort=cohort) for _n in range(FEWEST)]
    Run.objects.all().delete()
    Run.objects.bulk_create(Run(rehearsal=take, state="done") for take in found)
    Run.objects.update(finished_at=F("created_at") + timedelta(minutes=4))
    return found


def test_a_week_counts_people_takes_and_times(takes: list[Rehearsal], coach: User) -> None:
    weeks = figures_by_week()
    assert len(weeks) == WEEKS
    this = weeks[0]
    assert (this.people, this.takes, this.failed) == (1, FEWEST, 0)
    assert this.until_report.median == pytest.approx(240)
    assert (weeks[1].takes, weeks[1].until_report.median) == (0, None)
    send_to_coach(rehearsal=takes[0], note="")
    AccessGrant.objects.update(answered_at=timezone.now())
    answered = figures_by_week()[0]
    assert (answered.answers, answered.until_answer.median) == (1, None)


def test_fewer_than_five_events_show_no_time(takes: list[Rehearsal]) -> None:
    takes[0].delete()
    this = figures_by_week()[0]
    assert (this.takes, this.until_report.median) == (FEWEST - 1, None)


def test_trials_are_in_no_count(takes: list[Rehearsal], trainee: User) -> None:
    User.objects.filter(pk=trainee.pk).update(trial_ends_at=timezone.now())
    assert figures_by_week()[0].takes == 0


def test_a_group_counts_its_own(takes: list[Rehearsal], cohort: Cohort) -> None:
    other = Cohort.objects.create(name="=Empty()")
    Rehearsal.objects.filter(pk=takes[0].pk).update(
        created_at=timezone.now() - timedelta(days=40), media_removed_at=timezone.now()
    )
    own, empty = figures_by_group([cohort, other])
    assert (own.practised, own.takes) == (1, FEWEST - 1)
    assert own.size_bytes == sum(take.size_bytes for take in takes[1:])
    assert (empty.trainees, empty.takes, empty.size_bytes) == (0, 0, 0)


def test_administrators_see_and_download_them(
    takes: list[Rehearsal],
    administrator: User,
    sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    Cohort.objects.create(name="=Empty()")
    client = sign_in(administrator)
    with django_assert_max_num_queries(20):
        page = client.get(reverse(PAGES[0])).content.decode()
    assert takes[0].title not in page
    assert takes[0].owner.email not in page
    weeks, groups = (
        list(csv.reader(io.StringIO(client.get(reverse(name)).content.decode("utf-8-sig"))))
        for name in PAGES[1:]
    )
    assert len(weeks) == WEEKS + 1
    assert weeks[1][2] == str(FEWEST)
    assert {row[0] for row in groups[1:]} >= {"'=Empty()"}


@pytest.mark.parametrize("name", PAGES)
def test_nobody_else_sees_them(name: str, coach: User, trainee: User, sign_in: SignIn) -> None:
    for person in (coach, trainee):
        assert sign_in(person).get(reverse(name)).status_code in {403, 404}
