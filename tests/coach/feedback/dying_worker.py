"""Real Celery workers, each of which SIGKILLs its whole process group in the middle of one stage.

Run as `python -m tests.coach.feedback.dying_worker STAGE...`: one after the other, each as soon as
the one before is dead; with STAGE `none` one stays healthy, with `hangs` it comes to no end in
`listen`, the first time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from typing import Any

import django

from coach.celery import app


def die() -> None:
    """As when a machine loses its power: no handler, no clean-up, the children too."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main(stages: list[str]) -> int:
    """A worker for each stage, forked from here: what all of them need is loaded once."""
    django.setup()
    app.loader.import_default_modules()
    for fatal in stages:
        worker = os.fork()
        if not worker:
            os.setpgid(0, 0)
            work(fatal)
            os._exit(1)
        with suppress(OSError):  # whichever of the two comes first
            os.setpgid(worker, worker)
        _worker, status = os.waitpid(worker, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            return 1
    return 0


def work(fatal: str) -> None:
    """Patch the fatal stage, then work like any worker."""
    # Only once Django is set up may the models be imported.
    from coach.feedback import tasks  # noqa: PLC0415
    from coach.feedback.runs import execution  # noqa: PLC0415

    real_stage, real_draft = execution.pipeline.run_stage, execution.store_draft

    def run_stage(name: str, **kwargs: Any) -> Any:
        hung = kwargs["workdir"] / "hung"
        if fatal == "hangs" and name == "listen" and not hung.exists():
            hung.touch()
            time.sleep(600)
        record = real_stage(name, **kwargs)
        if name == fatal:
            die()
        return record

    def store_draft(**kwargs: Any) -> Any:
        feedback = real_draft(**kwargs)
        if fatal == "draft":
            die()
        return feedback

    if fatal == "hangs":
        execution.time_limit = lambda name, _duration: 3.0 if name == "listen" else 300.0
        tasks.GRACE_SECONDS = 1
    execution.pipeline.run_stage = run_stage
    execution.store_draft = store_draft
    queues = "media,speech,vision,default"
    app.worker_main(
        [
            "worker",
            "-Q",
            queues,
            "-c",
            "1",
            "--loglevel",
            "WARNING",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
