"""Launches in a real browser: cookies, frames, the site's own policy, and what axe finds."""

# ruff: noqa: F811  (fixtures of another folder)

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.assignments.models import Assignment
from coach.lti.models import Completion, Course, PlatformAccount
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import problems
from tests.coach.lti import platform as learning
from tests.coach.lti.conftest import (  # noqa: F401
    assignment,
    certified,
    course,
    registered,
    running,
    uni,
)


@pytest.fixture
def at_course(
    page: Page, live_server: LiveServer, uni: learning.Platform, course: Course
) -> Iterator[dict[str, Any]]:
    """A course of the platform with a link, also in a frame; its answers say what a test sets."""
    uni.home = f"https://127.0.0.1:{uni.port}"
    registration = course.platform
    registration.login_url = f"{uni.home}/auth"
    registration.save()
    said: dict[str, Any] = {"wanted": "/lti/launch/"}

    def shown(path: str, sent: dict[str, str]) -> str:
        if path == "/course":
            target = live_server.url + said["wanted"]
            asked = {"iss": learning.ISSUER, "login_hint": "7", "target_link_uri": target}
            link = escape(f"{live_server.url}/lti/login/?{urlencode(asked)}")
            body = f'<a href="{link}">Hand in</a><iframe title="tool" src="{link}"></iframe>'
        elif path == "/auth":
            claims = {name: value for name, value in said.items() if name != "wanted"}
            message = uni.message(sent, **claims).lti_launch()
            fields = "".join(
                f'<input name="{name}" value="{message[name]}">' for name in ("id_token", "state")
            )
            body = f'<form method="post" action="{message["launch_url"]}">{fields}</form>'
            body += "<script>document.forms[0].submit()</script>"
        else:
            body = f"<p>Received {', '.join(sent)}</p>"
        return f"<!doctype html><title>Moodle</title>{body}"

    uni.shows = shown
    yield said
    uni.shows = None


def test_a_link_of_a_course_leads_to_the_assignment(
    page: Page,
    live_server: LiveServer,
    at_course: dict[str, Any],
    course: Course,
    assignment: Assignment,
    uni: learning.Platform,
    settings: Settings,
) -> None:
    settings.LTI_FRAME_ANCESTORS = [uni.home]
    at_course["assignment"] = assignment.pk
    page.goto(f"{uni.home}/course")
    # In a frame, a button opens a window of its own.
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").get_by_role("link", name="Open Rostrum").click()
    window = opened.value
    expect(window.get_by_role("heading", name=assignment.title)).to_be_visible()
    assert window.url == f"{live_server.url}/practise/assignments/{assignment.pk}/"
    window.close()
    # The link itself, in the same browser.
    page.get_by_role("link", name="Hand in").click()
    expect(page.get_by_role("heading", name=assignment.title)).to_be_visible()
    page.goto(f"{live_server.url}/accounts/2fa/")
    expect(page.get_by_role("button", name="Disconnect Moodle")).to_be_visible()


def test_an_instructor_adds_an_assignment_in_a_frame_without_cookies(
    page: Page,
    at_course: dict[str, Any],
    uni: learning.Platform,
    course: Course,
    assignment: Assignment,
    coach: User,
    settings: Settings,
) -> None:
    settings.LTI_FRAME_ANCESTORS = [uni.home]
    PlatformAccount.objects.create(platform=course.platform, subject="u-17", person=coach)
    at_course.update(deep_link=True, role="Instructor", wanted="/lti/launch/deep-link/")
    page.context.route("**/lti/login/**", _without_cookies)
    page.goto(f"{uni.home}/course")
    shown = page.frame_locator("iframe")
    expect(shown.get_by_role("heading", name="Add an assignment to your course")).to_be_visible()
    shown.get_by_role("button", name=f"Add to course: {assignment.title}").click()
    expect(shown.get_by_text("Received JWT")).to_be_visible()


def _without_cookies(route: Route) -> None:
    """As a browser that lets frames of other sites keep none."""
    answer = route.fetch(max_redirects=0)
    kept = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
    route.fulfill(response=answer, headers=kept)


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, object]:
    """axe is not part of the page, whose policy would refuse it; the platform's certificate is its
    own."""
    allowed = {"ignore_https_errors": True}
    return {**browser_context_args, **allowed, "bypass_csp": "axe" in request.fixturenames}


@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_of_administrators_are_accessible(
    width: int,
    arrive: Arrive,
    live_server: LiveServer,
    course: Course,
    assignment: Assignment,
    trainee: User,
    administrator: User,
    axe: str,
) -> None:
    course.members_url = f"{learning.ISSUER}/members"
    course.save()
    account = PlatformAccount.objects.create(
        platform=course.platform, subject="u-17", person=trainee
    )
    Completion.objects.create(
        account=account, assignment=assignment, url=learning.ISSUER, outcome="refused", status=500
    )
    page = arrive(administrator, reverse("lti:platforms"))
    page.set_viewport_size({"width": width, "height": 800})
    for path in (
        reverse("lti:platforms"),
        reverse("lti:platform", args=[course.platform_id]),
        reverse("portal:group", args=[course.cohort_id]),
    ):
        page.goto(live_server.url + path)
        assert problems(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
