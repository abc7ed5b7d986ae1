"""Celery application. Workers: `celery -A coach worker -Q speech`."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from celery import Celery, Task
from celery.signals import after_setup_logger, after_setup_task_logger, celeryd_init
from django.conf import settings
from kombu import Queue

from coach.environment import logs_are_json
from coach.lib.audit_context import WORKER, acting_from
from coach.lib.logs.discreet import make_discreet
from coach.lib.logs.json_lines import JsonFormatter
from coach.lib.work.queues import ALL_QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")


if TYPE_CHECKING:
    from celery.app.utils import Settings

    AnyTask = Task[..., Any]
else:  # celery's own class is none that takes types
    AnyTask = Task


class PlacedTask(AnyTask):
    """Base class of all tasks, which sets the origin for audit log entries."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task with its name as the origin."""
        with acting_from(WORKER, self.name):
            return super().__call__(*args, **kwargs)


app = Celery("rostrum", task_cls=PlacedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in ALL_QUEUES]
app.autodiscover_tasks()


@after_setup_logger.connect
@after_setup_task_logger.connect
def _write_discreetly(logger: logging.Logger, **_said: object) -> None:
    """Redact the logs of the handlers that Celery installs in place of ours."""
    make_discreet(logger)
    if logs_are_json():
        for handler in logger.handlers:
            handler.setFormatter(JsonFormatter())


@celeryd_init.connect
def _wait_longer(conf: Settings, **_said: object) -> None:
    """Let workers wait longer for the broker than pages and monitors do."""
    conf.broker_transport_options = settings.WORKER_TRANSPORT_OPTIONS
