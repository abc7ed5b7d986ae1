"""Metrics for a monitor: only with the token, true to the database, and without personal data."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.conftest import SignIn

MONITORING = Path(__file__).resolve().parents[3] / "monitoring"
TOKEN = "a token for a monitor"


@pytest.fixture
def monitor(settings: Settings) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def read(monitor: Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = monitor.get("/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def value(
    found: dict[tuple[str, frozenset[tuple[str, str]]], float], name: str, **labels: str
) -> float | None:
    return found.get((f"rostrum_{name}", frozenset(labels.items())))


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer guess"}])
def test_without_the_token_the_address_does_not_exist(
    header: dict[str, str], monitor: Client, administrator: User, sign_in: SignIn
) -> None:
    assert Client(headers=header).get("/metrics").status_code == 404
    assert sign_in(administrator).get("/metrics").status_code == 404


def test_without_a_token_in_the_settings_nobody_reads_them(db: None, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert Client(headers={"Authorization": "Bearer "}).get("/metrics").status_code == 404


def test_queues_ages_and_failures_are_those_of_the_database(
    monitor: Client, take: Rehearsal, cohort: object, coach: User
) -> None:
    Run.objects.filter(rehearsal=take).delete()
    now = timezone.now()
    run = Run.objects.create(rehearsal=take)
    common = {"run": run, "queue": "speech"}
    Stage.objects.create(
        **common, name="words", position=1, state="queued", queued_at=now - timedelta(minutes=50)
    )
    Stage.objects.create(
        **common,
        name="voice",
        position=2,
        state="running",
        attempts=2,
        lease="0" * 32,
        lease_until=now - timedelta(minutes=5),
    )
    Stage.objects.create(
        **common, name="look", position=3, state="done", finished_at=now, seconds=12.5
    )
    send_to_coach(rehearsal=take, note="")
    found = read(monitor)
    assert value(found, "stages", queue="speech", state="queued") == 1
    assert value(found, "stages_retried", queue="speech", state="running") == 1
    assert 2990 < (value(found, "oldest_stage_seconds", queue="speech") or 0) < 3100
    assert value(found, "stages_with_lost_lease") == 1
    assert value(found, "stage_seconds", stage="look", quantile="0.9") == 12.5
    assert value(found, "takes_to_review") == 1
    assert value(found, "part_ok", part="database") == 1
    Run.objects.filter(pk=run.pk).update(
        state="failed", finished_at=now, error_code="E150", problem={"text": "no consent"}
    )
    found = read(monitor)
    assert value(found, "analyses_last_day", state="failed") == 1
    assert value(found, "analyses_failed_last_day", code="E150") == 1
    said = monitor.get("/metrics").content.decode()
    assert take.title not in said
    assert take.owner.email not in said


def test_a_scrape_costs_few_queries(
    monitor: Client, take: Rehearsal, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(16):
        read(monitor)


def test_alerts_and_dashboard_name_metrics_that_exist(monitor: Client, take: Rehearsal) -> None:
    answer = monitor.get("/metrics").content.decode()
    families = {family.name for family in text_string_to_metric_families(answer)}
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    queries = [each["expr"] for each in rules]
    queries += [target["expr"] for panel in panels for target in panel["targets"]]
    named = set(re.findall(r"rostrum_\w+", " ".join(queries)))
    assert len(named) >= 8
    assert named <= families
