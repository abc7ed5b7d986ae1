"""Own takes beside each other: only where they can be compared, and only what is a change."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from analysis.results import Measurement, Reason, Skipped
from coach.accounts.models import Cohort, Policy, Role, User
from coach.accounts.profile import Profile, Respect
from coach.practice.change import Value
from coach.practice.plan.page import own_plan
from coach.practice.plan.schedule import plan_now
from coach.practice.plan.services import choose_focus
from coach.practice.progress import comparable_takes
from coach.practice.progress.chart import HEIGHT, WIDTH, chart_of
from coach.practice.progress.comparable_takes import mean_of
from coach.practice.progress.page import own_progress
from coach.practice.redo.focus import measures_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import note_ease
from tests.coach.conftest import SignIn
from tests.coach.factories import join
from tests.coach.practice.takes import FACING, UMS, course_of, rate, silent_take, take_with


def test_a_clear_change_is_said_in_words_before_its_numbers(trainee: User) -> None:
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    page = own_progress(trainee)
    course = course_of(page)
    assert course.words == "It went down by more than the measurement error."
    assert course.began == "about 9.0 per minute in the first take"
    assert "about 3.0 per minute" in course.last
    assert len(course.chart.dots) == 2
    assert page.left_out == ()


def test_within_measuring_error_it_says_that_nobody_can_tell(trainee: User) -> None:
    take_with(trainee, rate(6, half=3))
    take_with(trainee, rate(5, half=3))
    assert course_of(own_progress(trainee)).words == "We cannot tell whether this changed."


def test_where_one_began_is_the_mean_of_the_first_three(trainee: User) -> None:
    for value in (9, 8, 7, 3):
        take_with(trainee, rate(value))
    course = course_of(own_progress(trainee))
    assert course.began == "about 8.0 per minute on average in the first 3 takes"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"setting": "stage"}, "another language or another setting"),
        ({"language": "fr"}, "another language or another setting"),
        ({"is_constructed": True}, "another language or another setting"),
        ({"opened_at": None}, "report not opened yet"),
        ({"is_partial": True}, "upload not finished"),
    ],
)
def test_a_take_that_cannot_be_compared_is_left_out_and_says_why(
    more: dict[str, Any], why: str, trainee: User
) -> None:
    take_with(trainee, rate(20), **more)
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    page = own_progress(trainee)
    assert page.left_out == (f"1 take: {why}",)
    assert len(course_of(page).chart.dots) == 2


def test_takes_whose_language_was_found_out_stand_with_the_language_that_was_heard(
    trainee: User,
) -> None:
    take_with(trainee, rate(20), language="auto", heard="fr")
    take_with(trainee, rate(9))
    take_with(trainee, rate(3), language="auto", heard="en")
    page = own_progress(trainee)
    assert page.situation == "In front of a camera · English"
    assert len(course_of(page).chart.dots) == 2
    assert page.left_out == ("1 take: another language or another setting",)
    assert [words for _url, words, _shown in page.others] == [
        "In front of a camera · English",
        "In front of a camera · French",
    ]
    with override("fr"):
        assert own_progress(trainee, 1).situation == "Devant une caméra · français"


def test_a_take_that_was_named_wrongly_is_not_compared_with_that_language(trainee: User) -> None:
    other = Skipped.because(
        Reason.LANGUAGE_MISMATCH, "sounds_like_supported", chosen="en", heard="fr"
    )
    take_with(trainee, rate(9))
    take_with(trainee, other)
    page = own_progress(trainee)
    assert page.situation == "In front of a camera · language not certain"
    assert page.count == "1 take"


def test_a_take_without_speech_is_compared_in_what_needs_no_language(trainee: User) -> None:
    seen = Measurement(
        value=0.4, unit="share", n=20, coverage=0.95, quality="good", interval=(0.3, 0.5)
    )
    silent_take(trainee, {FACING: seen}, language="auto", speaks_as="second")
    alone = own_progress(trainee)
    assert alone.situation == "In front of a camera · without speech"
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    silent_take(trainee, {FACING: seen}, language="auto")
    page = own_progress(trainee)
    assert (page.situation, page.count) == ("In front of a camera · English", "4 takes")
    assert page.others == ()
    facing, ums = (
        next(course for goal in page.goals for course in goal.courses if course.id == metric)
        for metric in (FACING, UMS)
    )
    assert len(facing.chart.dots) == len(ums.chart.dots) == 2
    assert [each.note for each in ums.takes] == [
        "left out: could not be measured",
        "",
        "",
        "left out: could not be measured",
    ]


@pytest.mark.parametrize(
    ("measured", "why"),
    [
        (rate(20, coverage=0.3), "measured in only part of the talk"),
        (rate(124, 120), "not measured precisely enough"),
        (
            Skipped.because(Reason.SEVERAL_SPEAKERS, "in_words", words="Two voices."),
            "several people speak or are in the picture",
        ),
        (Skipped.because(Reason.TOO_SHORT, "in_words", words="Short."), "could not be measured"),
    ],
)
def test_a_value_that_cannot_be_compared_is_left_out_and_says_why(
    measured: Measurement | Skipped, why: str, trainee: User
) -> None:
    take_with(trainee, rate(9))
    take_with(trainee, measured)
    take_with(trainee, rate(3))
    course = course_of(own_progress(trainee))
    assert [each.note for each in course.takes] == ["", f"left out: {why}", ""]
    assert len(course.chart.dots) == 2


def test_what_a_coach_reads_first_is_not_told_here(trainee: User, coach: User) -> None:
    first = Cohort.objects.create(name="First", policy=Policy.COACH_FIRST, reply_hours=48)
    join(first, coach, Role.COACH)
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    take_with(trainee, rate(1), cohort=first)
    page = own_progress(trainee)
    assert page.left_out == ("1 take: waiting for your coach’s feedback",)
    assert len(course_of(page).chart.dots) == 2


def test_a_plan_follows_the_takes_in_the_language_that_was_heard(trainee: User) -> None:
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    take_with(trainee, rate(20), language="auto", heard="fr")
    english = [
        take_with(trainee, rate(5.5, half=0.2)),
        take_with(trainee, rate(5.5, half=0.2), language="auto", heard="en"),
    ]
    [now] = plan_now(trainee).areas
    assert [each.take.take for each in now.standing.counted] == english


def test_another_situation_is_one_press_away(trainee: User, sign_in: SignIn) -> None:
    for setting in ("stage", "camera"):
        take_with(trainee, rate(9), setting=setting)
        take_with(trainee, rate(3), setting=setting)
    url = reverse("practice:progress")
    page = sign_in(trainee).get(url).content.decode()
    assert f"{url}?of=1" in page
    other = own_progress(trainee, 1)
    assert other.situation.startswith("On a stage")
    assert own_progress(trainee, 77).situation == own_progress(trainee).situation


def test_the_goal_that_one_chose_stands_first(trainee: User) -> None:
    for value in (9, 3):
        take = take_with(trainee, rate(value), goal="fluency")
    assert take.goal == "fluency"
    assert own_progress(trainee).goals[0].is_chosen


def test_one_take_is_no_course_and_the_page_says_what_to_do(trainee: User, sign_in: SignIn) -> None:
    client, progress = sign_in(trainee), reverse("practice:progress")
    page = client.get(progress).content.decode()
    assert "Record the first one." in page
    assert f'href="{reverse("feedback:new")}">New take' in page
    take_with(trainee, rate(9))
    page = client.get(progress).content.decode()
    assert "Nothing to compare yet" in page
    assert "Record a talk again" in page
    take_with(trainee, rate(9), opened_at=None)
    page = client.get(progress).content.decode()
    assert "Open your 1 new report to include its take." in page
    assert "Record a talk again" not in page


def test_nobody_sees_anothers(trainee: User, stranger: User, sign_in: SignIn) -> None:
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    url = reverse("practice:progress")
    assert "went down" in sign_in(trainee).get(url).content.decode()
    assert "went down" not in sign_in(stranger).get(url).content.decode()
    assert Client().get(url).headers["Location"].startswith("/accounts/login/")


def test_many_takes_cost_no_more_queries(trainee: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            own_progress(trainee)
        return len(asked)

    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    few = queries()
    for _take in range(4):
        take_with(trainee, rate(5))
    assert queries() <= few <= 7


def test_a_mean_is_as_sure_as_its_parts_together() -> None:
    mean = mean_of([Value(value=4, low=2, high=6), Value(value=8, low=6, high=10)])
    assert (mean.value, mean.high) == (6, pytest.approx(6 + 2**0.5))
    assert mean_of([Value(value=4), Value(value=8, low=6, high=10)]).low is None


def test_the_chart_keeps_inside_its_box() -> None:
    chart = chart_of([Value(value=3, low=1, high=9), Value(value=3)], Value(value=3))
    for dot in chart.dots:
        assert 0 <= dot.x <= WIDTH
        assert 0 <= dot.top <= dot.y <= dot.bottom <= HEIGHT
    assert (chart.lowest, chart.highest) == (1, 9)


def test_what_somebody_asked_not_to_be_spoken_of_is_not(trainee: User) -> None:
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    Profile.objects.create(user=trainee, respects=[Respect.STAMMER])
    trainee.refresh_from_db()
    page = own_progress(trainee)
    assert not page.has_course
    assert UMS not in [metric for metric, _words in own_plan(trainee).choices]
    assert "pitch.sd_semitones" in measures_for(Rehearsal())
    assert "pitch.sd_semitones" not in measures_for(Rehearsal(quiet=["pitch"]))


def test_figures_wait_for_whom_words_come_first(trainee: User, sign_in: SignIn) -> None:
    take_with(trainee, rate(9))
    take_with(trainee, rate(3))
    url, client = reverse("practice:progress"), sign_in(trainee)
    assert "Show the numbers" not in client.get(url).content.decode()
    Profile.objects.create(user=trainee, gentle=True)
    page = client.get(url).content.decode()
    assert "Show the numbers" in page
    assert '<svg viewBox="0 0 320 96"' not in page


def test_how_easy_it_felt_stands_in_its_owners_words_oldest_first_and_nothing_else(
    trainee: User, sign_in: SignIn
) -> None:
    takes = [take_with(trainee, rate(9), title=f"Take {number}") for number in (1, 2, 3)]
    page = reverse("practice:progress")
    client = sign_in(trainee)
    assert "How easy speaking felt" not in client.get(page).content.decode()
    note_ease(rehearsal=takes[0], before="very_hard", after="rather_hard")
    note_ease(rehearsal=takes[2], after="very_easy")
    seen = client.get(page).content.decode()
    table = seen[seen.index('id="ease-title"') :].split("</section>")[0]
    assert table.index("Very hard") < table.index("Rather hard") < table.index("Very easy")
    # On a phone the head of the table is not seen.
    assert '<span class="rows__label">Before </span>Very hard' in table
    assert '<span class="rows__label">Afterwards </span>Rather hard' in table
    assert "Take 2" not in table
    assert "change" not in table


def test_nobody_else_reads_how_easy_it_felt(trainee: User, stranger: User, sign_in: SignIn) -> None:
    note_ease(rehearsal=take_with(trainee, rate(9)), before="very_hard")
    page = sign_in(stranger).get(reverse("practice:progress")).content.decode()
    assert "Very hard" not in page


def test_of_more_takes_than_are_looked_at_it_does_not_say_where_one_first_began(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparable_takes, "MOST_TAKES", 3)
    for value in (20, 9, 8, 3):
        take_with(trainee, rate(value))
    page = own_progress(trainee)
    began = course_of(page).began
    assert began == "about 8.5 per minute on average in the first 2 of these takes"
    assert page.left_out == ("1 take: too old: only the newest takes are compared",)


def test_the_newest_take_is_not_said_to_have_come_to_what_an_earlier_one_did(
    trainee: User, sign_in: SignIn
) -> None:
    for value in (9, 3):
        take_with(trainee, rate(value))
    client = sign_in(trainee)
    page = client.get(reverse("practice:progress")).content.decode()
    assert "Last take: about 3.0 per minute" in page
    take_with(trainee, Skipped.because(Reason.NO_AUDIO, "sound_missing"))
    page = client.get(reverse("practice:progress")).content.decode()
    assert "Last take:" not in page
    assert "Last take in which we could measure it: about 3.0 per minute" in page


def test_a_clear_change_is_told_with_its_direction_the_goal_and_the_days(trainee: User) -> None:
    talk = take_with(trainee, rate(9)).talk
    take_with(trainee, rate(3), talk=talk)
    page = own_progress(trainee)
    course = course_of(page)
    assert (course.direction, course.facts) == ("toward", "9.0 → 3.0 per minute")
    assert course.chart.band is not None
    assert all(dot.date for dot in course.chart.dots)
    assert page.beside_url.startswith(reverse("practice:beside"))


@pytest.mark.parametrize(
    ("values", "direction"), [((3, 9), "away"), ((6, 5.8), "open")], ids=("away", "open")
)
def test_a_direction_is_named_only_of_a_clear_change(
    values: tuple[float, float], direction: str, trainee: User
) -> None:
    for value in values:
        take_with(trainee, rate(value))
    page = own_progress(trainee)
    assert course_of(page).direction == direction
    assert page.beside_url == ""
