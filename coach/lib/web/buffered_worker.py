"""A gunicorn worker in which slow clients hold no thread.

gunicorn's own worker gives a thread to each connection that has sent a byte, and waits there for
the rest: a few dozen half-sent requests stop a site. Here the loop that accepts connections
collects each request's head, and its body if that is small, and only then takes a thread. A large
body is read in a thread, of which `large_bodies` keeps enough free; a stalled one is dropped.

TLS and HTTP/2 end at the proxy in front: this worker speaks plain HTTP/1.1.
"""

from __future__ import annotations

import errno
import re
import socket
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn import http
from gunicorn.workers.gthread import TConn, ThreadWorker

from coach.lib.web.large_bodies import SMALL_BODY_BYTES

_MOST_HEAD_BYTES = 64 * 1024
"""Far more than any browser sends. gunicorn alone would take twelve times as much, and wait for the
rest of it in a thread, without an end."""
_HEAD_IS_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
_PASSING = {errno.EAGAIN, errno.ECONNABORTED, errno.EMFILE, errno.ENFILE}


class Arrival:
    """The received part of a request, and the deadline for the rest.

    Each byte is scanned once, however many pieces it comes in: the loop serves all connections.
    """

    def __init__(self, early: bytes, end: float) -> None:
        self.bytes = bytearray()
        self.end = end
        self.has_head = False
        self._wanted = 0
        self.take(early)

    def take(self, data: bytes) -> None:
        """Add received bytes."""
        seen = len(self.bytes)
        self.bytes += data
        if self.has_head:
            return
        end = self.bytes.find(b"\r\n\r\n", max(seen - 3, 0))
        if end < 0:
            return
        length = _LENGTH.search(self.bytes, 0, end + 2)
        body = int(length[1]) if length else 0
        self.has_head = True
        self._wanted = end + 4 + (body if body <= SMALL_BODY_BYTES else 0)

    @property
    def is_there(self) -> bool:
        """Return whether a thread can start without waiting for the sender."""
        return self.has_head and len(self.bytes) >= self._wanted


class BufferedWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A threaded worker that buffers requests; see the module's docstring."""

    ARRIVAL_SECONDS = 30.0
    """For a head and a small body; three times what a page takes on a bad line (rule of thumb)."""
    STALL_SECONDS = 30.0
    """For the next piece of a large body, and for taking 256 kB of an answer (rule of thumb)."""
    LINGER_SECONDS = 5.0
    """After an answer, for a sender that is still sending: closing at once would lose it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Both are in the order of their deadlines, since each kind lasts equally long.
        self._arriving: dict[TConn, Arrival] = {}
        self._lingering: dict[TConn, float] = {}

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and wait for its request in the loop."""
        try:
            client, address = listener.accept()
        except OSError as problem:
            if problem.errno not in _PASSING:
                raise
            return
        self.nr_conns += 1
        self._await_request(TConn(self.cfg, client, address, listener.getsockname()))

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """Wait for the next request of a kept-alive connection."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await_request(conn)

    def _await_request(self, conn: TConn, early: bytes = b"") -> None:
        arrival = Arrival(early, time.monotonic() + self.ARRIVAL_SECONDS)
        self._arriving[conn] = arrival
        conn.sock.settimeout(0)
        self.poller.register(conn.sock, EVENT_READ, partial(self._on_arrival, conn))
        if arrival.is_there:
            self._begin(conn)

    def _on_arrival(self, conn: TConn, client: socket.socket) -> None:
        arrival, data = self._arriving[conn], _receive(client)
        if data == b"":
            del self._arriving[conn]
            self._close(conn)
        elif data is not None:
            arrival.take(data)
            if arrival.is_there:
                self._begin(conn)
            elif len(arrival.bytes) > _MOST_HEAD_BYTES and not arrival.has_head:
                self._refuse(conn)

    def _refuse(self, conn: TConn) -> None:
        """Refuse a head that is too long, without taking a thread."""
        del self._arriving[conn]
        self.poller.unregister(conn.sock)
        with suppress(OSError):
            conn.sock.send(_HEAD_IS_TOO_LONG)
        self._linger(conn)

    def _begin(self, conn: TConn) -> None:
        arrived = self._arriving.pop(conn).bytes
        self.poller.unregister(conn.sock)
        if conn.parser is None:
            conn.parser = http.get_parser(self.cfg, conn.sock, conn.client)
        conn.initialized = conn.data_ready = True
        conn.parser.unreader.unread(bytes(arrived))
        self.enqueue_req(conn)

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Answer in a thread; drop a client that stalls."""
        conn.sock.settimeout(self.STALL_SECONDS)
        try:
            return bool(super().handle_request(req, conn))
        except TimeoutError:
            raise StopIteration from None  # for gunicorn: close, this is no error of ours

    def _keepalive_after(self, conn: TConn, keepalive: bool) -> bool:  # noqa: FBT001 - gunicorn's
        """Return whether the connection stays open; no thread waits for an unread body.

        gunicorn would wait five seconds for it: ten requests a second, each with a body that never
        comes, would hold all threads.
        """
        if not keepalive:
            return False
        conn.sock.settimeout(0)
        try:
            return bool(conn.parser.finish_body(max_bytes=SMALL_BODY_BYTES))
        except BlockingIOError:
            return False

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """Wait for the connection's next request, or close it so that the answer arrives."""
        goes_on = not fs.cancelled() and fs.exception() is None and fs.result()
        if not goes_on:
            self._linger(conn)
            return
        early = conn.parser.unreader.take_buffered()
        if early:
            self._await_request(conn, early)
        else:
            super().finish_request(conn, fs)

    def _linger(self, conn: TConn) -> None:
        """Half-close the connection and discard what the client still sends, for a moment."""
        try:
            conn.sock.settimeout(0)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, EVENT_READ, partial(self._on_rest, conn))
        except (OSError, ValueError):  # it is closed already
            self.nr_conns -= 1
            conn.close()
            return
        self._lingering[conn] = time.monotonic() + self.LINGER_SECONDS

    def _on_rest(self, conn: TConn, client: socket.socket) -> None:
        if _receive(client) == b"":
            del self._lingering[conn]
            self._close(conn)

    def murder_pending(self) -> None:
        """Close connections past their deadline; when the worker ends, all that hold no thread."""
        now = time.monotonic() if self.alive else float("inf")
        late = [conn for conn, arrival in self._arriving.items() if arrival.end < now]
        for conn in late:
            del self._arriving[conn]
        over = [conn for conn, end in self._lingering.items() if end < now]
        for conn in over:
            del self._lingering[conn]
        self._close(*late, *over)

    def _close(self, *conns: TConn) -> None:
        for conn in conns:
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close()


def _receive(client: socket.socket) -> bytes | None:
    """Return the received bytes: empty if the other side has closed, None if nothing has
    arrived.
    """
    try:
        return client.recv(64 * 1024)
    except BlockingIOError:
        return None
    except OSError:
        return b""
