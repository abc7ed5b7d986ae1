"""The bundle says the same to tools that no one here wrote, and the same bytes twice."""

from __future__ import annotations

import csv
import hashlib
import io
import unicodedata
import zipfile
from pathlib import Path

import av
import pytest
import xmlschema
from frictionless import Package
from praatio import textgrid

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.models import StoredReport
from coach.feedback.releases import begin_correction, release_feedback
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import (
    Assignment,
    Code,
    Coding,
    Interview,
    Round,
    Turn,
)
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.codebook_files import codes_in
from coach.research.exports.importing import load_bundle
from coach.research.exports.models import Export
from coach.research.studies.models import ConsentEvent, Scope, Study
from feedback_rules.loader import builtin_rule_set
from tests.coach.conftest import says
from tests.coach.research.breaks import IN_PROJECT
from tests.coach.research.bundling import export, project_of
from tests.coach.research.conftest import lay_out
from tests.coach.research.making import agree, make_study, rows
from tests.parts import shared_media

SCHEMAS = shared_media().parent / "refi"


def test_frictionless_finds_nothing_wrong_and_every_hash_holds(
    study: Study, tmp_path: Path
) -> None:
    archive = export(study, tmp_path)
    report = Package(str(tmp_path / "a.zip")).validate()
    assert report.valid, report.flatten(["type", "message"])
    assert report.stats["tasks"] == len(TABLES)
    for line in archive.read("SHA256SUMS").decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(archive.read(name)).hexdigest() == digest
    assert len(archive.namelist()) == len(archive.read("SHA256SUMS").splitlines()) + 1


def test_every_column_is_explained_to_who_reads_and_runs_nothing(
    study: Study, tmp_path: Path
) -> None:
    columns = export(study, tmp_path).read("COLUMNS.md").decode()
    for table in TABLES:
        told = columns.partition(f"## {table.name}.csv\n")[2].partition("\n## ")[0]
        rows = [line for line in told.splitlines() if line.startswith("| ")][2:]
        assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == list(table.names)
        assert all(row.count("|") == 7 for row in rows)
    assert (
        "| percent_agreement | number | 1 | (both + neither) / units | from 0 to 1 | yes |"
        in columns
    )


