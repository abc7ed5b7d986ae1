"""Checks beyond Table Schema: consent for each row, valid positions, agreement between files."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from coach.research.exports.bundle.guard.problem import BROKEN, NOT_COVERED, BundleProblem
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.exports.bundle.writing import read_table
from coach.research.exports.formats.refi import PROJECT
from coach.research.studies.models import ConsentEvent, Scope

_MEDIA = (".mp4", ".webm", ".mov", ".mkv", ".wav", ".mp3", ".m4a", ".ogg", ".jpg", ".png", ".gif")
_QDA = f"{{{PROJECT}}}"


def uncovered_rows(folder: Path) -> Iterator[BundleProblem]:
    """Yield rows not covered by the person's last consent event, read from the bundle alone."""
    last: dict[tuple[str, str], str] = {}
    for row in read_table("consents", folder):
        last[row["participant_id"], row["scope"]] = row["event"]
    owners = {
        row["rehearsal_id"]: row["participant_id"] for row in read_table("rehearsals", folder)
    }
    needs = (
        ("rehearsals", "rehearsal_id", Scope.MEASUREMENTS),
        ("feedback_items", "rehearsal_id", Scope.FEEDBACK),
        ("interviews", "participant_id", Scope.TRANSCRIPT),
        ("answers", "participant_id", Scope.MEASUREMENTS),
        ("outcomes", "participant_id", Scope.MEASUREMENTS),
        ("practice", "participant_id", Scope.MEASUREMENTS),
        ("talk_answers", "participant_id", Scope.MEASUREMENTS),
        ("exercise_answers", "participant_id", Scope.MEASUREMENTS),
        ("slides", "rehearsal_id", Scope.MEASUREMENTS),
        ("key_messages", "rehearsal_id", Scope.MEASUREMENTS),
        ("take_codings", "rehearsal_id", Scope.AUDIO),
        ("take_memos", "rehearsal_id", Scope.AUDIO),
    )
    for table, column, scope in needs:
        for place, row in enumerate(read_table(table, folder), start=2):
            person = owners.get(row[column], row[column])
            if last.get((person, scope.value)) not in ConsentEvent.STANDING:
                yield BundleProblem(NOT_COVERED, f"data/{table}.csv, line {place}", scope.value)


def broken_rows(folder: Path) -> Iterator[BundleProblem]:
    """Yield inconsistent values, keys and positions."""
    yield from _keys(folder)
    yield from _measurements(folder)
    yield from _spans(folder)
    yield from _codings(folder)
    for path in folder.rglob("*"):
        if path.suffix.lower() in _MEDIA:
            yield BundleProblem(BROKEN, path.relative_to(folder).as_posix(), "media")


def _keys(folder: Path) -> Iterator[BundleProblem]:
    """Yield duplicate keys and dangling references."""
    values = {
        table.name: [
            {name: row[name] for name in (*table.key, *(each.column for each in table.refers))}
            for row in read_table(table.name, folder)
        ]
        for table in BY_NAME.values()
    }
    for table in BY_NAME.values():
        seen = set()
        for place, row in enumerate(values[table.name], start=2):
            key = tuple(row[name] for name in table.key)
            if key in seen:
                yield BundleProblem(BROKEN, f"data/{table.name}.csv, line {place}", "key")
            seen.add(key)
        for each in table.refers:
            there = {row[each.to] for row in values[each.table]}
            for place, row in enumerate(values[table.name], start=2):
                if row[each.column] and row[each.column] not in there:
                    yield BundleProblem(BROKEN, f"data/{table.name}.csv, line {place}", each.column)


def _measurements(folder: Path) -> Iterator[BundleProblem]:
    for place, row in enumerate(read_table("measurements", folder), start=2):
        if bool(row["value"]) == bool(row["missing_reason"]):
            yield BundleProblem(BROKEN, f"data/measurements.csv, line {place}", "value")


def _spans(folder: Path) -> Iterator[BundleProblem]:
    """Yield ends before starts, and times after the end of the take."""
    lengths = {
        row["rehearsal_id"]: int(row["duration_ms"]) for row in read_table("rehearsals", folder)
    }
    for table in ("measurements", "events", "take_codings"):
        for place, row in enumerate(read_table(table, folder), start=2):
            start, end = int(row["start_ms"]), int(row["end_ms"])
            # Stored times are rounded separately: one second of tolerance (rule of thumb).
            if end < start or end > lengths.get(row["rehearsal_id"], 0) + 1000:
                yield BundleProblem(BROKEN, f"data/{table}.csv, line {place}", "span")


def _codings(folder: Path) -> Iterator[BundleProblem]:
    """Check hashes and positions against the texts, and the project file against the table."""
    lengths: dict[str, int] = {}
    for place, row in enumerate(read_table("interviews", folder), start=2):
        content = (folder / row["transcript_path"]).read_bytes()
        lengths[row["interview_id"]] = len(content.decode())
        is_plain = not content.startswith(b"\xef\xbb\xbf") and b"\r" not in content
        if hashlib.sha256(content).hexdigest() != row["transcript_sha256"] or not is_plain:
            yield BundleProblem(BROKEN, f"data/interviews.csv, line {place}", "transcript_sha256")
    turns = {row["turn_id"]: row for row in read_table("interview_turns", folder)}
    codable = {row["code_guid"]: row["is_codable"] == "true" for row in read_table("codes", folder)}
    said = set()
    for place, row in enumerate(read_table("codings", folder), start=2):
        start, end = int(row["char_start"]), int(row["char_end"])
        turn = turns.get(row["turn_id"], {"char_start": "0", "char_end": "-1"})
        is_inside = int(turn["char_start"]) <= start <= int(turn["char_end"])
        if not (start < end <= lengths.get(row["interview_id"], 0) and is_inside):
            yield BundleProblem(BROKEN, f"data/codings.csv, line {place}", "char_start")
        if not codable.get(row["code_guid"]):
            yield BundleProblem(BROKEN, f"data/codings.csv, line {place}", "code_guid")
        said.add((row["coding_guid"], row["code_guid"], start, end))
    if said != project_codings(folder / "qda" / "project.qdpx"):
        yield BundleProblem(BROKEN, "qda/project.qdpx", "codings")


def project_codings(path: Path) -> set[tuple[str, str, int, int]]:
    """Return the guid, code, start and end of each coding in a project file of ours."""
    with zipfile.ZipFile(path) as archive, archive.open("project.qde") as file:
        root = ET.parse(file).getroot()  # noqa: S314  # ours: it was written a moment ago
    found = set()
    for selection in root.iter(f"{_QDA}PlainTextSelection"):
        span = int(selection.attrib["startPosition"]), int(selection.attrib["endPosition"])
        for coding in selection.iter(f"{_QDA}Coding"):
            code = coding.find(f"{_QDA}CodeRef")
            if code is not None:
                found.add((coding.attrib["guid"], code.attrib["targetGUID"], *span))
    return found
