"""The boxes of MP4 and QuickTime files (ISO/IEC 14496-12): where they lie, and emptying one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coach.rehearsals.undescribed.laying import Overlay, Window

HEADER = 8
_LONG_HEADER = 16


@dataclass(frozen=True, slots=True)
class Box:
    """Where a box begins, where what it holds begins, and where it ends."""

    start: int
    inner: int
    end: int
    kind: bytes

    @property
    def is_one(self) -> bool:
        """Whether its kind is written in signs that can be read, as all are."""
        return bool(self.kind) and all(
            0x20 <= byte < 0x7F or byte == ord("©") for byte in self.kind
        )


def boxes_in(window: Window, start: int, end: int) -> Iterator[Box]:
    """One after the other; what is too short for a box is the last, and is none."""
    at = start
    while at + HEADER <= end and window.take_part():
        head = window.bytes_at(at, _LONG_HEADER)
        if len(head) < HEADER:
            return
        length, kind, header = int.from_bytes(head[:4]), head[4:HEADER], HEADER
        if length == 1:  # It has 64 bits and stands behind the kind.
            length, header = int.from_bytes(head[HEADER:]), _LONG_HEADER
        elif length == 0:  # To the end.
            length = end - at
        if length < header:
            yield Box(at, at + HEADER, end, b"")
            return
        yield Box(at, min(at + header, end), min(at + length, end), kind)
        at += length


def found(window: Window, box: Box, *path: bytes) -> Box | None:
    """The first box of these kinds, each within the one before."""
    held: Box | None = box
    for kind in path:
        if held is None:
            return None
        inside = boxes_in(window, held.inner, held.end)
        held = next((each for each in inside if each.kind == kind), None)
    return held


def freed(box: Box) -> Iterator[Overlay]:
    """Free space with the same header but for its kind."""
    yield Overlay(box.start + 4, box.start + HEADER, b"free")
    yield Overlay(box.inner, box.end)
