"""Pages of a PDF file as pictures and text, read in a child process with limits.

PDF files are hostile until read. The child has no secrets, little memory, no network where the
kernel allows that, and is killed after a timeout. Scripts, forms, links and attached files are not
read: only what is drawn on a page, and its text.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

PdfProblem = Literal["password", "many_pages", "no_pages", "not_pdf", "heavy", "slow"]
"""Why a file cannot be shown, for a sentence to its owner."""

MOST_PAGES = 100
MOST_TEXT_PAGES = 1_000
"""Ten hours of talk fill three hundred pages (rule of thumb)."""
_MOST_TEXT = 50_000
"""Most characters of a page of which only the text is read (rule of thumb)."""
WIDTH = 1280
"""Longest side of a picture in pixels: sharp on a laptop, about 100 kB."""
_MOST_CHARACTERS = 5_000
"""Most characters of a page that are compared: more than a full page of a book."""
_MEMORY_BYTES = 1536 * 1024**2
"""Address space of the child (rule of thumb): a page of 600 dpi fits."""
_CPU_SECONDS = 120
_SECONDS = 180.0
_FILE_BYTES = 64 * 1024**2
_OPEN_FILES = 64
_QUALITY = 85
_NEW_NETWORK = 0x10000000 | 0x40000000  # CLONE_NEWUSER | CLONE_NEWNET


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: the name of its picture in the output folder, and its text, empty if scanned."""

    picture: str
    text: str


class PdfRefused(Exception):
    """An error for a file that cannot be shown; `page` is the first page that failed, else 0."""

    def __init__(self, problem: PdfProblem, *, page: int = 0, pages: int = 0) -> None:
        super().__init__(problem)
        self.problem: PdfProblem = problem
        self.page = page
        self.pages = pages


def open_pdf(path: Path, folder: Path, *, seconds: float = _SECONDS) -> list[PdfPage]:
    """Write a picture of each page into the folder, and return the pages. Raises PdfRefused."""
    ended = _run(folder, str(path), str(folder), seconds=seconds)
    return [PdfPage(each["picture"], each["text"]) for each in _pages(folder, ended)]


def read_pdf_text(path: Path, folder: Path, *, seconds: float = _SECONDS) -> list[str]:
    """Return the text of each page with its line breaks; `folder` is for scratch files.

    Raises PdfRefused.
    """
    ended = _run(folder, str(path), seconds=seconds)
    return [each["text"] for each in _pages(folder, ended)]


def _run(folder: Path, *arguments: str, seconds: float) -> int:
    """Run the child, and return its exit code. Raises PdfRefused if it took too long."""
    command = [sys.executable, "-m", __name__, *arguments]
    env = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen(  # noqa: S603 - our own module
            command,
            cwd=Path(__file__).resolve().parents[2],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return child.wait(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise PdfRefused("slow", page=len(_lines(folder))) from error
        finally:
            child.kill()
            child.wait()


def _pages(folder: Path, ended: int) -> list[dict[str, Any]]:
    lines = _lines(folder)
    last = lines[-1] if lines else {}
    if "problem" in last:
        raise PdfRefused(last["problem"], page=last.get("page", 0), pages=last.get("pages", 0))
    if ended or not last.get("done"):
        slow = ended == -24  # SIGXCPU
        raise PdfRefused("slow" if slow else "heavy", page=len(lines) + 1)
    return lines[:-1]


def _lines(folder: Path) -> list[dict[str, Any]]:
    found = []
    for line in (folder / "log").read_text(encoding="utf-8", errors="replace").splitlines():
        with suppress(ValueError):
            found.append(json.loads(line))
    return [each for each in found if isinstance(each, dict)]


# ---- in the child


def main() -> None:
    """Read the file named first; one line of JSON for each page.

    With a folder named second, a picture of each page is written there.
    """
    path, *folder = map(Path, sys.argv[1:3])
    _limit()
    try:
        _read(path, folder[0] if folder else None)
    except MemoryError:
        _tell(problem="heavy")


def _limit() -> None:
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    with suppress(OSError, AttributeError):  # some kernels and containers forbid it
        ctypes.CDLL(None).unshare(_NEW_NETWORK)


def _read(path: Path, folder: Path | None) -> None:
    import pypdfium2  # noqa: PLC0415 - after the limits
    from pypdfium2 import raw  # noqa: PLC0415

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        code = raw.FPDF_GetLastError()
        _tell(problem="password" if code == raw.FPDF_ERR_PASSWORD else "not_pdf")
        return
    count = len(document)
    if not 0 < count <= (MOST_PAGES if folder else MOST_TEXT_PAGES):
        _tell(problem="many_pages" if count else "no_pages", pages=count)
        return
    for number in range(count):
        try:
            page = document[number]
            if folder is None:
                _tell(text=page.get_textpage().get_text_range()[:_MOST_TEXT].replace("\0", " "))
                page.close()
            else:
                _tell(**_page(page, folder / f"{number + 1}.jpg"))
        except (pypdfium2.PdfiumError, MemoryError):
            _tell(problem="heavy", page=number + 1)
            return
    _tell(done=True)


def _page(page: Any, path: Path) -> dict[str, str]:
    width, height = page.get_size()
    scale = WIDTH / max(width, height, 1.0)
    picture = page.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB")
    picture.thumbnail((WIDTH, WIDTH))
    picture.save(path, quality=_QUALITY, optimize=True)
    text = page.get_textpage().get_text_range()[:_MOST_CHARACTERS]
    page.close()
    return {"picture": path.name, "text": " ".join(text.split("\0")).strip()}


def _tell(**line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
