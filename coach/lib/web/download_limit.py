"""Recordings on their way to somebody: each holds a thread of the web process until it is taken.

Who reads slowly, or stops, holds it for long. So few long pieces leave at the same time, no more of
them to one reader, or by one link for guests, than a browser would ask for. Further ones are short:
a connection takes those in without waiting for its reader, and a class that watches by one link
goes on watching.
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
    """What is whole cannot leave now, nor be short."""


class Outgoing:
    """What leaves this process now, by its reader."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[object] = Counter()

    def on_the_way(self) -> int:
        """How many long pieces hold a thread now."""
        return self._held.total()

    def enter(self, reader: object) -> bool:
        """Whether a long piece may leave now; `leave` follows where it may."""
        with self._lock:
            if self._held[reader] >= OF_A_READER or self._held.total() >= AT_ONCE:
                return False
            self._held[reader] += 1
        return True

    def leave(self, reader: object) -> None:
        """It was taken, or given up."""
        with self._lock:
            self._held -= Counter({reader: 1})

    def until_taken(self, reader: object, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The same pieces; `leave` follows once they were taken or are forgotten."""
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
