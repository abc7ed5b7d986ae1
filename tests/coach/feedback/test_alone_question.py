"""Whether others were talking: asked on the report, answered by one click, taken back by one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.results import Reason, Report, Skipped
from coach.accounts.models import Cohort, Policy, User
from coach.audit.models import Entry
from coach.feedback.models import Run
from coach.feedback.runs.execution import _options as options_of
from coach.feedback.services import send_take
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

PITCH = "pitch.sd_semitones"
QUESTION = "It sounds as if other people were talking"

NEAR = Skipped.because(Reason.POOR_SIGNAL, "voices_near_voice", within=1)
TWO = Skipped.because(Reason.SEVERAL_SPEAKERS, "two_voices", share=0.3)
FIRST = Skipped.because(Reason.MISSING_CONTEXT, "another_speaks_first", until=12.0)


def report_with(skipped: Skipped | None) -> Report:
    report = make_report()
    return report.model_copy(update={"skipped": {PITCH: skipped} if skipped else {}})


@pytest.fixture
def asking(trainee: User, cohort: Cohort) -> Rehearsal:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take, report_with(NEAR))
    return take


def page(take: Rehearsal, reader: User, sign_in: SignIn) -> str:
    return sign_in(reader).get(reverse("feedback:report", args=[take.pk])).content.decode()


def answer(take: Rehearsal, reader: User, sign_in: SignIn, code: str) -> int:
    url = reverse("feedback:alone", args=[take.pk])
    response = sign_in(reader).post(url, {"answer": code})
    take.refresh_from_db()
    return response.status_code


@pytest.mark.parametrize(("why", "asks"), [(NEAR, True), (TWO, True), (FIRST, True), (None, False)])
def test_it_is_asked_where_others_seem_to_talk(
    trainee: User, cohort: Cohort, sign_in: SignIn, why: Skipped | None, *, asks: bool
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take, report_with(why))
    html = page(take, trainee, sign_in)
    assert (QUESTION in html) is asks
    assert ("I was alone" in html) is asks
    assert answer(take, trainee, sign_in, "alone") == 302
    assert take.spoke_alone is asks


def test_the_answer_analyses_the_take_again_and_can_be_taken_back(
    asking: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    answer(asking, trainee, sign_in, "alone")
    run = asking.runs.get(state=Run.State.RUNNING)
    assert options_of(run).spoke_alone is True
    finish_analysis(asking, report_with(None))
    asking.runs.filter(state=Run.State.RUNNING).update(state=Run.State.DONE)
    html = page(asking, trainee, sign_in)
    assert "You answered that you were alone." in html
    assert QUESTION not in html
    answer(asking, trainee, sign_in, "alone")
    assert not asking.runs.filter(state=Run.State.RUNNING).exists(), "said so already"
    answer(asking, trainee, sign_in, "unknown")
    assert asking.spoke_alone is False
    assert options_of(asking.runs.get(state=Run.State.RUNNING)).spoke_alone is False
    assert Entry.objects.filter(action="feedback.alone_answered").count() == 2


def test_nobody_else_answers_and_no_other_word_is_an_answer(
    asking: Rehearsal, trainee: User, stranger: User, coach: User, sign_in: SignIn
) -> None:
    for reader in (stranger, coach):
        assert answer(asking, reader, sign_in, "alone") in {403, 404}
    answer(asking, trainee, sign_in, "perhaps")
    assert asking.spoke_alone is False
    assert not Entry.objects.filter(action="feedback.alone_answered").exists()


@pytest.mark.usefixtures("coach")
def test_while_a_coach_has_the_take_it_waits(
    asking: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    send_take(rehearsal=asking, note="")
    html = page(asking, trainee, sign_in)
    assert "I was alone" not in html
    answer(asking, trainee, sign_in, "alone")
    assert asking.spoke_alone is False


@pytest.mark.usefixtures("coach")
def test_where_the_coach_answers_first_it_asks_and_tells_nothing_that_was_heard(
    asking: Rehearsal, trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    html = page(asking, trainee, sign_in)
    assert "Were you alone?" in html
    assert QUESTION not in html


def test_coaches_read_what_was_answered_and_its_owner_downloads_it(
    asking: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=asking.pk).update(spoke_alone=True)
    send_take(rehearsal=asking, note="")
    desk = sign_in(coach).get(reverse("review:desk", args=[asking.pk])).content.decode()
    assert "alone (your answer)" in desk
    takes = own_data(trainee)["rehearsals"]
    assert [each["spoke_alone"] for each in takes] == [True]
