"""Archives and XML of anybody: what would take gigabytes is refused before it does."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coach.lib.files.archives import MemberTooLarge, member_lines, open_archive, read_member
from coach.lib.files.xml_files import BadXml, TooMuchXml, XmlLimits, parse_xml
from coach.research.coding.interviews.reading import NotATranscript, read_file
from coach.research.exports.importing import NotABundle
from coach.research.exports.importing.reading import open_bundle
from coach.research.exports.importing.refi import NotRefi
from coach.research.exports.importing.refi.archive import Archive

LIMITS = XmlLimits(elements=1000, attributes=5000)
MEGABYTE = 1024**2
ATTRIBUTES = b"".join(b'a%x="" ' % number for number in range(39 * MEGABYTE // 12))


@contextmanager
def little_memory(most: int) -> Iterator[None]:
    """At most so many bytes at once beyond those that are held already."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def packed(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


HOSTILE: dict[str, bytes] = {
    "attributes": b"<p " + ATTRIBUTES[:MEGABYTE] + b"/>",
    "attributes in UTF-16": ("<p " + ATTRIBUTES[:MEGABYTE].decode() + "/>").encode("utf-16"),
    "attributes of many": b"<p>" + b'<a b="" c="" d="" e="" f="" g=""/>' * 900 + b"</p>",
    "elements": b"<p>" + b"<a/>" * 1000 + b"</p>",
    "remarks": b"<p>" + b"<!---->" * 1000 + b"</p>",
    "instructions": b"<p>" + b"<?a?>" * 1000 + b"</p>",
    "a long value": b'<p a="' + b"x" * MEGABYTE + b'"/>',
    "a long remark": b"<p><!--" + b"x" * MEGABYTE + b"--></p>",
    "a long name": b"<" + b"x" * MEGABYTE + b"/>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_xml_of_more_than_its_kind_has_is_refused(name: str) -> None:
    with little_memory(8 * MEGABYTE), pytest.raises(TooMuchXml):
        parse_xml(HOSTILE[name], LIMITS)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"words",
        b"<p>",
        b"<p/><p/>",
        b"<a>" * 1000,
        b"<!DOCTYPE p><p/>",
        b'<!DOCTYPE p [<!ENTITY a "b">]><p>&a;</p>',
        b"<?xml version='1.0' encoding='nobody-knows'?><p/>",
        b"<p>\xff</p>",
    ],
)
def test_xml_that_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(BadXml):
        parse_xml(content, LIMITS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_long_texts_are_read_in_any_encoding(encoding: str) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>"
    words = "é" * MEGABYTE
    for inside in (words, f"<![CDATA[{words}]]>"):
        root = parse_xml(f"{head}<p><a b='c'/>{inside}</p>".encode(encoding), LIMITS)
        assert root[0].attrib == {"b": "c"}
        assert root[0].tail == words


def document(content: bytes) -> None:
    with pytest.raises(NotATranscript) as refused:
        read_file("a.docx", content)
    assert refused.value.code == "too_large"


def project(content: bytes) -> None:
    with Archive(content) as archive, pytest.raises(NotRefi):
        archive.project()


@pytest.mark.parametrize(
    ("reads", "name"), [(document, "word__document_dot_xml"), (project, "project_dot_qde")]
)
def test_forty_megabytes_of_attributes_cost_their_own_bytes_and_little_more(
    reads: Callable[[bytes], None], name: str
) -> None:
    content = packed(**{name: b"<Project " + ATTRIBUTES + b"/>"})
    with little_memory(100 * MEGABYTE):  # as it is unpacked, once more on the way, and little else
        reads(content)


def hashed(path: Path, sums: bytes, **more: bytes) -> Path:
    path.write_bytes(packed(SHA256SUMS=sums, **more))
    return path


@pytest.mark.parametrize(
    "sums",
    [
        b"\n" * (50 * MEGABYTE),
        b"0" * (50 * MEGABYTE),
        b"".join(b"%064d  file\n" % number for number in range(300_000)),
        b"\xff\n",
    ],
    ids=["empty lines", "a long line", "many lines", "not text"],
)
def test_a_list_of_hashes_is_read_line_by_line_and_no_further_than_needed(
    sums: bytes, tmp_path: Path
) -> None:
    path = hashed(tmp_path / "sums.zip", sums)
    with little_memory(4 * MEGABYTE), pytest.raises(NotABundle):
        open_bundle(path)


def test_an_archive_with_a_listing_of_megabytes_is_refused_before_it_is_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(60_000):
            archive.writestr(f"{number:0100d}", b"")
    with little_memory(4 * MEGABYTE):
        with pytest.raises(zipfile.BadZipFile):
            open_archive(path)
        with pytest.raises(NotABundle):
            open_bundle(path)
        with pytest.raises(NotRefi):
            Archive(path)


def test_members_are_read_up_to_a_size(tmp_path: Path) -> None:
    content = packed(a=b"x" * 11, b=b"x" * 10, c=b"one\ntwo\n" + b"x" * 11)
    with open_archive(content) as archive:
        assert read_member(archive, "b", 10) == b"x" * 10
        with pytest.raises(MemberTooLarge):
            read_member(archive, "a", 10)
        lines = member_lines(archive, "c", 10)
        assert [next(lines), next(lines)] == ["one\n", "two\n"]
        with pytest.raises(MemberTooLarge):
            next(lines)
    (tmp_path / "a.zip").write_bytes(content)
    with open_archive(tmp_path / "a.zip") as archive:
        assert read_member(archive, "b", 10) == b"x" * 10


def test_methods_that_ask_for_gigabytes_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"x" * 10)
    with open_archive(out.getvalue()) as archive, pytest.raises(zipfile.BadZipFile):
        read_member(archive, "a", 10)
