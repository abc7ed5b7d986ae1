"""Embedded PostgreSQL and Valkey from Python wheels, shared by all processes of one checkout.

Every process that uses a server holds a shared lock on a file next to its data; the operating
system releases the lock however the process ends. The last process to leave stops the server. A
server left running by a killed process is found and used by the next one.
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
    """Return the folder for everything that this checkout writes.

    ROSTRUM_DATA_DIR, or `var` in the checkout if it is not set.
    """
    chosen = os.environ.get("ROSTRUM_DATA_DIR")
    default = Path(__file__).resolve().parents[3] / "var"
    return Path(chosen).expanduser().resolve() if chosen else default


def _is_told_everything() -> bool:
    """Return whether this is production, where nothing is provided by default.

    There `settings` reports a missing value, and nothing is written.
    """
    return os.environ.get("ROSTRUM_PRODUCTION") == "True"


def provide_database() -> Postgres | None:
    """Join the embedded PostgreSQL until this process ends, unless DATABASE_URL is set."""
    if os.environ.get("DATABASE_URL") or _is_told_everything():
        return None
    server = Postgres(data_dir() / "postgres")
    os.environ["DATABASE_URL"] = server.join()
    return server


def provide_broker() -> Valkey | None:
    """Join the embedded Valkey until this process ends, unless CELERY_BROKER_URL is set."""
    if os.environ.get("CELERY_BROKER_URL") or _is_told_everything():
        return None
    server = Valkey(data_dir() / "valkey")
    os.environ["CELERY_BROKER_URL"] = server.join()
    return server


def provide_secret() -> None:
    """Use the secret key that was generated once for this data folder, unless one is set."""
    if os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE") or _is_told_everything():
        return
    path = data_dir() / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Created with its permissions in one step: other accounts can never read it, not even
        # briefly.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    os.environ["SECRET_KEY_FILE"] = str(path)
