"""A database with the three former tables keeps every draft."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from coach.drafts.models import FormDraft

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BEFORE = [("portal", "0004_receipts_of_interviews"), ("feedback", "0022_copies_of_every_take")]
AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@pytest.fixture
def take() -> Iterator[UUID]:
    """A take of a site from before, after all migrations since."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA a_site_of_before; SET search_path TO a_site_of_before")
    try:
        executor = MigrationExecutor(connection)
        executor.migrate(BEFORE)
        key = _store(executor.loader.project_state(BEFORE).apps)
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        yield key
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO DEFAULT; DROP SCHEMA a_site_of_before CASCADE")


def _store(apps: Apps) -> UUID:
    user = apps.get_model("accounts", "User").objects
    ana = user.create(email="ana@example.org", name="Ana", roles=["trainee"], joined_at=AT)
    bea = user.create(email="bea@example.org", name="Bea", roles=["coach"], joined_at=AT)
    begun = apps.get_model("portal", "BegunForm").objects
    begun.create(user=ana, page="/profile/", form="/profile/#0", fields={"name": "An"})
    begun.update(kept_at=AT)
    kept = apps.get_model("portal", "KeptForm").objects
    pairs = [["off", "face"], ["off", "gaze"]]
    kept.create(user=ana, url="/send/?a=b", page="/p/?x=y", fields=pairs, files=["talk.mp4"])
    kept.update(kept_at=AT)
    take = _take(apps, ana)
    run = apps.get_model("feedback", "Run").objects.create(rehearsal=take, state="done")
    released = {"state": "released", "released_at": AT, "released_by": bea}
    _begin(apps, run, bea, "Old", version=1, released_by_name="Bea", **released)
    _begin(apps, run, bea, "New", version=2)
    return UUID(str(take.pk))


def _take(apps: Apps, owner: Any) -> Any:
    talk = apps.get_model("rehearsals", "Talk").objects.create(owner=owner, title="A talk")
    return apps.get_model("rehearsals", "Rehearsal").objects.create(
        owner=owner,
        talk=talk,
        title="A talk",
        aim="inform",
        audience="experts",
        setting="camera",
        language="en",
        original_name="take.mp4",
        size_bytes=10,
        sha256="0" * 64,
        duration=180.0,
        has_video=True,
        playback_type="video/mp4",
    )


def _begin(apps: Apps, run: Any, coach: Any, text: str, *, version: int, **state: Any) -> None:
    """Store what the coach has typed on one version of the feedback."""
    release, _made = apps.get_model("rulesets", "RuleSetRelease").objects.get_or_create(
        number=1, defaults={"digest": "d", "documents": [], "is_active": True}
    )
    feedback = apps.get_model("feedback", "Feedback").objects.create(
        rehearsal=run.rehearsal, run=run, version=version, rule_set=release, draft="{}", **state
    )
    drafts = apps.get_model("feedback", "Unsent").objects
    row = drafts.create(feedback=feedback, coach=coach, form="add", fields={"claim": text})
    drafts.filter(pk=row.pk).update(at=AT + timedelta(days=version))


def test_every_stored_draft_is_in_the_new_table(take: UUID) -> None:
    found = FormDraft.objects.order_by("saved_at", "is_submitted").values_list(
        "user__name", "is_submitted", "page", "form", "fields", "files", "saved_at", "expires_at"
    )
    day, desk = timedelta(days=1), f"/review/{take}/"
    files, pairs = ["talk.mp4"], [["off", "face"], ["off", "gaze"]]
    assert list(found) == [
        ("Ana", False, "/profile/", "/profile/#0", [["name", "An"]], [], AT, AT + 14 * day),
        ("Ana", True, "/p/?x=y", "/send/?a=b", pairs, files, AT, AT + day),
        ("Bea", False, desk, "add", [["claim", "New"]], [], AT + 2 * day, None),
    ]
