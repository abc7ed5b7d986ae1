"""Container detection by the first bytes; rejects content that could refer to other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from analysis.errors import MediaEmpty, MediaMissing, MediaRefused, MediaUnreadable

SNIFFED_BYTES = 64 * 1024

# The first box of an MP4 or QuickTime file, as accepted by its demuxer's own probe.
_MOV_BOXES = frozenset(
    {b"ftyp", b"moov", b"mdat", b"moof", b"styp", b"sidx", b"wide", b"free", b"skip", b"pnot"}
)
_PREFIXES = (
    (b"\x1a\x45\xdf\xa3", "matroska"),
    (b"OggS", "ogg"),
    (b"fLaC", "flac"),
    (b"FLV\x01", "flv"),
    (bytes.fromhex("3026b2758e66cf11"), "asf"),
    (b"\x00\x00\x01\xba", "mpeg"),
    (b"\x00\x00\x01\xb3", "mpegvideo"),
    (b"caff\x00\x01", "caf"),
    (b".snd", "au"),
    (bytes.fromhex("726966662e91cf11a5d628db04c10000"), "w64"),
)
_FORM = {b"AIFF": "aiff", b"AIFC": "aiff"}
_RIFF = {b"AVI ": "avi", b"WAVE": "wav"}

# Playlists, manifests and concatenation lists: text that names other files or addresses.
_LISTS = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:#EXTM3U|ffconcat|\[playlist\]|\[reference\]|rtsp://|https?://|"
    rb"file\s+['\"/\w]|(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    rb"<(?:MPD|smil|asx|playlist|SmoothStreamingMedia|seam|fcpxml)\b|v=0\r?\no=)",
    re.IGNORECASE | re.DOTALL,
)

# MPEG audio: kilobits per second for MPEG-1 and MPEG-2 layers I to III, and sample rates.
_BIT_RATES = {
    (1, 1): (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 3): (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 1): (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 3): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_SAMPLE_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_FRAMES_IN_A_ROW = 3
"""Consecutive audio frames needed for AAC, or for MP3 after junk."""

_FRAME_HEADER = 7
"""Size in bytes; MPEG audio has fewer, and a shorter file is rejected."""
_AAC_SAMPLE_RATES = 13

# AMR (RFC 4867, 5.3): bytes of a frame by type, header included, narrowband and wideband. Types of
# 0 bytes are reserved; frames that were lost or not sent have only a header.
_AMR = (
    (b"#!AMR\n", (13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1)),
    (b"#!AMR-WB\n", (18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1)),
)
_AMR_PADDING = 0x83
"""Header bits that are always 0."""
_AMR_FRAMES = 10
"""Frames checked: a fifth of a second, which text in place of frames does not pass (rule of thumb).
"""


# Files that people upload by mistake: a picture, slides, a script.
_OTHERS = (
    (b"%PDF-", "pdf"),
    (b"\xff\xd8\xff", "picture"),
    (b"\x89PNG", "picture"),
    (b"GIF8", "picture"),
    (b"BM", "picture"),
    (b"II*\x00", "picture"),
    (b"MM\x00*", "picture"),
    (b"PK\x03\x04", "packed"),
    (bytes.fromhex("d0cf11e0a1b11ae1"), "document"),
    (b"Rar!", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"{\\rtf", "document"),
)
# A brand in the first box marks an MP4-like file as a still picture (HEIC, AVIF).
_STILL_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"avif"})

CONTAINERS = frozenset(
    {"mp4", "mov", "m4a", "3gp", "webm", "mkv", "ogg", "flac", "flv", "wmv", "mpeg", "avi", "wav"}
    | {"mpegts", "mp3", "aac", "amr", "aiff", "caf", "au", "w64"}
)
"""Every name that `container_name` returns."""


def check_kind(head: bytes) -> None:
    """Raise an AnalysisError if the first bytes show that this is not a recording.

    Pass SNIFFED_BYTES, or all of a shorter file.
    """
    if not head:
        raise MediaEmpty("file_empty")
    if not (head.startswith(b"ID3") and _id3_size(head) >= len(head)):
        demuxer_of(head)


def demuxer_for(path: Path) -> str:
    """Return the name of the one FFmpeg demuxer that may open this file.

    Raises MediaMissing, MediaEmpty, MediaRefused or MediaUnreadable.
    """
    head = _head(path)
    if not head:
        raise MediaEmpty("file_empty")
    if head.startswith(b"ID3"):
        return _head_after_id3(path, _id3_size(head))
    return demuxer_of(head)


def demuxer_of(head: bytes) -> str:
    """Return the demuxer's name from the first bytes. Raises MediaRefused or MediaUnreadable."""
    if _LISTS.match(head):
        raise MediaRefused("is_a_list")
    for recognise in _RECOGNISERS:
        name = recognise(head)
        if name is not None:
            return name
    if head.startswith(b"ID3"):
        return _sound_format(head[_id3_size(head) :])
    if (name := _by_frames(head)) is not None:
        return name
    raise _no_recording(head)


def _no_recording(head: bytes) -> MediaUnreadable:
    other = next((name for prefix, name in _OTHERS if head.startswith(prefix)), None)
    if other is None and head[4:8] == b"ftyp":
        other = "picture"
    if other is None:
        return MediaUnreadable("format_unknown")
    return MediaUnreadable("is_no_recording", thing=other)


