"""Inspection of everything in a bundle, also inside the project file."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from coach.research.coding.interviews.redaction.deciding import accepted_names_left
from coach.research.coding.interviews.redaction.matching import plain
from coach.research.exports.bundle.guard.cells import odd_cells
from coach.research.exports.bundle.guard.crosschecks import broken_rows, uncovered_rows
from coach.research.exports.bundle.guard.problem import (
    INNER_STATE,
    PHONE,
    REDACTION_PENDING,
    STILL_NAMED,
    UNNAMED_VOICE,
    BundleProblem,
)
from coach.research.exports.bundle.guard.project import odd_projects
from coach.research.exports.bundle.guard.words import NameSearch, name_search_for
from coach.research.exports.bundle.readme import TERMS_NAME
from coach.research.exports.bundle.scope import Included, pending_redactions, unnamed_voices
from coach.research.exports.bundle.spec import Table
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.bundle.writing import read_table
from coach.research.exports.models import Export

_MOST = 500
"""Most problems that are reported at once (rule of thumb)."""
_BY_CODERS: Final = frozenset(
    {
        *("codes", "codebook_versions", "rounds", "codings", "memos", "adjudications"),
        *("take_codings", "take_memos", "take_adjudications", "themes", "theme_memos"),
    }
)
"""Tables with the words of coders: a name in them is one in any case."""
_ABOUT = (
    *(("memo_guid", "memo"), ("coding_guid", "coding"), ("code_guid", "code")),
    ("theme_guid", "theme"),
    *(("interview_id", "interview"), ("round", "round")),
)
"""Columns that name the object of a row, the nearest first."""

_PLAIN = (".txt", ".vtt", ".TextGrid", ".eaf")


def problems_before(included: Included) -> list[BundleProblem]:
    """Return the problems that are known before any file is written."""
    if Export.OnRequest.LEAVE_OUT_PENDING in included.formats:
        return []
    pending = [
        BundleProblem(REDACTION_PENDING, label, "", f"interview:{label}")
        for label in pending_redactions(included.study)
    ]
    unnamed = [
        BundleProblem(UNNAMED_VOICE, label, "", f"interview:{label}")
        for label in unnamed_voices(included.study)
    ]
    return pending + unnamed


def _still_named(included: Included) -> Iterator[BundleProblem]:
    """Yield the words accepted as names that still stand in the text of their interview."""
    allowed = set(map(plain, included.study.innocent_words))
    for each in included.conversations:
        label = each.interview.label
        for words in accepted_names_left(each.interview, each.text):
            if plain(words) not in allowed:
                yield BundleProblem(STILL_NAMED, label, f"{words[0]}…", f"interview:{label}")


def problems_in(included: Included, folder: Path) -> list[BundleProblem]:
    """Return the problems of the written files with their places, at most five hundred."""
    watch = name_search_for(included.study)
    found = chain(_still_named(included), _all_problems(watch, folder, included.study.contact))
    return list(islice(found, _MOST))


def _all_problems(watch: NameSearch, folder: Path, contact: str) -> Iterator[BundleProblem]:
    for table in TABLES:
        yield from _in_table(watch, table, folder)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            yield from watch.in_text(path.stem, f"{name}, file name", by_coders=True)
        if name.startswith("documents/"):  # They name whom to write to, and are the study's own.
            continue
        if path.suffix in _PLAIN and path.is_file():
            text = path.read_text(encoding="utf-8")
            if name == TERMS_NAME and contact:  # The study's own address stands there to be read.
                text = text.replace(contact, "·" * len(contact))
            found = watch.in_text(text, name, about=_about_file(path))
            # In files of times nearly every number looks like a telephone number.
            yield from (each for each in found if path.suffix == ".txt" or each.code != PHONE)
    yield from _in_words(watch, folder)
    yield from _in_qda(watch, folder)
    odd = [*odd_cells(folder), *odd_projects(folder)]
    yield from odd
    if not odd:  # what cannot be read cannot be compared
        yield from uncovered_rows(folder)
        yield from broken_rows(folder)


def _in_table(watch: NameSearch, table: Table, folder: Path) -> Iterator[BundleProblem]:
    free = [column for column in table.columns if column.is_free_text]
    if not free:
        return
    for line, row in enumerate(read_table(table.name, folder), start=2):
        for column in free:
            words = row[column.name]
            if not words:
                continue
            place = f"data/{table.name}.csv, line {line}, {column.name}"
            about, by_coders = _about_row(table, row), table.name in _BY_CODERS
            yield from watch.in_text(words, place, about=about, by_coders=by_coders)
            if column.is_about_a_person:
                for word in watch.inner_states(words):
                    yield BundleProblem(INNER_STATE, place, word, about)


def _about_row(table: Table, row: Mapping[str, str]) -> str:
    if table.name == "codebook_versions":
        return f"version:{row['codebook_version']}"
    for column, kind in _ABOUT:
        if row.get(column):
            return f"{kind}:{row[column]}"
    return ""


def _about_file(path: Path) -> str:
    return f"interview:{path.stem}" if path.parent.name == "interviews" else ""


def _in_words(watch: NameSearch, folder: Path) -> Iterator[BundleProblem]:
    """Check the words of takes as running text, since a name consists of two words there."""
    for path in sorted((folder / "rehearsals").glob("*.words.csv")):
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        said = " ".join(line.split(",")[0] for line in lines)
        yield from watch.in_text(said, path.relative_to(folder).as_posix())


def _in_qda(watch: NameSearch, folder: Path) -> Iterator[BundleProblem]:
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


def _in_xml(watch: NameSearch, content: bytes, place: str) -> Iterator[BundleProblem]:
    """Check names and descriptions; positions and GUIDs are not text."""
    for element in ET.fromstring(content).iter():  # noqa: S314  # ours: written a moment ago
        # The name of a selection is what somebody said, not what a coder wrote.
        by_coders = not element.tag.endswith("Selection")
        for words in (element.text or "", element.attrib.get("name", "")):
            if words.strip():
                yield from watch.in_text(words, place, by_coders=by_coders)
