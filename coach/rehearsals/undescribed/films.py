"""MP4 and QuickTime files (ISO/IEC 14496-12): what playing does not need becomes free space.

What makers of cameras write has no end of names, and stands anywhere; what a player needs is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from coach.rehearsals.undescribed import samples
from coach.rehearsals.undescribed.boxes import Box, boxes_in, found, freed
from coach.rehearsals.undescribed.laying import Overlay, Window

FIRST = frozenset(
    {b"ftyp", b"moov", b"mdat", b"moof", b"styp", b"sidx", b"wide", b"free", b"skip", b"pnot"}
)
"""What such a file begins with."""
_TELLING = frozenset({b"udta", b"meta", b"uuid"})
"""Words of users, descriptions, and what programs add (XMP among it)."""
_STAY = {
    b"": frozenset({b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"imda", b"mfra"})
    | frozenset({b"sidx", b"ssix", b"prft", b"pdin", b"wide"}),
    b"moov": frozenset({b"mvhd", b"iods", b"mvex", b"cmov"}),
    b"trak": frozenset({b"tkhd", b"tapt", b"edts", b"tref", b"trgr", b"load", b"clip", b"matt"})
    | frozenset({b"mdia"}),
    b"mdia": frozenset({b"mdhd", b"hdlr", b"elng", b"minf"}),
    b"minf": frozenset({b"vmhd", b"smhd", b"hmhd", b"nmhd", b"gmhd", b"hdlr", b"dinf", b"stbl"}),
}
"""What a player needs, by what it stands in; outermost in nothing. Within others all but what is
known to tell."""
_OPEN = {b"trak": b"mdia", b"mdia": b"minf", b"minf": b"stbl"}
"""What tells may stand in these too, each in the one before."""
_SEEN_OR_HEARD = frozenset({b"vide", b"soun", b"auxv", b"hint", b"tmcd"})
"""Tracks that leave; others tell places, movements or words moment by moment."""
_ENCODED = frozenset({b"avc1", b"avc3", b"hvc1", b"hev1", b"av01", b"vp09", b"mp4v", b"jpeg"})
"""Pictures in whose description the encoder's name is nothing but that."""


@dataclass(slots=True)
class _Film:
    """What was met on the way through its boxes."""

    media: list[Box] = field(default_factory=list)
    """Within these alone samples are emptied."""
    stays: list[Box] = field(default_factory=list)
    """Tracks of picture and sound."""
    goes: list[Box] = field(default_factory=list)
    odd: list[Box] = field(default_factory=list)
    """Outermost boxes for which no player asks."""
    is_described: bool = False
    is_fragmented: bool = False
    told: list[Overlay] = field(default_factory=list)
    """Where samples of tracks that tell lie."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Tracks that go on in fragments, and how long each sample is that does not say it."""


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The boxes that tell more than picture and sound, and the samples of such tracks."""
    film = _Film()
    for box in boxes_in(window, start, window.size):
        if box.kind == b"moof" and film.is_described and not film.goes:
            # Browsers record thousands of fragments; behind the first nothing is described.
            film.is_fragmented = True
            break
        yield from _outermost(window, box, film)
    film.told += samples.of_tracks(window, film.goes)
    yield from samples.within(film.media, film.told)
    if any(box.inner < box.end for box in film.odd) and _is_whole(window, film):
        yield from _odd(window, film.odd)


def _outermost(window: Window, box: Box, film: _Film) -> Iterator[Overlay]:
    if box.kind == b"moov":
        yield from _in_film(window, box, film)
    elif box.kind == b"moof":
        yield from _in_fragment(window, box, film)
    elif box.kind in _TELLING:
        yield from freed(box)
    elif box.kind == b"mdat":
        film.media.append(box)
    elif box.kind not in _STAY[b""]:
        film.odd.append(box)


def _in_film(window: Window, moov: Box, film: _Film) -> Iterator[Overlay]:
    for box in boxes_in(window, moov.inner, moov.end):
        if box.kind == b"trak" and _is_seen_or_heard(window, box):
            film.stays.append(box)
            yield from _in_track(window, box)
        elif box.kind not in _STAY[b"moov"]:
            if box.kind == b"trak":
                film.goes.append(box)
            yield from freed(box)
    film.is_described = True
    film.sizes = samples.default_sizes(window, moov, film.goes) if film.goes else {}


def _is_seen_or_heard(window: Window, track: Box) -> bool:
    """Others describe these moment by moment: places, for instance."""
    handler = found(window, track, b"mdia", b"hdlr")
    return handler is None or window.bytes_at(handler.inner + 8, 4) in _SEEN_OR_HEARD


def _in_track(window: Window, parent: Box) -> Iterator[Overlay]:
    stay = _STAY.get(parent.kind)
    for box in boxes_in(window, parent.inner, parent.end):
        if box.kind in _TELLING or (stay is not None and box.kind not in stay):
            yield from freed(box)
        elif box.kind == _OPEN.get(parent.kind):
            yield from _in_track(window, box)
        elif box.kind == b"hdlr":
            # Who made it and a name, behind what kind of track it is.
            yield Overlay(box.inner + 12, box.end)
        elif box.kind == b"dinf":
            yield from _in_references(window, box)
        elif box.kind == b"stsd":
            yield from _in_descriptions(window, box)


def _in_references(window: Window, parent: Box) -> Iterator[Overlay]:
    """Where else the samples may lie: the path in somebody's folders."""
    for box in boxes_in(window, parent.inner, parent.end):
        if box.kind == b"dref":
            for each in boxes_in(window, box.inner + 8, box.end):
                yield Overlay(each.inner + 4, each.end)


def _in_descriptions(window: Window, stsd: Box) -> Iterator[Overlay]:
    """Whose encoder it was (QuickTime File Format, video sample description)."""
    for each in boxes_in(window, stsd.inner + 8, stsd.end):
        if each.kind in _ENCODED:
            for start, length in ((12, 4), (42, 32)):
                yield Overlay(each.inner + start, min(each.inner + start + length, each.end))


def _in_fragment(window: Window, moof: Box, film: _Film) -> Iterator[Overlay]:
    film.is_fragmented = True
    for box in boxes_in(window, moof.inner, moof.end):
        if box.kind in _TELLING:
            yield from freed(box)
        elif box.kind == b"traf" and film.sizes:
            told = samples.of_fragment(window, moof, box, film.sizes)
            if told is not None:
                film.told += told
                yield from freed(box)


def _is_whole(window: Window, film: _Film) -> bool:
    """Whether all that is seen and heard lies where the boxes say that it does.

    Where a length is wrong, what looks like a box may be in the middle of the picture.
    """
    for track in film.stays:
        starts = samples.starts_of(window, track)
        is_known = starts is not None and (film.is_fragmented or len(starts) > 0)
        if not is_known or not samples.are_within(film.media, starts or ()):
            return False
    return True


def _odd(window: Window, boxes: list[Box]) -> Iterator[Overlay]:
    for box in boxes:
        if not box.is_one:
            # No box: what a maker wrote behind the last one.
            yield Overlay(box.start, window.size, bytes(4) + b"free")
            return
        yield from freed(box)
