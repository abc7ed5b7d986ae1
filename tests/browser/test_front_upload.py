"""Sending a recording: limits first, progress, and what the site answers."""

from __future__ import annotations

import json

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Request, Route, expect

from coach.feedback.forms import NewRehearsalForm
from tests.browser.conftest import Serve


@pytest.fixture
def upload(serve: Serve) -> Page:
    """The page on which a rehearsal starts, with a limit of one kilobyte."""
    limits = {"max_bytes": 1000, "max_minutes": 90, "max_size": "1 kB", "kinds": "mp4"}
    context = {"limits": limits, "form": NewRehearsalForm()}
    document = render_to_string("feedback/new.html", context)
    page = serve("/new", document)
    _object(page, "")
    return page


def _choose(page: Page, size: int) -> None:
    file = {"name": "talk.mp4", "mimeType": "video/mp4", "buffer": bytes(size)}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]


@pytest.mark.parametrize(("size", "sentence"), [(0, "empty"), (2000, "the most that can be sent")])
def test_a_file_over_the_limits_is_refused_before_it_is_sent(
    upload: Page, size: int, sentence: str
) -> None:
    _choose(upload, size)
    expect(upload.locator("[data-problem]")).to_contain_text(sentence)
    sent: list[str] = []
    upload.on("request", lambda request: sent.append(request.method))
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.locator("[data-problem]")).to_be_visible()
    assert "POST" not in sent


def test_the_size_is_announced_before_the_file(upload: Page) -> None:
    bodies: list[bytes] = []

    def take(route: Route, request: Request) -> None:
        if request.method != "POST":
            route.fallback()
            return
        bodies.append(request.post_data_buffer or b"")
        assert request.headers["accept"] == "application/json"
        route.fulfill(body=json.dumps({"next": "/new#done"}), content_type="application/json")

    upload.route("**/new", take)
    _choose(upload, 900)
    upload.get_by_role("button", name="Upload and analyse").click()
    upload.wait_for_url("**/new#done")
    (body,) = bodies
    assert body.index(b'name="expected_bytes"\r\n\r\n900') < body.index(b'name="recording"')


def test_what_the_site_refuses_is_said_beside_the_file(upload: Page) -> None:
    def refuse(route: Route, request: Request) -> None:
        if request.method != "POST":
            route.fallback()
            return
        answer = {"errors": {"recording": ["Not a recording."]}, "message": "Look again."}
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    upload.route("**/new", refuse)
    _choose(upload, 900)
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.locator("[data-problem]")).to_have_text("Not a recording.")
    expect(upload.get_by_role("button", name="Upload and analyse")).to_be_enabled()


def _object(page: Page, sentence: str) -> list[int]:
    """Let the site answer what is asked before sending; the length of what it was shown."""
    shown: list[int] = []

    def answer(route: Route, request: Request) -> None:
        shown.append(len(request.post_data_buffer or b""))
        route.fulfill(body=json.dumps({"message": sentence}), content_type="application/json")

    page.route("**/check/?*", answer)
    return shown


def test_what_the_site_objects_to_is_said_when_it_is_chosen_and_never_sent(upload: Page) -> None:
    shown = _object(upload, "This is a PDF document, not a recording.")
    sent: list[str] = []
    upload.on("request", lambda request: sent.append(request.url))
    _choose(upload, 900)
    expect(upload.locator("[data-problem]")).to_contain_text("This is a PDF document")
    upload.get_by_role("button", name="Upload and analyse").click()
    expect(upload.locator("[data-problem]")).to_contain_text("This is a PDF document")
    upload.wait_for_timeout(300)
    assert shown == [900, 900]
    assert [url for url in sent if url.endswith("/new")] == []
