"""Command `pictures ADDRESS`: make the pictures of the guides from a running demonstration.

Start one with `make demo` first. Each page is shown as to a user who has just signed in; the
pictures are written to docs/pictures, each below 300 kB.
"""

from __future__ import annotations

import argparse
import io
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

# As printed by `make demo` (`coach.portal.demonstration.seeding`, which requires Django to be set
# up).
DEMO_PASSWORD = "rehearse-with-me"  # noqa: S105
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
MOST_BYTES = 300_000
LAPTOP, PHONE = (1366, 768), (390, 844)
_SETTLED_MS = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class PageShot:
    """Page with its reader, its address, and the links to follow from there."""

    name: str
    path: str
    who: str = ""
    """Part of the email address before the @; empty for a visitor."""
    follow: tuple[str, ...] = ()
    """Selectors of links or buttons to press, starting at `path`."""
    has_read: bool = False
    """Whether all own reports were opened before."""
    size: tuple[int, int] = LAPTOP
    is_dark: bool = False
    language: str = "en"


_REPORT = "a[href^='/rehearsals/']"
_FILMED = f".prepared:last-child {_REPORT}"
"""The trainee's oldest talk: the one with a picture."""
_EXERCISE = "main a[href^='/practise/exercises/']"
_REDONE = "a[href^='/practise/again/span/']"
_GUESTS = "a[href$='/guests/']"
PICTURES = (
    PageShot(name="landing", path="/"),
    PageShot(name="sample", path="/sample/"),
    PageShot(name="practise", path="/practise/", who="trainee"),
    PageShot(name="new", path="/practise/new/", who="trainee"),
    PageShot(name="record", path="/practise/record/", who="trainee"),
    PageShot(name="report", path="/practise/", who="trainee", follow=(_FILMED,)),
    PageShot(
        name="report-phone",
        path="/practise/",
        who="trainee",
        follow=(_FILMED,),
        size=PHONE,
        is_dark=True,
    ),
    PageShot(
        name="report-french", path="/practise/", who="elise", follow=(_REPORT,), language="fr"
    ),
    PageShot(name="exercise", path="/practise/plan/", who="nadia", follow=(_EXERCISE,)),
    PageShot(name="redo", path="/practise/", who="nadia", follow=(_REPORT, _REDONE)),
    PageShot(name="plan", path="/practise/plan/", who="nadia"),
    PageShot(name="progress", path="/progress/", who="trainee", has_read=True),
    PageShot(name="profile", path="/profile/", who="trainee"),
    PageShot(name="guests", path="/practise/", who="trainee", follow=(_REPORT, _GUESTS)),
    PageShot(name="privacy", path="/privacy/", who="trainee"),
    PageShot(name="queue", path="/review/", who="coach"),
    PageShot(name="desk", path="/review/", who="coach", follow=("[data-next]",)),
    PageShot(name="rules", path="/rules/", who="curator"),
    PageShot(name="research", path="/research/", who="researcher"),
    PageShot(name="administration", path="/administration/", who="admin"),
)


def main(arguments: Sequence[str]) -> int:
    """Make all pictures, or the named ones; return 1 if one is too large."""
    parser = argparse.ArgumentParser(prog="python -m bench pictures", description=__doc__)
    parser.add_argument("address", help="of the demonstration, as http://127.0.0.1:8400")
    parser.add_argument("names", nargs="*", help="only these")
    chosen = parser.parse_args(list(arguments))
    large = 0
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        path = found or playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for picture in PICTURES:
            if chosen.names and picture.name not in chosen.names:
                continue
            content = _small(_shoot(browser, chosen.address.rstrip("/"), picture))
            (FOLDER / f"{picture.name}.png").write_bytes(content)
            large += len(content) > MOST_BYTES
            print(f"{picture.name}.png: {len(content) / 1000:.0f} kB", flush=True)
        browser.close()
    return int(large > 0)


def _shoot(browser: Browser, address: str, picture: PageShot) -> bytes:
    width, height = picture.size
    with browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if picture.is_dark else "light",
        locale=picture.language,
        has_touch=picture.size == PHONE,
        reduced_motion="reduce",
    ) as visitor:
        page = visitor.new_page()
        if picture.who:
            _sign_in(page, address, picture.who)
        if picture.has_read:
            _read_everything(page, address)
        page.goto(f"{address}{picture.path}")
        if picture.language == "fr":  # signed-in users read in the language of their account
            page.get_by_role("button", name="Français").first.click()
            page.goto(f"{address}{picture.path}")
        for link in picture.follow:
            page.locator(link).first.click()
            page.wait_for_load_state()
            _pass_the_questions(page)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(_SETTLED_MS)
        return page.screenshot()


def _pass_the_questions(page: Page) -> None:
    """Skip the questions before a report, and the one about the camera position."""
    if "/first/" in page.url:
        page.locator("main button[value=skip]").first.click()
        page.wait_for_load_state()
    camera = page.locator("#camera.notice--attention button")
    if camera.count():  # the phone was to the side of where he looked
        camera.last.click()
        page.wait_for_load_state()
        page.reload()


def _read_everything(page: Page, address: str) -> None:
    page.goto(f"{address}/practise/")
    found = page.locator(_REPORT).evaluate_all("all => all.map((each) => each.href)")
    for report in dict.fromkeys(found):
        page.goto(report)
        _pass_the_questions(page)


def _sign_in(page: Page, address: str, who: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.fill("input[name=login]", f"{who}@rostrum.example")
    page.fill("input[name=password]", DEMO_PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()


def _small(content: bytes) -> bytes:
    """Return the picture in 256 colours, which are enough for pages and
    recognisable for a still.
    """
    with Image.open(io.BytesIO(content)) as shot:
        few = shot.convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG)
        file = io.BytesIO()
        few.save(file, "PNG", optimize=True)
    return file.getvalue()
