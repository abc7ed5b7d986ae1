"""Which measures a stretch can be done again for, and how long it has to be for each."""

from __future__ import annotations

import re

import numpy as np
import pytest
from django.urls import reverse

from analysis.results import Event, Measurement, Report
from analysis.talk.statistics import poisson_interval, rate_interval
from coach.accounts.models import User
from coach.feedback.reports import store_report
from coach.practice.change import Value, change_between
from coach.practice.redo.detectability import events_within
from coach.practice.redo.focus import LEAST_SECONDS, measure_of, measures_for, span_around
from coach.practice.redo.lengths import stretch_for, stretches_for
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
    share = Measurement(
        value=0.1, unit="share", n=sentences or 1, coverage=0.9, quality="good", interval=(0.0, 0.3)
    )
    report = make_report(**{PAUSES: share}) if sentences else None
    assert stretches_for(Rehearsal(duration=180.0), report).get(PAUSES) == seconds


def test_a_take_that_is_too_short_for_a_measure_offers_the_others() -> None:
    offered = stretches_for(Rehearsal(duration=25.0), None)
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
    assert "needs a part of at least 60 seconds" in answer.content.decode()
    assert client.post(choosing(running_on), {**short, "end": "1:10"}).status_code == 302


BURSTS, WORDS = "fillers.bursts_per_minute", "fillers.filler_words_per_minute"


def report_of_ums(per_minute: float, *, seconds: float = 61.0, words: float = 0.0) -> Report:
    """Ums, and other fillers, evenly through the talk, with the range that counting leaves."""

    def rate(value: float) -> Measurement:
        count = round(value * seconds / 60)
        return Measurement(
            value=value,
            unit="per minute",
            n=count,
            coverage=0.9,
            quality="fair",
            interval=rate_interval(count, seconds / 60),
        )

    report = make_report(
        duration=seconds, **{METRIC: rate(per_minute), WORDS: rate(words), BURSTS: rate(1.0)}
    )
    kinds = [("filled_pause", per_minute), ("filler_word", words)]
    events = [
        Event(kind=kind, start=at, end=at + 0.3, probability=0.95, label="x")
        for kind, each in kinds
        for at in (np.arange(round(each * seconds / 60)) + 0.5) * 60 / max(each, 1e-9)
    ]
    return report.model_copy(update={"events": tuple(sorted(events, key=lambda e: e.start))})


@pytest.mark.parametrize(
    ("per_minute", "seconds", "offered"),
    [
        (5.4, 61.0, None),  # none afterwards would be "we cannot tell" in all of the talk
        (7.0, 61.0, 45.0),
        (14.0, 61.0, 30.0),
        (6.0, 180.0, 60.0),
        (3.0, 180.0, None),
        (4.5, 180.0, 75.0),
    ],
)
def test_a_stretch_is_long_enough_that_none_of_them_would_be_a_clear_change(
    per_minute: float, seconds: float, offered: float | None
) -> None:
    report = report_of_ums(per_minute, seconds=seconds)
    found = stretches_for(Rehearsal(duration=seconds), report).get(METRIC)
    assert found == offered
    if found is None:
        return
    stretch = stretch_for(METRIC, Rehearsal(duration=seconds), report, None, found)
    count = events_within(report, METRIC, stretch)
    low, high = poisson_interval(count)
    best = change_between(
        Value(value=count, low=low, high=high),
        Value(value=0.0, low=0.0, high=poisson_interval(0)[1]),
    )
    assert best.is_clear


def test_a_card_about_bursts_is_compared_by_all_that_they_are_made_of() -> None:
    assert measure_of(BURSTS) == BURSTS
    few, many = report_of_ums(4.0, words=2.0), report_of_ums(9.0, words=8.0)
    assert BURSTS not in stretches_for(Rehearsal(duration=61.0), few)
    assert stretches_for(Rehearsal(duration=61.0), many)[BURSTS] == 30.0
    assert METRIC not in stretches_for(Rehearsal(duration=61.0), few)


@pytest.mark.parametrize(
    ("value", "interval", "is_offered"), [(0.1, (0.0, 0.3), True), (0.9, (0.7, 1.0), False)]
)
def test_a_share_that_is_nearly_all_already_offers_no_stretch(
    value: float, interval: tuple[float, float], *, is_offered: bool
) -> None:
    share = Measurement(
        value=value, unit="share", n=48, coverage=0.9, quality="good", interval=interval
    )
    offered = stretches_for(Rehearsal(duration=180.0), make_report(**{PAUSES: share}))
    assert (PAUSES in offered) is is_offered


def test_pace_is_not_compared_by_counting_pauses() -> None:
    for metric in ("pace.end_rush_ratio", "pace.fast_passage_share", "pace.opening_ratio"):
        assert measure_of(metric) == ""


def test_a_stretch_that_could_show_nothing_is_refused(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    short = {"start": "0:10", "end": "0:40", "metric": METRIC}
    client = sign_in(trainee)
    answer = client.post(choosing(take), short)
    assert answer.status_code == 422
    assert not take.spans_again.exists()
    assert client.post(choosing(take), {**short, "end": "1:10"}).status_code == 302


def test_coming_from_a_card_there_is_one_thing_to_press(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    item = take.feedback.get().items.get()
    page = client.get(choosing(take), {"card": item.pk}).content.decode()
    begins = page.index("Change the part or the measure</summary>")
    folded = page[begins : page.index("</details>", begins)]
    assert all(f'name="{name}"' in folded for name in ("start", "end", "metric"))
    assert "Record this bit again</button>" in page
    assert "Record this bit again</button>" not in client.get(choosing(take)).content.decode()


def seconds_of(written: str) -> int:
    minutes, seconds = written.split(":")
    return 60 * int(minutes) + int(seconds)


def test_most_improvements_can_be_done_again() -> None:
    rules = [rule for rule in load_rules() if rule.tone == "improvement"]
    able = [rule for rule in rules if any(measure_of(each) for each in rule.metrics)]
    assert len(able) > len(rules) / 2
    assert LEAST_SECONDS >= 10
