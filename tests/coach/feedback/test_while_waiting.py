"""Answers during an analysis count for its draft, and nobody who writes is interrupted."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from analysis.results import Report
from coach.accounts.models import Cohort, Policy, User
from coach.accounts.profile import Profile
from coach.feedback.models import Run, Stage
from coach.feedback.runs.drafting import context_of
from coach.feedback.runs.early import store_early_report
from coach.feedback.services import start_run
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

pytestmark = pytest.mark.usefixtures("no_broker")
HTMX = {"HX-Request": "true"}
ANSWERS = {"title": "My pitch", "aim": "pitch", "audience": "public", "setting": "stage"}


@pytest.fixture
def waits(trainee: User, cohort: Cohort) -> Rehearsal:
    """A take in analysis."""
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    start_run(rehearsal=take, actor=trainee)
    return take


def say(client: Client, take: Rehearsal, **answers: str) -> str:
    url = reverse("feedback:about", args=[take.pk])
    return client.post(url, {**ANSWERS, **answers}, headers=HTMX).content.decode()


def test_answers_of_the_waiting_time_reach_the_measures_and_the_draft(
    waits: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:about", args=[waits.pk])
    assert sign_in(stranger).post(url, ANSWERS, headers=HTMX).status_code == 404
    client = sign_in(trainee)
    assert url in client.get(reverse("feedback:analysing", args=[waits.pk])).content.decode()
    say(client, waits)
    waits.refresh_from_db()
    assert (waits.aim, waits.title) == ("pitch", "My pitch")
    assert (context_of(waits).aim, context_of(waits).setting) == ("pitch", "stage")
    assert waits.runs.get().options["setting"] == "stage"
    assert waits.runs.get().state == Run.State.RUNNING


def test_facts_of_the_sound_are_shown_while_the_picture_is_watched(
    waits: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:analysing_now", args=[waits.pk])
    client = sign_in(trainee)
    run = waits.runs.get()
    store_early_report(run, make_report())
    assert Report.model_validate(run.early_report).words == ()
    shown = client.get(url, headers=HTMX).context["page"].facts
    assert {"length", "ums"} == {fact.code for fact in shown}
    assert all(fact.value for fact in shown)
    Profile.objects.create(user=trainee, gentle=True)
    assert client.get(url, headers=HTMX).context["page"].facts == ()


def test_no_fact_is_shown_before_a_coach_who_reads_first(
    waits: Rehearsal, trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST, reply_hours=48)
    store_early_report(waits.runs.get(), make_report())
    page = sign_in(trainee).get(reverse("feedback:analysing_now", args=[waits.pk]), headers=HTMX)
    assert page.context["page"].facts == ()


def test_the_setting_stays_once_the_measures_are_calculated(
    waits: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    waits.runs.get().stages.filter(name="assemble").update(state=Stage.State.DONE)
    said = say(sign_in(trainee), waits)
    waits.refresh_from_db()
    assert (waits.aim, waits.setting) == ("pitch", "camera")
    assert "In front of a camera" in said


def test_a_person_who_writes_is_offered_the_report_instead_of_being_taken_there(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take)
    url, client = reverse("feedback:analysing_now", args=[take.pk]), sign_in(trainee)
    report = reverse("feedback:report", args=[take.pk])
    assert client.get(url, headers=HTMX).headers["HX-Redirect"].startswith(report)
    stays = client.get(url, {"stay": "1"}, headers=HTMX)
    assert "HX-Redirect" not in stays.headers
    assert f'href="{report}?' in stays.content.decode()
