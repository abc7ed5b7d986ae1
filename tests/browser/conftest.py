"""Pages for Chromium by request interception: no database, no server, the product's own policy."""

from __future__ import annotations

import io
import mimetypes
import re
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import ConsoleMessage, Page, Request, Route

from tests.browser.desks import Desk
from tests.browser.front_samples import PLAYER, SECONDS

SITE = "http://rostrum.test"
POLICY = "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:"
Serve = Callable[[str, str], Page]


def _tone() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * 8000 * SECONDS))
    return buffer.getvalue()


def _fulfil_range(route: Route, request: Request, body: bytes, kind: str) -> None:
    asked = re.match(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
    headers = {"content-type": kind, "accept-ranges": "bytes"}
    if not asked:
        route.fulfill(body=body, headers=headers)
        return
    first, last = int(asked[1]), int(asked[2] or len(body) - 1)
    headers["content-range"] = f"bytes {first}-{last}/{len(body)}"
    route.fulfill(status=206, body=body[first : last + 1], headers=headers)


def _no_drafts(route: Route) -> None:
    route.fulfill(json={"forms": []})


@pytest.fixture
def refusals() -> set[int]:
    """Statuses that a test lets the site answer with; Chromium complains of each."""
    return set()


@pytest.fixture
def serve(page: Page, refusals: set[int]) -> Iterator[Serve]:
    """Opens a page whose HTML is given; afterwards nothing was refused and nothing was thrown."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def listen(message: ConsoleMessage) -> None:
        is_expected = any(f"with a status of {status} " in message.text for status in refusals)
        if message.type == "error" and not is_expected:
            complaints.append(message.text)

    page.on("console", listen)
    documents: dict[str, str] = {}
    sound = _tone()

    def answer(route: Route, request: Request) -> None:
        path = request.url.removeprefix(SITE)
        if path in documents:
            headers = {"content-type": "text/html", "content-security-policy": POLICY}
            route.fulfill(body=documents[path], headers=headers)
        elif path == PLAYER.media_url:
            _fulfil_range(route, request, sound, PLAYER.media_type)
        elif found := finders.find(path.removeprefix("/static/")):
            kind = mimetypes.guess_type(path)[0] or "text/plain"
            route.fulfill(body=Path(found).read_bytes(), headers={"content-type": kind})
        else:
            route.fallback()

    def open_page(path: str, document: str) -> Page:
        documents[path] = document
        page.route(f"{SITE}/**", answer)
        page.route(re.compile(r"/begun/\?page="), _no_drafts)
        page.goto(SITE + path)
        return page

    yield open_page
    assert not complaints


@pytest.fixture
def desk(serve: Serve) -> Desk:
    """Three open items."""
    return Desk(serve)
