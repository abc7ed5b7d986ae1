"""A database with the three former tables keeps every draft."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from demo.quick_migrations import quick_migrations

pytestmark = [pytest.mark.django_db(transaction=True)]

BEFORE = [("portal", "0004_receipts_of_interviews"), ("feedback", "0022_copies_of_every_take")]
AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def migrate() -> None:
    executor = MigrationExecutor(connection)
    with quick_migrations():
        executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def before() -> Iterator[Apps]:
    """The models of then, on a database that is taken back to their tables."""
    executor = MigrationExecutor(connection)
    with quick_migrations():
        executor.migrate([("drafts", None)])
    try:
        yield executor.loader.project_state(BEFORE).apps
    finally:
        migrate()


def test_every_stored_draft_is_in_the_new_table(
    take: Rehearsal, trainee: User, coach: User, before: Apps
) -> None:
    begun = before.get_model("portal", "BegunForm").objects
    begun.create(user_id=trainee.pk, page="/p/", form="/p/#0", fields={"name": "An"})
    begun.update(kept_at=AT)
    kept, pairs = before.get_model("portal", "KeptForm").objects, [["off", "a"], ["off", "b"]]
    kept.create(user_id=trainee.pk, url="/q/?a=b", page="/p/?x", fields=pairs, files=["a.mp4"])
    kept.update(kept_at=AT)
    unsent, first = before.get_model("feedback", "Unsent").objects, take.feedback.get()
    second = Feedback.objects.create(
        rehearsal=take,
        run_id=first.run_id,
        version=2,
        rule_set_id=first.rule_set_id,
        draft=first.draft,
    )
    for feedback, text in ((first, "Old"), (second, "New")):
        fields = {"claim": text}
        row = unsent.create(feedback_id=feedback.pk, coach_id=coach.pk, form="add", fields=fields)
        unsent.filter(pk=row.pk).update(at=AT + feedback.version * DAY)
    migrate()
    found = FormDraft.objects.order_by("saved_at", "is_submitted").values_list(
        "user", "is_submitted", "page", "form", "fields", "files", "saved_at", "expires_at"
    )
    ana, desk = trainee.pk, f"/review/{take.pk}/"
    assert list(found) == [
        (ana, False, "/p/", "/p/#0", [["name", "An"]], [], AT, AT + 14 * DAY),
        (ana, True, "/p/?x", "/q/?a=b", pairs, ["a.mp4"], AT, AT + DAY),
        (coach.pk, False, desk, "add", [["claim", "New"]], [], AT + 2 * DAY, None),
    ]
