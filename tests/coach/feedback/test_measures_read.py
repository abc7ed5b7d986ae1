"""Measures and lanes of a report, in words."""

from __future__ import annotations

import pytest
from django.utils import translation

from analysis.results import Event, Measurement, Quality, Track
from coach.accounts.models import User
from coach.feedback.pages.measures import FAMILY_LABELS, measure_groups, measurement_words
from coach.feedback.pages.report import report_page
from coach.feedback.pages.timeline import lanes
from coach.feedback.selectors import latest_report_run
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import finish_analysis, make_report
from tests.coach.feedback.report_pages import page_of


def test_a_range_that_leaves_everything_open_is_no_number(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    open_share = Measurement(
        value=0.96, unit="share", n=900, coverage=0.9, quality=Quality.GOOD, interval=(0.01, 1.0)
    )
    finish_analysis(take, make_report(**{"gaze.camera_facing_share": open_share}))
    html = page_of(take, trainee, sign_in)
    assert "not sure enough to say (between 1% and 100%)" in html
    assert "96%" not in html


@pytest.mark.parametrize(
    ("low", "words"),
    [
        (4.1, "at least about 4.1 per minute (we do not know how many we missed)"),
        (0.0, "not sure enough to say (we may have missed too many)"),
    ],
)
def test_a_rate_without_an_upper_end_says_how_many_there_were_at_least(
    low: float, words: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    found = Measurement(
        value=7.7, unit="per minute", n=5, coverage=1, quality=Quality.FAIR, interval=(low, 247.0)
    )
    report = make_report(**{"fillers.filled_pauses_per_minute": found})
    [row] = [
        row for group in measure_groups(report) for row in group.rows if row.label == "Um and uh"
    ]
    assert (row.value, row.quality) == (words, "An estimate")
    strokes = Measurement(
        value=48.0, unit="per minute", n=24, coverage=1, quality=Quality.FAIR, interval=(36, 63)
    )
    assert measurement_words(strokes) == "about 48 per minute (between 36 and 63)"
    finish_analysis(take, report)
    assert "and 247" not in page_of(take, trainee, sign_in)


def test_the_count_of_ums_is_that_which_their_rate_rests_on() -> None:
    doubtful = tuple(
        Event(kind="filled_pause", start=10.0 * i, end=10.0 * i + 0.3, probability=0.4, label="um")
        for i in range(1, 11)
    )
    report = make_report().model_copy(update={"events": doubtful})
    [lane] = [lane for lane in lanes(report) if lane.label == "Ums and uhs"]
    assert lane.summary == "About 4 in this talk; 10 places where there may be one."
    once = report.model_copy(update={"events": doubtful[:1]})
    for language, summary in (
        ("en", "About 0 in this talk; 1 place where there may be one."),
        ("fr", "Environ 0 dans cette intervention ; 1 endroit où il y en a peut-être un."),
    ):
        with translation.override(language):
            [lane] = [each for each in lanes(once) if each.summary.startswith(summary[:6])]
            assert lane.summary.replace("\u202f", " ") == summary


def test_what_could_not_be_measured_is_told_once_for_each_reason(
    take: Rehearsal, trainee: User
) -> None:
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert [cause.reason for cause in page.not_measured] == [
        "The recording is not clear enough for this measure."
    ]
    [gap] = page.not_measured[0].gaps
    # The family of the one that was measured is named one by one, the others as one each.
    named = ["Filler words", "Bursts of fillers"]
    whole = [str(each) for family, each in FAMILY_LABELS.items() if family != "fillers"]
    assert sorted(gap.metrics) == sorted([*named, *whole])


def test_a_line_of_the_timeline_says_in_words_what_its_values_are_held_against() -> None:
    tune = Track(start=0.0, step=1.0, unit="semitones", values=(-6.7, None, 0.2, 5.9))
    report = make_report().model_copy(update={"tracks": {"pitch.semitones": tune}})
    melody = next(lane for lane in lanes(report) if lane.kind == "line")
    assert melody.summary == "Between about −7 and +6 semitones from the middle pitch."
