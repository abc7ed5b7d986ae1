"""Child process that runs stages for the command line: commands on stdin, events on stdout."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

from pydantic import TypeAdapter

from analysis.errors import AnalysisError, StageFailed
from analysis.pipeline import work
from analysis.pipeline.stages import run_stage
from analysis.ports import Limits, Options

_SECONDS_BETWEEN_EVENTS = 0.25


def main() -> None:
    """Serve commands until stdin closes, which also happens when the parent dies."""
    events = _private_stdout()
    commands = _commands()
    job = _ChildJob(next(commands), events)
    for command in commands:
        job.carry_out(command)


class _ChildJob:
    """One recording and the stages run for it."""

    def __init__(self, command: dict[str, Any], events: TextIO) -> None:
        self._media_path = Path(command["media_path"])
        self._workdir = Path(command["workdir"])
        self._options = TypeAdapter(Options).validate_python(command["options"])
        self._limits = TypeAdapter(Limits).validate_python(command["limits"])
        self._events = events
        self._told = 0.0

    def carry_out(self, command: dict[str, Any]) -> None:
        """Warm up for a stage or run it, and report the result."""
        stage = command["stage"]
        if command["do"] == "warm":
            work.warm_up(stage)
            return
        try:
            run_stage(
                stage,
                media_path=self._media_path,
                workdir=self._workdir,
                options=self._options,
                limits=self._limits,
                progress=lambda share: self._tell_share(stage, share),
                cores=command.get("cores", 1),
                opened=lambda: self._tell(stage, opened=True),
            )
        except AnalysisError as error:
            self._tell(stage, error=[error.code, error.says, error.values])
        except Exception as error:  # noqa: BLE001 - whatever it was, the other stages go on
            sys.excepthook(type(error), error, error.__traceback__)
            failed = StageFailed("stage_stopped", error=type(error).__name__)
            self._tell(stage, error=[failed.code, failed.says, failed.values])
        else:
            self._tell(stage, done=True)

    def _tell_share(self, stage: str, share: float) -> None:
        now = time.monotonic()
        if now - self._told >= _SECONDS_BETWEEN_EVENTS:
            self._told = now
            self._tell(stage, share=share)

    def _tell(self, stage: str, **event: object) -> None:
        self._events.write(json.dumps({"stage": stage, **event}) + "\n")
        self._events.flush()


def _private_stdout() -> TextIO:
    """Reserve the real stdout for events; redirect what libraries print to stderr."""
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return events


def _commands() -> Iterator[dict[str, Any]]:
    """Yield commands from a reader thread, so that the parent's death ends a stage at once."""
    queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_read_commands, args=(queue,), daemon=True).start()
    while True:
        yield queue.get()


def _read_commands(queue: SimpleQueue[dict[str, Any]]) -> None:
    """Read commands; when the input ends, the parent was killed: delete `workdir` and exit."""
    workdir = ""
    for line in sys.stdin:
        command = json.loads(line)
        workdir = command.get("workdir", workdir)
        queue.put(command)
    if workdir:  # no other process will delete the decoded voice there
        shutil.rmtree(workdir, ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    main()
