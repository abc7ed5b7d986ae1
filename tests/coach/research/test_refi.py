"""Projects of other tools come in without loss: real ones, and one of our own for each trap."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from coach.accounts.models import Role, User
from coach.research.coding.agreement import agreement_rows
from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.redaction.deciding import decide
from coach.research.coding.interviews.redaction.locking import (
    delete_old_originals,
    lock_interview,
)
from coach.research.coding.judging import judgements
from coach.research.coding.models import (
    Code,
    Coder,
    Coding,
    Interview,
    Memo,
    Redaction,
    Round,
    Text,
)
from coach.research.exports.import_execution import execute_import
from coach.research.exports.importing.refi import NotRefi, is_refi, load_refi
from coach.research.exports.importing.refi.positions import Tidied
from coach.research.exports.models import BundleImport
from coach.research.exports.sentences import problem_words
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_study
from tests.parts import shared_media

SAMPLES = shared_media().parent / "refi/samples"
NAMESPACE = "urn:QDA-XML:project:1.0"
CODE = "11111111-1111-4111-8111-111111111111"
TEXT = "22222222-2222-4222-8222-222222222222"
USER = "33333333-3333-4333-8333-333333333333"


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui's, with nothing in it."""
    return make_study(researcher)


def selection(start: int, end: int, name: str = "", more: str = "", code: str = CODE) -> str:
    return (
        f'<PlainTextSelection guid="a" name="{escape(name)}" startPosition="{start}" '
        f'endPosition="{end}"><Coding creatingUser="{USER}"><CodeRef targetGUID="{code}"/>'
        f"</Coding>{more}</PlainTextSelection>"
    )


def project(
    text: str = "",
    attributes: str = 'plainTextPath="internal://t.txt"',
    more: str = "",
    codes: str = "",
) -> str:
    codes = codes or f'<Code guid="{CODE}" name="pauses" isCodable="true" color="#2a9d8fff"/>'
    return (
        f'<Project xmlns="{NAMESPACE}" name="p" origin="Elsewhere 1">'
        f'<Users><User guid="{USER}" name="Somebody"/></Users>'
        f"<CodeBook><Codes>{codes}</Codes></CodeBook>"
        f'<Sources><TextSource guid="{{{TEXT.upper()}}}" name="First" {attributes}>{text}'
        f"</TextSource></Sources>{more}</Project>"
    )


def pack(folder: Path, qde: str | bytes, **files: bytes) -> Path:
    path = folder / "p.qdpx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.qde", qde)
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


def quotes() -> list[str]:
    return [each.text.text[each.start : each.end] for each in Coding.objects.all() if each.text]


WORDS = "Well 🎤 é:\r\nI like pauses 👩🏽‍🏫 a lot."
PLAIN = WORDS.replace("\r\n", "\n")


def place(text: str, quote: str, unit: str) -> tuple[int, int]:
    """Where a quote lies, as a tool counts that reads the file with its line ends or without."""
    before = text[: text.index(quote)]
    if unit == "utf-16":
        return len(before.encode("utf-16-le")) // 2, len((before + quote).encode("utf-16-le")) // 2
    if unit == "bytes":
        return len(before.encode()), len((before + quote).encode())
    return len(before), len(before + quote)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    ("counted", "unit"),
    [(WORDS, "code points"), (PLAIN, "code points"), (WORDS, "utf-16"), (WORDS, "bytes")],
)
def test_codings_lie_on_their_words_however_a_tool_counts(
    study: Study, tmp_path: Path, encoding: str, counted: str, unit: str
) -> None:
    start, end = place(counted, "pauses 👩🏽‍🏫", unit)
    path = pack(
        tmp_path,
        project(selection(start, end, "pauses 👩🏽‍🏫")),
        sources__t_txt=WORDS.encode(encoding),
    )
    counts, _told = load_refi(study=study, path=path)
    assert quotes() == ["pauses 👩🏽‍🏫"]
    assert Text.objects.get().text == PLAIN
    assert counts["codings"] == counts["codings_in_file"] == 1


def test_without_a_quote_a_position_behind_the_end_tells_how_a_tool_counts(
    study: Study, tmp_path: Path
) -> None:
    words = "🎤🎤🎤 end"
    start, end = place(words, "end", "utf-16")
    path = pack(tmp_path, project(selection(start, end)), sources__t_txt=words.encode())
    _counts, told = load_refi(study=study, path=path)
    assert quotes() == ["end"]
    assert ["refi_counted", "INT-01", "UTF-16"] in told