def container_name(path: Path, demuxer: str) -> str:
    """Return the usual name of this container; one demuxer reads several."""
    head = _head(path)
    if demuxer == "mov":
        brand = head[8:12].strip().lower() if head[4:8] == b"ftyp" else b"qt"
        return {b"qt": "mov", b"m4a": "m4a", b"m4b": "m4a"}.get(
            brand, "3gp" if brand[:2] == b"3g" else "mp4"
        )
    if demuxer == "matroska":
        return "webm" if b"webm" in head[:64] else "mkv"
    return {"asf": "wmv", "mpegvideo": "mpeg"}.get(demuxer, demuxer)


def _head(path: Path, offset: int = 0) -> bytes:
    try:
        if path.is_dir():
            raise MediaMissing("is_a_folder")
        if not path.is_file():
            raise MediaMissing("no_such_file")
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(SNIFFED_BYTES)
    except (OSError, ValueError) as error:
        raise MediaMissing("file_unreadable") from error


def _by_prefix(head: bytes) -> str | None:
    return next((name for prefix, name in _PREFIXES if head.startswith(prefix)), None)


def _by_chunks(head: bytes) -> str | None:
    """Return the demuxer of a RIFF or AIFF file, or None."""
    if head[:4] in (b"RIFF", b"RF64", b"BW64"):
        return _RIFF.get(head[8:12])
    return _FORM.get(head[8:12]) if head[:4] == b"FORM" else None


def _by_first_box(head: bytes) -> str | None:
    if head[4:8] == b"ftyp" and head[8:12] in _STILL_BRANDS:
        return None
    return "mov" if head[4:8] in _MOV_BOXES else None


def _by_amr_frames(head: bytes) -> str | None:
    """Return "amr" if the magic bytes and the frames after them fit, otherwise None."""
    first, sizes = next((each for each in _AMR if head.startswith(each[0])), (b"", ()))
    if not first or len(head) == len(first):
        return None
    at = len(first)
    for _frame in range(_AMR_FRAMES):
        if at >= len(head):
            break
        size = sizes[head[at] >> 3 & 15]
        if head[at] & _AMR_PADDING or not size:
            return None
        at += size
    return "amr"


def _by_transport_packets(head: bytes) -> str | None:
    """Return "mpegts" for 188-byte packets, or 192 with a time code (AVCHD), that start with 0x47,
    otherwise None.
    """
    for size, first in ((188, 0), (192, 4)):
        marks = head[first : first + 5 * size : size]
        if len(marks) == 5 and set(marks) == {0x47}:
            return "mpegts"
    return None


_RECOGNISERS: tuple[Callable[[bytes], str | None], ...] = (
    _by_prefix,
    _by_chunks,
    _by_first_box,
    _by_transport_packets,
    _by_amr_frames,
)


def _id3_size(head: bytes) -> int:
    """Return the bytes of an ID3v2 tag with its header; its size has seven bits per byte."""
    if len(head) < 10:
        return len(head)
    size = 0
    for byte in head[6:10]:
        size = size << 7 | byte & 0x7F
    return 10 + size


def _head_after_id3(path: Path, offset: int) -> str:
    return _sound_format(_head(path, offset))


def _sound_format(body: bytes) -> str:
    if body.startswith(b"fLaC"):
        return "flac"
    if (name := _by_frames(body)) is not None:
        return name
    raise MediaUnreadable("only_tags")


def _by_frames(data: bytes) -> str | None:
    """Return "mp3" or "aac" for consecutive frames at the start or after junk, otherwise None."""
    for start in _sync_words(data):
        if _frames_at(data, start, _frame_size) >= (1 if start == 0 else _FRAMES_IN_A_ROW):
            return "mp3"
        if _frames_at(data, start, _adts_size) >= _FRAMES_IN_A_ROW:
            return "aac"
    return None


def _sync_words(data: bytes) -> Iterator[int]:
    start = data.find(b"\xff")
    while start != -1:
        if start + 1 < len(data) and data[start + 1] & 0xE0 == 0xE0:
            yield start
        start = data.find(b"\xff", start + 1)


def _frames_at(data: bytes, start: int, size_of: Callable[[bytes], int | None]) -> int:
    """Return the number of consecutive whole frames from `start`, up to _FRAMES_IN_A_ROW."""
    count = 0
    while count < _FRAMES_IN_A_ROW:
        size = size_of(data[start : start + _FRAME_HEADER])
        if size is None or start + size > len(data):
            return count
        count += 1
        start += size
    return count


def _adts_size(header: bytes) -> int | None:
    """Return the bytes of the AAC frame with this header (ISO 14496-3, 1.A.2.2), or None."""
    if len(header) < _FRAME_HEADER or header[0] != 0xFF or header[1] & 0xF6 != 0xF0:
        return None
    size = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
    has_checksum = not header[1] & 1
    is_known = header[2] >> 2 & 15 < _AAC_SAMPLE_RATES
    return size if is_known and size > _FRAME_HEADER + 2 * has_checksum else None


def _frame_size(header: bytes) -> int | None:
    """Return the bytes of the MPEG audio frame with this header (ISO 11172-3, 2.4.1.3), or None."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return None
    version, layer = header[1] >> 3 & 3, 4 - (header[1] >> 1 & 3)
    rate_index, frequency_index, padding = header[2] >> 4, header[2] >> 2 & 3, header[2] >> 1 & 1
    if version == 1 or layer == 4 or frequency_index == 3 or rate_index in (0, 15):
        return None
    bit_rate = 1000 * _BIT_RATES[(1 if version == 3 else 2, layer)][rate_index - 1]
    sample_rate = _SAMPLE_RATES[version][frequency_index]
    if layer == 1:
        return (12 * bit_rate // sample_rate + padding) * 4
    return (72 if layer == 3 and version != 3 else 144) * bit_rate // sample_rate + padding
