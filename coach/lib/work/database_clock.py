"""The clock that several machines agree on: the database's. Their own differ."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.db import connection


def database_now() -> datetime:
    """What it says at this moment, also within a transaction; in a query Django's `Now` says it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast("datetime", cursor.fetchone()[0])
