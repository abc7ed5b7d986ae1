"""The address of a recording itself, opened in a browser: its own player plays, nothing runs."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Route
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.browser.conftest import Arrive

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RUNS = (
    "<title>still</title><script>document.title = 'ran'</script>"
    "<img src=x onerror=\"document.title = 'ran'\">"
    '<form id="f" action="/" method="post"></form><iframe src="/"></iframe>'
)


def test_the_browsers_own_player_plays_it(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("rehearsals:media", args=[playable_take.pk]))
    page.wait_for_function("document.querySelector('video').readyState > 1")
    assert page.evaluate("document.querySelector('video').duration") > 1
    assert page.evaluate("document.scripts.length") == 0


def test_nothing_runs_in_it_even_if_a_browser_took_it_for_a_page(
    arrive: Arrive, live_server: LiveServer, trainee: User, playable_take: Rehearsal
) -> None:
    url = reverse("rehearsals:media", args=[playable_take.pk])

    def as_a_page(route: Route) -> None:
        headers = route.fetch().headers | {"content-type": "text/html"}
        kept = {name: headers[name] for name in ("content-type", "content-security-policy")}
        route.fulfill(status=200, headers=kept, body=RUNS)

    page = arrive(trainee, reverse("feedback:takes"))
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url))
    page.route(f"**{url}", as_a_page)
    page.goto(live_server.url + url)
    page.wait_for_timeout(300)
    assert page.title() == "still"
    assert live_server.url + url in answered
    asked_within = {live_server.url + url + "x", live_server.url + "/"}
    assert asked_within.isdisjoint(answered), "no picture, no frame"
