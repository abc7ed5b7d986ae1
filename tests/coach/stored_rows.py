"""Every row of every table as text, for tests that look for what must be gone."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection


def stored() -> Iterator[str]:
    """Every row as text; of sign-ins what they hold, which is packed."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT t::text FROM {table} t")  # noqa: S608 (names of models)
            yield from (f"{table}: {row}" for (row,) in cursor.fetchall())
    yield from (str(each.get_decoded()) for each in Session.objects.all())


def rows_that_say(*names: str) -> list[str]:
    """Rows of any table that contain one of these texts."""
    return [row for row in stored() if any(name in row for name in names)]
