"""Slow senders and slow readers: a real gunicorn with two threads, and real sockets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from coach import serving
from coach.lib.web.buffered_worker import BufferedRequest
from coach.lib.web.large_bodies import SMALL_BODY_BYTES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 20.0
APP = """
import os

from coach.lib.web.buffered_worker import BufferedWorker

class ImpatientWorker(BufferedWorker):
    ARRIVAL_SECONDS = 3.0
    STALL_SECONDS = 1.0

def app(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/refuse":
        start_response("413 Too Large", [("Content-Length", "4")])
        return [b"full"]
    if path == "/large":
        start_response("200 OK", [("Content-Length", str(64 * 2**20))])
        return (bytes(2**18) for _ in range(256))
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body) + 2))])
    return [b"ok" + body]

worker_class = globals()[os.environ["WORKER"]]
workers = 1
threads = int(os.environ["THREADS"])
control_socket_disable = True
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Serve a small application with two threads; yield its address."""
    with serve(tmp_path, "ImpatientWorker", threads=2) as address:
        yield address


@contextmanager
def serve(tmp_path: Path, worker: str, *, threads: int) -> Iterator[tuple[str, int]]:
    """Serve a small application; yield its address."""
    (tmp_path / "small.py").write_text(APP)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address: tuple[str, int] = probe.getsockname()
    command = (sys.executable, "-m", "gunicorn", "small:app", "--config", "python:small")
    server = subprocess.Popen(
        [*command, "--bind", f"127.0.0.1:{address[1]}"],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(tmp_path),
            "WORKER": worker,
            "THREADS": str(threads),
        },
    )
    try:
        _wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_SECONDS)


def _wait_for(address: tuple[str, int]) -> None:
    for _again in range(200):
        try:
            socket.create_connection(address).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("gunicorn does not answer")


def connect(address: tuple[str, int], sent: bytes = b"") -> socket.socket:
    client = socket.create_connection(address, timeout=PATIENCE_SECONDS)
    client.sendall(sent)
    return client


def read_all(client: socket.socket) -> bytes:
    """Return what arrives until the server closes the connection."""
    parts = []
    while part := client.recv(65536):
        parts.append(part)
    return b"".join(parts)


def get(address: tuple[str, int]) -> bytes:
    with connect(address, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") as client:
        return read_all(client)


def post(path: str, length: int) -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize(
    "half",
    [b"GET / HTTP/1.1\r\nHost: x\r\n", post("/", 1000) + b"half", post("/", SMALL_BODY_BYTES)],
    ids=["head", "small body", "no body yet"],
)
def test_half_sent_requests_take_no_thread(site: tuple[str, int], half: bytes) -> None:
    with ExitStack() as open_ones:
        for _each in range(20):
            open_ones.enter_context(connect(site, half))
        assert get(site).endswith(b"ok")


def test_pages_answer_within_a_second_under_attack(tmp_path: Path) -> None:
    with (
        serve(tmp_path, "BufferedWorker", threads=serving.threads) as address,
        ExitStack() as open_ones,
    ):
        for _each in range(400):
            open_ones.enter_context(connect(address, b"GET / HTTP/1.1\r\nHost: x\r\n"))
        upload = post("/", 50 * 2**20) + bytes(2**16)
        uploads = [open_ones.enter_context(connect(address, upload)) for _each in range(20)]
        for _again in range(3):
            for trickling in uploads:
                trickling.sendall(bytes(1000))
            began = time.monotonic()
            assert get(address).endswith(b"ok")
            assert time.monotonic() - began < 1


def test_a_half_sent_request_after_a_whole_one_takes_no_thread(site: tuple[str, int]) -> None:
    whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with ExitStack() as open_ones:
        for _each in range(20):
            open_ones.enter_context(connect(site, whole + b"GET / HTTP/1.1\r\nHo"))
        assert get(site).endswith(b"ok")


def test_a_head_that_grows_and_never_ends_takes_no_thread(site: tuple[str, int]) -> None:
    field = b"X-Long: " + b"x" * 8000 + b"\r\n"
    with ExitStack() as open_ones:
        long_ones = [
            open_ones.enter_context(connect(site, b"GET / HTTP/1.1\r\nHost: x\r\n" + 9 * field))
            for _each in range(4)
        ]
        assert get(site).endswith(b"ok")
        assert [read_all(each).split(b" ")[1] for each in long_ones] == [b"431"] * 4


@pytest.mark.parametrize(
    "head",
    [
        b"POST /refuse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
        post("/refuse", SMALL_BODY_BYTES + 1),
    ],
    ids=["chunked", "large"],
)
def test_an_unread_body_takes_no_thread(site: tuple[str, int], head: bytes) -> None:
    with ExitStack() as open_ones:
        for _each in range(10):
            open_ones.enter_context(connect(site, head))
        began = time.monotonic()
        assert get(site).endswith(b"ok")
        assert time.monotonic() - began < 4


def test_an_unread_small_body_keeps_the_connection_open(site: tuple[str, int]) -> None:
    with connect(site, post("/refuse", 5) + b"12345") as client:
        time.sleep(0.5)
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answers = read_all(client)
    assert b"full" in answers
    assert answers.endswith(b"ok")


def test_an_unfinished_head_is_closed_after_the_timeout(site: tuple[str, int]) -> None:
    with connect(site, b"GET / HTTP/1.1\r\nHost: x\r\n") as client:
        assert read_all(client) == b""


def test_a_request_in_pieces_is_answered_once_complete(site: tuple[str, int]) -> None:
    with connect(site) as client:
        for piece in (b"POST / HTTP/1.1\r\nHo", b"st: x\r\nContent-Length: 6\r\n\r", b"\nabc"):
            client.sendall(piece)
            time.sleep(0.1)
        client.sendall(b"def")
        answer = client.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200")
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        rest = answer + read_all(client)
    assert b"okabcdef" in rest
    assert rest.endswith(b"ok")


def test_a_stalled_large_body_is_dropped(site: tuple[str, int]) -> None:
    with ExitStack() as open_ones:
        for _each in range(2):
            open_ones.enter_context(connect(site, post("/", 10 * 2**20) + bytes(2**20)))
        assert get(site).endswith(b"ok")


def test_a_client_that_reads_no_response_is_dropped(site: tuple[str, int]) -> None:
    with ExitStack() as open_ones:
        for _each in range(2):
            open_ones.enter_context(connect(site, b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"))
        assert get(site).endswith(b"ok")


def test_an_early_refusal_reaches_a_client_that_is_still_sending(site: tuple[str, int]) -> None:
    with connect(site, post("/refuse", 8 * 2**20)) as client:
        client.sendall(bytes(8 * 2**20))
        assert read_all(client).endswith(b"full")


def test_a_client_that_never_closes_delays_no_other(site: tuple[str, int]) -> None:
    asked = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with ExitStack() as open_ones:
        began = time.monotonic()
        for _each in range(30):
            open_ones.enter_context(connect(site, asked))
        assert get(site).endswith(b"ok")
        # gunicorn waits two seconds for each of them in the loop that takes new connections.
        assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("arrived", "expected"),
    [
        (b"GET / HTTP/1.1\r\n", False),
        (b"GET / HTTP/1.1\r\n\r\n", True),
        (b"POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nab", False),
        (b"POST / HTTP/1.1\r\nContent-Length:3\r\n\r\nabc", True),
        (post("/", SMALL_BODY_BYTES + 1), True),
        (b"x" * 70_000, False),
    ],
)
def test_a_thread_starts_once_head_and_small_body_are_complete(
    arrived: bytes, expected: bool
) -> None:
    assert BufferedRequest(arrived, 0.0).is_there is expected
    in_pieces = BufferedRequest(b"", 0.0)
    for at in range(0, len(arrived), 3):
        in_pieces.take(arrived[at : at + 3])
    assert in_pieces.is_there is expected


def test_single_bytes_after_a_long_head_cost_the_loop_no_time() -> None:
    head = b"POST / HTTP/1.1\r\n" + b"a:\r\n" * 15_000 + b"Content-Length: 130000\r\n\r\n"
    arrival = BufferedRequest(b"", 0.0)
    for byte in head + bytes(129_999):
        arrival.take(bytes([byte]))
        assert not arrival.is_there
    arrival.take(b"x")
    assert arrival.is_there
