"""Puts the tables behind a test that committed back to where they were, in a few milliseconds.

`flush` truncates a hundred tables, for which PostgreSQL makes as many new files and more, and then
Django makes every permission anew. A test fills a dozen tables: those are emptied, and what
every site has is copied back.
"""

from __future__ import annotations

from django.db import OperationalError, connections, transaction
from django.test import TransactionTestCase
from psycopg.errors import DeadlockDetected
from psycopg.sql import SQL, Identifier

_STAY = {"auth_permission", "django_content_type", "django_migrations"}
"""What migrating leaves, and what no test changes."""
_KEPT = "kept"
"""The schema with the rows that are copied back."""
_MOST_REFUSALS = 4


def put_all_back(case: TransactionTestCase) -> None:
    """In the place of `TransactionTestCase._fixture_teardown`."""
    for using in case._databases_names(include_mirrors=False):
        put_back(using)


def keep(using: str = "default", *, schema: str = _KEPT) -> None:
    """The rows that there are now are there again behind every test that commits."""
    kept = Identifier(schema)
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(kept))
        cursor.execute(SQL("CREATE SCHEMA {}").format(kept))
        for name in _filled(using):
            both = Identifier(schema, name), Identifier(name)
            cursor.execute(SQL("CREATE TABLE {} AS TABLE {}").format(*both))


def put_back(using: str = "default", *, schema: str = _KEPT) -> None:
    """Every table as it was kept, empty where nothing was.

    Waits, as truncating does, for who is still writing: a page may answer when its test is over.
    Where that one waits for a table which is held here, one of both is refused: then once more.
    """
    for _time in range(_MOST_REFUSALS):
        try:
            return _put_back(using, schema)
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
    return _put_back(using, schema)


def _put_back(using: str, schema: str) -> None:
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        every = SQL(", ").join(map(Identifier, _tables(using)))
        cursor.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(every))
        for name in _filled(using):
            cursor.execute(SQL("DELETE FROM {}").format(Identifier(name)))
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [schema])
        for (name,) in cursor.fetchall():
            both = Identifier(name), Identifier(schema, name)
            cursor.execute(SQL("INSERT INTO {} TABLE {}").format(*both))


def _filled(using: str) -> list[str]:
    """Tables with a row in them."""
    one = SQL("SELECT {} WHERE EXISTS (SELECT FROM {})")
    each = [one.format(name, Identifier(name)) for name in _tables(using)]
    with connections[using].cursor() as cursor:
        cursor.execute(SQL(" UNION ALL ").join(each))
        return [name for (name,) in cursor.fetchall()]


def _tables(using: str) -> list[str]:
    introspection = connections[using].introspection
    names = introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(names) - _STAY)
