"""axe finds nothing on any page: light and dark, on a phone and on a desk."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.feedback.services import start_run
from coach.rehearsals.models import Rehearsal, Upload
from coach.uploads.services import finish_upload
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import check
from tests.coach.factories import RehearsalFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """axe is not part of the page; the page's own policy would refuse it."""
    return {**browser_context_args, "bypass_csp": True}


def test_the_trainees_pages(
    arrive: Arrive, axe: str, live_server: LiveServer, playable_take: Rehearsal, trainee: User
) -> None:
    busy = RehearsalFactory(owner=trainee, title="Being analysed")
    start_run(rehearsal=busy, actor=trainee)
    upload = Upload.objects.create(owner=trainee, name="cut.mp4", expected_bytes=1000)
    finish_upload(upload=upload, received_bytes=10, sha256="", complete=False)
    page = arrive(trainee, reverse("feedback:takes"))
    paths = [
        reverse("feedback:takes"),
        reverse("feedback:new"),
        reverse("feedback:cut_off", args=[upload.pk]),
        reverse("feedback:analysing", args=[busy.pk]),
        reverse("feedback:report", args=[playable_take.pk]),
        reverse("portal:privacy"),
        reverse("portal:erase"),
        reverse("portal:about"),
        "/no/such/page/",
    ]
    for path in paths:
        page.goto(live_server.url + path)
        check(page, axe, path)


def test_the_coachs_pages(arrive: Arrive, axe: str, sent_take: Rehearsal, coach: User) -> None:
    page = arrive(coach, reverse("review:queue"))
    check(page, axe, "queue")
    page.get_by_role("link", name=sent_take.title).first.click()
    page.wait_for_url("**/review/*/")
    check(page, axe, "desk")


def test_the_administrators_home_and_the_page_that_asks_for_the_password(
    arrive: Arrive, axe: str, administrator: User
) -> None:
    home = reverse("portal:administration")
    page = arrive(administrator, home)
    site = page.url.removesuffix(home)
    lists = [reverse(f"portal:{name}") for name in ("people", "invite", "groups")]
    for path in (home, *lists, reverse("account_reauthenticate")):
        page.goto(site + path)
        check(page, axe, path)


def test_the_researchers_and_the_signed_out_pages(
    arrive: Arrive, axe: str, sent_take: Rehearsal, researcher: User, page: Page
) -> None:
    arrive(researcher, reverse("research:home"))
    check(page, axe, "research")
    page.context.clear_cookies()
    site = "/".join(page.url.split("/")[:3])
    for path in ("/accounts/login/", "/accounts/password/reset/", "/about/"):
        page.goto(site + path)
        check(page, axe, path)
