"""Of every kind of recording picture and sound leave, byte by byte where they were, and no more."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.backends.media.sniff import check_kind
from coach.rehearsals.undescribed.kinds import changes_of
from coach.rehearsals.undescribed.laying import MOST_PARTS, MOST_READS, laid
from tests.coach.rehearsals.told import (
    ATTACHMENTS,
    CLUSTER,
    DEVICE,
    EBML,
    ENDLESS,
    KINDS,
    PERSON,
    PLACE,
    SEEK_HEAD,
    SEGMENT,
    TAGS,
    TOLD,
    box,
    chunk,
    counting,
    decoded,
    element,
    leaving,
    recording,
    said,
    seek,
)


@pytest.fixture(params=KINDS)
def sent(request: pytest.FixtureRequest, tmp_path: Path) -> bytes:
    content = recording(tmp_path / "sent", **KINDS[request.param])
    assert any(each in content for each in TOLD)
    return content


def test_picture_and_sound_stay_as_they_were_and_nothing_is_told(sent: bytes) -> None:
    left = leaving(sent)
    assert len(left) == len(sent)
    assert not [each for each in TOLD if each in left or each.decode("latin-1") in said(left)]
    assert decoded(left) == decoded(sent)


def test_every_range_is_the_same_as_in_the_whole(sent: bytes) -> None:
    assert leaving(sent, 37) == leaving(sent)


def table(kind: bytes, *numbers: int, each: int = 1, before: bytes = b"", width: int = 4) -> bytes:
    count = (len(numbers) // each).to_bytes(4)
    return box(kind, bytes(4), before, count, *(number.to_bytes(width) for number in numbers))


def film_with_places(handler: bytes, *, is_of_one_size: bool = False, wide: bool = False) -> bytes:
    """Three samples in two chunks between the picture, and words on the way that stay."""
    places = [PLACE, PLACE, PLACE] if is_of_one_size else [PLACE, b"+1", PERSON]
    begins = box(b"ftyp", b"isom")
    media = b"".join((b"picture", places[0], places[1], b"sound", places[2], b"the end"))
    first = len(begins) + 8 + len(b"picture")
    second = first + len(places[0] + places[1]) + len(b"sound")
    sizes = (
        box(b"stsz", bytes(4), len(PLACE).to_bytes(4), (3).to_bytes(4))
        if is_of_one_size
        else table(b"stsz", *(len(place) for place in places), before=bytes(4))
    )
    chunks = table(b"stsc", 1, 2, 1, 2, 1, 1, each=3)
    where = table(b"co64" if wide else b"stco", first, second, 10**9, width=8 if wide else 4)
    kind = box(b"hdlr", bytes(8), handler, bytes(12))
    samples = box(b"minf", box(b"stbl", chunks, sizes, where))
    return begins + box(b"mdat", media) + box(b"moov", box(b"trak", box(b"mdia", kind, samples)))


@pytest.mark.parametrize("handler", [b"meta", b"camm", b"text", b"sbtl"])
@pytest.mark.parametrize("is_of_one_size", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_what_a_track_of_places_holds_goes_with_it(
    handler: bytes, *, is_of_one_size: bool, wide: bool
) -> None:
    content = film_with_places(handler, is_of_one_size=is_of_one_size, wide=wide)
    left = leaving(content)
    assert len(left) == len(content)
    assert not any(each in left for each in (PLACE, PERSON, b"+1", handler))
    for stays in (b"picture", b"sound", b"the end"):
        assert left.index(stays) == content.index(stays)


@pytest.mark.parametrize("handler", [b"vide", b"soun", b"tmcd"])
def test_what_is_seen_and_heard_stays(handler: bytes) -> None:
    content = film_with_places(handler)
    assert leaving(content) == content


def test_a_table_that_leads_out_of_the_media_empties_nothing_there() -> None:
    content = film_with_places(b"meta").replace(b"mdat", b"wide")
    assert leaving(content)[: content.index(b"moov")] == content[: content.index(b"moov")]


def test_what_stands_behind_the_picture_is_found_by_the_index() -> None:
    clusters = element(CLUSTER, b"picture") * (2 * MOST_PARTS)
    at = len(element(SEEK_HEAD, seek(TAGS, 0), seek(ATTACHMENTS, 0))) + len(clusters)
    tags, files = element(TAGS, PLACE), element(ATTACHMENTS, PERSON)
    index = element(SEEK_HEAD, seek(TAGS, at), seek(ATTACHMENTS, at + len(tags)))
    content = element(EBML) + element(SEGMENT, index, clusters, tags, files)
    left = leaving(content)
    assert len(left) == len(content)
    assert not any(each in left for each in TOLD)
    assert left.startswith(content[: -len(tags + files)])
    assert left[-len(tags + files) :].startswith(b"\xec\x01")


def test_without_an_index_and_without_lengths_as_well() -> None:
    segment = SEGMENT.to_bytes(4) + ENDLESS
    cluster = CLUSTER.to_bytes(4) + ENDLESS + element(0xA3, b"picture")
    content = element(EBML) + segment + cluster + cluster + element(TAGS, PLACE) + cluster
    left = leaving(content)
    assert (len(left), PLACE in left, left.count(b"picture")) == (len(content), False, 3)


@pytest.mark.parametrize("length", [5, 6, 8, 9, 20])
def test_short_elements_are_emptied_too(length: int) -> None:
    tags = TAGS.to_bytes(4) + bytes([0x80 | (length - 5)]) + b"w" * (length - 5)
    content = element(EBML) + element(SEGMENT, tags, element(CLUSTER, b"picture"))
    left = leaving(content)
    assert b"w" not in left
    assert left.endswith(element(CLUSTER, b"picture"))
    assert len(left) == len(content)


def id3(*, footer: bool = False) -> bytes:
    frame = b"APIC\0\0\0\x20\0\0" + PERSON.ljust(32)
    head = bytes([4, 0, 0x10 * footer, 0, 0, 0, len(frame)])
    return b"ID3" + head + frame + (b"3DI" + head if footer else b"")


def ape() -> bytes:
    item = len(PLACE).to_bytes(4, "little") + bytes(4) + b"Where\0" + PLACE
    count = (
        (2000).to_bytes(4, "little") + (32 + len(item)).to_bytes(4, "little") + bytes([1, 0, 0, 0])
    )
    head, foot = (
        b"APETAGEX" + count + flags + bytes(8) for flags in (b"\0\0\0\xa0", b"\0\0\0\x80")
    )
    return head + item + foot


def test_tags_before_and_behind_sound_become_empty_ones(tmp_path: Path) -> None:
    sound = recording(tmp_path / "mp3", **{**KINDS["mp3"], "options": {"id3v2_version": "0"}})
    sound = sound[: sound.index(b"TAG")] if b"TAG" in sound else sound
    old = b"TAG" + PERSON.ljust(124) + b"\1"
    enhanced = b"TAG+" + PERSON.ljust(223)
    content = id3(footer=True) + id3() + sound + ape() + enhanced + old
    left = leaving(content)
    assert len(left) == len(content)
    assert not any(each in left for each in TOLD)
    assert sound in left
    assert decoded(left) == decoded(content)
    assert left.endswith(b"TAG+" + bytes(223) + b"TAG" + bytes(124) + b"\xff")


def test_a_tag_behind_sound_that_begins_with_junk_becomes_an_empty_one(tmp_path: Path) -> None:
    sound = recording(tmp_path / "mp3", **{**KINDS["mp3"], "options": {"id3v2_version": "0"}})
    content = bytes(100) + sound + b"TAG" + PERSON.ljust(124) + b"\1"
    check_kind(content)
    left = leaving(content)
    assert PERSON not in left
    assert left[:-128] == content[:-128]


def test_a_picture_in_flac_becomes_padding(tmp_path: Path) -> None:
    content = recording(tmp_path / "flac", **KINDS["flac"])
    first = 4 + 4 + 34
    picture = bytes([6]) + len(PLACE).to_bytes(3) + PLACE
    content = id3() + content[:first] + picture + content[first:]
    left = leaving(content)
    assert not any(each in left for each in TOLD)
    assert decoded(left)[-1] == decoded(content)[-1]


def test_chunks_of_recorders_become_junk() -> None:
    inside = b"".join(
        (
            *(chunk(b"bext", PERSON), chunk(b"fmt ", b"f" * 16), chunk(b"iXML", DEVICE)),
            *(chunk(b"data", b"bext LIST sound"), chunk(b"LIST", b"INFO" + PLACE)),
            *(chunk(b"LIST", b"adtl" + PERSON), chunk(b"id3 ", PLACE), chunk(b"cue ", b"kept")),
            *(chunk(b"JUNK", DEVICE), chunk(b"FLLR", DEVICE)),
        )
    )
    content = chunk(b"RIFF", b"WAVE" + inside)
    left = leaving(content)
    assert len(left) == len(content)
    assert not any(each in left for each in TOLD)
    assert left.count(b"JUNK") == 7
    for stays in (b"bext LIST sound", b"f" * 16, b"kept"):
        assert left.index(stays) == content.index(stays)


def test_files_that_are_broken_or_hostile_end_soon_and_keep_their_length(sent: bytes) -> None:
    chance = random.Random(1)  # noqa: S311
    for _ in range(60):
        broken = bytearray(sent[: chance.randrange(1, len(sent))])
        for _ in range(chance.randrange(1, 40)):
            broken[chance.randrange(min(len(broken), 4_000))] = chance.choice((0, 1, 127, 255))
        read, asked = counting(bytes(broken))
        changes = changes_of(read, len(broken))
        assert len(asked) <= MOST_READS + 3
        assert all(0 <= each.start < each.end <= len(broken) for each in changes)
        assert len(leaving(bytes(broken), 999)) == len(broken)


NESTED = {
    "boxes": b"".join((8 * n).to_bytes(4) + b"moov" for n in range(5_000, 0, -1)),
    "tracks": b"".join((8 * n).to_bytes(4) + b"trak" for n in range(5_000, 0, -1)),
    "tables": box(b"ftyp", b"isom")
    + b"".join(
        (8 * (5_003 - n)).to_bytes(4) + kind
        for n, kind in enumerate((b"moov", b"trak", b"mdia", b"minf", *[b"stbl"] * 4_999))
    ),
    "descriptions": b"FLV\1" + bytes(9) + b"\x12\0\xff\xff" + bytes(7) + b"\x03\0\1a" * 16_000,
    "objects": bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
    + b"\xff" * 7
    + b"\0"
    + bytes(6)
    + (bytes(16) + b"\x18" + bytes(7)) * 5_000,
    "segments": element(EBML) + (SEGMENT.to_bytes(4) + ENDLESS) * 5_000,
    "tags": b"ID3\4\0\0\0\0\0\0" * 5_000,
    "chunks": b"RIFF\0\0\0\0WAVE" * 5_000,
    "blocks": b"fLaC" + bytes(20_000),
    "pages": (b"OggS" + bytes(22) + b"\1\0") * 5_000,
    "streams": b"".join(
        b"OggS" + bytes(10) + n.to_bytes(4) + bytes(8) + b"\1\0" for n in range(5_000)
    ),
}


@pytest.mark.parametrize("content", NESTED.values(), ids=NESTED)
def test_a_file_of_nothing_but_parts_is_looked_through_to_some_number_of_them(
    content: bytes,
) -> None:
    content += bytes(10**6)
    read, asked = counting(content)
    changes_of(read, len(content))
    assert sum(asked) < 10**6
    assert len(asked) <= MOST_READS + 3


def checksum(page: bytes) -> int:
    """RFC 3533, 6, bit by bit."""
    found = 0
    for byte in page[:22] + bytes(4) + page[26:]:
        found ^= byte << 24
        for _ in range(8):
            found = (found << 1 ^ (0x04C11DB7 if found >> 31 else 0)) & 0xFFFFFFFF
    return found


def test_comments_behind_the_beginning_of_a_stream_that_we_do_not_know_are_emptied_too(
    tmp_path: Path,
) -> None:
    told = recording(tmp_path / "ogg", **KINDS["opus"])
    skeleton = b"fishead\0\3" + bytes(55)
    page = b"OggS\0\2" + bytes(8) + b"skel" + bytes(8) + bytes([1, len(skeleton)]) + skeleton
    page = page[:22] + checksum(page).to_bytes(4, "little") + page[26:]
    left = leaving(page + told)
    assert left.startswith(page)
    assert not any(each in left for each in TOLD)
    assert decoded(left)[-1] == decoded(told)[-1]


def test_each_page_of_ogg_has_its_checksum(tmp_path: Path) -> None:
    left, at, pages = leaving(recording(tmp_path / "ogg", **KINDS["opus, much told"])), 0, 0
    while at < len(left):
        lacing = left[at + 27 : at + 27 + left[at + 26]]
        page = left[at : at + 27 + len(lacing) + sum(lacing)]
        assert int.from_bytes(page[22:26], "little") == checksum(page)
        at, pages = at + len(page), pages + 1
    assert pages > 5


def live_webm(*, has_lengths: bool) -> bytes:
    """As browsers record it: no index, no length of the whole, frames of some kilobytes."""
    frame = element(0xA3, b"picture" * 1_000)
    begins = element(EBML) + SEGMENT.to_bytes(4) + ENDLESS + element(TAGS, PLACE)
    if has_lengths:
        return begins + element(CLUSTER, frame * 10) * 200
    return begins + (CLUSTER.to_bytes(4) + ENDLESS + frame * 10) * 200


def fragmented() -> bytes:
    begins = box(b"ftyp", b"isom") + box(b"moov", box(b"udta", PLACE), box(b"mvex"))
    return begins + (box(b"moof", bytes(500)) + box(b"mdat", bytes(50_000))) * 300


BY_BROWSERS: dict[str, Callable[[], bytes]] = {
    "frames": lambda: live_webm(has_lengths=False),
    "clusters": lambda: live_webm(has_lengths=True),
    "fragments": fragmented,
}
"""Tens of megabytes, made where they are looked at: each worker collects this file."""


@pytest.mark.parametrize("made", BY_BROWSERS.values(), ids=BY_BROWSERS)
def test_what_a_browser_records_is_looked_at_by_few_reads(made: Callable[[], bytes]) -> None:
    content = made()
    read, asked = counting(content)
    changes = changes_of(read, len(content))
    assert PLACE not in b"".join(laid(iter([content]), 0, changes))
    assert len(asked) <= 60
    assert sum(asked) < 2 * 10**6


def test_so_many_chunks_of_tracks_that_tell_are_looked_up_and_no_more() -> None:
    nowhere = table(b"stco", *[10**9] * 20_000)
    one_each = table(b"stsc", 1, 1, 1, each=3) + table(b"stsz", 1, before=bytes(4))
    kind = box(b"hdlr", bytes(8), b"meta", bytes(12))
    track = box(b"trak", box(b"mdia", kind, box(b"minf", box(b"stbl", one_each, nowhere))))
    content = box(b"ftyp", b"isom") + box(b"mdat", b"picture") + box(b"moov", track * 40)
    read, asked = counting(content)
    assert b"picture" in b"".join(laid(iter([content]), 0, changes_of(read, len(content))))
    assert sum(length > len(nowhere) // 2 for length in asked) == 1
