"""Benchmark `slow_network`: paint times of a trainee's pages at 400 kbit/s and 400 ms."""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageFilter
from playwright.sync_api import Browser, sync_playwright

from bench.site import Web, installation

if TYPE_CHECKING:
    from coach.rehearsals.models import Rehearsal

KBIT, LATENCY_MS, GOAL_SECONDS = 400, 400, 3.0
MINUTES = (3, 30)
_SETTLED_MS = 15_000
_LISTEN = """
window.largest = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    window.largest.push([each.startTime, each.element ? each.element.tagName.toLowerCase() : ""]);
  }
}).observe({ type: "largest-contentful-paint", buffered: true });
"""
_READ = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const page = performance.getEntriesByType("navigation")[0];
  return {
    first: paint.startTime, largest: window.largest.at(-1),
    bytes: page.encodedBodySize,
  };
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Measurements of one visit."""

    first: float
    largest: float
    element: str
    page_bytes: int


def main(arguments: Sequence[str]) -> int:
    """Print the paint times; return 1 if a first one misses the goal."""
    parser = argparse.ArgumentParser(prog="python -m bench slow_network", description=__doc__)
    parser.parse_args(list(arguments))
    slow = 0
    with installation():
        takes = _takes()
        pages = {"Practise": "/practise/", "Recording": "/practise/record/"}
        for minutes, take in takes.items():
            pages[f"Report of {minutes} minutes"] = f"/rehearsals/{take.pk}/"
        with Web() as web, sync_playwright() as playwright:
            path = shutil.which("chromium") or playwright.chromium.executable_path
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            known = _signed_in(browser, web.address, next(iter(takes.values())).owner.email)
            visits = [(name, page, known) for name, page in pages.items()]
            for name, page, cookies in [("Landing page", "/", []), *visits]:
                paint = _visit(browser, f"{web.address}{page}", cookies)
                slow += paint.first > GOAL_SECONDS
                print(_line(name, paint), flush=True)
            browser.close()
    print(
        f"Goal: the first paint within {GOAL_SECONDS:.0f} s at {KBIT} kbit/s and {LATENCY_MS} ms."
    )
    return int(slow > 0)


def _line(name: str, paint: Paint) -> str:
    return (
        f"{name}: first contentful paint {paint.first:.1f} s, largest "
        f"{paint.largest:.1f} s ({paint.element}); page {paint.page_bytes / 1000:.0f} kB as sent."
    )


def _makers() -> tuple[Any, Any]:
    """Return the test factories, once Django is set up."""
    return import_module("tests.coach.factories"), import_module("tests.analysis.recordings")


def _takes() -> dict[int, Rehearsal]:
    """Create one person's analysed takes, with a playable recording and a poster."""
    made, film_of = _makers()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "take.webm"
        times = tuple(index / 5 for index in range(300))
        film_of.record(
            film,
            picture=film_of.Picture(codec="libvpx", times=times),
            tone=film_of.Tone(codec="libopus", seconds=60.0, rate_hz=48_000),
        )
        content = film.read_bytes()
    owner = made.UserFactory(email="slow@example.org")
    takes = {}
    for minutes in MINUTES:
        take = made.RehearsalFactory(
            owner=owner,
            content=content,
            duration=minutes * 60.0,
            playback_type="video/webm",
            # Otherwise the owner is first asked for a self-assessment.
            opened_at=datetime.now(UTC),
        )
        made.give_poster(take, _still())
        made.finish_analysis(take, made.make_report(duration=minutes * 60.0))
        takes[minutes] = take
    return takes


def _still() -> bytes:
    """Return a picture of 28 kB: a face at a desk is about 18, plain noise would be 100."""
    picture = io.BytesIO()
    noise = Image.effect_noise((640, 360), 40).convert("RGB")
    noise.filter(ImageFilter.GaussianBlur(1.5)).save(picture, "JPEG", quality=80)
    return picture.getvalue()


def _signed_in(browser: Browser, address: str, email: str) -> list[Any]:
    """Sign in, and return the cookies."""
    with browser.new_context() as known:
        page = known.new_page()
        page.goto(f"{address}/accounts/login/")
        page.fill("[name=login]", email)
        page.fill("[name=password]", _makers()[0].PASSWORD)
        page.click("main [type=submit]")
        page.wait_for_url(f"{address}/**")
        return [{**each} for each in known.cookies()]


def _visit(browser: Browser, address: str, cookies: list[Any]) -> Paint:
    """Open a page in a browser with an empty cache and these cookies."""
    with browser.new_context() as cold:
        cold.add_cookies(cookies)
        page = cold.new_page()
        page.add_init_script(_LISTEN)
        network = cold.new_cdp_session(page)
        network.send("Network.enable")
        rate = KBIT * 1000 / 8
        conditions = {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": rate,
            "uploadThroughput": rate,
        }
        network.send("Network.emulateNetworkConditions", conditions)
        page.goto(address, wait_until="commit", timeout=60_000)
        page.wait_for_timeout(_SETTLED_MS)
        seen = page.evaluate(_READ)
    return Paint(
        first=seen["first"] / 1000,
        largest=seen["largest"][0] / 1000,
        element=seen["largest"][1],
        page_bytes=seen["bytes"],
    )
