"""One's own view comes before the report; then it shows who saw the same."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.services import Preferences, set_preferences
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.pages import extensions
from coach.feedback.releases import release_feedback
from coach.feedback.services import start_run
from coach.feedback.verdicts import decide_on_item
from coach.portal.personal.own_data import own_data
from coach.practice.models import SelfAssessment
from coach.practice.self_assessment.agreement import matches_of
from coach.practice.self_assessment.parts import before_report, while_waiting
from coach.practice.self_assessment.services import (
    MarkedMoment,
    SelfAssessmentAnswers,
    assess_oneself,
)
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn, says
from tests.coach.factories import RehearsalFactory


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, trainee: User) -> None:
    """As on a site: people are asked first, but for their first report."""
    monkeypatch.setattr(extensions, "BEFORE_REPORT", [before_report])
    RehearsalFactory(owner=trainee, opened_at=timezone.now())


def address(take: Rehearsal, name: str = "feedback:report") -> str:
    return reverse(name, args=[take.pk])


def near_a_clip(take: Rehearsal) -> MarkedMoment:
    """A moment beside the first clip of the first improvement."""
    item = take.feedback.get().items.filter(is_chosen=True, tone="improvement")[0]
    start = item.document["clips"][0]["start"]
    return MarkedMoment(at_seconds=start, tone="improvement", quality=item.quality, word="again")


def test_ones_own_view_is_asked_for_before_a_report_and_once(
    asked: None, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    first = address(take, "practice:self_assess")
    assert client.get(address(take)).headers["Location"] == first
    page = client.get(first).content.decode()
    assert 'class="card"' not in page
    answers = {
        "went_well": "The opening.",
        "closeness": "partly",
        "at_1": "0:12",
        "tone_1": "strength",
        "quality_1": "clarity",
        "word_1": "pause",
    }
    assert client.post(first, answers).headers["Location"] == address(take)
    report = client.get(address(take)).content.decode()
    assert "Your self-assessment" in report
    assert "The opening." in report
    assert "only you marked this" in report
    assert 'class="card"' in report
    client.post(first, {"went_well": "Otherwise."})
    assert SelfAssessment.objects.get().went_well == "The opening."


def test_it_can_be_skipped_and_that_is_kept(
    asked: None, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    client.post(address(take, "practice:self_assess"), {"wish": "skip"})
    report = client.get(address(take))
    assert report.status_code == 200
    assert "Your self-assessment" not in report.content.decode()
    assert SelfAssessment.objects.get().state == "skipped"
    assert Entry.objects.filter(action="practice.self_assessment_skipped").count() == 1


def test_who_keeps_empty_answers_has_skipped_it(
    asked: None, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    """A heading with nothing below it stood on the report, and an offer to let a coach read it."""
    client = sign_in(trainee)
    client.post(address(take, "practice:self_assess"), {"went_well": " ", "closeness": ""})
    assert SelfAssessment.objects.get().state == "skipped"
    assert "Your self-assessment" not in client.get(address(take)).content.decode()


def test_nobody_is_asked_about_what_they_have_seen_or_who_does_not_want_it(
    asked: None, take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    set_preferences(user=trainee, preferences=Preferences(reflects_first=False))
    assert client.get(address(take)).status_code == 200
    set_preferences(user=trainee, preferences=Preferences(reflects_first=True))
    assert client.get(address(take)).status_code == 200  # it has been seen


def test_a_coach_is_not_held_up_by_it(
    asked: None, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert sign_in(coach).get(address(sent)).status_code == 200


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"at_1": "0:12"}, "Choose what it is about."),
        ({"word_2": "loud"}, "Choose the time."),
        ({"tone_3": "improvement"}, "Choose the time."),
        ({"at_1": "0:12", "quality_1": "clarity"}, "Choose whether to keep or change this."),
        (
            {"at_1": "59:00", "tone_1": "strength", "quality_1": "clarity"},
            "The recording ends at 3:00.",
        ),
        ({"at_1": "soon", "quality_1": "clarity"}, "Write the time as minutes and seconds"),
        ({"closeness": "perfect"}, "perfect"),
    ],
)
def test_what_cannot_be_kept_is_said_and_what_was_written_stays(
    answers: dict[str, str], sentence: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = address(take, "practice:self_assess")
    page = sign_in(trainee).post(url, {"went_well": "The end.", **answers})
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert "The end." in page.content.decode()
    assert not SelfAssessment.objects.exists()


def test_the_machine_and_the_coach_meet_a_moment_by_place_and_quality(
    draft: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    take = draft.rehearsal
    same = near_a_clip(take)
    other = MarkedMoment(at_seconds=same.at_seconds, tone="strength", quality=same.quality)
    elsewhere = MarkedMoment(at_seconds=170.0, tone="improvement", quality="presence")
    assess_oneself(take=take, thoughts=SelfAssessmentAnswers(), moments=[same, other, elsewhere])
    page = sign_in(trainee).get(address(take)).content.decode()
    for words in ("a card says the same here", "a card sees it the other way", "only you marked"):
        assert words in page
    assert "You also noticed this." in page
    assert "your coach says the same" not in page
    for item in draft.items.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    Feedback.objects.update(released_at=draft.created_at)
    page = sign_in(trainee).get(address(take)).content.decode()
    assert "a card says the same here, your coach says the same here" in page


def test_another_quality_at_the_same_place_is_no_agreement(take: Rehearsal) -> None:
    same = near_a_clip(take)
    quality = "presence" if same.quality != "presence" else "clarity"
    made = assess_oneself(
        take=take,
        thoughts=SelfAssessmentAnswers(),
        moments=[MarkedMoment(at_seconds=same.at_seconds, tone="improvement", quality=quality)],
    )
    assert matches_of(made.moments.get(), []) == ()


def test_only_a_coach_who_may_reads_it_and_that_can_be_taken_back(
    sent: Rehearsal, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    thoughts = SelfAssessmentAnswers(went_well="My voice was calm.")
    assess_oneself(take=sent, thoughts=thoughts, moments=[near_a_clip(sent)])
    pages = [address(sent), address(sent, "review:desk")]
    share = address(sent, "practice:share_self")
    assert sign_in(stranger).post(share, {"wish": "share"}).status_code == 404
    assert sign_in(coach).post(share, {"wish": "share"}).status_code == 404
    for wish, seen in (("", False), ("share", True), ("keep", False)):
        if wish:
            sign_in(trainee).post(share, {"wish": wish})
        for page in pages:
            assert says(sign_in(coach).get(page).content.decode(), "My voice was calm") is seen


def test_it_is_handed_out_and_goes_with_the_take(take: Rehearsal, trainee: User) -> None:
    thoughts = SelfAssessmentAnswers(would_change="Slower.", closeness="mostly")
    assess_oneself(take=take, thoughts=thoughts, moments=[near_a_clip(take)])
    [found] = [each["self_assessment"] for each in own_data(trainee)["rehearsals"]]
    assert (found["would_change"], found["closeness"]) == ("Slower.", "mostly")
    assert found["moments"][0]["word"] == "again"
    take.delete()
    assert not SelfAssessment.objects.exists()


def test_who_waits_for_a_coach_is_asked_meanwhile_and_compares_later(
    asked: None, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=take.pk).update(waits_by_choice=True)
    assess_oneself(take=take, thoughts=SelfAssessmentAnswers(), moments=[near_a_clip(take)])
    page = sign_in(trainee).get(address(take)).content.decode()
    assert "Your self-assessment" in page
    assert "a card says" not in page
    assert "only you marked" not in page


def test_nothing_stands_before_a_first_report_and_the_questions_are_in_the_waiting_time(
    take: Rehearsal, trainee: User, stranger: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extensions, "BEFORE_REPORT", [before_report])
    monkeypatch.setattr(extensions, "WHILE_WAITING", [while_waiting])
    waits = RehearsalFactory(owner=trainee, duration=None)
    start_run(rehearsal=waits, actor=trainee)
    url = address(waits, "practice:self_assess")
    assert url in sign_in(trainee).get(address(waits, "feedback:analysing")).content.decode()
    moment = {"at_1": "0:12", "tone_1": "strength", "quality_1": "clarity"}
    answers = {"went_well": "The opening.", **moment}
    htmx = {"HX-Request": "true"}
    assert sign_in(stranger).post(url, answers, headers=htmx).status_code == 404
    said = sign_in(trainee).post(url, answers, headers=htmx).content.decode()
    assert "Saved" in said
    assert waits.self_assessment.moments.count() == 1
    assert sign_in(trainee).get(address(take)).status_code == 200  # no gate: the first report
    sign_in(trainee).post(address(take, "practice:self_assess"), answers)
    assert SelfAssessment.objects.count() == 1  # the cards were seen