def test_the_same_data_gives_the_same_bytes_and_the_ledger_keeps_both(
    study: Study, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        export(study, tmp_path, name=name)
    first, second = ((tmp_path / f"{name}.zip").read_bytes() for name in ("a", "b"))
    assert first == second
    made = Export.objects.all()
    assert {each.sha256 for each in made} == {hashlib.sha256(first).hexdigest()}
    assert {each.pseudonyms.count() for each in made} == {2}
    assert Entry.objects.filter(action="research.bundle_made").count() == 2


def test_nobody_is_named_in_it(study: Study, tmp_path: Path, trainee: User) -> None:
    archive = export(study, tmp_path, "words", "textgrid", "eaf")
    with zipfile.ZipFile(io.BytesIO(archive.read("qda/project.qdpx"))) as project:
        inner = {name: project.read(name).decode() for name in project.namelist()}
    outer = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    for text in (*inner.values(), *outer.values()):
        for secret in ("Ana", "Bea", "example.org", str(trainee.pseudonym), "take.mp4", "thesis"):
            assert not says(text, secret)


@pytest.fixture
def schema() -> xmlschema.XMLSchema:
    path = SCHEMAS / "Project-mrt2019.xsd"
    if not path.exists():
        pytest.skip(f"the REFI-QDA schemas are not there: {SCHEMAS}")
    return xmlschema.XMLSchema(str(path))


def test_the_project_and_the_codebook_follow_the_schemas_of_refi_qda(
    study: Study, group: Interview, tmp_path: Path, schema: xmlschema.XMLSchema
) -> None:
    archive = export(study, tmp_path)
    document = project_of(archive).read("project.qde")
    assert list(schema.iter_errors(io.BytesIO(document))) == []
    codebook = xmlschema.XMLSchema(str(SCHEMAS / "Codebook.xsd"))
    assert list(codebook.iter_errors(io.BytesIO(archive.read("qda/codebook.qdc")))) == []


def test_the_schema_refuses_what_is_broken(
    study: Study, tmp_path: Path, schema: xmlschema.XMLSchema
) -> None:
    document = project_of(export(study, tmp_path)).read("project.qde").decode()
    for right, broken in IN_PROJECT.values():
        assert right in document
        spoilt = document.replace(right, broken, 1).encode()
        assert list(schema.iter_errors(io.BytesIO(spoilt))), broken


def test_frictionless_refuses_what_is_broken_in_a_table(study: Study, tmp_path: Path) -> None:
    """But for NaN, which a Table Schema takes for a number: our own check refuses it."""
    export(study, tmp_path)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(tmp_path / "broken")  # ours: no path leads out of it
    breaks = (
        ("measurements", ",8,24,0.95,good,", ",eight,24,0.95,good,", "type-error", "eight"),
        ("codings", "independent", "certain", "constraint-error", "certain"),
        ("codings", "INT-01,", "INT-99,", "foreign-key", "INT-99"),
        ("consents", ",web_form,0", ",web_form,2026-03-02 09:00", "type-error", "2026-03-02"),
        ("codes", ",is_codable", "", "missing-label", "header"),
    )
    for table, right, wrong, _kind, _named in breaks:
        path = tmp_path / "broken" / "data" / f"{table}.csv"
        text = path.read_text(encoding="utf-8")
        assert right in text, table
        path.write_text(text.replace(right, wrong, 1), encoding="utf-8", newline="")
    report = Package(str(tmp_path / "broken" / "datapackage.json")).validate()
    errors = {task.name: task.errors for task in report.tasks}
    for table, _right, wrong, kind, named in breaks:
        said = [error.message for error in errors[table] if error.type == kind]
        assert any(named in message for message in said), (table, wrong, said)


def test_positions_are_code_points_of_the_text_in_any_script(study: Study, tmp_path: Path) -> None:
    archive = export(study, tmp_path)
    text = archive.read("interviews/INT-01.txt").decode()
    assert text == unicodedata.normalize("NFC", text)
    quotes = {
        text[int(row["char_start"]) : int(row["char_end"])] for row in rows(archive, "codings")
    }
    assert quotes == {"pauses 👩🏽‍🏫", "pauses 👩🏽‍🏫, they help", "التوقّف"}
    project = project_of(archive)
    guid = rows(archive, "interviews")[0]["source_guid"]
    assert project.read(f"sources/{guid}.txt").decode() == text
    assert len(rows(archive, "codings")) == Coding.objects.count() == 3


def test_a_name_in_a_table_is_explained_in_the_bundle_itself(
    study: Study, sent: Rehearsal, coach: User, tmp_path: Path
) -> None:
    """Who gets it has neither this site's rules nor its documentation."""
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    report = StoredReport.objects.get(run__rehearsal=sent)
    look = {"kind": "look_away", "start": 1.0, "end": 3.0, "label": "down", "probability": 0.9}
    report.document["events"].append(look)
    report.save()
    archive = export(study, tmp_path)
    rules = {(row["rule"], row["rule_version"]): row for row in rows(archive, "rules")}
    [item] = rows(archive, "feedback_items")
    rule = rules[item["rule"], item["rule_version"]]
    assert (rule["title"], rule["rule_sets"]) == (
        "Filled pauses clear of five a minute",
        item["rule_set"],
    )
    assert rule["metric_id"] == "fillers.filled_pauses_per_minute"
    # Those that found nothing to say are there too: what never fires is a finding.
    assert len(rules) == len(builtin_rule_set().rules)
    assert 0 < float(item["confidence"]) <= 1
    assert item["certainty"]
    release_feedback(feedback=sent.feedback.get(), coach=coach)
    begin_correction(feedback=sent.feedback.get(), coach=coach)
    first, second = rows(export(study, tmp_path, name="b"), "feedback_items")
    ids = {first["feedback_version"]: first, second["feedback_version"]: second}
    assert ids["2"]["former_feedback_id"] == ids["1"]["feedback_id"]
    assert ids["1"]["former_feedback_id"] == ""
    kinds = {row["kind"] for row in rows(archive, "event_kinds")}
    said = {row["kind"]: row["label"] for row in rows(archive, "events")}
    assert said.keys() <= kinds
    # Which way somebody looked is nothing that they said; what they said stays away.
    assert said.pop("look_away") == "down"
    assert set(said.values()) == {""}
    for name in ("COLUMNS.md", "README.md", "export_manifest.json", "datapackage.json"):
        assert "docs/" not in archive.read(name).decode()


def test_questions_of_the_guide_and_shares_leave_and_come_back(
    study: Study, researcher: User, tmp_path: Path
) -> None:
    Turn.objects.filter(number=1).update(question=3)
    coding_round = Round.objects.get()
    coder = coding_round.coders.get(number=2)
    interview = Interview.objects.get()
    Assignment.objects.create(round=coding_round, coder=coder, interview=interview)
    coding_round.interviews.add(interview)
    archive = export(study, tmp_path)
    assert [row["question"] for row in rows(archive, "interview_turns")] == ["3", "", "", ""]
    assert rows(archive, "shares") == [
        {"round": "1", "coder_id": "C2", "interview_id": "INT-01", "is_finished": "false"}
    ]
    again = make_study(researcher, "again")
    load_bundle(study=again, path=tmp_path / "a.zip")
    assert Turn.objects.get(text__interview__study=again, number=1).question == 3
    share = Assignment.objects.get(round__study=again)
    assert (share.coder.label, share.finished_at) == ("C2", None)


def test_praat_elan_and_players_read_the_files_in_time(study: Study, tmp_path: Path) -> None:
    elan = pytest.importorskip("speach.elan")
    folder = tmp_path / "laid"
    lay_out(study, folder, "textgrid", "eaf")
    [grid] = (folder / "rehearsals").glob("*.TextGrid")
    read = textgrid.openTextgrid(str(grid), includeEmptyIntervals=False)
    ums = [each for each in read.getTier("events").entries if each.label == "filled_pause"]
    assert (ums[0].start, ums[0].end) == pytest.approx((3.0, 3.4), abs=0.001)
    [eaf] = (folder / "rehearsals").glob("*.eaf")
    first = elan.read_eaf(str(eaf))["events"].annotations[0]
    assert (first.from_ts.sec, first.to_ts.sec) == pytest.approx((3.0, 3.4), abs=0.001)
    [vtt] = (folder / "rehearsals").glob("*.vtt")
    with av.open(str(vtt)) as subtitles:
        cues = [(each.pts, each.duration) for each in subtitles.demux() if each.pts is not None]
    assert (3000, 400) in cues


def test_a_code_with_a_dot_makes_no_branch_in_taguette(study: Study, tmp_path: Path) -> None:
    Code.objects.filter(name="pauses").update(name="pauses etc.")
    text = export(study, tmp_path).read("qda/codebook-taguette.csv").decode()
    assert [row["tag"] for row in csv.DictReader(io.StringIO(text))] == ["pauses etc-", "helping"]


def test_a_codebook_for_taguette_runs_no_formula_in_a_spreadsheet(
    study: Study, tmp_path: Path
) -> None:
    Code.objects.filter(name="pauses").update(name="=1+1", description="-2+3")
    text = export(study, tmp_path).read("qda/codebook-taguette.csv").decode()
    assert "'=1+1,'-2+3" in text
    found = {code.name: code.description for code in codes_in("codebook.csv", text.encode())}
    assert found["=1+1"] == "-2+3"
