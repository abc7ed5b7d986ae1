"""The progress page says what happened when an analysis stops, and what to do then."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, User
from coach.feedback.models import Run
from coach.feedback.services import start_run
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory

HTMX = {"HX-Request": "true"}


def stop(take: Rehearsal, code: str, sentence: str) -> None:
    take.runs.filter(state=Run.State.RUNNING).update(
        state=Run.State.FAILED, error_code=code, error_sentence=sentence
    )


def fragment(client: Client, take: Rehearsal) -> str:
    url = reverse("feedback:progress_fragment", args=[take.pk])
    return client.get(url, headers=HTMX).content.decode()


def test_whoever_watches_an_analysis_stop_is_no_longer_told_that_it_goes_on(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, title="My pitch")
    start_run(rehearsal=take, actor=trainee)
    client = sign_in(trainee)
    page = client.get(reverse("feedback:progress", args=[take.pk])).content.decode()
    assert page.count("You may close this page") == 1
    assert page.count("<title>") == 1
    stop(take, "E103", "This is not a recording in a format that we open.")
    html = fragment(client, take)
    assert "You may close this page" not in html
    assert 'id="progress-lead" hx-swap-oob="true">The analysis stopped.' in html
    assert "<title>Stopped: My pitch" in html
    assert "Waiting" not in html
    assert "Not begun" in html


def test_a_file_that_cannot_be_read_asks_for_another_file_first(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    start_run(rehearsal=take, actor=trainee)
    stop(take, "E103", "This is not a recording in a format that we open.")
    first = fragment(sign_in(trainee), take).split("button--primary")[1]
    assert first.startswith('" href="' + reverse("feedback:new"))
    take.runs.update(error_code="E141")
    first = fragment(sign_in(trainee), take).split("button--primary")[1]
    assert "Analyse it again" in first.split("</button>")[0]


def test_when_analysing_again_fails_the_report_from_before_stays_at_hand(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    start_run(rehearsal=take, actor=trainee)
    stop(take, "E141", "The analysis stopped for a reason that we do not know.")
    client = sign_in(trainee)
    report = reverse("feedback:report", args=[take.pk])
    html = client.get(reverse("feedback:progress", args=[take.pk])).content.decode()
    assert f'href="{report}"' in html
    assert "Analysing it again did not work" in client.get(report).content.decode()
