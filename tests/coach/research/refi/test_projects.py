"""Projects of other tools come in without loss: real ones, and one of our own for each trap."""

from __future__ import annotations

from pathlib import Path

import pytest

from coach.research.coding.models import (
    Code,
    Coding,
    Interview,
    Memo,
    Text,
)
from coach.research.exports.importing.refi import NotRefi, load_refi
from coach.research.studies.models import Study
from tests.coach.research.refi.making import (
    CODE,
    NAMESPACE,
    WORDS,
    pack,
    project,
    quotes,
    selection,
)
from tests.parts import shared_media

SAMPLES = shared_media().parent / "refi/samples"
ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + project()
DEEP = project(codes='<Code guid="a" name="a">' * 3000 + "</Code>" * 3000)


@pytest.mark.parametrize(
    "text",
    [
        selection(0, 4, more='<NoteRef targetGUID="n"/>' * 101),
        "<Coding " + " ".join(f'a{n}=""' for n in range(101)) + "/>",
    ],
)
def test_what_only_a_file_made_to_do_harm_has_is_refused(
    text: str, study: Study, tmp_path: Path
) -> None:
    with pytest.raises(NotRefi):
        load_refi(study=study, path=pack(tmp_path, project(text), sources__t_txt=WORDS.encode()))
    assert not study.interviews.exists()


@pytest.mark.parametrize(
    "attributes",
    [
        'plainTextPath="t.txt"',
        'plainTextPath="relative:///x\\T.txt"',
        'plainTextPath="internal://t.txt"',
    ],
)
def test_texts_are_found_however_their_path_is_written(
    study: Study, tmp_path: Path, attributes: str
) -> None:
    load_refi(
        study=study, path=pack(tmp_path, project("", attributes), Sources__t_txt=b"Here I am.")
    )
    assert Text.objects.get().text == "Here I am."


def test_words_inside_the_xml_a_whole_text_and_other_namespaces_are_read(
    study: Study, tmp_path: Path
) -> None:
    inside = (
        "<PlainTextContent>All of it.</PlainTextContent>"
        f'<Coding><CodeRef targetGUID="{{{CODE.upper()}}}"/></Coding>'
    )
    qde = project(inside, "").replace(NAMESPACE, "urn:QDA-XML:project:1:0")
    load_refi(study=study, path=pack(tmp_path, ("\ufeff" + qde).encode()))
    assert quotes() == ["All of it."]


def test_a_declaration_that_says_another_encoding_does_no_harm(
    study: Study, tmp_path: Path
) -> None:
    qde = '<?xml version="1.0" encoding="utf-8"?>' + project(
        "<PlainTextContent>Été</PlainTextContent>", ""
    )
    load_refi(study=study, path=pack(tmp_path, qde.encode("utf-16")))
    assert Text.objects.get().text == "Été"


def test_codes_keep_their_tree_and_what_had_to_change_is_told(study: Study, tmp_path: Path) -> None:
    child = (
        '<Code guid="{0}" name="pauses" isCodable="true" color="#abc">'
        "<Description>Why</Description></Code>"
    )
    codes = (
        f'<Code guid="{CODE}" name="pauses" isCodable="false" color="#2a9d8fff">'
        f"{child.format('{44444444-4444-4444-8444-444444444444}')}</Code>"
    )
    counts, told = load_refi(study=study, path=pack(tmp_path, project(codes=codes)))
    top, below = Code.objects.order_by("pk")
    assert (top.name, top.colour, top.is_codable) == ("pauses", "#2a9d8f", False)
    assert (below.name, below.colour, below.parent) == ("pauses (2)", "#aabbcc", top)
    assert below.description == "Why"
    assert counts["codes"] == counts["codes_in_file"] == 2
    assert {each[0] for each in told} >= {"refi_renamed", "refi_colour", "refi_no_text"}


