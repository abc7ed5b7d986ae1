"""Segments of a talk, watched in parallel and joined exactly.

Segments begin at fixed media times. At each, the landmarkers forget all but the last moments before
it. The result is therefore identical, byte for byte, for any number of threads.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event, Lock

from analysis.backends.media.frames import LazyFrame, sampled_moments
from analysis.backends.sight.pace import BETWEEN, with_extra_pictures
from analysis.backends.sight.series import Observation
from analysis.backends.sight.watcher import Watcher, WatchOptions, watcher
from analysis.ports import Progress

SEGMENT_SECONDS = 30.0
"""Segment length; overlap and reset cost about 2% of watching a segment."""
_LEAD_SECONDS = 0.4
"""Lead-in that is watched and discarded: the landmarkers have found the person by then, and the
first picture has a predecessor.
"""
_LATE_SECONDS = 1.0
_TELL_SECONDS = 0.25
_TOLERANCE = 0.001

Pair = tuple[LazyFrame, LazyFrame | None]


@dataclass(frozen=True, slots=True)
class WatchSegment:
    """Segment of a recording, `start <= t < end`, read from `lead` onwards (seconds)."""

    start: float
    end: float
    lead: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoSource:
    """Recording and the way it is read."""

    path: Path
    per_second: float
    max_side: int
    threads: int = 0
    """Number of decoding threads; 0 leaves it to the decoder."""

    def pairs(self, start: float) -> Iterator[Pair]:
        """Yield the samples from `start` onwards; reads from the beginning if the file cannot be
        entered there.
        """
        pairs = with_extra_pictures(self._moments(start), self.per_second)
        first = next(pairs, None)
        if first is not None and start > 0 and first[0].time > start + _LATE_SECONDS:
            whole = with_extra_pictures(self._moments(0.0), self.per_second)
            yield from (pair for pair in whole if pair[0].time >= start - _TOLERANCE)
            return
        if first is not None:
            yield first
            yield from pairs

    def _moments(self, start: float) -> Iterator[LazyFrame]:
        return sampled_moments(
            self.path,
            per_second=self.per_second * BETWEEN,
            max_side=self.max_side,
            start=start,
            threads=self.threads,
        )


def segments_of(
    spans: Sequence[tuple[float, float | None]],
    duration: float,
    *,
    per_second: float,
    length: float = SEGMENT_SECONDS,
) -> list[WatchSegment]:
    """Cut the spans at whole multiples of `length`; the last segment of an open span has no end."""
    lead = max(1, round(_LEAD_SECONDS * per_second)) / per_second
    found = []
    for start, end in spans:
        last = math.inf if end is None else end
        edge = (math.floor(start / length) + 1) * length
        edges = [start]
        while edge < min(last, duration):
            edges.append(edge)
            edge += length
        for first, behind in zip(edges, [*edges[1:], last], strict=True):
            found.append(WatchSegment(first, behind, first if first == start else first - lead))
    return found


def watch_segments(
    film: VideoSource,
    pieces: Sequence[WatchSegment],
    looking: WatchOptions,
    *,
    workers: int,
    progress: Progress,
) -> list[Observation]:
    """Watch the segments and return all observations in time order; `progress` gets the seconds
    done.

    `progress` is called by this thread only, and may raise: the other threads then stop.
    """
    work = _SharedWork(film, pieces, looking, _SegmentQueue.of(len(pieces), workers))
    if workers <= 1:
        work.run(0, told=progress)
        return work.everything()
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(work.run, number) for number in range(workers)}
        try:
            while running:
                done, running = wait(running, _TELL_SECONDS, FIRST_EXCEPTION)
                for one in done:
                    one.result()
                progress(work.seconds)
        finally:
            work.stop.set()
    return work.everything()


@dataclass(slots=True)
class _SegmentQueue:
    """Remaining segments: each worker has its own range, then helps with the longest one."""

    left: list[deque[int]]
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, count: int, workers: int) -> _SegmentQueue:
        edges = [count * number // workers for number in range(workers + 1)]
        return cls(
            [deque(range(first, behind)) for first, behind in pairwise(edges)],
        )

    def claim(self, worker: int) -> int | None:
        """Return the next segment of the worker's own range, or the last one of the longest; None
        if all are done.
        """
        with self.lock:
            if self.left[worker]:
                return self.left[worker].popleft()
            longest = max(self.left, key=len)
            return longest.pop() if longest else None


@dataclass(slots=True)
class _SharedWork:
    """State shared by the workers."""

    film: VideoSource
    pieces: Sequence[WatchSegment]
    looking: WatchOptions
    shares: _SegmentQueue
    stop: Event = field(default_factory=Event)
    seen: dict[int, list[Observation]] = field(default_factory=dict)
    done: dict[int, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Return the seconds of media watched so far."""
        return sum(self.done.copy().values())

    def everything(self) -> list[Observation]:
        """Return all observations in time order."""
        return [one for index in sorted(self.seen) for one in self.seen[index]]

    def run(self, worker: int, told: Progress | None = None) -> None:
        """Process segments until none is left."""
        reel = _SegmentReader(self.film)
        try:
            with watcher(self.looking) as one:
                while not self.stop.is_set() and (index := self.shares.claim(worker)) is not None:
                    one.begin_piece(is_first=index == 0)
                    self.seen[index] = self._watched(index, one, reel, told)
        except BaseException:
            self.stop.set()
            raise

    def _watched(
        self, index: int, one: Watcher, reel: _SegmentReader, told: Progress | None
    ) -> list[Observation]:
        piece, led = self.pieces[index], -math.inf
        for moment, between in reel.pairs_of(piece):
            if self.stop.is_set():
                return []
            one.take(moment, between)
            if moment.time < piece.start - _TOLERANCE:
                led = moment.time
            self.done[index] = max(0.0, moment.time - piece.start)
            if told is not None:
                told(self.seconds)
        return [each for each in one.finish() if each.time > led]


class _SegmentReader:
    """Reader of consecutive segments that buffers the pictures just before the next one."""

    def __init__(self, film: VideoSource) -> None:
        self._film = film
        self._pairs: Iterator[Pair] = iter(())
        self._kept: deque[Pair] = deque()
        self._ahead: Pair | None = None
        self._at = math.nan

    def stands_at(self, piece: WatchSegment) -> bool:
        """Return whether reading can continue with this segment."""
        return self._at == piece.start and piece.lead < piece.start

    def pairs_of(self, piece: WatchSegment) -> Iterator[Pair]:
        """Yield the samples of a segment, its lead-in first."""
        lead = [pair for pair in self._kept if pair[0].time >= piece.lead - _TOLERANCE]
        if not self.stands_at(piece):
            lead, self._ahead = [], None
            self._pairs = self._film.pairs(piece.lead)
        self._kept.clear()
        self._at = piece.end
        yield from lead
        while (pair := self._next()) is not None:
            if pair[0].time >= piece.end:
                self._ahead = pair
                return
            self._kept.append(pair)
            while self._kept[0][0].time < pair[0].time - 2 * _LEAD_SECONDS:
                self._kept.popleft()
            yield pair

    def _next(self) -> Pair | None:
        ahead, self._ahead = self._ahead, None
        return ahead or next(self._pairs, None)
