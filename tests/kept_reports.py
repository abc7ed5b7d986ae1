"""Reports of recordings that tests make themselves, kept until what they are made from changes.

A minute of talk takes three to eight seconds to make and to analyse; most changes touch neither.
A kept report is named after all of it: the analysis, the voices and films, the test file, every
installed library. Where CI is set nothing kept is read.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from analysis.results import Report, load_report
from tests.parts import ROOT, is_ci, shared_media

Kept = Callable[[str, Callable[[], Report]], Report]
"""A report by its name in a test file, and how it is made."""

_MADE_FROM = ("analysis/**/*", "bench/listening/*.py", "bench/watching/*.py", "tests/analysis/*.py")
_UNUSED_SECONDS = 24 * 3600.0


def kept_report(folder: Path, maker: Path, name: str, make: Callable[[], Report]) -> Report:
    """What ``make`` returns, or returned when all was the same. It stands in the file ``maker``."""
    if is_ci():
        return make()
    made_from = hashlib.sha256(_surroundings() + maker.read_bytes()).hexdigest()[:16]
    kept = folder / f"report-{made_from}-{name}.json"
    if not kept.is_file():
        _keep(make(), kept)
        _clear_away(folder)
    os.utime(kept)
    return load_report(kept.read_bytes())


def _keep(report: Report, place: Path) -> None:
    """Beside its place first: another session may read there at the same moment."""
    handle, fresh = tempfile.mkstemp(dir=place.parent, prefix="report-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(report.model_dump_json())
    Path(fresh).rename(place)


def _clear_away(folder: Path) -> None:
    """What nobody asked for lately; another session may do so at the same moment."""
    for path in folder.glob("report-*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _UNUSED_SECONDS:
                path.unlink()


@cache
def _surroundings() -> bytes:
    return "\n".join(_all_that_counts()).encode()


def _all_that_counts() -> Iterator[str]:
    yield sys.version
    yield from sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*-info"))
    yield from sorted(f"{key}={os.environ[key]}" for key in os.environ if key.startswith("ROSTRUM"))
    recordings = shared_media() / "MANIFEST.csv"  # with a checksum of each
    if recordings.is_file():
        yield hashlib.sha256(recordings.read_bytes()).hexdigest()
    for pattern in _MADE_FROM:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and path.suffix != ".pyc" and not path.name.startswith("test_"):
                yield f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