def test_memos_stand_with_what_they_are_about(study: Study, tmp_path: Path) -> None:
    notes = "".join(
        f'<Note guid="{n}" name="n"><PlainTextContent>{n} says</PlainTextContent></Note>'
        for n in ("of-coding", "of-code", "of-text", "of-all")
    )
    ref = '<NoteRef targetGUID="of-coding"/>'
    codes = (
        f'<Code guid="{CODE}" name="pauses" isCodable="true"><NoteRef targetGUID="of-code"/></Code>'
    )
    text = selection(0, 4, more=ref) + '<NoteRef targetGUID="of-text"/>'
    qde = project(text, codes=codes, more=f"<Notes>{notes}</Notes>")
    path = pack(tmp_path, qde, sources__t_txt=b"Some words.")
    counts, _told = load_refi(study=study, path=path)
    assert Coding.objects.get().memo == "of-coding says"
    found = {
        (m.body, m.code_id is not None, m.interview_id is not None) for m in Memo.objects.all()
    }
    assert found == {
        ("of-code says", True, False),
        ("of-text says", False, True),
        ("of-all says", False, False),
    }
    assert (counts["memos_in_file"], counts["memos"]) == (4, 4)


def test_what_has_no_place_here_is_counted_and_told(study: Study, tmp_path: Path) -> None:
    pdf = (
        '<PDFSource guid="x" name="page"><PDFSelection page="1"><Coding guid="b">'
        f'<CodeRef targetGUID="{CODE}"/></Coding></PDFSelection></PDFSource></Sources>'
    )
    text = selection(0, 4) + selection(0, 4) + selection(2, 2) + selection(0, 1, code="gone")
    qde = project(text).replace("</Sources>", pdf, 1)
    counts, told = load_refi(study=study, path=pack(tmp_path, qde, sources__t_txt=b"Some words."))
    said = {(code, what) for code, _place, what in told}
    assert said >= {
        ("refi_twice", "1"),
        ("refi_widened", "1"),
        ("refi_without_code", "1"),
        ("refi_on_media", "1"),
        ("refi_left_out", "1"),
    }
    assert (counts["codings_in_file"], counts["codings"]) == (5, 2)


def test_a_recordings_transcript_comes_with_its_codings(study: Study, tmp_path: Path) -> None:
    media = (
        '<Sources><AudioSource guid="m" name="sound"><Transcript guid="tr">'
        "<PlainTextContent>One two three.</PlainTextContent>"
        '<SyncPoint guid="s1" position="4" timeStamp="1"/><SyncPoint guid="s2" position="7"/>'
        '<TranscriptSelection guid="y" fromSyncPoint="s1" toSyncPoint="s2"><Coding guid="c">'
        f'<CodeRef targetGUID="{CODE}"/></Coding></TranscriptSelection></Transcript></AudioSource>'
    )
    load_refi(study=study, path=pack(tmp_path, project().replace("<Sources>", media, 1)))
    assert quotes() == ["two"]


@pytest.mark.parametrize("qde", [ENTITY, DEEP, "<Codebook/>", "<Project", b"\x00\x01"])
def test_what_is_no_project_is_refused_and_leaves_nothing(
    study: Study, tmp_path: Path, qde: str | bytes
) -> None:
    with pytest.raises(NotRefi):
        load_refi(study=study, path=pack(tmp_path, qde))
    assert not Code.objects.exists()


def test_the_same_project_comes_in_once(study: Study, tmp_path: Path) -> None:
    path = pack(tmp_path, project(selection(0, 4)), sources__t_txt=b"Some words.")
    load_refi(study=study, path=path)
    with pytest.raises(NotRefi):
        load_refi(study=study, path=path)
    assert Coding.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "codes", "codings", "texts"),
    [
        ("qc-demo", 262, 205, 2),
        ("qc-nvivo_project", 262, 0, 2),
        ("ponte-target-atlas-project", 3, 0, 0),
        ("ponte-blank-atlas-project", 0, 0, 0),
    ],
)
def test_real_projects_come_in_without_loss(
    study: Study, name: str, codes: int, codings: int, texts: int
) -> None:
    path = SAMPLES / f"{name}.qdpx"
    if not path.exists():
        pytest.skip(f"projects of other tools are not there: {SAMPLES}")
    counts, _told = load_refi(study=study, path=path)
    assert (Code.objects.count(), Coding.objects.count()) == (codes, codings)
    assert Interview.objects.count() == texts
    characters = sum(len(each.text) for each in Text.objects.all())
    assert counts.get("characters", 0) == counts.get("characters_in_file", 0) == characters
    assert all(each.text and each.end <= len(each.text.text) for each in Coding.objects.all())
