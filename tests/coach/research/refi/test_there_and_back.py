"""A project of another tool comes in as declared, goes out, and comes in again unchanged."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.research.coding.models import Code, Coding, Interview, Memo, Text, Theme
from coach.research.exports.bundle.guard.crosschecks import project_codings
from coach.research.exports.bundle_forms import BundleForm
from coach.research.exports.importing.refi import load_refi
from coach.research.studies.models import ConsentDocument, Study
from coach.research.themes.services import add_theme, change_theme
from tests.coach.conftest import SignIn
from tests.coach.research.making import bundle_of, make_study
from tests.coach.research.refi.making import (
    CODE,
    PLAIN,
    TEXT,
    WORDS,
    pack,
    project,
    selection,
)

DECLARED = "Anonymised in 2024 by the interview team; forms in the archive."


@pytest.fixture
def declared(researcher: User, tmp_path: Path) -> Study:
    """A project with one dated coding and a code without colour."""
    study = make_study(researcher, "theirs")
    start = WORDS.index("pauses")
    text = selection(start, start + 6).replace(
        "<Coding ", '<Coding creationDateTime="2024-03-02T09:30:00Z" '
    )
    codes = f'<Code guid="{CODE}" name="pauses" isCodable="true"/>'
    path = pack(tmp_path, project(text, codes=codes), sources__t_txt=WORDS.encode())
    load_refi(study=study, path=path, actor=researcher, language="en", declared=DECLARED)
    return study


def test_declared_texts_leave_again_with_every_coding(
    declared: Study, researcher: User, tmp_path: Path
) -> None:
    assert Interview.objects.get().state == Interview.State.LOCKED
    theme = add_theme(study=declared, name="Rests", actor=researcher)
    codes = Code.objects.filter(study=declared)
    change_theme(theme=theme, name="Rests", memo="Between words.", codes=codes, actor=researcher)
    assert ConsentDocument.objects.get().text.strip() == DECLARED
    act = Entry.objects.get(action="research.texts_declared")
    assert (act.actor, act.detail["description"]) == (researcher, DECLARED)
    with bundle_of(declared, tmp_path, "out") as archive:
        content = archive.read("qda/project.qdpx")
    (tmp_path / "out.qdpx").write_bytes(content)
    assert len(project_codings(tmp_path / "out.qdpx")) == 1
    with zipfile.ZipFile(io.BytesIO(content)) as inside:
        root = ET.fromstring(inside.read("project.qde"))  # noqa: S314
    [found] = [each for each in root.iter() if each.tag.endswith("PlainTextSelection")]
    assert [each.attrib["name"] for each in root.iter() if each.tag.endswith("}Set")] == ["Rests"]
    coder = Coding.objects.get().coder
    assert found.attrib["name"] == "pauses"
    assert found.attrib["creatingUser"] == str(coder.guid)
    assert found.attrib["creationDateTime"] == "2024-03-02T09:30:00Z"
    again = make_study(researcher, "again")
    load_refi(study=again, path=tmp_path / "out.qdpx", actor=researcher)
    [back] = Theme.objects.filter(study=again)
    assert (back.name, back.codes.count(), back.memos.get().body) == ("Rests", 1, "Between words.")
    first, second = Coding.objects.order_by("pk")
    assert (second.start, second.end, second.at) == (first.start, first.end, first.at)
    assert second.code.colour == first.code.colour == ""
    assert set(Text.objects.values_list("text", flat=True)) == {PLAIN}


CASES = """<Variables><Variable guid="v1" name="Age" typeOfVariable="Integer"/>
<Variable guid="v2" name="Unused" typeOfVariable="Text"/></Variables><Cases>
<Case guid="c1" name="Teacher A"><Description>Teaches maths.</Description><VariableValue>
<VariableRef targetGUID="v1"/><IntegerValue>34</IntegerValue></VariableValue>
<SourceRef targetGUID="{text}"/></Case><Case guid="c2" name="Nobody"/></Cases>"""


@pytest.mark.parametrize("statement", [DECLARED, ""])
def test_cases_and_names_of_texts_become_memos_of_anonymised_texts(
    researcher: User, sign_in: SignIn, tmp_path: Path, statement: str
) -> None:
    more = selection(0, 4).replace("<Coding", "<!--").replace("</Coding>", "-->")
    qde = project(more).replace("<Sources>", CASES.format(text=TEXT) + "<Sources>")
    path = pack(tmp_path, qde, sources__t_txt=WORDS.encode())
    study = make_study(researcher, "cases")
    counts, told = load_refi(study=study, path=path, actor=researcher, declared=statement)
    said = {place: int(what) for code, place, what in told if code == "refi_left_out"}
    if not statement:
        assert said == {"Case": 2, "PlainTextSelection": 1, "Variable": 2}
        assert not Memo.objects.exists()
        return
    assert said == {"Case": 1, "PlainTextSelection": 1, "Variable": 1}
    assert counts["memos"] == counts["memos_in_file"] == 0
    body = "Case: Teacher A\nTeaches maths.\nAge: 34"
    found = [("First", "Source: First"), ("Teacher A", body)]
    assert sorted(Memo.objects.values_list("title", "body")) == found
    page = sign_in(researcher).get(reverse("research:interview", args=[study.slug, 1]))
    assert [each.title for each in page.context["memos"]] == ["First", "Teacher A"]
    assert b"Teaches maths." in page.content
    with bundle_of(study, tmp_path, "out") as archive:
        (tmp_path / "out.qdpx").write_bytes(archive.read("qda/project.qdpx"))
    again = make_study(researcher, "again")
    load_refi(study=again, path=tmp_path / "out.qdpx", actor=researcher, declared=statement)
    back = Memo.objects.filter(study=again)
    assert sorted(back.values_list("title", "body")) == found
    assert {each.interview.study for each in back if each.interview} == {again}


def test_an_empty_text_leaves_again(researcher: User, tmp_path: Path) -> None:
    study = make_study(researcher, "empty")
    path = pack(tmp_path, project(), sources__t_txt=b" ")
    load_refi(study=study, path=path, actor=researcher, language="en", declared=DECLARED)
    with bundle_of(study, tmp_path, "out") as archive:
        assert archive.read("interviews/INT-01.txt") == b" "


def test_nothing_is_declared_without_a_statement() -> None:
    form = BundleForm({"is_declared": "on", "declared": ""})
    assert "declared" in form.errors
    form = BundleForm({"declared": DECLARED})
    assert not form.is_valid()  # without a file
    assert form.cleaned_data["declared"] == ""


def test_a_code_without_colour_stays_without(
    declared: Study, researcher: User, sign_in: SignIn
) -> None:
    code = Code.objects.get()
    client, url = sign_in(researcher), reverse("research:code", args=[declared.slug, code.pk])
    form = client.get(url).context["form"]
    assert form["without_colour"].value()
    sent = {"name": "silences", "colour": "#000000", "without_colour": "on", "is_codable": "on"}
    client.post(url, sent)
    code.refresh_from_db()
    assert (code.name, code.colour) == ("silences", "")
    client.post(url, sent | {"colour": "#2a9d8f"})
    code.refresh_from_db()
    assert code.colour == "#2a9d8f"
