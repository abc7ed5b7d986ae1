"""Import of a bundle's interviews, codebook and codings, keeping their GUIDs."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

from coach.research.coding.codebook.versions import digest_of
from coach.research.coding.models import (
    Adjudication,
    Assignment,
    Code,
    CodebookVersion,
    Coder,
    Coding,
    Guide,
    Interview,
    Memo,
    Round,
    Speaker,
    Text,
    Theme,
    ThemeMemo,
    Turn,
)
from coach.research.exports.bundle.spec import Row
from coach.research.exports.importing.people import BundleLoading

_VERSION_WORDS = (
    "name",
    "description",
    "include_when",
    "exclude_when",
    "examples",
    "colour",
    "is_codable",
    "shortcut",
)


class CodingReferences:
    """Imported objects that codings refer to, by their names in the bundle."""

    def __init__(self) -> None:
        self.texts: dict[str, Text] = {}
        self.codes: dict[str, Code] = {}
        self.coders: dict[str, Coder] = {}
        self.rounds: dict[int, Round] = {}
        self.codings: dict[str, Coding] = {}


def load_interviews(loading: BundleLoading, coded: CodingReferences) -> None:
    """Import locked texts with speakers and turns."""
    guides = {}
    for said in loading.bundle.manifest["guides"]:
        words = loading.bundle.text(f"documents/guide-v{said['version']}.txt")
        guides[str(said["version"])] = Guide.objects.create(
            study=loading.study, version=said["version"], text=words, sha256=said["sha256"]
        )
    for row in loading.bundle.rows("interviews"):
        words = loading.bundle.text(row["transcript_path"])
        interview = Interview.objects.create(
            study=loading.study,
            number=int(row["interview_id"].rpartition("-")[2]),
            guid=UUID(row["source_guid"]),
            kind=row["kind"],
            participant=loading.people[row["participant_id"]],
            guide=guides.get(row["guide_version"]),
            mode=row["mode"],
            language=row["language"],
            held_on=loading.day(row["day_offset"]),
            duration_ms=row["duration_ms"],
            state=Interview.State.LOCKED,
        )
        coded.texts[row["interview_id"]] = Text.objects.create(
            interview=interview,
            kind=Text.Kind.LOCKED,
            version=row["text_version"],
            text=words,
            sha256=hashlib.sha256(words.encode()).hexdigest(),
            n_code_points=len(words),
            redaction_version=row["redaction_version"],
            n_redactions=row["n_redactions"],
        )
    _turns(loading, coded)


def _turns(loading: BundleLoading, coded: CodingReferences) -> None:
    speakers: dict[tuple[str, str], Speaker] = {}
    turns = []
    for row in loading.bundle.rows("interview_turns"):
        text, key = coded.texts[row["interview_id"]], (row["interview_id"], row["speaker"])
        if key not in speakers:
            speakers[key] = Speaker.objects.create(
                interview=text.interview,
                label=row["speaker"],
                role=row["speaker_role"],
                participant=loading.people.get(row["participant_id"]),
            )
        turns.append(
            Turn(
                text=text,
                number=row["turn_no"],
                speaker=speakers[key],
                start=row["char_start"],
                end=row["char_end"],
                start_ms=row["start_ms"],
                end_ms=row["end_ms"],
                question=row["question"],
            )
        )
    Turn.objects.bulk_create(turns)


def load_codebook(loading: BundleLoading, coded: CodingReferences) -> None:
    """Import codes with their tree, coders and rounds."""
    rows = list(loading.bundle.rows("codes"))
    _load_codes(loading, coded, rows)
    books = _books(loading, rows)
    for row in loading.bundle.rows("coders"):
        coded.coders[row["coder_id"]] = Coder.objects.create(
            study=loading.study,
            guid=UUID(row["coder_guid"]),
            number=int(row["coder_id"][1:]),
            kind=row["kind"],
            model=row["model"],
            trained_with=books.get(row["codebook_version_trained"]),
        )
    _load_rounds(loading, coded, books)


def _load_codes(loading: BundleLoading, coded: CodingReferences, rows: list[Row]) -> None:
    for row in rows:
        named = (
            "position",
            "name",
            "is_codable",
            "description",
            "include_when",
            "exclude_when",
            "examples",
        )
        coded.codes[row["code_guid"]] = Code.objects.create(
            study=loading.study,
            guid=UUID(row["code_guid"]),
            colour=row["colour"],
            **{name: row[name] for name in named},
        )
    for row in rows:
        code = coded.codes[row["code_guid"]]
        code.parent = coded.codes.get(row["parent_code_guid"])
        code.merged_into = coded.codes.get(row["merged_into_code_guid"])
        code.state = row["status"]
        code.save()


def _load_rounds(
    loading: BundleLoading, coded: CodingReferences, books: dict[str, CodebookVersion]
) -> None:
    """Import rounds and their assignments."""
    for row in loading.bundle.rows("rounds"):
        made = Round.objects.create(
            study=loading.study,
            number=row["round"],
            title=row["title"],
            codebook=books.get(row["codebook_version"]),
            state=_state(row),
            each_to=row["each_to"],
            seed=row["seed"],
        )
        made.coders.set(coded.coders[name] for name in row["coders"].split())
        there = (coded.texts.get(name) for name in row["interviews"].split())
        made.interviews.set(text.interview for text in there if text)
        coded.rounds[made.number] = made
    for row in loading.bundle.rows("shares"):
        Assignment.objects.create(
            round=coded.rounds[row["round"]],
            coder=coded.coders[row["coder_id"]],
            interview=coded.texts[row["interview_id"]].interview,
            finished_at=loading.first if row["is_finished"] else None,
        )


def _state(row: Row) -> str:
    if row["round"] == Round.FREE_NUMBER:
        return Round.State.FREE
    return Round.State.CLOSED if row["is_closed"] else Round.State.OPEN


def _books(loading: BundleLoading, codes: list[Row]) -> dict[str, CodebookVersion]:
    """Return the versions with their codes; an older bundle has only their numbers."""
    documents: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for row in loading.bundle.rows("codebook_versions"):
        code = {
            "guid": row["code_guid"],
            "parent": row["parent_code_guid"],
            "depth": row["depth"],
            "merged_into": row["merged_into_code_guid"],
            "state": row["status"],
            **{name: row[name] for name in _VERSION_WORDS},
        }
        documents.setdefault(row["codebook_version"], []).append((row["place"], code))
    rows = (*codes, *loading.bundle.rows("rounds"))
    numbers = {row["codebook_version"] for row in rows if row["codebook_version"]}
    books = {}
    for number in sorted(numbers | documents.keys(), key=int):
        placed = sorted(documents.get(number, ()), key=lambda pair: pair[0])
        document = [code for _place, code in placed]
        if int(number):
            books[number] = CodebookVersion.objects.create(
                study=loading.study,
                number=int(number),
                document=document,
                digest=digest_of(document) if document else "",
            )
    return books


def load_themes(loading: BundleLoading, coded: CodingReferences) -> None:
    """Import themes with their codes and the versions of their memos."""
    themes: dict[str, Theme] = {}
    for row in loading.bundle.rows("themes"):
        made = Theme.objects.create(
            study=loading.study,
            guid=UUID(row["theme_guid"]),
            position=row["place"],
            name=row["name"],
        )
        made.codes.set(coded.codes[guid] for guid in row["codes"].split())
        themes[row["theme_guid"]] = made
    for row in sorted(loading.bundle.rows("theme_memos"), key=lambda row: row["version"]):
        by = coded.coders[row["coder_id"]]
        ThemeMemo.objects.create(theme=themes[row["theme_guid"]], body=row["body"], by=by)


def load_codings(loading: BundleLoading, coded: CodingReferences) -> int:
    """Import codings with memos, adjudications and notes; return the number of codings."""
    for row in loading.bundle.rows("codings"):
        coded.codings[row["coding_guid"]] = Coding(
            study=loading.study,
            guid=UUID(row["coding_guid"]),
            round=coded.rounds[row["round"]],
            coder=coded.coders[row["coder_id"]],
            code=coded.codes[row["code_guid"]],
            text=coded.texts[row["interview_id"]],
            start=row["char_start"],
            end=row["char_end"],
            status=row["status"],
            memo=row["memo"],
            coded_as=[UUID(guid) for guid in row["coded_as"].split()],
        )
    Coding.objects.bulk_create(coded.codings.values())
    for row in loading.bundle.rows("adjudications"):
        Adjudication.objects.create(
            round=coded.rounds[row["round"]],
            text=coded.texts[row["interview_id"]],
            code=coded.codes[row["code_guid"]],
            start=row["char_start"],
            end=row["char_end"],
            decision=row["decision"],
            coding=coded.codings.get(row["coding_guid"]),
            note=row["note"],
        )
    for row in loading.bundle.rows("memos"):
        text = coded.texts.get(row["interview_id"])
        Memo.objects.create(
            study=loading.study,
            guid=UUID(row["memo_guid"]),
            coder=coded.coders[row["coder_id"]],
            code=coded.codes.get(row["code_guid"]),
            interview=text.interview if text else None,
            title=row["title"],
            body=row["body"],
        )
    return len(coded.codings)
