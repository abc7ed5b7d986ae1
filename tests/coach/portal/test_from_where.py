"""The audit log says from which page, task or command an act was done; never which machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.audit.services import record_act
from coach.celery import app
from coach.feedback.models import Feedback
from coach.lib.audit_context import (
    COMMAND,
    MOST_CHARACTERS,
    PARTS,
    acting_from,
    place_now,
    place_words,
)
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

ELSEWHERE = "203.0.113.7"


def place_of(action: str) -> str:
    return Entry.objects.filter(action=action).latest("pk").from_where


def test_an_act_at_the_desk_says_which_page_it_came_from(
    sent: Rehearsal, draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    item = draft.items.order_by("pk")[:1].get()
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    client.post(reverse("review:verdict", args=[sent.pk, item.pk]), {"action": "accept"})
    assert place_of("review.claimed") == "review:desk"
    assert place_of("feedback.verdict") == "review:verdict"
    assert place_now() == "", "nothing of it is left in the thread"


def test_signing_in_and_the_administration_are_places_too(
    coach: User, administrator: User, sign_in: SignIn
) -> None:
    Client().post("/accounts/login/", {"login": coach.email, "password": PASSWORD})
    assert place_of("accounts.signed_in") == "account:login"
    record_act(action="accounts.signed_in", target=coach, actor=coach)
    chosen = list(Entry.objects.values_list("pk", flat=True))
    page = reverse("admin:audit_entry_changelist")
    answer = sign_in(administrator).post(page, {"action": "as_csv", "_selected_action": chosen})
    assert place_of("audit.handed_out") == "admin:audit_entry_changelist"
    table = b"".join(answer).decode()  # type: ignore[arg-type]
    assert any(line.endswith(",account:login") for line in table.splitlines())


def test_a_task_says_so_also_within_a_request(db: None) -> None:
    @app.task(name="try_a_place")
    def try_a_place() -> str:
        return place_now()

    with acting_from(COMMAND, "seed_demo"):
        assert try_a_place.apply().get() == "worker:try_a_place"
        assert place_now() == "command:seed_demo"


def test_a_command_is_named_and_nothing_runs_out_of_the_column(db: None) -> None:
    with acting_from(COMMAND, "x" * 500):
        entry = record_act(action="rulesets.published", target=None)
    assert len(entry.from_where) == MOST_CHARACTERS
    assert record_act(action="rulesets.published", target=None).from_where == ""


def test_a_command_that_is_run_says_which_one_it_is() -> None:
    """Of `manage.py` itself: whatever it records is done from there."""
    ask = "from coach.lib.audit_context import place_now; print(place_now())"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", ask],
        # Nothing is asked of the database, so that none has to be there.
        env={**os.environ, "DATABASE_URL": "postgresql://rostrum@localhost/rostrum"},
        cwd=Path(__file__).resolve().parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "command:shell", done.stderr


def test_a_process_of_the_version_before_goes_on_logging(db: None) -> None:
    """It knows no such column, and still runs while the database has been brought up to date."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO audit_entry (at, action, object_type, object_id, detail)"
            " VALUES (now(), 'rulesets.published', '', '', '{}')"
        )
    assert Entry.objects.get().from_where == ""


def test_no_network_address_is_kept(sent: Rehearsal, coach: User, sign_in: SignIn) -> None:
    client = sign_in(coach)
    there = {"REMOTE_ADDR": ELSEWHERE, "HTTP_X_FORWARDED_FOR": ELSEWHERE}
    client.get(reverse("review:desk", args=[sent.pk]), **there)  # type: ignore[arg-type]
    assert place_of("review.claimed") == "review:desk"
    assert ELSEWHERE not in str(list(Entry.objects.values()))


def test_people_download_from_where_they_acted(coach: User) -> None:
    Client().post("/accounts/login/", {"login": coach.email, "password": PASSWORD})
    assert {act["from_where"] for act in own_data(coach)["acts"]} == {"account:login"}


def test_the_administrator_finds_the_acts_of_one_part(
    sent: Rehearsal, coach: User, administrator: User, sign_in: SignIn
) -> None:
    sign_in(coach).get(reverse("review:desk", args=[sent.pk]))
    client, page = sign_in(administrator), reverse("admin:audit_entry_changelist")
    assert "Claimed a take from the queue</td>" in client.get(page, {"part": "review"}).text
    assert "Claimed a take from the queue</td>" not in client.get(page, {"part": "guests"}).text


def test_every_part_of_the_site_has_its_words() -> None:
    namespaces = {
        each.app_name
        for each in get_resolver().url_patterns
        if isinstance(each, URLResolver) and each.app_name
    }
    assert namespaces <= set(PARTS)
    assert namespaces


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("", "–"),
        ("review:verdict", "Queue and review page"),
        ("admin:accounts_user_change", "Administration"),
        ("command:migrate", "Command line (migrate)"),
        ("worker:coach.feedback.tasks.run_stage", "Background tasks"),
        ("unheard:of", "unheard"),
    ],
)
def test_a_place_in_words(place: str, words: str) -> None:
    assert place_words(place) == words
