"""A take that is analysed again from its report: parts that failed, another language."""

from __future__ import annotations

from django.urls import reverse

from analysis.results import Reason, Skipped
from coach.accounts.models import Cohort, User
from coach.feedback.selectors import latest_run
from coach.feedback.services import (
    start_run,
)
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report
from tests.coach.feedback.report_pages import page_of


def fail_a_part(take: Rehearsal) -> None:
    run = latest_run(take)
    assert run is not None
    run.stages.create(
        name="transcribe",
        position=1,
        queue="speech",
        state="failed",
        problem={"code": "gave_up", "values": {}},
    )


def test_a_part_that_failed_can_be_tried_again_from_the_report(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    retry = f'action="{reverse("feedback:retry", args=[take.pk])}"'
    assert retry not in page_of(take, trainee, sign_in)
    fail_a_part(take)
    html = page_of(take, trainee, sign_in)
    assert "This part of the analysis failed: Writing down your words." in html
    assert retry in html
    assert "Try again" in html
    send_to_coach(rehearsal=take, note="")  # what the coach works on does not change meanwhile
    assert "Try again" not in page_of(take, trainee, sign_in)
    html = page_of(take, coach, sign_in)
    assert "This part of the analysis failed" in html
    assert "Try again" not in html


def test_what_was_not_installed_can_be_measured_once_it_is_and_is_no_fault_of_this_time(
    trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    report = make_report()
    missing = Skipped.because(Reason.MODEL_MISSING, "landmarkers_not_started")
    skipped = {**report.skipped, "gaze.camera_facing_share": missing}
    finish_analysis(take, report.model_copy(update={"skipped": skipped}))
    offered = "this take can be analysed again; you do not need to record it again."
    html = page_of(take, trainee, sign_in)
    assert offered in html
    assert "Analyse it again" in html
    assert "This part of the analysis failed" not in html
    send_to_coach(rehearsal=take, note="")
    assert offered not in page_of(take, trainee, sign_in)
    assert offered not in page_of(take, coach, sign_in)


def test_nothing_is_tried_again_while_it_is_being_analysed(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    fail_a_part(take)
    start_run(rehearsal=take, actor=trainee)
    assert "Try again" not in page_of(take, trainee, sign_in)


def test_where_another_language_was_heard_it_can_be_analysed_again_without_a_new_upload(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    report = make_report()
    heard = Skipped.because(Reason.LANGUAGE_MISMATCH, "in_words", words="This sounds like French.")
    skipped = {**report.skipped, "pace.words_per_minute": heard}
    finish_analysis(take, report.model_copy(update={"skipped": skipped, "words": ()}))
    html = page_of(take, trainee, sign_in)
    assert "Analyse as French" in html
    assert html.count("This sounds like French.") == 2
    assert "no transcript in the language you chose" in html
    url = reverse("feedback:retry", args=[take.pk])
    sign_in(trainee).post(url, {"language": "fr"})
    take.refresh_from_db()
    assert take.language == "fr"
    html = page_of(take, trainee, sign_in)
    assert "This sounds like French." in html
    assert "Analyse it as" not in html, "it is under way"
    newest = latest_run(take)
    assert newest is not None
    assert (newest.state, newest.options["language"]) == ("running", "fr")


def test_a_language_that_is_not_offered_is_refused(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    sign_in(trainee).post(reverse("feedback:retry", args=[take.pk]), {"language": "tlh"})
    take.refresh_from_db()
    assert take.language == "en"
    assert take.runs.count() == 1
