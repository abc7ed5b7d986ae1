"""Which measures a stretch can be done again for, and how long it has to be for each."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from analysis.results import Measurement
from coach.accounts.models import User
from coach.feedback.reports import store_report
from coach.practice.redo.focus import LEAST_SECONDS, measure_of, measures_for, span_around
from coach.practice.redo.lengths import stretches_for
from coach.rehearsals.models import Rehearsal
from feedback_rules.loader import load_rules
from tests.coach.conftest import SignIn
from tests.coach.factories import make_report
from tests.coach.practice.takes import UMS as METRIC
from tests.coach.practice.takes import choosing


def test_nothing_is_offered_that_its_owner_switched_off_or_nobody_could_see() -> None:
    take = Rehearsal(disabled_families=["fluency"], has_video=False)
    offered = measures_for(take)
    assert METRIC not in offered
    assert not [each for each in offered if each.startswith(("gaze", "posture", "gesture"))]
    assert "pitch.sd_semitones" in offered


def test_a_card_without_a_moment_begins_at_the_beginning() -> None:
    assert span_around(None, 180.0) == (0.0, 30.0)
    assert span_around(None, 20.0) == (0.0, 20.0)


PAUSES = "pauses.boundary_pause_share"


@pytest.mark.parametrize(
    ("sentences", "seconds"), [(48, 30.0), (24, 60.0), (16, 90.0), (15, None), (None, 50.0)]
)
def test_a_stretch_is_as_long_as_its_measure_needs_in_this_talk_or_is_not_offered(
    sentences: int | None, seconds: float | None
) -> None:
    take = Rehearsal(duration=180.0)
    counts = {PAUSES: sentences} if sentences else {}
    offered = stretches_for(take, counts)
    assert offered.get(PAUSES) == seconds
    assert offered[METRIC] == 30.0


def test_a_take_that_is_too_short_for_a_measure_offers_the_others() -> None:
    offered = stretches_for(Rehearsal(duration=25.0), {})
    assert PAUSES not in offered
    assert offered[METRIC] == 30.0


@pytest.fixture
def running_on(take: Rehearsal) -> Rehearsal:
    """Whose card is of pauses after sentences; 24 of these in three minutes."""
    item = take.feedback.get().items.get()
    item.document = {**item.document, "metric": PAUSES}
    item.save(update_fields=["document"])
    run = take.runs.get()
    share = Measurement(
        value=0.1, unit="share", n=24, coverage=0.9, quality="good", interval=(0.03, 0.3)
    )
    run.report.delete()
    store_report(run, make_report(**{PAUSES: share}))
    return take


def test_the_card_offers_and_the_form_holds_what_such_a_measure_needs(
    running_on: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    report = client.get(reverse("feedback:report", args=[running_on.pk])).content.decode()
    assert "Redo these 60 seconds" in report
    item = running_on.feedback.get().items.get()
    page = client.get(choosing(running_on), {"card": item.pk}).content.decode()
    assert ", from 60 s<" in page
    start, end = re.findall(r'name="(?:start|end)" value="([^"]+)"', page)
    assert seconds_of(end) - seconds_of(start) == 60
    short = {"start": "0:10", "end": "0:40", "metric": PAUSES}
    answer = client.post(choosing(running_on), short)
    assert "takes a stretch of 60 seconds" in answer.content.decode()
    assert client.post(choosing(running_on), {**short, "end": "1:10"}).status_code == 302


def seconds_of(written: str) -> int:
    minutes, seconds = written.split(":")
    return 60 * int(minutes) + int(seconds)


def test_most_improvements_can_be_done_again() -> None:
    rules = [rule for rule in load_rules() if rule.tone == "improvement"]
    able = [rule for rule in rules if any(measure_of(each) for each in rule.metrics)]
    assert len(able) > len(rules) / 2
    assert LEAST_SECONDS >= 10
