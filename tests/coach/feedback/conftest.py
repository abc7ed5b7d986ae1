"""Feedback that is released, a second coach, and other processes on the test database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.runs.estimates import forget_queues
from coach.feedback.verdicts import decide_on_item
from coach.review.services import finish_review
from tests.coach.factories import UserFactory, join


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
    forget_queues()
    with override_settings(CORES=2):
        yield
    forget_queues()


@pytest.fixture
def released(draft: Feedback, coach: User) -> Feedback:
    """Bea has released it."""
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=draft.rehearsal, coach=coach)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def colleague(cohort: Cohort) -> User:
    """Dan, another coach of the group."""
    dan = UserFactory(email="dan@example.org", name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    return dan
