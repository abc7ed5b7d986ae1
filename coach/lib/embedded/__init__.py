"""A real PostgreSQL and a real Valkey out of wheels, shared by the processes of one checkout.

Every process that uses a server holds a shared lock on a file beside its data; the operating
system drops the lock when the process ends, however it ends. The last one to leave stops the
server, and a server that a killed process left behind is found and used by the next one.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from coach.lib.embedded.postgres import Postgres
from coach.lib.embedded.server import EmbeddedServer, EmbeddedServerError
from coach.lib.embedded.valkey import Valkey

__all__ = [
    "EmbeddedServer",
    "EmbeddedServerError",
    "Postgres",
    "Valkey",
    "data_dir",
    "provide_broker",
    "provide_database",
    "provide_secret",
]


def data_dir() -> Path:
    """Where everything lives that this checkout writes: ROSTRUM_DATA_DIR, else `var` beside us."""
    chosen = os.environ.get("ROSTRUM_DATA_DIR")
    default = Path(__file__).resolve().parents[3] / "var"
    return Path(chosen).expanduser().resolve() if chosen else default


def _is_told_everything() -> bool:
    """In production nothing is made up: `settings` says what is missing, and nothing is written."""
    return os.environ.get("ROSTRUM_PRODUCTION") == "True"


def provide_database() -> Postgres | None:
    """Where DATABASE_URL is not set, join the embedded PostgreSQL until this process ends."""
    if os.environ.get("DATABASE_URL") or _is_told_everything():
        return None
    server = Postgres(data_dir() / "postgres")
    os.environ["DATABASE_URL"] = server.join()
    return server


def provide_broker() -> Valkey | None:
    """Where CELERY_BROKER_URL is not set, join the embedded Valkey until this process ends."""
    if os.environ.get("CELERY_BROKER_URL") or _is_told_everything():
        return None
    server = Valkey(data_dir() / "valkey")
    os.environ["CELERY_BROKER_URL"] = server.join()
    return server


def provide_secret() -> None:
    """Where no secret key is set, use one that was drawn once for this data folder."""
    if os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE") or _is_told_everything():
        return
    path = data_dir() / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Made in one step with its rights: nobody else can read it, not even for a moment.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    os.environ["SECRET_KEY_FILE"] = str(path)