def test_letters_that_become_one_keep_their_codings(study: Study, tmp_path: Path) -> None:
    words = "cafe\u0301 noir"
    path = pack(tmp_path, project(selection(6, 10)), Sources__T_TXT=words.encode())
    load_refi(study=study, path=path)
    assert quotes() == ["noir"]
    assert Text.objects.get().text == "café noir"


@given(st.text("eé\u0301\u0323\r\n\x00ᄒ\u1161\u11ab 가a", max_size=40))
def test_places_inside_of_letters_that_become_one_are_those_of_the_text_before_them(
    raw: str,
) -> None:
    tidied = Tidied(raw, range(len(raw) + 1))
    assert tidied.text == tidy(raw)
    at = [tidied.place(place) for place in range(len(raw) + 1)]
    before = [min(len(tidy(raw[:place])), len(tidied.text)) for place in range(len(raw) + 1)]
    pieces = "".join(tidy(letter) for letter in raw)
    assert at == before or pieces == tidied.text


def test_a_hundred_thousand_accents_are_put_in_order_at_once() -> None:
    text = "a" + "\u0301\u0323" * 100_000
    found = tidy(text)
    assert found.replace("\u034f", "") != text
    assert len(found) >= len(text)
    assert found == tidy(found)
    with pytest.raises(ValueError, match="2500"):
        Tidied(text, [900, 2500])


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
    load_refi(study=study, path=pack(tmp_path, qde, sources__t_txt=b"Some words."))
    assert Coding.objects.get().memo == "of-coding says"
    found = {
        (m.body, m.code_id is not None, m.interview_id is not None) for m in Memo.objects.all()
    }
    assert found == {
        ("of-code says", True, False),
        ("of-text says", False, True),
        ("of-all says", False, False),
    }


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


def test_a_selection_that_does_not_say_where_it_ends_is_not_of_the_whole_text(
    study: Study, tmp_path: Path
) -> None:
    """A point may have a time alone; a selection, only one point."""
    coding = f'<Coding guid="{{}}"><CodeRef targetGUID="{CODE}"/></Coding></TranscriptSelection>'
    media = (
        '<Sources><AudioSource guid="m" name="sound"><Transcript guid="tr">'
        "<PlainTextContent>One two three.</PlainTextContent>"
        '<SyncPoint guid="s1" position="4" timeStamp="1"/><SyncPoint guid="s2" timeStamp="2"/>'
        '<TranscriptSelection guid="y" fromSyncPoint="s1" toSyncPoint="s2">'
        f'{coding.format("c")}<TranscriptSelection guid="z" fromSyncPoint="s1">'
        f"{coding.format('d')}</Transcript></AudioSource>"
    )
    path = pack(tmp_path, project().replace("<Sources>", media, 1))
    _counts, told = load_refi(study=study, path=path)
    assert quotes() == []
    assert ("refi_outside", "2") in {(code, what) for code, _place, what in told}


ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + project()


DEEP = project(codes='<Code guid="a" name="a">' * 3000 + "</Code>" * 3000)


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
    ("words", "turns"),
    [
        ("\n\nOne.\n\nTwo.\n", ["\n\nOne.\n", "Two.\n"]),
        (
            "Title\nI: So?\nP: Yes.\n\nAnd.\nI: Fine.",
            ["Title", "I: So?", "P: Yes.\n\nAnd.", "I: Fine."],
        ),
        ("\n \n", []),
    ],
)
def test_turns_leave_nothing_out_so_that_every_coding_begins_in_one(
    study: Study, tmp_path: Path, words: str, turns: list[str]
) -> None:
    load_refi(study=study, path=pack(tmp_path, project(), sources__t_txt=words.encode()))
    text = Text.objects.get()
    assert [text.text[each.start : each.end] for each in text.turns.all()] == turns


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
        pytest.skip("the real projects of other tools are not here")
    counts, _told = load_refi(study=study, path=path)
    assert (Code.objects.count(), Coding.objects.count()) == (codes, codings)
    assert Interview.objects.count() == texts
    assert counts["characters"] == counts["characters_in_file"]
    assert all(each.text and each.end <= len(each.text.text) for each in Coding.objects.all())


