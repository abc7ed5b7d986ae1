"""The Celery application. Workers: `celery -A coach worker -Q speech`."""

from __future__ import annotations

import os

from celery import Celery
from kombu import Queue

from coach.lib.queues import ALL_QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")

app = Celery("rostrum")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in ALL_QUEUES]
app.autodiscover_tasks()
