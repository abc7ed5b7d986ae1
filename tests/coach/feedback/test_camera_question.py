"""Where the camera stood: asked on the report, answered by one click, taken back by another."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.urls import reverse

from analysis.results import (
    CameraQuestion,
    Event,
    GazeReading,
    Measurement,
    Quality,
    Report,
)
from coach.accounts.models import Cohort, Policy, User
from coach.audit.models import Entry
from coach.feedback.models import Run, Stage
from coach.feedback.releases import release_feedback
from coach.feedback.reports import report_of
from coach.feedback.runs import execution
from coach.feedback.runs.drafting import context_of
from coach.feedback.runs.execution import _options as options_of
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.runs.stage_leases import StageEnd
from coach.feedback.selectors import latest_feedback, latest_report_run
from coach.feedback.services import start_run
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

SHARE = "gaze.camera_facing_share"
QUESTION = "Was your camera straight in front of you?"


def reading(value: float, low: float, high: float, *events: Event) -> GazeReading:
    share = Measurement(
        value=value, unit="share", n=900, coverage=1, quality=Quality.FAIR, interval=(low, high)
    )
    return GazeReading(measurements={SHARE: share}, events=events)


def asking_report() -> Report:
    """Somebody whose head and eyes rested 9 degrees beside the lens for three minutes."""
    unknown = reading(0.3, 0.0, 0.97)
    aside = Event(kind="look_away", start=2.0, end=170.0, label="side")
    question = CameraQuestion(
        where="side",
        share=0.93,
        readings={
            "unknown": unknown,
            "in_front": reading(0.04, 0.0, 0.08, aside),
            "elsewhere": reading(0.95, 0.9, 0.98),
        },
    )
    report = make_report(**unknown.measurements)
    return report.model_copy(update={"camera_question": question})


@pytest.fixture
def asking(trainee: User, cohort: Cohort) -> Rehearsal:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take, asking_report())
    return take


def page(take: Rehearsal, reader: User, sign_in: SignIn) -> str:
    return sign_in(reader).get(reverse("feedback:report", args=[take.pk])).content.decode()


def answer(take: Rehearsal, sign_in: SignIn, code: str) -> str:
    url = reverse("feedback:camera", args=[take.pk])
    response = sign_in(take.owner).post(url, {"answer": code}, follow=True)
    take.refresh_from_db()
    return response.content.decode()


def share_of(take: Rehearsal) -> float:
    run = latest_report_run(take)
    assert run is not None
    return report_of(run).measurements[SHARE].value


def rules_of(take: Rehearsal) -> set[str]:
    feedback = latest_feedback(take)
    assert feedback is not None
    return set(feedback.items.values_list("rule", flat=True))


def test_the_report_says_what_was_seen_and_asks(asking: Rehearsal, sign_in: SignIn) -> None:
    html = page(asking, asking.owner, sign_in)
    assert "rested to one side of the lens" in html
    assert html.index(QUESTION) < html.index('id="cards-title"'), "the share alone says nothing"
    assert "Yes, in front of me" in html


@pytest.mark.parametrize(
    ("language", "seen"),
    [
        ("en", "For most of the recording, your head and eyes rested to one side of the lens."),
        ("fr", "Pendant la plus grande partie de l’enregistrement"),
    ],
)
def test_without_sound_it_says_nothing_of_the_time_you_spoke(
    trainee: User, cohort: Cohort, sign_in: SignIn, language: str, seen: str
) -> None:
    report = asking_report()
    silent = report.model_copy(update={"media": report.media.model_copy(update={"audio": None})})
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take, silent)
    User.objects.filter(pk=trainee.pk).update(language=language)
    trainee.refresh_from_db()
    html = page(take, trainee, sign_in)
    assert seen in html
    assert "time you spoke" not in html


@pytest.mark.usefixtures("coach")
def test_where_the_coach_answers_first_it_asks_and_tells_nothing_that_was_seen(
    asking: Rehearsal, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    html = page(asking, asking.owner, sign_in)
    assert QUESTION in html
    assert "rested to one side" not in html


def test_one_click_makes_measures_and_draft_anew_and_nothing_is_analysed(
    asking: Rehearsal, sign_in: SignIn
) -> None:
    assert "GAZ004" not in rules_of(asking)
    html = answer(asking, sign_in, "in_front")
    assert "You answered that your camera was in front of you." in html
    assert QUESTION not in html
    assert asking.camera_in_front is True
    assert share_of(asking) == 0.04
    assert "GAZ004" in rules_of(asking)
    assert not asking.runs.filter(state=Run.State.RUNNING).exists()
    assert Entry.objects.filter(action="feedback.camera_answered").count() == 1
    assert not Entry.objects.filter(action="feedback.run_started").exists()


def test_the_run_and_the_draft_before_stay_as_they_were(asking: Rehearsal, sign_in: SignIn) -> None:
    before = latest_report_run(asking)
    draft = latest_feedback(asking)
    assert before is not None
    assert draft is not None
    stored, text = report_of(before), draft.draft
    answer(asking, sign_in, "in_front")
    draft.refresh_from_db()
    assert (report_of(Run.objects.get(pk=before.pk)), draft.draft) == (stored, text)
    again = latest_report_run(asking)
    assert again is not None
    assert again.stages.count() == before.stages.count()
    assert not again.stages.exclude(seconds=None).exists()


def test_the_answer_can_be_taken_back_and_changed(asking: Rehearsal, sign_in: SignIn) -> None:
    first = latest_report_run(asking)
    assert first is not None
    answer(asking, sign_in, "in_front")
    html = answer(asking, sign_in, "unknown")
    assert QUESTION in html
    assert "as it was before you answered" in html
    assert asking.camera_in_front is None
    again = latest_report_run(asking)
    assert again is not None
    assert report_of(again) == report_of(first)
    answer(asking, sign_in, "elsewhere")
    assert share_of(asking) == 0.95
    assert "GAZ004" not in rules_of(asking)


def test_answering_the_same_twice_changes_nothing(asking: Rehearsal, sign_in: SignIn) -> None:
    answer(asking, sign_in, "elsewhere")
    answer(asking, sign_in, "elsewhere")
    assert asking.runs.count() == 2
    assert Entry.objects.filter(action="feedback.camera_answered").count() == 1


@pytest.mark.parametrize("code", ["", "perhaps", "in_front\0"])
def test_another_answer_is_refused(asking: Rehearsal, sign_in: SignIn, code: str) -> None:
    assert "does not ask where the camera stood" in answer(asking, sign_in, code)
    assert asking.runs.count() == 1


def test_a_take_that_does_not_ask_takes_no_answer(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take, make_report())
    assert QUESTION not in page(take, trainee, sign_in)
    assert "does not ask where the camera stood" in answer(take, sign_in, "in_front")
    assert take.camera_in_front is None


def test_the_coach_reads_the_answer_and_cannot_give_it(
    asking: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    answer(asking, sign_in, "elsewhere")
    sign_in(asking.owner).post(reverse("feedback:send", args=[asking.pk]))
    html = page(asking, coach, sign_in)
    assert "camera elsewhere (your answer)" in html
    assert "Withdraw my answer" not in html
    desk = sign_in(coach).get(reverse("review:desk", args=[asking.pk])).content.decode()
    assert "camera elsewhere (your answer)" in desk


@pytest.mark.usefixtures("coach")
def test_while_the_coach_has_it_the_answer_stays(asking: Rehearsal, sign_in: SignIn) -> None:
    sign_in(asking.owner).post(reverse("feedback:send", args=[asking.pk]))
    html = page(asking, asking.owner, sign_in)
    assert "For most of the time you spoke, your head and eyes rested to one side" in html
    assert QUESTION in html
    assert "Withdraw it first" in html
    assert "Yes, in front of me" not in html
    assert "Withdraw it first" in answer(asking, sign_in, "in_front")
    assert asking.camera_in_front is None


def test_released_feedback_never_changes(asking: Rehearsal, coach: User, sign_in: SignIn) -> None:
    draft = latest_feedback(asking)
    assert draft is not None
    draft.items.update(is_chosen=False)
    release_feedback(feedback=draft, coach=coach)
    html = page(asking, asking.owner, sign_in)
    assert "rested to one side of the lens" not in html
    assert QUESTION not in html
    assert "can no longer change" in answer(asking, sign_in, "in_front")
    assert asking.runs.count() == 1


def test_rules_and_the_next_analysis_know_the_answer(asking: Rehearsal, sign_in: SignIn) -> None:
    answer(asking, sign_in, "elsewhere")
    assert context_of(asking).camera_position == "side"
    run = latest_report_run(asking)
    assert run is not None
    assert options_of(run).camera_in_front is False
    answer(asking, sign_in, "in_front")
    assert context_of(asking).camera_position == "level"


def test_on_a_stage_the_question_is_about_the_audience(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, setting="stage")
    finish_analysis(take, asking_report())
    assert "Was your camera among your audience?" in page(take, trainee, sign_in)


def take_after(asking: Rehearsal, **kept: object) -> Rehearsal:
    """Another take of the same person, which asks as well."""
    take: Rehearsal = RehearsalFactory(owner=asking.owner, cohort=asking.cohort, **kept)
    finish_analysis(take, asking_report())
    return take


@pytest.mark.parametrize(
    ("said", "told", "other", "share"),
    [
        ("in_front", "the camera was in front of you.", "No, elsewhere", 0.04),
        ("elsewhere", "the camera was elsewhere, so we measure facing", "No, in front of me", 0.95),
    ],
)
def test_in_the_same_set_up_the_answer_is_taken_over_told_and_changed_by_one_click(
    asking: Rehearsal, sign_in: SignIn, said: str, told: str, other: str, share: float
) -> None:
    answer(asking, sign_in, said)
    take = take_analysed_after(asking)
    assert share_of(take) == share
    html = page(take, take.owner, sign_in)
    assert f"You said of a similar take that {told}" in html
    assert "your answer for an earlier take" in html
    assert QUESTION not in html
    [(code, words)] = re.findall(r'name="answer" value="(\w+)">([^<]+)<', html)
    assert words == other
    html = answer(take, sign_in, code)
    assert "You answered that your camera was" in html
    assert "for an earlier take" not in html
    # The next one goes by what was said last, and what was taken over is no answer of its own.
    assert take_analysed_after(asking).camera_in_front is (code == "in_front")


def test_the_answer_is_taken_over_by_no_take_of_another_set_up(
    asking: Rehearsal, sign_in: SignIn
) -> None:
    answer(asking, sign_in, "in_front")
    report = asking_report()
    assert report.camera_question is not None
    assert report.media.video is not None
    below = report.camera_question.model_copy(update={"where": "below"})
    video = report.media.video.model_copy(update={"width": 640, "height": 480})
    others: list[tuple[Report, dict[str, Any]]] = [
        (report, {"setting": "stage"}),
        (report, {"camera_position": "side"}),
        (report, {"capture": {"noise_suppression": False}}),
        (report.model_copy(update={"camera_question": below}), {}),
        (report.model_copy(update={"media": report.media.model_copy(update={"video": video})}), {}),
    ]
    for found, kept in others:
        take = take_analysed_after(asking, found, **kept)
        assert (take.camera_in_front, take.camera_as_before) == (None, False)
        assert 'value="in_front"' in page(take, take.owner, sign_in)


def take_analysed_after(
    asking: Rehearsal, report: Report | None = None, **kept: object
) -> Rehearsal:
    """Another take of the same person, as the workers leave it that do the last steps."""
    take: Rehearsal = RehearsalFactory(owner=asking.owner, cohort=asking.cohort, **kept)
    run = start_run(rehearsal=take, actor=take.owner)
    run.stages.exclude(name__in=["assemble", "draft"]).update(state=Stage.State.DONE)
    run.stages.filter(name="assemble").update(state=Stage.State.QUEUED)
    end = StageEnd(state=Stage.State.DONE, report=report or asking_report())
    with patch.dict(execution._STEPS, assemble=lambda _stage, _lease: end):
        for name in ("assemble", "draft"):
            execution.execute(BY_NAME[name].queue)
    take.refresh_from_db()
    return take


@pytest.mark.parametrize(
    ("said", "offered", "told"),
    [
        ("in_front", "Yes, as last time", "that the camera was in front of you."),
        ("elsewhere", "No, elsewhere, as last time", "that the camera was elsewhere."),
    ],
)
def test_what_was_answered_of_the_take_before_is_offered_first_where_it_is_asked(
    asking: Rehearsal, sign_in: SignIn, said: str, offered: str, told: str
) -> None:
    answer(asking, sign_in, said)
    take = take_after(asking)
    html = page(take, take.owner, sign_in)
    assert QUESTION in html
    assert told in html
    buttons = re.findall(r'name="answer" value="(\w+)">([^<]+)<', html)
    assert buttons[0] == (said, offered)
    assert len(buttons) == 2
    assert take.camera_in_front is None
    assert "as answered" not in html


def test_the_first_take_that_asks_offers_no_answer(asking: Rehearsal, sign_in: SignIn) -> None:
    html = page(asking, asking.owner, sign_in)
    assert "as last time" not in html
    assert "You said of your take of" not in html


@pytest.mark.parametrize(
    "elsewhere", [{"setting": "stage"}, {"camera_position": "side"}], ids=["setting", "camera"]
)
def test_an_answer_about_another_place_is_offered_of_none(
    asking: Rehearsal, sign_in: SignIn, elsewhere: dict[str, str]
) -> None:
    answer(asking, sign_in, "in_front")
    take = take_after(asking, **elsewhere)
    assert "as last time" not in page(take, take.owner, sign_in)


def test_an_answer_that_was_taken_back_is_offered_no_longer(
    asking: Rehearsal, sign_in: SignIn
) -> None:
    answer(asking, sign_in, "in_front")
    answer(asking, sign_in, "unknown")
    take = take_after(asking)
    assert "as last time" not in page(take, take.owner, sign_in)


def test_what_another_person_answered_is_offered_to_nobody_else(
    asking: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    answer(asking, sign_in, "in_front")
    take = RehearsalFactory(owner=stranger)
    finish_analysis(take, asking_report())
    assert "as last time" not in page(take, stranger, sign_in)


def test_a_share_that_is_unknown_is_said_and_asked_above_the_cards(
    asking: Rehearsal, sign_in: SignIn
) -> None:
    shown = page(asking, asking.owner, sign_in)
    assert shown.index("anything from 0% to 97%") < shown.index(QUESTION)
    assert shown.count(QUESTION) == 1


def test_a_share_that_is_known_needs_no_sentence(asking: Rehearsal, sign_in: SignIn) -> None:
    assert "We cannot tell how much" not in answer(asking, sign_in, "in_front")
