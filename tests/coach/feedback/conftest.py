"""Other processes that work on the test database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from coach.feedback.runs.line import forget_line


@pytest.fixture
def worker_environment(database_url: str, broker_url: str) -> dict[str, str]:
    """What another process needs to see what this test sees."""
    server = urlsplit(database_url)
    return {
        **os.environ,
        "DATABASE_URL": server._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        "CELERY_BROKER_URL": broker_url,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
        "DJANGO_SETTINGS_MODULE": "coach.settings",
        "ROSTRUM_STAGE_LEASE_SECONDS": str(settings.STAGE_LEASE_SECONDS),
    }


@pytest.fixture
def two_idle_cores() -> Iterator[None]:
    """On a machine that nobody has looked at yet."""
    forget_line()
    with override_settings(CORES=2):
        yield
    forget_line()
