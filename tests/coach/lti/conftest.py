"""A site with a key, and a learning platform that it knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.fixtures import Settings

from coach.accounts.models import Cohort, User
from coach.assignments.models import Assignment
from coach.assignments.services import write_assignment
from coach.lti.keys import public_keys
from coach.lti.models import Course, Platform
from coach.webhooks import public_requests
from tests.coach.assignments.making import a_brief
from tests.coach.lti import platform as learning
from tests.coach.webhooks.receiver import certificate

KEY = learning.new_key()


@pytest.fixture(scope="package")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return certificate(tmp_path_factory.mktemp("lti"), learning.HOST)


@pytest.fixture(scope="package")
def running(certified: Any) -> Iterator[learning.Platform]:
    with learning.running_platform(certified) as started:
        yield started


@pytest.fixture
def uni(
    running: learning.Platform,
    certified: Any,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    db: None,
) -> learning.Platform:
    """The platform, on this machine: only these tests take it for a public one."""
    cache.clear()
    settings.LTI_KEY = KEY
    monkeypatch.setenv("SSL_CERT_FILE", str(certified))
    monkeypatch.setattr(public_requests, "resolve", lambda _host, _port: "127.0.0.1")
    running.asked.clear()
    running.scores.clear()
    running.members, running.fails, running.next_page = [], False, ""
    running.home, running.shows = "", None
    running.know_tool(public_keys())
    return running


@pytest.fixture
def registered(uni: learning.Platform) -> Platform:
    """The platform as an administrator registered it."""
    said: dict[str, Any] = learning.fields(uni)
    said |= {"deployment_ids": ["7", "8"], "makes_accounts": True, "is_active": True}
    return Platform.objects.create(**said)


@pytest.fixture
def course(registered: Platform, cohort: Cohort) -> Course:
    """Its course, whose people join the Monday group."""
    return registered.courses.create(
        deployment_id="7", context_id="course-1", title="Talks in spring", cohort=cohort
    )


@pytest.fixture
def assignment(cohort: Cohort, coach: User) -> Assignment:
    return write_assignment(cohort=cohort, brief=a_brief(), is_published=True, actor=coach)
