"""What makers of cameras and programs add, in places that no standard names, leaves with nobody."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.rehearsals.undescribed.kinds import changes_of
from coach.rehearsals.undescribed.laying import MOST_BYTES, MOST_READS, laid
from tests.coach.rehearsals.told import (
    CLUSTER,
    EBML,
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
    seek,
)

FAST = {**KINDS["mp4"], "options": {"movflags": "+faststart"}}
IN_PIECES = {**KINDS["mp4"], "options": {"movflags": "frag_keyframe+empty_moov"}}


RECORDED = "frag_keyframe+empty_moov+default_base_moof"


@cache
def made(kind: str) -> bytes:
    with TemporaryDirectory() as folder:
        kinds = {**KINDS, "fast": FAST, "in pieces": IN_PIECES}
        return recording(Path(folder) / "made", **kinds[kind])


def is_clean(left: bytes, content: bytes) -> bool:
    return len(left) == len(content) and not any(each in left for each in TOLD)


TRAILER = b"\xf0\x12\x00\x01 of a camera that looks all around" + PLACE * 40 + b"8db42d694ccc4187"


@pytest.mark.parametrize(
    "behind",
    [
        box(b"sefd", b"Samsung" + PERSON),
        box(b"uuid", bytes.fromhex("be7acfcb97a942e89c71999491e3afac") + b"<x:xmpmeta>" + PERSON),
        box(b"free", PLACE) + box(b"skip", b"CNDA" + PLACE),
        box(b"GPS ", PLACE) + box(b"frea", PERSON),
        TRAILER,
        b"\0\0\0\3" + PLACE,
        bytes(8) + PLACE,
        box(b"free") + TRAILER,
    ],
)
@pytest.mark.parametrize("kind", ["mp4", "fast"])
def test_what_stands_behind_a_film(kind: str, behind: bytes) -> None:
    content = made(kind) + behind
    left = leaving(content)
    assert is_clean(left, content)
    assert decoded(left) == decoded(made(kind))
    assert leaving(left) == left


def test_what_stands_before_the_fragments_of_a_film(tmp_path: Path) -> None:
    film = recording(tmp_path / "made", **KINDS["mp4"] | {"options": {"movflags": RECORDED}})
    begins = int.from_bytes(film[:4])
    odd = box(b"free", PLACE) + box(b"GPS ", PERSON)
    content = film[:begins] + odd + film[begins:]
    left = leaving(content)
    assert is_clean(left, content)
    assert decoded(left) == decoded(film)


def within(content: bytes, path: tuple[bytes, ...], more: bytes) -> bytes:
    """The film with more at the end of a box, and all around it longer."""
    start, end = 0, len(content)
    for kind in path:
        start = content.index(kind, start, end)
        end = start - 4 + int.from_bytes(content[start - 4 : start])
    grown = bytearray(content[:end] + more + content[end:])
    start = 0
    for kind in path:
        start = content.index(kind, start)
        grown[start - 4 : start] = (
            int.from_bytes(content[start - 4 : start]) + len(more)
        ).to_bytes(4)
    return bytes(grown)


@pytest.mark.parametrize(
    "path",
    [
        (b"moov",),
        (b"moov", b"trak"),
        (b"moov", b"trak", b"mdia"),
        (b"moov", b"trak", b"mdia", b"minf"),
        (b"moov", b"trak", b"mdia", b"minf", b"stbl"),
    ],
)
@pytest.mark.parametrize("kind", [b"udta", b"meta", b"uuid"])
def test_words_of_users_in_whatever_part_of_a_film(path: tuple[bytes, ...], kind: bytes) -> None:
    content = within(made("mp4"), path, box(kind, PLACE + PERSON))
    left = leaving(content)
    assert is_clean(left, content)
    assert decoded(left)[-1] == decoded(content)[-1]


def test_names_of_makers_in_what_a_player_needs() -> None:
    content = bytearray(made("mp4"))
    name = content.index(b"VideoHandler")
    content[name : name + 12] = PERSON.ljust(12)
    encoder = content.index(b"avc1", content.index(b"stsd")) + 4 + 42
    content[encoder : encoder + 32] = b"\x1f" + PERSON.ljust(31)
    left = leaving(bytes(content))
    assert is_clean(left, bytes(content))
    assert decoded(left) == decoded(made("mp4"))


def test_the_folder_in_which_somebody_cut_a_film() -> None:
    alias = box(b"alis", bytes(3) + b"\1" + b"/Users/" + PERSON)
    references = box(b"dinf", box(b"dref", bytes(4) + (1).to_bytes(4) + alias))
    handler = box(b"hdlr", bytes(8) + b"vide" + bytes(12) + PERSON)
    film = box(b"moov", box(b"trak", box(b"mdia", handler, box(b"minf", references))))
    content = box(b"ftyp", b"qt  ") + film
    left = leaving(content)
    assert is_clean(left, content)
    assert b"alis\0\0\0\1" in left


def test_where_the_boxes_are_wrong_a_film_plays_as_well_as_before() -> None:
    content = bytearray(made("fast"))
    media = content.index(b"mdat") - 4
    content[media : media + 4] = (200).to_bytes(4)
    content = content[: media + 200] + b"\0\0\0\x10odd " + content[media + 208 :]
    assert leaving(bytes(content))[media:] == content[media:]
    assert decoded(leaving(bytes(content)))[-1]


TREX = box(b"trex", bytes(4), *(n.to_bytes(4) for n in (7, 1, 0, len(PLACE), 0)))


def in_fragments(run: bytes, header: bytes, samples: bytes) -> bytes:
    track = box(
        b"trak",
        box(b"tkhd", bytes(12) + (7).to_bytes(4) + bytes(60)),
        box(b"mdia", box(b"hdlr", bytes(8) + b"meta" + bytes(12))),
    )
    begins = box(b"ftyp", b"isom") + box(b"moov", track, box(b"mvex", TREX))
    other = box(b"traf", box(b"tfhd", bytes(4) + (1).to_bytes(4)), box(b"trun", bytes(8)))
    return (
        begins
        + (
            box(b"moof", box(b"mfhd", bytes(8)), other, box(b"traf", header, run))
            + box(b"mdat", b"picture" + samples + b"the end")
        )
        * 3
    )


def test_tables_that_are_longer_than_those_of_any_film_are_not_all_read() -> None:
    sizes = box(b"stsz", bytes(8), number(250_000), bytes(10**6))
    places = box(b"stco", bytes(4), number(250_000), bytes(10**6))
    runs = box(b"stsc", bytes(4), number(1), number(1), number(1), number(1))
    tables = box(b"minf", box(b"stbl", sizes, runs, places))
    seen, told = (
        box(b"trak", box(b"mdia", box(b"hdlr", bytes(8), kind, bytes(12)), tables))
        for kind in (b"vide", b"meta")
    )
    begins = box(b"ftyp", b"isom") + box(b"moov", seen * 20, told * 20)
    content = begins + box(b"mdat", b"picture") + box(b"odd ", PLACE)
    read, asked = counting(content)
    assert b"picture" in b"".join(laid(iter([content]), 0, changes_of(read, len(content))))
    assert sum(asked) <= MOST_BYTES


def number(value: int) -> bytes:
    return value.to_bytes(4)


@pytest.mark.parametrize(
    ("flags", "rest", "samples"),
    [
        (0x1, b"", PLACE * 2),
        (0x201, number(len(PLACE)) + number(len(PERSON)), PLACE + PERSON),
        (0x301, number(9) + number(len(PLACE)) + number(9) + number(len(PERSON)), PLACE + PERSON),
    ],
)
def test_places_in_the_fragments_of_a_film(flags: int, rest: bytes, samples: bytes) -> None:
    header = box(b"tfhd", number(0x20000) + number(7))
    length = len(box(b"trun", bytes(12) + rest))
    whole = 16 + 8 + len(box(b"traf", box(b"tfhd", bytes(8)), box(b"trun", bytes(8))))
    whole += 8 + len(header) + length
    run = box(b"trun", number(flags) + number(2) + number(whole + 8 + len(b"picture")) + rest)
    content = in_fragments(run, header, samples)
    left = leaving(content)
    assert is_clean(left, content)
    for stays in (b"picture", b"the end", b"moof", b"mdat"):
        assert left.count(stays) == 3
    assert left.count(b"traf") == 3


def test_places_whose_fragments_say_where_they_lie_in_the_file() -> None:
    empty = in_fragments(b"", b"", b"")
    header = box(
        b"tfhd", number(0x1 | 0x2 | 0x8 | 0x10) + number(7) + bytes(8) + bytes(8) + number(5)
    )
    film = in_fragments(box(b"trun", number(0) + number(1)), header, b"Paris")
    base = film.index(b"Paris")
    film = film.replace(header, header.replace(bytes(16), base.to_bytes(8) + bytes(8)), 1)
    left = leaving(film)
    assert (len(left), left.count(b"Paris")) == (len(film), 2)
    assert leaving(empty).count(b"picturethe end") == 3


CHAPTERS, INFO, WITH = 0x1043A770, 0x1549A966, 0x4D80


def test_chapters_and_the_program_of_a_matroska_file() -> None:
    chapters = element(CHAPTERS, element(0x45B9, element(0xB6, element(0x80, PERSON))))
    info = element(INFO, element(WITH, PERSON), element(0x5741, PLACE), element(0x3C83AB, PLACE))
    content = element(EBML) + element(SEGMENT, info, chapters, element(CLUSTER, b"picture"))
    left = leaving(content)
    assert is_clean(left, content)
    assert element(WITH, bytes(len(PERSON))) in left
    assert left.endswith(element(CLUSTER, b"picture"))


def test_tags_behind_the_picture_that_no_index_names() -> None:
    index = element(SEEK_HEAD, seek(INFO, 0))
    clusters = element(CLUSTER, b"picture") * 90
    behind = element(0x1C53BB6B, b"cues"), element(TAGS, PLACE), element(0xEC, bytes(9))
    content = element(EBML) + element(SEGMENT, index, element(INFO), clusters, *behind)
    left = leaving(content)
    assert is_clean(left, content)
    assert left[: content.index(behind[1])] == content[: content.index(behind[1])]


def test_a_picture_that_looks_like_tags_stays() -> None:
    frames = element(CLUSTER, TAGS.to_bytes(4) + b"\x85" + PLACE) * 90
    content = element(EBML) + element(SEGMENT, element(SEEK_HEAD, seek(INFO, 0)), frames)
    assert leaving(content) == content


def test_an_index_behind_the_picture_is_followed() -> None:
    clusters = element(CLUSTER, b"picture" * 2_000) * 90
    first = element(SEEK_HEAD, seek(SEEK_HEAD, 0))
    tags, cues = element(TAGS, PLACE), element(0x1C53BB6B, bytes(90_000))
    last = element(SEEK_HEAD, seek(TAGS, len(first) + len(clusters)))
    first = element(SEEK_HEAD, seek(SEEK_HEAD, len(first) + len(clusters + tags + cues)))
    content = element(EBML) + element(SEGMENT, first, clusters, tags, cues, last)
    assert is_clean(leaving(content), content)


@pytest.mark.parametrize("kind", ["avi", "wav"])
def test_what_was_recorded_stays_where_the_recorder_stopped_before_its_end(kind: str) -> None:
    whole = made(kind)
    content = bytearray(whole[: whole.index(b"idx1")] if kind == "avi" else whole)
    mark = b"movi" if kind == "avi" else b"data"
    length = content.index(mark) + (-4 if kind == "avi" else 4)
    content[4:8] = content[length : length + 4] = bytes(4)
    left = leaving(bytes(content))
    assert left[length:] == content[length:]
    assert PERSON not in left[:length]
    assert decoded(left) == decoded(bytes(content))


def test_what_a_camera_says_of_itself_beside_a_stream() -> None:
    told = chunk(b"strd", b"AVIFNikon" + PLACE)
    needed = chunk(b"strd", b"decoder")
    stream = chunk(b"LIST", b"strl" + chunk(b"strh", b"h" * 56) + needed + told)
    movie = chunk(b"LIST", b"movi" + chunk(b"00dc", b"picture"))
    maker = chunk(b"LIST", b"ncdt" + chunk(b"nctg", PERSON))
    content = chunk(b"RIFF", b"AVI " + chunk(b"LIST", b"hdrl" + stream) + maker + movie)
    left = leaving(content)
    assert is_clean(left, content)
    assert needed in left
    assert left.endswith(movie)


@pytest.mark.parametrize("length", [0, 7])
def test_sound_whose_length_nobody_wrote_down_stays(length: int) -> None:
    sound = b"\x03\xff\x10\xee" * 1_000 + b"LIST\x20\0\0\0INFO" + PERSON
    data = b"data" + length.to_bytes(4, "little") + sound
    content = b"RIFF\0\0\0\0WAVE" + chunk(b"fmt ", bytes(16)) + data
    assert leaving(content) == content


def test_lyrics_behind_sound() -> None:
    sound = made("mp3").partition(b"TAG")[0]
    words = b"IND0000200LYR00017" + PLACE + b"AUT00009" + PERSON
    length = str(len(b"LYRICSBEGIN" + words)).zfill(6).encode()
    old = b"TAG" + PERSON.ljust(125)
    content = sound + b"LYRICSBEGIN" + words + length + b"LYRICS200" + old
    left = leaving(content)
    assert is_clean(left, content)
    assert b"LYRICSBEGIN" + bytes(len(words)) + length + b"LYRICS200TAG" in left
    assert sound[200:] in left


@pytest.mark.parametrize("digits", [b"999999", b"-00001", b"000003", b"00 001"])
def test_what_only_ends_like_lyrics_is_sound(digits: bytes) -> None:
    sound = made("mp3").partition(b"TAG")[0]
    content = sound + b"LYRICSBEGIN" + digits + b"LYRICS200" + b"TAG" + bytes(125)
    assert leaving(content)[-153:-125] == content[-153:-125]


def text(value: bytes) -> bytes:
    return len(value).to_bytes(2) + value


def test_texts_in_lists_and_objects_of_a_flash_video() -> None:
    inner = b"\x03" + text(b"who") + b"\x02" + text(PERSON) + b"\0\0\x09"
    listed = b"\x0a" + (2).to_bytes(4) + b"\x0c" + len(PLACE).to_bytes(4) + PLACE + b"\x06"
    values = text(b"a") + inner + text(b"b") + listed + text(b"n") + b"\0" + b"duration"
    says = b"\x02" + text(b"onMetaData") + b"\x08" + bytes(4) + values + b"\0\0\x09"
    tag = b"\x12" + len(says).to_bytes(3) + bytes(7) + says
    content = (
        b"FLV\1\5\0\0\0\x09" + bytes(4) + tag + bytes(4) + b"\x09\0\0\7" + bytes(7) + b"picture"
    )
    left = leaving(content)
    assert is_clean(left, content)
    for stays in (b"onMetaData", text(b"n") + b"\0duration", b"picture"):
        assert left.index(stays) == content.index(stays)


SEEDS = sorted({*KINDS, "fast", "in pieces"} - {"opus, much told"})
ENDS = (0, 1, 7, 8, 9, 16, 2**31, 2**32 - 1)
BYTES = (
    st.binary(min_size=1, max_size=12)
    | st.sampled_from(ENDS).map(lambda end: end.to_bytes(4))
    | st.sampled_from(ENDS).map(lambda end: end.to_bytes(4, "little"))
    | st.sampled_from((0, 2**32, 2**63, 2**64 - 1)).map(lambda end: end.to_bytes(8))
    | st.sampled_from((b"udta", b"trak", b"stbl", b"moof", b"LIST", b"ID3\4", TAGS.to_bytes(4)))
)
WHERE = st.floats(0, 1, exclude_max=True).map(lambda share: share**3) | st.floats(0.9, 0.9999)
"""Mostly at the beginning, and at the end, where files tell what they are."""


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(WHERE, BYTES, st.integers(0, 12)), max_size=6),
    st.floats(0.01, 1),
    st.integers(1, 5_000),
)
def test_whatever_is_wrong_with_a_file_its_length_and_its_ranges_are_its_own(
    kind: str, wrongs: list[tuple[float, bytes, int]], part: float, step: int
) -> None:
    content = bytearray(made(kind))
    for where, new, instead in wrongs:
        at = int(where * len(content))
        content[at : at + instead] = new
    broken = bytes(content[: max(1, int(part * len(content)))])
    read, asked = counting(broken)
    changes = changes_of(read, len(broken))
    assert len(asked) <= MOST_READS + 5
    ends = [0, *(each.end for each in changes)]
    assert all(end <= each.start < each.end for end, each in zip(ends, changes, strict=False))
    assert ends[-1] <= len(broken)
    whole = b"".join(laid(iter([broken]), 0, changes))
    assert len(whole) == len(broken)
    pieces = (broken[at : at + step] for at in range(0, len(broken), step))
    assert b"".join(laid(pieces, 0, changes)) == whole
