"""Today's three minutes: what is offered, what was done, and the reminder at a chosen hour."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.notices.models import Kind, Notice
from coach.practice.exercises.catalogue import exercises
from coach.practice.exercises.services import note_exercise_done
from coach.practice.models import ExerciseDone, PracticeReminder
from coach.practice.plan.services import choose_focus
from coach.practice.today.calendar_file import calendar_file
from coach.practice.today.choice import offer_for
from coach.practice.today.done import done_today, week_words
from coach.practice.today.reminders import announce_due, next_moment, set_reminder
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.practice.takes import rate, take_with

EVERY_DAY = range(7)


def reminder(person: User, **more: Any) -> PracticeReminder:
    values = {"at": time(18, 0), "days": EVERY_DAY, "zone": "Europe/Paris", "by_email": True}
    return set_reminder(person=person, **{**values, **more})


def yesterday(person: User) -> None:
    Rehearsal.any_kind.filter(owner=person).update(created_at=timezone.now() - timedelta(days=1))


def test_a_first_day_begins_with_a_test_of_the_devices(trainee: User) -> None:
    assert offer_for(trainee).url == reverse("practice:exercise", args=["ten_second_test"])


def test_the_last_report_decides_then_an_exercise_and_a_stretch_take_turns(trainee: User) -> None:
    take = take_with(trainee, rate(9, half=0.5))
    exercise = offer_for(trainee)
    assert exercise.url.startswith(reverse("practice:exercise", args=["breathe_instead"]))
    note_exercise_done(user=trainee, exercise="breathe_instead")
    stretch = offer_for(trainee)
    assert stretch.url.startswith(reverse("practice:choose_span", args=[take.pk]))
    assert offer_for(trainee) == stretch


def test_the_plan_comes_before_the_report(trainee: User) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric="pitch.sd_semitones", actor=trainee)
    assert offer_for(trainee).url == reverse("practice:exercise", args=["lift_one_word"])


def test_the_home_page_says_what_was_done_today(trainee: User, sign_in: SignIn) -> None:
    assert done_today(trainee) == ()
    note_exercise_done(user=trainee, exercise="breathe_instead")
    [line] = done_today(trainee)
    assert exercises()["breathe_instead"].en.title in line.words
    page = sign_in(trainee).get(reverse("feedback:takes")).content.decode()
    assert line.words in page
    assert "1 day this week" in page


def test_days_are_counted_once_and_other_weeks_not(trainee: User, stranger: User) -> None:
    note_exercise_done(user=trainee, exercise="breathe_instead")
    note_exercise_done(user=trainee, exercise="cut_in_three")
    note_exercise_done(user=stranger, exercise="cut_in_three")
    assert "1 day this week" in week_words(trainee)
    ExerciseDone.objects.update(at=timezone.now() - timedelta(days=8))
    assert week_words(trainee) == ""


def test_a_reminder_is_saved_changed_and_deleted(trainee: User, sign_in: SignIn) -> None:
    browser, page = sign_in(trainee), reverse("practice:reminder")
    browser.cookies["rostrum_zone"] = "Europe/Paris"
    assert browser.post(page, {"at": "18:00", "days": []}).status_code == 422
    assert browser.post(page, {"at": "07:30", "days": ["0", "2"]}).status_code == 302
    saved = PracticeReminder.objects.get(person=trainee)
    assert (saved.at, saved.days, saved.zone) == (time(7, 30), [0, 2], "Europe/Paris")
    assert not saved.by_email
    assert b"07:30" in browser.get(page).content
    browser.post(page, {"delete": "yes"})
    assert not PracticeReminder.objects.exists()


def test_a_stranger_gets_no_calendar_of_somebody_else(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    reminder(trainee)
    calendar = reverse("practice:reminder_calendar")
    assert sign_in(trainee).get(calendar).status_code == 200
    assert sign_in(stranger).get(calendar).status_code == 404


def test_the_hour_is_that_of_the_persons_time_zone(trainee: User) -> None:
    saved = reminder(trainee, days=[0])
    sunday = datetime(2026, 3, 29, 12, tzinfo=UTC)
    assert next_moment(saved, sunday) == datetime(2026, 3, 30, 16, tzinfo=UTC)
    monday_evening = datetime(2026, 3, 30, 16, tzinfo=UTC)
    assert next_moment(saved, monday_evening) == datetime(2026, 4, 6, 16, tzinfo=UTC)


def test_it_comes_once_an_hour_chosen_and_again_the_next_day(trainee: User) -> None:
    take_with(trainee, rate(9))
    yesterday(trainee)
    due = reminder(trainee).next_at
    assert announce_due(due - timedelta(minutes=1)) == 0
    assert [announce_due(due), announce_due(due)] == [1, 0]
    notice = Notice.objects.get(kind=Kind.PRACTICE)
    Notice.objects.update(mailed_at=due)
    assert announce_due(due + timedelta(days=1)) == 1
    notice.refresh_from_db()
    assert notice.mailed_at is None


@pytest.mark.parametrize("more", [{"by_email": False}, {"days": [0, 1]}])
def test_without_email_or_on_another_day_none_comes(more: dict[str, Any], trainee: User) -> None:
    take_with(trainee, rate(9))
    yesterday(trainee)
    due = reminder(trainee, **more).next_at
    assert announce_due(due - timedelta(hours=1)) == 0
    assert announce_due(due) == ("days" in more)


def test_who_practised_today_or_is_long_past_the_hour_is_left_in_peace(trainee: User) -> None:
    take_with(trainee, rate(9))
    due = reminder(trainee).next_at
    Rehearsal.objects.update(created_at=due - timedelta(hours=2))
    assert announce_due(due) == 0
    yesterday(trainee)
    later = PracticeReminder.objects.get().next_at
    assert announce_due(later + timedelta(hours=5)) == 0


def test_the_calendar_file_follows_its_standard(trainee: User) -> None:
    saved = reminder(trainee, days=[0, 4])
    content = calendar_file(saved, datetime(2026, 3, 29, 12, tzinfo=UTC))
    lines = content.split(b"\r\n")
    assert lines[-1] == b""
    assert all(len(line) <= 75 for line in lines)
    unfolded = content.replace(b"\r\n ", b"").decode().split("\r\n")
    assert unfolded[0] == "BEGIN:VCALENDAR"
    assert "DTSTART:20260330T180000" in unfolded
    assert "RRULE:FREQ=WEEKLY;BYDAY=MO,FR" in unfolded
    assert unfolded.count("BEGIN:VEVENT") == unfolded.count("END:VEVENT") == 1
