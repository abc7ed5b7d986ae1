"""Check of picture and sound before a recording, without storing any of it.

The models run in a separate process, one per web process. It starts when a user opens
the recording page, has no secrets and no database, and ends when idle.
"""

from __future__ import annotations

import json
import logging
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, Literal

from django.conf import settings

from analysis.results import Note
from coach.lib.words.sentences import sentence

log = logging.getLogger(__name__)

ANSWER_SECONDS = 3.0
"""The timeout of an answer; a later one is useless, because the picture has changed."""
AT_ONCE = 4
"""The maximum number of concurrent and waiting requests (rule of thumb): each holds a thread of the
web process, and a class that sets up together must leave some for pages."""
_START_SECONDS = 60.0
_IDLE_SECONDS = 300.0
_PASSED_ON = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("ROSTRUM_MODELS_DIR", "MPLCONFIGDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"),
    "LD_LIBRARY_PATH",
)

Kind = Literal["picture", "sound", "eyes", "calibration"]


class Busy(Exception):
    """An error: the process is busy or still starting; ask again in a moment."""


class Looker:
    """A client of the process that runs the models, with its queue."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._process: subprocess.Popen[bytes] | None = None
        self._asked_at = 0.0

    def ask(self, kind: Kind, content: bytes, **about: int) -> list[dict[str, str]]:
        """Return topic, state and words of each finding; empty if unreadable. Raises Busy."""
        return [_said(finding) for finding in self.measure(kind, content, **about)]

    def measure(self, kind: Kind, content: bytes, **about: Any) -> list[dict[str, Any]]:
        """Return the answer as data; empty if unreadable. Raises Busy."""
        if not self._places.acquire(blocking=False):
            raise Busy
        try:
            return self._in_turn({"kind": kind, "bytes": len(content), **about}, content)
        finally:
            self._places.release()

    def _in_turn(self, asked: Mapping[str, Any], content: bytes) -> list[dict[str, Any]]:
        if not self._turn.acquire(timeout=ANSWER_SECONDS):
            raise Busy
        try:
            return self._answer(asked, content)
        finally:
            self._asked_at = time.monotonic()
            self._turn.release()

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _answer(self, asked: Mapping[str, Any], content: bytes) -> list[dict[str, Any]]:
        is_new = self._process is None or self._process.poll() is not None
        process = self._started() if is_new else self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise Busy
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n" + content)
            process.stdin.flush()
        except OSError as problem:
            self.end()
            raise Busy from problem
        # The first answer also includes the loading of the models.
        patience = _START_SECONDS if is_new else ANSWER_SECONDS
        if not select.select([process.stdout], [], [], patience)[0]:
            log.warning("the capture check did not answer within %.0f s", patience)
            self.end()
            raise Busy
        try:
            found: list[dict[str, Any]] = json.loads(process.stdout.readline())["findings"]
        except ValueError as problem:
            self.end()
            raise Busy from problem
        return found

    def _started(self) -> subprocess.Popen[bytes]:
        self.end()
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "analysis", "live"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=settings.BASE_DIR,
            env=environment,
        )
        self._asked_at = time.monotonic()
        threading.Thread(target=self._end_when_idle, daemon=True).start()
        return self._process

    def _end_when_idle(self) -> None:
        process = self._process
        while process is not None and process is self._process and process.poll() is None:
            time.sleep(_IDLE_SECONDS / 10)
            if time.monotonic() - self._asked_at > _IDLE_SECONDS and self._turn.acquire(
                blocking=False
            ):
                try:
                    self.end()
                finally:
                    self._turn.release()


def _said(finding: Mapping[str, Any]) -> dict[str, str]:
    words = sentence(Note.of(finding["code"], **finding["values"]))
    return {"topic": finding["topic"], "state": finding["state"], "words": words}


looker = Looker()
