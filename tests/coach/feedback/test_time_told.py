"""What the page tells of the time that is left, and what it told before."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from coach.accounts.models import Cohort, User
from coach.feedback.models import Run, Stage
from coach.feedback.pages.analysing import analysing_page, told_before
from coach.feedback.runs.estimates import Estimate, Said, estimate, said_now
from coach.feedback.runs.line import forget_line
from coach.feedback.runs.stage_leases import acquire
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.feedback.in_line import begun, stages, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_idle_cores")]


def test_what_was_said_stands_while_it_is_about_right() -> None:
    now = timezone.now().timestamp()
    before = Said(until=now + 100)
    found = Estimate(seconds=115, in_line=0, slowest="watch", is_worked_on=True, weights={})
    assert said_now(found, before, []) == before
    sooner = Estimate(seconds=40, in_line=0, slowest="watch", is_worked_on=True, weights={})
    assert said_now(sooner, before, []).until == pytest.approx(now + 40, abs=1)
    assert said_now(sooner, before, []).why == ""


def test_a_later_time_is_never_said_without_its_reason(trainee: User) -> None:
    run = started(trainee)
    past = Said(until=timezone.now().timestamp() + 5)
    page = analysing_page(run.rehearsal, run, past)
    assert page.reason.startswith("Longer than we said: “")
    assert page.reason.endswith("” takes longer than usual.")
    assert told_before({"until": page.said.split("&")[0].removeprefix("until="), "why": "slow"})
    begun(run, "watch", seconds_ago=5, progress=0.1)
    run.stages.filter(name="watch").update(attempts=2)
    assert "a worker stopped" in analysing_page(run.rehearsal, run, past).reason
    run.stages.filter(name="watch").update(attempts=1)
    line = Estimate(seconds=100, in_line=60, slowest="watch", is_worked_on=True, weights={})
    assert said_now(line, past, stages(run)).why == "line"


def came(run: Run, *, seconds_ago: float) -> None:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Run.objects.filter(pk=run.pk).update(created_at=at)


def test_where_many_come_a_longer_time_is_told_beside_the_other(trainee: User) -> None:
    """Who comes next is known to nobody; that they keep coming is likely."""
    mine = started(trainee, 900.0)
    others = [started(UserFactory(), 200.0) for _person in range(2)]
    for number, run in enumerate([mine, *others]):
        came(run, seconds_ago=20.0 * number)
    forget_line()
    assert estimate(mine, stages(mine)).if_others_come == 0  # three people tell nothing
    for number in range(4):
        came(started(UserFactory(), 200.0), seconds_ago=5.0 * number)
    forget_line()
    found = estimate(mine, stages(mine))
    assert found.if_others_come > 1.5 * found.seconds
    page = analysing_page(mine.rehearsal, mine)
    told = re.match(r"About (\d+) to (\d+) minutes left", page.estimate)
    assert told is not None
    least, most = told.groups()
    assert 60 * int(least) <= found.seconds < found.if_others_come <= 60 * int(most)
    assert page.reason.startswith("The longer time is for")
    assert "latest=" in page.said
    assert "in line" not in page.estimate
    with override("fr"):
        assert analysing_page(mine.rehearsal, mine).estimate.startswith(
            f"Encore environ {least} à {most} minutes"
        )


def test_who_hands_in_many_at_once_is_told_that_others_go_between(trainee: User) -> None:
    """The share of a person lets others pass, of whom nobody knows when the takes come."""
    many = [started(trainee, 600.0) for _take in range(5)]
    for number, run in enumerate(many):
        came(run, seconds_ago=20.0 - number)
    forget_line()
    fourth, fifth = (estimate(run, stages(run)) for run in many[3:])
    assert (fourth.own_before, fifth.own_before) == (3, 4)
    assert fourth.latest() == fourth.seconds
    assert fifth.latest() == pytest.approx(1.6 * fifth.seconds)
    begun(many[0], "transcribe", seconds_ago=1, progress=0.1)
    forget_line()
    page = analysing_page(many[4].rehearsal, many[4])
    assert re.match(r"About \d+ to \d+ minutes left", page.estimate)
    assert page.reason == "The longer time is for when takes of others go between yours."
    third = analysing_page(many[2].rehearsal, many[2])
    assert re.match(r"About \d+ minutes left", third.estimate)
    assert third.reason == "Your other takes come first. This one goes on by itself."
    # Where many came lately as well, whatever takes longer is what the longer time is for.
    crowded = [replace(fifth, if_others_come=each * fifth.seconds) for each in (1.2, 1.5, 1.8)]
    assert [each.latest() / fifth.seconds for each in crowded] == pytest.approx([1.6, 1.6, 1.8])
    assert [each.lets_pass for each in crowded] == [True, True, False]


def estimated(seconds: float, latest: float) -> Estimate:
    """That long still, and so long if others come."""
    return Estimate(
        seconds=seconds,
        in_line=0.0,
        slowest="watch",
        is_worked_on=True,
        weights={},
        if_others_come=latest,
    )


def test_a_range_stays_one_until_it_is_narrow_and_needs_no_reason_inside() -> None:
    now = timezone.now().timestamp()
    before = Said(until=now + 300, latest=now + 720)

    assert said_now(estimated(330, 800), before, []) == before
    assert said_now(estimated(500, 660), before, []).is_range
    assert not said_now(estimated(500, 660), None, []).is_range
    assert not said_now(estimated(500, 600), before, []).is_range
    assert said_now(estimated(650, 1500), before, []).why == "more"
    assert said_now(estimated(1000, 1500), before, []).why == "slow"


def test_a_longer_time_that_nobody_was_told_excuses_nothing() -> None:
    said = said_now(estimated(50, 240), None, [])
    assert not said.is_range
    assert said_now(estimated(55, 400), said, []) == said
    assert said_now(estimated(200, 240), said, []).why == "slow"


def test_the_page_hands_on_what_it_said_and_takes_no_nonsense(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    run = started(trainee, cohort=cohort)
    client = sign_in(trainee)
    url = reverse("feedback:analysing_now", args=[run.rehearsal_id])
    html = client.get(url, {"until": timezone.now().timestamp() + 6}).content.decode()
    assert "Longer than we said" in html
    assert "why=slow" in html
    assert told_before({"until": "5", "latest": "soon"}) is None
    assert told_before({"until": "5", "latest": "inf"}) is None
    for until, why in (("soon", ""), ("nan", ""), ("inf", "slow"), ("5", "<b>")):
        assert told_before({"until": until, "why": why}) is None
        assert client.get(url, {"until": until, "why": why}).status_code == 200


def test_a_line_that_nobody_serves_is_told_as_one(trainee: User, stranger: User) -> None:
    started(stranger)
    run = started(trainee)
    a_minute_ago = timezone.now() - timedelta(minutes=1)
    Stage.objects.filter(state="queued").update(queued_at=a_minute_ago)
    page = analysing_page(run.rehearsal, run, Said(until=timezone.now().timestamp() + 5))
    assert page.estimate.startswith("Waiting for a free worker since about 1 minute")
    assert page.reason == ""
    for queue in ("speech", "vision", "media"):
        acquire(Stage.objects.filter(queue=queue, state="queued").earliest("due_at").pk)
    forget_line()
    assert "left" in analysing_page(run.rehearsal, run).estimate


def test_a_stranger_is_told_nothing(trainee: User, stranger: User, sign_in: SignIn) -> None:
    run = started(trainee)
    url = reverse("feedback:analysing_now", args=[run.rehearsal_id])
    assert sign_in(stranger).get(url).status_code == 404
