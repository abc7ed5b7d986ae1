"""Marking one's own part: measured again from that part only, without a new upload."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.results import Event, Reason, Report, Skipped
from coach.accounts.models import Cohort, User
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.pages.owner_questions import part_box
from coach.feedback.releases import release_feedback
from coach.feedback.runs.execution import _options as options_of
from coach.feedback.selectors import is_sent, latest_report_run, latest_run
from coach.feedback.verdicts import decide_on_item
from coach.lib.words.clock import seconds_of
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report


@pytest.fixture
def long_take(trainee: User, cohort: Cohort) -> Rehearsal:
    """Five minutes of a talk and six of questions."""
    take = RehearsalFactory(owner=trainee, cohort=cohort, duration=660.0, time_limit=300.0)
    finish_analysis(take, make_report(duration=660.0))
    return take


def mark(take: Rehearsal, trainee: User, sign_in: SignIn, *times: str) -> str:
    """Fill in start and end of one part after the other."""
    url = reverse("feedback:part", args=[take.pk])
    fields = [f"{edge}_{number}" for number in (1, 2, 3) for edge in ("start", "end")]
    response = sign_in(trainee).post(url, dict(zip(fields, times, strict=False)), follow=True)
    take.refresh_from_db()
    return response.content.decode()


def test_the_marked_part_is_analysed_again_and_the_time_limit_is_held_against_it(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:report", args=[long_take.pk])
    assert "over your time limit" in sign_in(trainee).get(url).content.decode()
    mark(long_take, trainee, sign_in, "", "5:02")
    assert (long_take.part_start, long_take.part_end) == (None, 302.0)
    run = latest_run(long_take)
    assert run is not None
    assert run.state == "running"
    assert (run.options["start"], run.options["end"]) == (None, 302.0)
    assert Entry.objects.filter(action="feedback.part_marked").count() == 1
    run.delete()
    html = sign_in(trainee).get(url).content.decode()
    assert "over your time limit" not in html
    assert "0:00–5:02" in html


def test_the_whole_recording_can_be_measured_again(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    mark(long_take, trainee, sign_in, "0:30", "5:02")
    assert long_take.part_start == 30.0
    run = latest_run(long_take)
    assert run is not None
    run.delete()
    mark(long_take, trainee, sign_in, "", "")
    assert (long_take.part_start, long_take.part_end) == (None, None)


def test_two_presenters_who_take_turns_mark_several_parts(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    mark(long_take, trainee, sign_in, "6:00", "7:00", "0:00", "2:00")
    assert long_take.part_left_out == [[120.0, 360.0]]
    assert long_take.measured_seconds == 180.0
    run = latest_run(long_take)
    assert run is not None
    options = options_of(run)
    assert options.parts == ((0.0, 120.0), (360.0, 420.0))
    run.delete()
    url = reverse("feedback:report", args=[long_take.pk])
    assert "0:00–2:00, 6:00–7:00" in sign_in(trainee).get(url).content.decode()


def test_parts_that_overlap_are_refused(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    html = mark(long_take, trainee, sign_in, "0:00", "2:00", "1:30", "3:00")
    assert "Two of the parts overlap" in html
    assert long_take.part_left_out == []


@pytest.mark.parametrize(
    ("start", "end", "answer"),
    [
        ("0:30", "0:35", "at least 10 seconds"),
        ("5:00", "2:00", "at least 10 seconds"),
        ("0:30", "20:00", "The recording ends at 11:00"),
        ("half past", "", "minutes and seconds: 5:02"),
        ("1:75", "", "minutes and seconds: 5:02"),
    ],
)
def test_a_part_that_cannot_be_is_refused_in_one_sentence_and_nothing_changes(
    long_take: Rehearsal, trainee: User, sign_in: SignIn, start: str, end: str, answer: str
) -> None:
    assert answer in mark(long_take, trainee, sign_in, start, end)
    assert (long_take.part_start, long_take.part_end) == (None, None)
    assert long_take.runs.count() == 1


def test_while_an_analysis_is_going_on_the_part_stays_as_it_is(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    mark(long_take, trainee, sign_in, "", "5:02")
    html = mark(long_take, trainee, sign_in, "", "4:00")
    assert "is already being analysed" in html
    assert long_take.part_end == 302.0


def with_other_voice(report: Report, *stretches: tuple[float, float]) -> Report:
    voices = tuple(Event(kind="other_voice", start=start, end=end) for start, end in stretches)
    return report.model_copy(update={"events": (*report.events, *voices), "speech": ((0, 660),)})


def test_where_two_voices_were_heard_the_talk_before_the_questions_is_suggested(
    long_take: Rehearsal,
) -> None:
    several = Skipped.because(Reason.SEVERAL_SPEAKERS, "two_voices", share=0.3)
    report = with_other_voice(make_report(duration=660.0), (303, 312), (400, 450))
    report.skipped["pitch.variation_quotient"] = several
    box = part_box(long_take, report)
    assert (box.rows[0].start, box.rows[0].end) == ("0:00", "5:03")
    assert "It sounds like two voices, or a voice and music" in box.suggestion


@pytest.mark.parametrize(
    ("others", "own", "heard"),
    [
        ([(0, 41)], ("0:41", "11:00"), "Another person seems to speak until 0:41."),
        ([(600, 660)], ("0:00", "10:00"), "Another person seems to speak after 10:00."),
        (
            [(0, 41), (600, 660)],
            ("0:41", "10:00"),
            "Another person seems to speak before 0:41 and after 10:00.",
        ),
    ],
)
def test_who_only_speaks_first_or_last_is_told_as_that_and_not_as_two_voices(
    long_take: Rehearsal,
    others: list[tuple[float, float]],
    own: tuple[str, str],
    heard: str,
) -> None:
    box = part_box(long_take, with_other_voice(make_report(duration=660.0), *others))
    assert (box.rows[0].start, box.rows[0].end) == own
    assert box.suggestion.startswith(heard)


def test_without_another_voice_nothing_is_suggested(long_take: Rehearsal) -> None:
    run = latest_report_run(long_take)
    assert run is not None
    box = part_box(long_take, make_report(duration=660.0))
    assert (box.rows[0].start, box.rows[0].end, box.suggestion) == ("", "", "")


def test_only_the_owner_sees_the_form(sent: Rehearsal, coach: User, sign_in: SignIn) -> None:
    html = sign_in(coach).get(reverse("feedback:report", args=[sent.pk])).content.decode()
    assert "Measure only my part" not in html


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5:02", 302.0), ("1:05:02", 3902.0), ("75", 75.0), ("12.5", 12.5), ("0:07,5", 7.5)],
)
def test_times_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "-5", "1:2:3:4", "5:", "1:60", "five", "١:٠٠x", "1e9"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        seconds_of(text)


def test_a_take_that_a_coach_has_is_not_analysed_again_under_their_hands(
    sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:report", args=[sent.pk])
    assert "Withdraw it first" in sign_in(trainee).get(url).content.decode()
    assert "Withdraw it first" in mark(sent, trainee, sign_in, "0:30", "1:30")
    sign_in(trainee).post(reverse("feedback:retry", args=[sent.pk]), {"language": "fr"})
    sent.refresh_from_db()
    assert (sent.part_start, sent.language) == (None, "en")
    assert sent.runs.count() == 1
    sign_in(trainee).post(reverse("feedback:withdraw", args=[sent.pk]))
    mark(sent, trainee, sign_in, "0:30", "1:30")
    assert sent.part_start == 30.0


def test_a_take_whose_feedback_is_released_is_not_analysed_again(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    take = draft.rehearsal
    for item in draft.items.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    sign_in(trainee).post(reverse("feedback:withdraw", args=[take.pk]))
    assert "the analysis can no longer change" in mark(take, trainee, sign_in, "0:30", "1:30")
    assert take.runs.count() == 1


def test_a_take_that_is_being_analysed_again_waits_before_it_goes_to_the_coach(
    long_take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    mark(long_take, trainee, sign_in, "", "5:02")
    html = sign_in(trainee).get(reverse("feedback:report", args=[long_take.pk])).content.decode()
    assert "This report is from the earlier analysis" in html
    client = sign_in(trainee)
    url = reverse("feedback:send", args=[long_take.pk])
    assert "being analysed again" in client.post(url, follow=True).content.decode()
    assert not is_sent(long_take)
