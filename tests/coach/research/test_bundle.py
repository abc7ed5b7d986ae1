"""The bundle says the same to tools that no one here wrote, and the same bytes twice."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import av
import pytest
import xmlschema
from django.urls import reverse
from django.utils import timezone
from frictionless import Package
from praatio import textgrid

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.models import StoredReport, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.practice.exercises.catalogue import exercises
from coach.practice.models import ExerciseDone, FocusArea, SpanAgain
from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import (
    Assignment,
    Code,
    Coding,
    Interview,
    Memo,
    Round,
    Turn,
)
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.codebook_files import codes_in
from coach.research.exports.directly import export_to
from coach.research.exports.importing import load_bundle
from coach.research.exports.models import Export
from coach.research.studies.models import ConsentDocument, ConsentEvent, Scope, Study
from coach.research.studies.taking_part import leave_study
from coach.review.models import ItemTime
from coach.review.rubric.models import Judgement, Occasion, Rating
from coach.review.rubric.words import QUALITIES
from feedback_rules.loader import builtin_rule_set
from tests.coach.conftest import SignIn, says
from tests.coach.factories import UserFactory
from tests.coach.research.breaks import IN_PROJECT
from tests.coach.research.conftest import lay_out
from tests.coach.research.making import agree, make_interview, make_study, mark, rows, take_part
from tests.parts import shared_media

SCHEMAS = shared_media().parent / "refi"


def export(study: Study, folder: Path, *formats: str, name: str = "a") -> zipfile.ZipFile:
    work = folder / f"work-{name}"
    work.mkdir()
    export_to(
        study=study,
        target=folder / f"{name}.zip",
        folder=work,
        formats=formats,
        recipient="A university",
        purpose="To try it",
        agreement="2026-1",
    )
    return zipfile.ZipFile(folder / f"{name}.zip")


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


def project_of(archive: zipfile.ZipFile) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(archive.read("qda/project.qdpx")))


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


def test_nothing_of_an_open_round_leaves_since_its_coders_may_export(
    study: Study, tmp_path: Path
) -> None:
    coding_round, interview = Round.objects.get(study=study), Interview.objects.get(study=study)
    coding_round.interviews.add(interview)
    coder = coding_round.coders.get(number=2)
    Memo.objects.create(study=study, coder=coder, interview=interview, body="Told too early?")
    Round.objects.update(state=Round.State.OPEN, closed_at=None)
    archive = export(study, tmp_path)
    assert rows(archive, "codings") == []
    assert [memo["body"] for memo in rows(archive, "memos")] == ["Often together."]
    assert "Told too early?" not in " ".join(
        project_of(archive).read(name).decode() for name in project_of(archive).namelist()
    )
    assert b"Coding" not in project_of(archive).read("project.qde").replace(b"CodeBook", b"")
    left_out = {(row["table_name"], row["reason"]) for row in rows(archive, "exclusions")}
    assert ("codings", "round_open") in left_out
    Round.objects.update(state=Round.State.CLOSED)
    assert len(rows(export(study, tmp_path, name="b"), "codings")) == 3


def test_what_was_measured_said_and_decided_is_there(study: Study, tmp_path: Path) -> None:
    archive = export(study, tmp_path)
    values = {row["metric_id"]: row for row in rows(archive, "measurements")}
    assert values["fillers.filled_pauses_per_minute"]["value"] == "8"
    assert all(bool(row["value"]) != bool(row["missing_reason"]) for row in values.values())
    [review] = rows(archive, "coach_reviews")
    assert (review["action"], review["reason_text"]) == ("edited", "Shorter.")
    assert review["item_seconds"] == ""  # nobody timed it
    [take] = rows(archive, "rehearsals")
    assert (take["sequence_no"], take["quality"]) == ("1", "degraded")
    manifest: dict[str, Any] = json.loads(archive.read("export_manifest.json"))
    assert manifest["rows"]["codings"] == 3


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


def test_what_people_practised_is_there_with_the_measure_before_and_after(
    study: Study, sent: Rehearsal, trainee: User, coach: User, tmp_path: Path
) -> None:
    exercise = next(iter(exercises()))
    ExerciseDone.objects.create(user=trainee, exercise=exercise, rehearsal=sent)
    ExerciseDone.objects.create(user=UserFactory(), exercise=exercise)
    metric = "fillers.filled_pauses_per_minute"
    SpanAgain.objects.create(take=sent, start=1.0, end=20.5, metric=metric, before=sent)
    FocusArea.objects.create(person=trainee, metric=metric, step=2, set_by=coach, why="Ums.")
    archive = export(study, tmp_path)
    found = {row["kind"]: row for row in rows(archive, "practice")}
    assert len(rows(archive, "practice")) == len(found) == 3
    assert (found["exercise"]["exercise"], found["exercise"]["rehearsal_id"]) == (
        exercise,
        rows(archive, "rehearsals")[0]["rehearsal_id"],
    )
    again = found["stretch_again"]
    assert [again[name] for name in ("start_ms", "end_ms", "value_before", "value_after")] == [
        "1000",
        "20500",
        "8",
        "",
    ]
    assert (found["focus"]["metric_id"], found["focus"]["step"]) == (metric, "2")
    assert "Ums." not in archive.read("data/practice.csv").decode()
    agree(study.participants.get(group="trainee"), Scope.MEASUREMENTS, kind="withdrawn")
    assert rows(export(study, tmp_path, name="b"), "practice") == []


def test_levels_of_coaches_who_take_part_are_there(
    study: Study, tmp_path: Path, sent: Rehearsal, coach: User
) -> None:
    rating = Rating.objects.create(
        rehearsal=sent, coach=coach, occasion=Occasion.REVIEW, finished_at=timezone.now()
    )
    Judgement.objects.create(rating=rating, quality="content", level=4)
    Judgement.objects.create(rating=rating, quality="language", level=None)
    agree(study.participants.get(group="coach"), Scope.RECONTACT)
    archive = export(study, tmp_path)
    scores = {(row["criterion_id"], row["score"]) for row in rows(archive, "rubric_scores")}
    assert scores == {("content", "4"), ("language", "")}
    assert len(rows(archive, "rubric_criteria")) == len(QUALITIES)


def test_only_what_somebody_agreed_to_is_there(study: Study, tmp_path: Path) -> None:
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.FEEDBACK, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    archive = export(study, tmp_path)
    assert len(rows(archive, "rehearsals")) == 1
    for table in ("feedback_items", "coach_reviews", "interviews", "codings"):
        assert rows(archive, table) == []
    assert not [
        name for name in archive.namelist() if name.startswith(("interviews/", "rehearsals/"))
    ]
    left_out = {(row["table_name"], row["suppressed"]) for row in rows(archive, "exclusions")}
    assert ("interviews", "true") in left_out


def test_who_leaves_takes_along_what_coders_quoted_of_them(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    quote = "For me, slides are what I read from."
    cal = take_part(study, UserFactory())
    agree(cal, Scope.TRANSCRIPT)
    said = [("I", None, "What do you read from?"), ("P", cal, quote)]
    text = make_interview(study, said).texts.get()
    coding_round = Round.objects.get()
    mark(coding_round, 1, text, "slides", "pauses")
    Code.objects.filter(name="pauses").update(examples=f"{quote}\nI pause.")
    keep_version(study=study, note="", actor=study.created_by)
    Memo.objects.update(body=f"As in “{quote.lower()}” by one of them.")
    assert quote in export(study, tmp_path).read("data/codes.csv").decode()
    leave_study(participant=cal, actor=study.created_by)
    archive = export(study, tmp_path, name="b")
    with zipfile.ZipFile(io.BytesIO(archive.read("qda/project.qdpx"))) as project:
        words = [project.read(name).decode() for name in project.namelist()]
    words += [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    client = sign_in(researcher)
    for kind in ("qdc", "csv"):
        for where in (("codebook_file", kind), ("codebook_version_file", 2, kind)):
            page = reverse(f"research:{where[0]}", args=[study.slug, *where[1:]])
            words.append(client.get(page).content.decode())
            assert "pauses" in words[-1]
    assert not [each for each in words if "slides are what" in each.lower()]
    by_name = {row["name"]: row["examples"] for row in rows(archive, "codes")}
    assert by_name["pauses"] == "[…].\nI pause."
    assert [row["body"] for row in rows(archive, "memos")] == ["As in “[…].” by one of them."]


def test_a_material_change_of_the_text_asks_everybody_again(study: Study, tmp_path: Path) -> None:
    ConsentDocument.objects.create(
        study=study,
        scope=Scope.MEASUREMENTS,
        language="en",
        version=2,
        text="More.",
        sha256="0",
    )
    agree(study.participants.get(group="coach"), Scope.RECONTACT)
    assert rows(export(study, tmp_path), "rehearsals") == []


def test_a_coach_who_agreed_to_nothing_leaves_no_words(study: Study, tmp_path: Path) -> None:
    agree(study.participants.get(group="coach"), Scope.FEEDBACK, kind=ConsentEvent.Kind.WITHDRAWN)
    [review] = rows(export(study, tmp_path), "coach_reviews")
    assert (review["coach_id"], review["reason_text"], review["replacement_body"]) == ("", "", "")
    assert review["was_reworded"] == "true"


def test_how_long_a_coach_worked_on_an_item_is_there_only_where_they_agreed(
    study: Study, tmp_path: Path
) -> None:
    verdict = Verdict.objects.get()
    ItemTime.objects.create(item=verdict.item, coach=verdict.coach, seconds=42.25)
    [review] = rows(export(study, tmp_path, name="c"), "coach_reviews")
    assert review["item_seconds"] == "", "it grew after the cut-off"
    ItemTime.objects.update(updated_at=verdict.at)
    [review] = rows(export(study, tmp_path), "coach_reviews")
    assert review["item_seconds"] == "42.2"
    agree(study.participants.get(group="coach"), Scope.FEEDBACK, kind=ConsentEvent.Kind.WITHDRAWN)
    [review] = rows(export(study, tmp_path, name="b"), "coach_reviews")
    assert review["item_seconds"] == ""


def test_in_a_group_only_those_who_agreed_can_be_read(
    study: Study, group: Interview, tmp_path: Path
) -> None:
    archive = export(study, tmp_path)
    text = archive.read("interviews/INT-02.txt").decode()
    assert "yourselves" not in text
    assert text.startswith("P1: I go first.\n")
    assert text.endswith("\nP1: Well.")
    assert len(text) == group.texts.get().n_code_points


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
