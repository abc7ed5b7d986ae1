"""Command `first_report ADDRESS`: count the clicks and seconds from signing in to a first report.

Start the demonstration with `make demo` first, and let it finish. A phone of 390x844 records with a
fake camera and a recording as microphone; the demonstration's workers analyse the take. Typing and
looking around cost a person more than this program.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from bench.judgement.planting import RATE_HZ
from bench.judgement.recordings import read_sound
from bench.pictures import DEMO_PASSWORD, PHONE
from bench.sounds import write_wave

_TALK = Path(__file__).resolve().parents[1] / "demo" / "talks" / "thesis-second.ogg"
_PERMISSION = 1
"""Click on the browser's own question about camera and microphone, which is answered here."""
_COUNTS_CLICKS = """addEventListener("click", (event) => {
  if (event.isTrusted) localStorage.clicks = Number(localStorage.clicks ?? 0) + 1;
}, true);"""
_LONGEST_MS = 600_000


def main(arguments: Sequence[str]) -> int:
    """Print the clicks, and the seconds of each part of the way."""
    parser = argparse.ArgumentParser(prog="python -m bench first_report", description=__doc__)
    parser.add_argument("address", help="of the demonstration, as http://127.0.0.1:8400")
    parser.add_argument("--who", default="ben", help="trainee, the part before the @")
    parser.add_argument("--seconds", type=int, default=70, help="length of the take")
    chosen = parser.parse_args(list(arguments))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        sound = Path(folder) / "talk.wav"
        write_wave(sound, read_sound(_TALK), RATE_HZ)
        found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(
            executable_path=found or playwright.chromium.executable_path,
            args=[
                "--no-sandbox",
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-audio-capture={sound}",
            ],
        )
        visitor = browser.new_context(
            viewport={"width": PHONE[0], "height": PHONE[1]},
            permissions=["camera", "microphone"],
        )
        visitor.add_init_script(_COUNTS_CLICKS)
        page = visitor.new_page()
        _go(page, chosen.address.rstrip("/"), chosen.who, chosen.seconds)
        browser.close()
    return 0


def _go(page: Page, address: str, who: str, seconds: int) -> None:
    page.goto(f"{address}/accounts/login/")
    began = time.monotonic()
    page.locator("input[name=login]").fill(f"{who}@rostrum.example")
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    page.get_by_role("link", name=re.compile("^Record a take")).click()
    expect(page.locator("[data-findings]")).to_have_text(
        re.compile("^Turn on"), use_inner_text=True
    )
    page.get_by_role("button", name="Turn on camera and microphone", exact=True).click()
    record = page.get_by_role("button", name="Record", exact=True)
    expect(record).to_be_enabled(timeout=60_000)
    record.click()
    expect(page.locator("[data-clock]")).to_have_text("0:01", timeout=60_000)
    recording = time.monotonic()
    page.wait_for_timeout(1000 * (seconds - 1))
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/progress/")
    waiting = time.monotonic()
    report = page.get_by_role("heading", name="What to keep and what to work on")
    expect(report).to_be_visible(timeout=_LONGEST_MS)
    ended = time.monotonic()
    clicks = page.evaluate("Number(localStorage.clicks)") + _PERMISSION
    print(f"{clicks} clicks, {ended - began:.0f} s from the sign-in page to the report:")
    print(f"  {recording - began:.0f} s until the recording runs")
    print(f"  {waiting - recording:.0f} s until it is sent, with {seconds} s of speaking")
    print(f"  {ended - waiting:.0f} s of waiting for the report")
