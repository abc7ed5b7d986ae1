"""Parts of a machine that tests need and not every machine has, and what to say without them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from demo import libraries

ROOT = Path(__file__).resolve().parents[1]
MISSING = "missing"
"""Under this name a report says which part its test wanted in vain."""
# The first shows no windows and takes two thirds of the processor time; Playwright prefers it too.
CHROMIUMS = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome-stable", "google-chrome"),
)
# In a process of its own: Playwright's loop would go on running in the thread of the tests, and
# Django refuses the database to whoever comes after it.
_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part: which tests need it, whether it is here, how to get it."""

    marker: str
    fixture: str
    """A test that asks for this fixture, itself or through another one, needs the part."""
    shows: str
    """What its tests are about."""
    why_missing: Callable[[], str]
    """A sentence, or nothing where the part is here."""
    how_to_get: str
    is_wanted_in_ci: bool


@cache
def find_chromium() -> Path | None:
    """ROSTRUM_CHROMIUM, else the system's, else the one that playwright installed."""
    named = os.environ.get("ROSTRUM_CHROMIUM")
    for name in (named,) if named else CHROMIUMS:
        if found := shutil.which(name):
            return Path(found)
    return None if named else _installed_by_playwright()


def _installed_by_playwright() -> Path | None:
    asked = subprocess.run(
        [sys.executable, "-c", _ASK_PLAYWRIGHT], capture_output=True, text=True, check=False
    )
    path = Path(asked.stdout.strip() or os.devnull)
    return path if path.is_file() else None


def shared_media() -> Path:
    """Where the shared recordings are looked for."""
    chosen = os.environ.get("ROSTRUM_SHARED_MEDIA")
    return Path(chosen) if chosen else ROOT.parent / "shared" / "media"


def _no_chromium() -> str:
    if find_chromium():
        return ""
    named = os.environ.get("ROSTRUM_CHROMIUM")
    return f"ROSTRUM_CHROMIUM names no program: {named}" if named else "there is no Chromium"


def _no_libraries() -> str:
    packages = libraries.missing()
    return f"system libraries are missing: {', '.join(packages)}" if packages else ""


def _no_node() -> str:
    return "" if shutil.which("node") else "there is no Node.js"


def _no_recordings() -> str:
    folder = shared_media()
    return "" if (folder / "MANIFEST.csv").is_file() else f"there is no MANIFEST.csv in {folder}"


PARTS = (
    Part(
        marker="browser",
        fixture="playwright",
        shows="pages in a real browser",
        why_missing=_no_chromium,
        how_to_get=(
            "Debian, Ubuntu: apt-get install -y chromium-headless-shell (or chromium). Elsewhere: "
            ".venv/bin/python -m playwright install chromium, or name one in ROSTRUM_CHROMIUM."
        ),
        is_wanted_in_ci=True,
    ),
    Part(
        marker="faces",
        fixture="faces",
        shows="finding faces and bodies",
        why_missing=_no_libraries,
        how_to_get=f"Debian, Ubuntu: apt-get install -y {' '.join(libraries.NEEDED.values())}.",
        is_wanted_in_ci=True,
    ),
    Part(
        marker="node",
        fixture="node",
        shows="a client in Node.js",
        why_missing=_no_node,
        how_to_get="Debian, Ubuntu: apt-get install -y nodejs. Elsewhere: nodejs.org.",
        is_wanted_in_ci=False,
    ),
    # They are large, partly under other licences, and no part of the repository.
    Part(
        marker="media",
        fixture="shared_media",
        shows="recordings with truth",
        why_missing=_no_recordings,
        how_to_get="Name a folder that holds them in ROSTRUM_SHARED_MEDIA.",
        is_wanted_in_ci=False,
    ),
)


def markers_for(fixtures: Collection[str]) -> Iterator[str]:
    """What a test that asks for these fixtures needs, one marker each."""
    if "models" in fixtures:
        yield "models"
    for part in PARTS:
        if part.fixture in fixtures:
            yield part.marker


def missing_for(fixtures: Collection[str]) -> tuple[Part, ...]:
    """Which parts these fixtures need and this machine lacks."""
    return tuple(part for part in PARTS if part.fixture in fixtures and part.why_missing())


def is_ci() -> bool:
    """Whether CI is set, as continuous integration does."""
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}


def untested(counted: Mapping[str, int]) -> Iterator[str]:
    """What to tell people about that many tests of each part."""
    for part in PARTS:
        if count := counted.get(part.marker):
            why = part.why_missing()
            yield f"{part.shows}: {_tests(count)}, since {why}. {part.how_to_get}"


def left_out(counted: Mapping[str, int]) -> Iterator[str]:
    """What to tell people about tests that were left out for a reason of their own."""
    for reason, count in counted.items():
        yield f"{_tests(count)}: {reason}"


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"
