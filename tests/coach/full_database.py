"""A database without room, as PostgreSQL says it: with its own code, within a statement."""

from __future__ import annotations

from django.db import connection


def fill(table: str, *, event: str = "INSERT", when: str = "true") -> None:
    """No row of a table is written any more, until this transaction is taken back, or `make_room`.

    A test that commits has to call that: every later one would find a full database.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION has_no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; "
            "END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER has_no_room BEFORE {event} ON {table} FOR EACH ROW WHEN ({when}) "
            "EXECUTE FUNCTION has_no_room()"
        )


def make_room() -> None:
    """Let rows be written again."""
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION has_no_room() CASCADE")
