"""The time that the waiting page tells, and what it told before."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from coach.accounts.models import Cohort, User
from coach.feedback.models import Stage
from coach.feedback.pages.analysing import analysing_page, told_before
from coach.feedback.runs.estimates import Estimate, ShownEstimate, estimate_to_show, forget_queues
from coach.feedback.runs.stage_leases import acquire
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.feedback.in_line import begun, stages, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_idle_cores")]


def estimated(least: float, most: float = 0.0, *, waiting: float = 0.0) -> Estimate:
    return Estimate(
        least=least,
        most=max(least, most),
        waiting=waiting,
        slowest="watch",
        is_worked_on=True,
        weights={},
    )


def said(least: float, most: float = 0.0, *, first: float = 0.0) -> ShownEstimate:
    now = timezone.now().timestamp()
    longest = max(least, most)
    return ShownEstimate(until=now + least, latest=now + longest, first=now + (first or longest))


def ago(seconds: float) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def test_what_was_said_stays_while_it_is_about_right() -> None:
    before = said(100)
    assert estimate_to_show(estimated(115), before, [], began=ago(10)) == before
    sooner = estimate_to_show(estimated(40), before, [], began=ago(10))
    assert sooner.until == pytest.approx(timezone.now().timestamp() + 40, abs=1)
    assert sooner.why == ""


def test_a_reason_is_given_only_after_twice_the_time_that_was_said_first() -> None:
    # A minute was said first, half a minute ago.
    before = said(30)
    assert estimate_to_show(estimated(80), before, [], began=ago(30)).why == ""
    assert estimate_to_show(estimated(100), before, [], began=ago(30)).why == "slow"
    waiting = estimated(100, waiting=60)
    assert estimate_to_show(waiting, before, [], began=ago(30)).why == "line"


def test_work_that_is_done_again_is_named_as_the_reason(trainee: User) -> None:
    run = started(trainee)
    begun(run, "watch", seconds_ago=5, progress=0.1)
    run.stages.filter(name="watch").update(attempts=2)
    late = estimate_to_show(estimated(100), said(30), stages(run), began=ago(30))
    assert late.why == "again"


def test_a_wide_range_is_told_in_minutes_in_both_languages(trainee: User) -> None:
    mine = started(trainee, 600.0)
    for _person in range(5):
        started(UserFactory(), 900.0)
    forget_queues()
    page = analysing_page(mine.rehearsal, mine)
    told = re.match(r"About (\d+) to (\d+) minutes left", page.estimate)
    assert told is not None
    assert int(told[1]) < int(told[2])
    assert page.reason
    with override("fr"):
        assert analysing_page(mine.rehearsal, mine).estimate.startswith(
            f"Encore environ {told[1]} à {told[2]} minutes"
        )


def test_the_page_hands_on_what_it_said_and_takes_no_nonsense(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    run = started(trainee, cohort=cohort)
    client = sign_in(trainee)
    url = reverse("feedback:analysing_now", args=[run.rehearsal_id])
    told = analysing_page(run.rehearsal, run).said
    values = dict(pair.split("=") for pair in told.split("&"))
    handed_on = told_before(values)
    assert handed_on is not None
    assert handed_on.latest >= handed_on.until
    good = {"until": "5", "latest": "5", "first": "5", "why": ""}
    for wrong in (
        *({"until": "soon"}, {"latest": "inf"}, {"first": "nan"}, {"why": "<b>"}),
        {"latest": ""},
    ):
        assert told_before({**good, **wrong}) is None
        assert client.get(url, {**good, **wrong}).status_code == 200
    assert told_before({"until": "5"}) is None


def test_a_queue_that_nobody_serves_is_told_as_one(trainee: User, stranger: User) -> None:
    started(stranger)
    run = started(trainee)
    Stage.objects.filter(state="queued").update(queued_at=ago(60))
    page = analysing_page(run.rehearsal, run, said(5))
    assert page.estimate.startswith("Waiting for a free worker since about 1 minute")
    assert page.reason == ""
    for queue in ("speech", "vision", "media"):
        acquire(Stage.objects.filter(queue=queue, state="queued").earliest("due_at").pk)
    forget_queues()
    assert "left" in analysing_page(run.rehearsal, run).estimate


def test_a_step_without_progress_shows_no_percentage(trainee: User) -> None:
    run = started(trainee)
    begun(run, "watch", seconds_ago=1, progress=0.0)
    words = {row.name: row.state_words for row in analysing_page(run.rehearsal, run).stages}
    assert "%" not in words["watch"]
    run.stages.filter(name="watch").update(progress=0.5)
    words = {row.name: row.state_words for row in analysing_page(run.rehearsal, run).stages}
    assert words["watch"] == "50% done"


def test_a_stranger_is_told_nothing(trainee: User, stranger: User, sign_in: SignIn) -> None:
    run = started(trainee)
    url = reverse("feedback:analysing_now", args=[run.rehearsal_id])
    assert sign_in(stranger).get(url).status_code == 404
