"""The Celery application. Workers: `celery -A coach worker -Q speech`."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from celery import Celery, Task
from celery.signals import after_setup_logger, after_setup_task_logger, celeryd_init
from django.conf import settings
from kombu import Queue

from coach.lib.audit_context import WORKER, acting_from
from coach.lib.logs.discreet import make_discreet
from coach.lib.work.queues import ALL_QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")


if TYPE_CHECKING:
    from celery.app.utils import Settings

    AnyTask = Task[..., Any]
else:  # celery's own class is none that takes types
    AnyTask = Task


class PlacedTask(AnyTask):
    """Every task of ours: the audit log says of what it does that it was done from there."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The task itself."""
        with acting_from(WORKER, self.name):
            return super().__call__(*args, **kwargs)


app = Celery("rostrum", task_cls=PlacedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in ALL_QUEUES]
app.autodiscover_tasks()


@after_setup_logger.connect
@after_setup_task_logger.connect
def _write_discreetly(logger: logging.Logger, **_said: object) -> None:
    """Celery puts handlers of its own in the place of those that the settings name."""
    make_discreet(logger)


@celeryd_init.connect
def _wait_longer(conf: Settings, **_said: object) -> None:
    """A worker does, where a page or a monitor is told soon that the broker is away."""
    conf.broker_transport_options = settings.WORKER_TRANSPORT_OPTIONS
