"""The database's clock, which all machines share."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.db import connection


def database_now() -> datetime:
    """Return the database's current time, also within a transaction; in a query use
    Django's `Now`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast("datetime", cursor.fetchone()[0])
