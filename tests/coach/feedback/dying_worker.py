"""A real Celery worker that SIGKILLs its whole process group in the middle of one stage.

Run as `python -m tests.coach.feedback.dying_worker STAGE`; with STAGE `none` it stays healthy,
with `hangs` it comes to no end in `listen`, the first time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

import django

from coach.celery import app


def die() -> None:
    """As when a machine loses its power: no handler, no clean-up, the children too."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main(fatal: str) -> None:
    """Patch the fatal stage, then work like any worker."""
    django.setup()
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
    main(sys.argv[1])
