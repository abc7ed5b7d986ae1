"""Limit on concurrent downloads: each holds a thread of the web process until it is sent.

A client that reads slowly, or stops, holds it for long. So few long pieces are sent at the same
time, and no more of them to one reader, or through one guest link, than a browser would ask for.
Further pieces are short: a connection buffers those without waiting for its reader, so a class that
watches through one link goes on watching.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator, Iterator

AT_ONCE = 8
"""Long pieces that leave one process at the same time: fewer than its threads (coach/serving.py),
of which recordings that arrive hold some as well (rule of thumb)."""

OF_A_READER = 6
"""So many connections a browser opens to one site over HTTP/1.1."""

LONG_PIECE_BYTES = 4 * 1024**2
"""A player that has enough for now stops reading and keeps the connection: what it asked for and
did not take would hold a thread for as long as it is paused. It asks again for the rest."""

SHORT_PIECE_BYTES = 256 * 1024
"""What a connection takes in at once (rule of thumb)."""


RETRY_SECONDS = 5
"""When a player asks again (rule of thumb)."""


class Crowded(Exception):
    """A whole file that cannot be sent now: too many downloads are running."""


class Outgoing:
    """The downloads of this process, counted by reader."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[object] = Counter()

    def on_the_way(self) -> int:
        """Return the number of long pieces that hold a thread now."""
        return self._held.total()

    def enter(self, reader: object) -> bool:
        """Reserve a place for a long piece; return whether there was one. `leave` must
        follow if so.
        """
        with self._lock:
            if self._held[reader] >= OF_A_READER or self._held.total() >= AT_ONCE:
                return False
            self._held[reader] += 1
        return True

    def leave(self, reader: object) -> None:
        """Release a place."""
        with self._lock:
            self._held -= Counter({reader: 1})

    def until_taken(self, reader: object, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Return the same pieces, and call `leave` once they are sent or dropped."""
        stream = self._until_taken(reader, pieces)
        next(stream)  # begun, it ends in its `finally`, also where nobody ever asks for a piece
        return stream

    def _until_taken(self, reader: object, pieces: Iterator[bytes]) -> Generator[bytes, None, None]:
        try:
            yield b""
            yield from pieces
        finally:
            self.leave(reader)


outgoing = Outgoing()