def test_a_lead_takes_a_project_into_their_study_and_locks_its_texts(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    words = "Interviewer: Who?\nMarie: Bea Marsh helped.\nInterviewer: How?\nMarie: With pauses."
    start = words.index("pauses")
    path = pack(tmp_path, project(selection(start, start + 6)), sources__t_txt=words.encode())
    client = sign_in(researcher)
    file = SimpleUploadedFile("theirs.qdpx", path.read_bytes())
    said = {"file": file, "language": "es"}
    answer = client.post(reverse("research:load_into", args=[study.slug]), said)
    asked = BundleImport.objects.get()
    assert (asked.study, asked.state) == (study, BundleImport.State.QUEUED)
    execute_import(asked.pk)
    page = client.get(answer.headers["Location"]).content.decode()
    assert "codings in the file" in page
    assert "INT-01 was called “First” there." in page
    interview = Interview.objects.get()
    assert (interview.state, interview.language) == (Interview.State.IMPORTED, "es")
    assert [each.label for each in interview.speakers.all()] == ["S1", "S2"]
    while row := Redaction.objects.filter(state=Redaction.State.PROPOSED).first():
        given: dict[str, Any] = {"kind": row.kind, "same_as": "", "only_here": False}
        decide(redaction=row, state=Redaction.State.APPROVED, actor=researcher, **given)
    text = lock_interview(interview=interview, actor=researcher)
    assert "Marie" not in text.text
    assert "Bea" not in text.text
    assert quotes() == ["pauses"]
    assert Round.objects.get().state == Round.State.CLOSED
    interview.refresh_from_db()
    assert interview.speakers.filter(called="Marie").exists()  # so that an export finds it
    page = client.get(reverse("research:interview", args=[study.slug, 1])).content.decode()
    assert "What its lines called people is, until" in page
    Interview.objects.update(original_until=timezone.now() - timedelta(days=1))
    assert delete_old_originals() == 1
    assert not interview.speakers.exclude(called="").exists()


def test_who_is_called_like_a_model_is_one_until_somebody_says_otherwise(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    words = "I like pauses."
    content = project(selection(7, 13)).replace('name="Somebody"', 'name="AI Coding beta"')
    _counts, told = load_refi(
        study=study, path=pack(tmp_path, content, sources__t_txt=words.encode()), actor=researcher
    )
    made = Coder.objects.get()
    assert (made.kind, made.model) == ("model", "AI Coding beta")
    assert ["refi_model", "C1", "AI Coding beta"] in told
    assert "is taken for a model" in problem_words("refi_model", "C1", made.model)
    assert list(judgements(Round.objects.get())) == []
    assert {row["coder_a"] for row in agreement_rows(Round.objects.get(), [])} == set()


@pytest.mark.parametrize("role", ["coder", "analyst", "redactor", None])
def test_only_who_leads_takes_a_project_in(study: Study, sign_in: SignIn, role: str | None) -> None:
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=study, user=other, role=role)
    url = reverse("research:load_into", args=[study.slug])
    assert sign_in(other).get(url).status_code == 404


def test_the_language_of_a_project_is_nobodys_and_is_said_of_each_interview(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    User.objects.filter(pk=researcher.pk).update(language="fr")
    path = pack(tmp_path, project(selection(0, 4)), sources__t_txt=b"Some words.")
    file = SimpleUploadedFile("theirs.qdpx", path.read_bytes())
    client = sign_in(researcher)
    client.post(reverse("research:load_into", args=[study.slug]), {"file": file})
    execute_import(BundleImport.objects.get().pk)
    interview = Interview.objects.get()
    assert interview.language == "und"
    page = reverse("research:interview", args=[study.slug, interview.number])
    assert '<option value="und" selected>' in client.get(page).content.decode()
    speakers = reverse("research:speakers", args=[study.slug, interview.number])
    roles = {f"role_{each.pk}": each.role for each in interview.speakers.all()}
    client.post(speakers, roles | {"language": "en"})
    interview.refresh_from_db()
    assert interview.language == "en"
    client.post(speakers, roles | {"language": "klingon"})
    client.post(speakers, roles)
    interview.refresh_from_db()
    assert interview.language == "en"


def test_the_command_says_what_came_in(researcher: User, tmp_path: Path) -> None:
    path = pack(tmp_path, project(selection(0, 4)), sources__t_txt=b"Some words.")
    assert is_refi(path)
    out = StringIO()
    said = ("--lead", researcher.email, "--language", "fr")
    call_command("import_study", str(path), *said, stdout=out)
    lines = out.getvalue().splitlines()
    assert "codings here: 1" in lines
    assert lines[-1] == Study.objects.get().slug
    assert Interview.objects.get().language == "fr"
