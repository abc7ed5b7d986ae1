"""Codebooks of other tools come in after a look, and ours go out: however they are written."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.codebook.services import add_code
from coach.research.coding.codebook.versions import document_of
from coach.research.coding.models import Code, CodebookVersion
from coach.research.exports.codebook_files import (
    MOST_BYTES,
    as_file,
    codes_in,
    take_codebook_in,
)
from coach.research.exports.import_execution import execute_import
from coach.research.exports.importing.refi.archive import NotRefi
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_study
from tests.parts import shared_media

SAMPLES = shared_media().parent / "refi/samples"
GUID = "8E7F0000-0000-4000-8000-00000000000"
QDC = f"""<?xml version="1.0" encoding="UTF-8"?>
<CodeBook xmlns="urn:QDA-XML:codebook:1:0" origin="x"><Sets/><Codes>
<Code name="Été 🎤" guid="{{{GUID}1}}" color="#2A9D8FFF">
<Code guid="{GUID}2" name="below" isCodable="false"/><Description>First.
Use it when: often
Do not use it when: never</Description></Code></Codes></CodeBook>"""


@pytest.fixture
def empty(researcher: User) -> Study:
    return make_study(researcher)


def url(name: str, study: Study, *more: object) -> str:
    return reverse(f"research:{name}", args=[study.slug, *more])


def qdpx(content: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("project.qde", content)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        QDC.encode(),
        b"\xef\xbb\xbf" + QDC.encode(),
        QDC.replace("UTF-8", "UTF-16").encode("utf-16"),
        qdpx(f"<Project>{QDC.partition('?>')[2].strip()}</Project>"),
    ],
)
def test_order_namespace_marks_and_spelling_do_not_matter(
    content: bytes, empty: Study, researcher: User
) -> None:
    take_codebook_in(
        study=empty, codes=codes_in("x.qdc", content), note="From a test", actor=researcher
    )
    top, below = (
        Code.objects.order_by("parent__name", "name").get(parent=None),
        Code.objects.get(name="below"),
    )
    assert (top.name, top.colour, top.description) == ("Été 🎤", "#2a9d8f", "First.")
    assert (top.include_when, top.exclude_when) == ("often", "never")
    assert (below.parent, below.is_codable, str(top.guid)) == (top, False, f"{GUID}1".lower())
    assert CodebookVersion.objects.get().note == "From a test"


@pytest.mark.parametrize("kind", ["qdc", "csv"])
def test_what_goes_out_comes_in_the_same(
    kind: str, empty: Study, researcher: User, tmp_path: Path
) -> None:
    parent: Code | None = None
    for depth in range(40):
        parent = add_code(
            code=Code(
                study=empty,
                name=f"code {depth}",
                parent=parent,
                description="Means, this.",
                include_when="é 🎤",
                colour="#2a9d8f",
            ),
            actor=researcher,
        )
    other = make_study(researcher, "other")
    content = as_file(document_of(empty), kind)
    take_codebook_in(study=other, codes=codes_in("x", content), note="", actor=researcher)
    told = [
        [
            (each["name"], each["depth"], each["description"], each["include_when"])
            for each in document_of(study)
        ]
        for study in (empty, other)
    ]
    assert told[0] == told[1]


def test_a_table_makes_a_tree_of_dots_and_says_what_only_groups() -> None:
    table = "tag;description\r\nTone.warm;Kind words\r\nPace;\r\nTone.warm.very;\r\n"
    codes = codes_in("t.csv", table.encode("utf-16"))
    assert [(code.name, code.depth, code.is_codable) for code in codes] == [
        ("Tone", 0, False),
        ("warm", 1, True),
        ("Pace", 0, True),
        ("very", 2, True),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello, world",
        b"<Project/>",
        b'<!DOCTYPE x [<!ENTITY a "b">]><CodeBook><Codes><Code name="&a;"/></Codes></CodeBook>',
        b"<CodeBook>" + b"<Code name='x'>" * 400 + b"</Code>" * 400 + b"</CodeBook>",
        b"tag\n" + b"a." * 300 + b"b\n",
        b"tag\n" + b"".join(b"c%d\n" % n for n in range(3100)),
        b"PK\x03\x04 and no zip",
        pytest.param(QDC.replace("<Sets/>", "<Sets/>" * 2_000_000).encode(), id="of tags"),
    ],
)
def test_what_is_no_codebook_or_means_harm_is_refused(content: bytes) -> None:
    with pytest.raises(NotRefi):
        codes_in("x.qdc", content)


def test_a_file_is_looked_at_then_taken_in_as_a_new_version(
    empty: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    Code.objects.create(study=empty, name="below")
    file = SimpleUploadedFile("book.qdc", QDC.encode())
    page = client.post(url("load_codebook", empty), {"file": file}).headers["Location"]
    assert "is being read" in client.get(page).content.decode()
    asked = BundleImport.objects.get()
    execute_import(asked.pk)
    assert client.get(page, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "already in the study" in client.get(page).content.decode()
    assert page in client.get(url("load_codebook", empty)).content.decode()
    assert Code.objects.count() == 1
    for found in ("nothing", str(uuid4())):
        client.post(url("load_codebook", empty), {"found": found})
        assert Code.objects.count() == 1
    for _twice in range(2):
        client.post(url("load_codebook", empty), {"found": str(asked.pk)})
    assert CodebookVersion.objects.get().note == "Imported from book.qdc"
    assert Entry.objects.filter(action="research.codebook_loaded").count() == 1
    for kind in ("qdc", "csv"):
        assert client.get(url("codebook_file", empty, kind)).status_code == 200
        assert client.get(url("codebook_version_file", empty, 1, kind)).status_code == 200
    assert client.get(url("codebook_file", empty, "exe")).status_code == 404


def test_a_codebook_that_cannot_be_read_is_refused_in_words_and_nobody_else_sees_it(
    empty: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    file = SimpleUploadedFile("book.qdc", b"<p " + b'a="" ' * 200_000 + b"/>")
    page = client.post(url("load_codebook", empty), {"file": file}).headers["Location"]
    execute_import(BundleImport.objects.get().pk)
    told = client.get(page).content.decode()
    assert "book.qdc: this file contains no codes." in told
    assert url("load_codebook", empty) in told
    other = UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=empty, user=other, role=Member.Role.LEAD)
    assert sign_in(other).get(page).status_code == 404
    client.post(url("load_codebook", empty), {"found": str(BundleImport.objects.get().pk)})
    assert not Code.objects.exists()
    large = SimpleUploadedFile("book.qdc", b" " * (MOST_BYTES + 1))
    told = client.post(url("load_codebook", empty), {"file": large}).content.decode()
    assert "too large for a codebook" in told


def test_who_does_not_keep_the_codebook_loads_none_and_strangers_read_none(
    empty: Study, researcher: User, coach: User, sign_in: SignIn
) -> None:
    Member.objects.filter(user=researcher).update(role=Member.Role.CODER)
    client = sign_in(researcher)
    assert client.get(url("load_codebook", empty)).status_code == 404
    assert client.get(url("codebook_file", empty, "csv")).status_code == 200
    assert sign_in(coach).get(url("codebook_file", empty, "csv")).status_code == 404


@pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"files of other tools are not there: {SAMPLES}")
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.qdpx")), ids=lambda path: path.stem)
def test_codebooks_of_other_tools_come_in_whole(path: Path, empty: Study, researcher: User) -> None:
    with zipfile.ZipFile(path) as archive:
        expected = archive.read("project.qde").count(b"<Code ")
    if not expected:  # one of them has none
        with pytest.raises(NotRefi):
            codes_in(path.name, path.read_bytes())
        return
    codes = codes_in(path.name, path.read_bytes())
    take_codebook_in(study=empty, codes=codes, note=path.stem, actor=researcher)
    assert len(codes) == Code.objects.count() == expected
