"""Benchmark `tus --gigabytes 3`: a large upload while the server is killed, and its memory.

Uses a real gunicorn with one worker, as configured in `coach.serving`, and Python's own HTTP
client. The file begins like a WebM and is otherwise noise.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from bench.site import Web, installation

_PIECE = 16 * 2**20
_BLOCK = b"\x1a\x45\xdf\xa3" + os.urandom(2**20 - 4)
MEGABYTE = 2**20


class Memory:
    """Peak memory of the site's processes."""

    def __init__(self, web: Web) -> None:
        self.most, self._web = 0, web
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            with suppress(psutil.Error):
                if self._web.process is not None and self._web.process.poll() is None:
                    parent = psutil.Process(self._web.process.pid)
                    each = [one.memory_info().rss for one in parent.children(recursive=True)]
                    self.most = max([self.most, *each])
            time.sleep(0.2)


class TusClient:
    """Client of the tus protocol that continues at the server's offset."""

    def __init__(self, port: int, headers: dict[str, str]) -> None:
        self._port, self._headers = port, {**headers, "Tus-Resumable": "1.0.0"}

    def ask(
        self, method: str, path: str, body: Any = None, **more: str
    ) -> http.client.HTTPResponse:
        """Send one request on its own connection."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        sent = {name.replace("_", "-"): value for name, value in more.items()}
        line.request(method, path, body=body, headers={**self._headers, **sent})
        answer = line.getresponse()
        answer.read()
        return answer


def _blocks(start: int, length: int) -> Iterator[bytes]:
    """Yield the bytes of the sent file from an offset: one block, repeated."""
    while length > 0:
        first = start % len(_BLOCK)
        some = _BLOCK[first : first + length]
        yield some
        start, length = start + len(some), length - len(some)


def main(arguments: list[str]) -> int:
    """Send, kill, continue and compare; print speed and memory."""
    parser = argparse.ArgumentParser(prog="python -m bench tus", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=3.0)
    parsed = parser.parse_args(arguments)
    total = int(parsed.gigabytes * 1024) * MEGABYTE
    with installation() as folder:
        return _run(total, folder)


def _signed_in() -> dict[str, str]:
    """Return the headers of a signed-in trainee."""
    from django.test import Client  # noqa: PLC0415 - after the settings

    from coach.accounts.models import Role, User  # noqa: PLC0415

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.create(email="a@example.org", name="A", roles=[Role.TRAINEE]))
    client.get("/practise/new/")
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    return {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-CSRFToken": cookies["csrftoken"],
    }


def _run(total: int, folder: Path) -> int:
    headers, media = _signed_in(), folder / "media"
    os.environ |= {"MEDIA_ROOT": str(media), "ROSTRUM_LEAST_FREE_BYTES": "1"}
    with Web() as web:
        memory = Memory(web)
        began = time.perf_counter()
        killed, away = _send(total, web, TusClient(web.port, headers))
        seconds = time.perf_counter() - began - away
        (file,) = (media / "uploads").iterdir()
        is_same = _digest(file) == _expected(total)
    print(
        f"{total / 2**30:.1f} GB in {seconds:.0f} s ({total / 2**20 / seconds:.0f} MB/s), killed "
        f"{killed} times ({away:.0f} s until it went on), most memory of a process "
        f"{memory.most / MEGABYTE:.0f} MB, {'the same bytes' if is_same else 'OTHER BYTES'}"
    )
    return int(not is_same)


def _send(total: int, web: Web, sender: TusClient) -> tuple[int, float]:
    """Send the file while the server is killed twice; return the kills and the seconds lost."""
    begun = sender.ask("POST", "/rehearsals/uploads/", Upload_Length=str(total))
    path, offset, killed, away = begun.headers["Location"], 0, 0, 0.0
    while offset < total:
        if killed < offset * 3 // total:
            killed += 1
            threading.Timer(0.05, web.end, [signal.SIGKILL]).start()
        length = min(_PIECE, total - offset)
        try:
            answer = sender.ask(
                "PATCH",
                path,
                _blocks(offset, length),
                Upload_Offset=str(offset),
                Content_Length=str(length),
                Content_Type="application/offset+octet-stream",
            )
            offset = int(answer.headers["Upload-Offset"])
        except (OSError, http.client.HTTPException):
            gone = time.perf_counter()
            time.sleep(0.5)
            web.start()
            while (asked := sender.ask("HEAD", path)).status != 200:
                time.sleep(0.5)
            offset = int(asked.headers["Upload-Offset"])
            away += time.perf_counter() - gone
    return killed, away


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _expected(total: int) -> str:
    digest = hashlib.sha256()
    for offset in range(0, total, _PIECE):
        for block in _blocks(offset, min(_PIECE, total - offset)):
            digest.update(block)
    return digest.hexdigest()
