"""Processes of the version before, while the database has been brought up to date already."""

from __future__ import annotations

import pytest
from django.db import connection, models

from coach.audit.models import Entry
from coach.review.models import Review
from coach.review.second.models import Decision


@pytest.mark.parametrize(
    ("model", "column", "default"),
    [
        (Entry, "from_where", "''::character varying"),
        (Decision, "clips", "'[]'::jsonb"),
        (Review, "timed_reports", "'[]'::jsonb"),
    ],
)
def test_a_row_that_knows_no_such_column_is_taken(
    db: None, model: type[models.Model], column: str, default: str
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_default FROM information_schema.columns"
            " WHERE table_name = %s AND column_name = %s",
            [model._meta.db_table, column],
        )
        assert cursor.fetchall() == [(default,)]
