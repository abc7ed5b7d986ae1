"""Matroska and WebM (RFC 9559): tags, chapters, attached files and names become empty.

They become void elements (RFC 8794), or a text without a letter where there has to be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from coach.rehearsals.undescribed.laying import Overlay, Window

_SEGMENT, _CLUSTER, _CUES, _EMPTY = 0x18538067, 0x1F43B675, 0x1C53BB6B, 0xEC
_SEEK_HEAD, _SEEK, _SEEK_ID, _SEEK_POSITION = 0x114D9B74, 0x4DBB, 0x53AB, 0x53AC
_INFO, _TITLE, _FILE_NAME, _EARLIER_NAME, _LATER_NAME = (
    0x1549A966,
    0x7BA9,
    0x7384,
    0x3C83AB,
    0x3E83BB,
)
_WITH_WHAT = frozenset({0x4D80, 0x5741})
"""The programs that made it, which have to be named."""
_TRACKS, _TRACK, _NAME, _CODEC_NAME, _CODEC_SETTINGS = 0x1654AE6B, 0xAE, 0x536E, 0x258688, 0x3A9697
_CHECKSUM = 0xBF
_TAGS, _ATTACHMENTS, _CHAPTERS = 0x1254C367, 0x1941A469, 0x1043A770
_TELLING = frozenset({_TAGS, _ATTACHMENTS, _CHAPTERS})
_INSIDE = frozenset({_INFO, _TRACKS, _TRACK})
_TELLING_INSIDE = frozenset({_TITLE, _FILE_NAME, _EARLIER_NAME, _LATER_NAME, _NAME}) | frozenset(
    {_CODEC_NAME, _CODEC_SETTINGS, _CHECKSUM}
)
"""The checksum stands for what is changed."""
_OUTERMOST = _TELLING | {_SEEK_HEAD, _INFO, _TRACKS, _CLUSTER, _CUES, _EMPTY, _CHECKSUM}
_NAMED = _TELLING | {_SEEK_HEAD, _INFO, _TRACKS}
_MARKS = re.compile(b"|".join(re.escape(each.to_bytes(4)) for each in sorted(_TELLING)))
_TAIL_BYTES = 64 * 1024
"""In so much of the end what tells is looked for that no index names."""
_MOST_AMID = 50
"""Elements from the first cluster on; whoever writes no index writes tags before it."""
_MOST_HEADER = 12


@dataclass(frozen=True, slots=True)
class Element:
    """Where an element begins, where what it holds begins, and where it ends."""

    start: int
    inner: int
    end: int
    id: int
    is_cut: bool = False
    """Whether it says that it reaches farther."""


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The elements that tell more than picture and sound."""
    for element in _elements(window, start, window.size):
        if element.id == _SEGMENT:
            yield from _in_segment(window, element)
            if element.end == window.size:
                return


def _in_segment(window: Window, segment: Element) -> Iterator[Overlay]:
    """What stands before the picture, and behind it what the index names.

    Without an index a little of the picture is looked through: browsers record without one, and
    in clusters without a length each frame is an element.
    """
    named: list[int] = []
    amid = 0
    for element in _elements(window, segment.inner, segment.end):
        amid += bool(amid) or element.id == _CLUSTER
        if amid and (named or amid > _MOST_AMID):
            break
        if element.id == _SEEK_HEAD:
            named += _named(window, element)
        yield from _emptied(window, element)
    for number, position in enumerate(named):
        at = segment.inner + position
        for element in islice(_elements(window, at, segment.end), 1):
            if element.id == _SEEK_HEAD and number < _MOST_AMID:
                named += _named(window, element)
            yield from _emptied(window, element)
    yield from _at_the_end(window, segment)


def _at_the_end(window: Window, segment: Element) -> Iterator[Overlay]:
    """What a program wrote behind the picture without telling the index.

    From there on one element must follow the other up to the very end: bytes of a picture that look
    like one are passed over.
    """
    start = max(segment.end - _TAIL_BYTES, segment.inner)
    tail = window.bytes_at(start, segment.end - start)
    for mark in islice(_MARKS.finditer(tail), _MOST_AMID):
        behind = list(_elements(window, start + mark.start(), segment.end))
        if behind[-1:] and behind[-1].end == segment.end and all(map(_is_believed, behind)):
            for element in behind:
                yield from _emptied(window, element)
            return


def _is_believed(element: Element) -> bool:
    return element.id in _OUTERMOST and not element.is_cut


def _emptied(window: Window, element: Element) -> Iterator[Overlay]:
    if element.id in _TELLING:
        yield _void(element)
    elif element.id in _INSIDE:
        for inner in _elements(window, element.inner, element.end):
            if inner.id in _TELLING_INSIDE:
                yield _void(inner)
            elif inner.id in _WITH_WHAT:
                yield Overlay(inner.inner, inner.end)
            elif element.id == _TRACKS and inner.id == _TRACK:
                yield from _emptied(window, inner)


def _void(element: Element) -> Overlay:
    length = element.end - element.start
    width = 8 if length > 8 else 1
    size = (1 << 7 * width) | (length - 1 - width)
    return Overlay(element.start, element.end, bytes([_EMPTY]) + size.to_bytes(width))


def _named(window: Window, head: Element) -> Iterator[int]:
    """Where the index says that something tells, counted from where its segment begins."""
    for seek in _elements(window, head.inner, head.end):
        said = {
            inner.id: int.from_bytes(window.bytes_at(inner.inner, min(inner.end - inner.inner, 8)))
            for inner in _elements(window, seek.inner, seek.end)
        }
        if seek.id == _SEEK and said.get(_SEEK_ID) in _NAMED:
            yield said.get(_SEEK_POSITION, 0)


def _elements(window: Window, start: int, end: int) -> Iterator[Element]:
    """One after the other; in those without a length (a segment, a cluster) the inner ones."""
    at = start
    while at < end and window.take_part():
        head = window.bytes_at(at, min(_MOST_HEADER, end - at))
        width = _width(head, 0)
        size_width = _width(head, width)
        inner = at + width + size_width
        if not 0 < width <= 4 or not size_width or inner > end:
            return
        size = int.from_bytes(head[width : width + size_width]) & ((1 << 7 * size_width) - 1)
        is_endless = size == (1 << 7 * size_width) - 1
        number = int.from_bytes(head[:width])
        element_end = end if is_endless else min(inner + size, end)
        yield Element(at, inner, element_end, number, not is_endless and inner + size > end)
        at = inner if is_endless else inner + size


def _width(head: bytes, at: int) -> int:
    """How many bytes a number has, by the zeros before its first one; 0 where it has none."""
    return 9 - head[at].bit_length() if at < len(head) and head[at] else 0
