"""Inspection of everything in a bundle, also inside the project file."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

from coach.research.exports.bundle.guard.cells import odd_cells
from coach.research.exports.bundle.guard.crosschecks import broken_rows, uncovered_rows
from coach.research.exports.bundle.guard.problem import (
    INNER_STATE,
    PHONE,
    REDACTION_PENDING,
    UNNAMED_VOICE,
    Problem,
)
from coach.research.exports.bundle.guard.project import odd_projects
from coach.research.exports.bundle.guard.words import Watch, watch_for
from coach.research.exports.bundle.readme import TERMS_NAME
from coach.research.exports.bundle.scope import Included, pending_redactions, unnamed_voices
from coach.research.exports.bundle.spec import Table
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.bundle.writing import read_table
from coach.research.exports.models import Export

_MOST = 100
"""So many problems are told at once; whoever has more begins with these."""

_PLAIN = (".txt", ".vtt", ".TextGrid", ".eaf")


def problems_before(included: Included) -> list[Problem]:
    """Return the problems that are known before any file is written."""
    if Export.OnRequest.LEAVE_OUT_PENDING in included.formats:
        return []
    pending = [Problem(REDACTION_PENDING, label) for label in pending_redactions(included.study)]
    unnamed = [Problem(UNNAMED_VOICE, label) for label in unnamed_voices(included.study)]
    return pending + unnamed


def problems_in(included: Included, folder: Path) -> list[Problem]:
    """Return the problems of the written files with their places, at most a hundred."""
    watch = watch_for(included.study)
    return list(islice(_all_problems(watch, folder, included.study.contact), _MOST))


def _all_problems(watch: Watch, folder: Path, contact: str) -> Iterator[Problem]:
    for table in TABLES:
        yield from _in_table(watch, table, folder)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.startswith("documents/"):  # They name whom to write to, and are the study's own.
            continue
        if path.suffix in _PLAIN and path.is_file():
            text = path.read_text(encoding="utf-8")
            if name == TERMS_NAME and contact:  # The study's own address stands there to be read.
                text = text.replace(contact, "·" * len(contact))
            found = watch.in_text(text, name)
            # In files of times nearly every number looks like a telephone number.
            yield from (each for each in found if path.suffix == ".txt" or each.code != PHONE)
    yield from _in_words(watch, folder)
    yield from _in_qda(watch, folder)
    odd = [*odd_cells(folder), *odd_projects(folder)]
    yield from odd
    if not odd:  # what cannot be read cannot be compared
        yield from uncovered_rows(folder)
        yield from broken_rows(folder)


def _in_table(watch: Watch, table: Table, folder: Path) -> Iterator[Problem]:
    free = [column for column in table.columns if column.is_free_text]
    if not free:
        return
    for line, row in enumerate(read_table(table.name, folder), start=2):
        for column in free:
            words = row[column.name]
            if not words:
                continue
            place = f"data/{table.name}.csv, line {line}, {column.name}"
            yield from watch.in_text(words, place)
            if column.is_about_a_person:
                for word in watch.inner_states(words):
                    yield Problem(INNER_STATE, place, word)


def _in_words(watch: Watch, folder: Path) -> Iterator[Problem]:
    """Check the words of takes as running text, since a name consists of two words there."""
    for path in sorted((folder / "rehearsals").glob("*.words.csv")):
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        said = " ".join(line.split(",")[0] for line in lines)
        yield from watch.in_text(said, path.relative_to(folder).as_posix())


def _in_qda(watch: Watch, folder: Path) -> Iterator[Problem]:
    for path in sorted((folder / "qda").glob("*.qdc")):
        yield from _in_xml(watch, path.read_bytes(), f"qda/{path.name}")
    project = folder / "qda" / "project.qdpx"
    if not project.exists():
        return
    with zipfile.ZipFile(project) as archive:
        for name in archive.namelist():
            place = f"qda/project.qdpx, {name}"
            if name.endswith(".qde"):
                yield from _in_xml(watch, archive.read(name), place)
            else:
                yield from watch.in_text(archive.read(name).decode(), place)


def _in_xml(watch: Watch, content: bytes, place: str) -> Iterator[Problem]:
    """Check names and descriptions; positions and GUIDs are not text."""
    for element in ET.fromstring(content).iter():  # noqa: S314  # ours: written a moment ago
        for words in (element.text or "", element.attrib.get("name", "")):
            if words.strip():
                yield from watch.in_text(words, place)
