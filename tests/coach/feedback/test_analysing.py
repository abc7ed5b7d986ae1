"""The progress page says what happened when an analysis stops, and what to do then."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.models import Run
from coach.feedback.runs.stage_leases import acquire
from coach.feedback.services import start_run
from coach.lib.work.leases import renew
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory

HTMX = {"HX-Request": "true"}


def stop(take: Rehearsal, code: str, says: str, **values: float) -> None:
    take.runs.filter(state=Run.State.RUNNING).update(
        state=Run.State.FAILED, error_code=code, problem={"code": says, "values": values}
    )


def fragment(client: Client, take: Rehearsal) -> str:
    url = reverse("feedback:analysing_now", args=[take.pk])
    return client.get(url, headers=HTMX).content.decode()


def test_whoever_watches_an_analysis_stop_is_no_longer_told_that_it_goes_on(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, title="My pitch")
    start_run(rehearsal=take, actor=trainee)
    client = sign_in(trainee)
    page = client.get(reverse("feedback:analysing", args=[take.pk])).content.decode()
    assert page.count("You can close this page") == 1
    assert page.count("<title>") == 1
    stop(take, "E103", "format_unknown")
    html = fragment(client, take)
    assert "You can close this page" not in html
    assert 'id="progress-lead" hx-swap-oob="true">The analysis stopped.' in html
    assert "<title>Stopped: My pitch" in html
    assert "Waiting" not in html
    assert "Not started" in html


def test_a_file_that_cannot_be_read_asks_for_another_file_and_for_no_second_analysis(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    start_run(rehearsal=take, actor=trainee)
    stop(take, "E103", "format_unknown")
    html = fragment(sign_in(trainee), take)
    assert html.split("button--primary")[1].startswith('" href="' + reverse("feedback:new"))
    assert "Analyse it again" not in html
    page = sign_in(trainee).get(reverse("feedback:analysing", args=[take.pk])).content.decode()
    assert page.count("The analysis stopped.") == 1, "it is said once, and not as news as well"
    take.runs.update(error_code="E141")
    first = fragment(sign_in(trainee), take).split("button--primary")[1]
    assert "Analyse it again" in first.split("</button>")[0]


def test_when_analysing_again_fails_the_report_from_before_stays_at_hand(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    start_run(rehearsal=take, actor=trainee)
    stop(take, "E141", "stage_died")
    client = sign_in(trainee)
    report = reverse("feedback:report", args=[take.pk])
    html = client.get(reverse("feedback:analysing", args=[take.pk])).content.decode()
    assert f'href="{report}"' in html
    assert "The new analysis failed" in client.get(report).content.decode()


def test_a_worker_that_fell_silent_is_said_instead_of_a_time_that_stands_still(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    run = start_run(rehearsal=take, actor=trainee)
    lease = acquire(run.stages.get(name="prepare").pk)
    assert lease is not None
    client = sign_in(trainee)
    assert "In progress" in fragment(client, take)
    assert "A worker stopped" not in fragment(client, take)
    silent = timezone.now() + timedelta(seconds=settings.STAGE_LEASE_SECONDS - 11)
    run.stages.filter(name="prepare").update(lease_until=silent)
    html = fragment(client, take)
    assert "A worker stopped; another one is taking over. Nothing is lost." in html
    assert " left</span>" not in html
    assert "Another worker is taking over" in html
    renew(lease)
    assert "A worker stopped" not in fragment(client, take)
