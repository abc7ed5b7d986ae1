"""A bucket client that translates the store's errors into ours."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from coach.storage.port import Gone, StorageUnavailable

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_SECONDS = 20.0
"""The time that we wait for a restarting store while a sender waits for us; well below the time
after which an upload counts as abandoned (rule of thumb)."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.3, 3.0
_NO_SUCH_OBJECT = {"NoSuchKey", "404", "NoSuchUpload", "NoSuchVersion"}
_FULL = {"QuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "InsufficientCapacity", "507"}


@dataclass(frozen=True, slots=True)
class Store:
    """An S3 client with its bucket."""

    client: S3Client
    bucket: str
    anonymous: Callable[[], S3Client]
    """A factory of clients without a key, to test public access."""


@contextmanager
def answers() -> Iterator[None]:
    """Translate errors of the store into Gone, OSError (full) or StorageUnavailable.

    Denied access and a missing bucket also raise StorageUnavailable: an administrator can repair
    them, and until then no file may count as lost.
    """
    try:
        yield
    except ClientError as error:
        if is_gone(error):
            raise Gone(str(error)) from error
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in _FULL:
            raise OSError(errno.ENOSPC, f"the store has no room: {error}") from error
        raise StorageUnavailable(str(error)) from error
    except (BotoCoreError, Boto3Error) as error:
        raise StorageUnavailable(str(error)) from error


def is_gone(error: ClientError) -> bool:
    """Return whether the store reports a missing object or upload."""
    return str(error.response.get("Error", {}).get("Code", "")) in _NO_SUCH_OBJECT


def patiently(act: Callable[[], T], *, patience: float | None = None) -> T:
    """Call an idempotent function, with retries while the store is unavailable.

    `patience` is the time limit in seconds, by default PATIENCE_SECONDS.

    Raises what `answers` raises.
    """
    seconds = PATIENCE_SECONDS if patience is None else patience
    deadline, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        try:
            with answers():
                return act()
        except StorageUnavailable as problem:
            if time.monotonic() + pause > deadline:
                raise
            log.warning("the store is away, trying again: %s", problem)
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
