"""Text files of a bundle: interviews, consent documents, and the project for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from coach.research.coding.models import Code, Coder, Memo
from coach.research.exports.bundle.scope import Conversation, Included
from coach.research.exports.bundle.tables.coding import codings_in, memos_in, themes_in
from coach.research.exports.bundle.tables.interviews import codes_in, words_of
from coach.research.exports.formats.refi import (
    CodeNode,
    ProjectCase,
    ProjectCoding,
    ProjectContent,
    ProjectNote,
    ProjectSet,
    ProjectText,
    write_codebook,
    write_project,
)
from coach.research.exports.formats.taguette import write_taguette
from coach.research.exports.formats.vtt import VttCue, write_vtt
from coach.research.exports.names import keyed_guid
from coach.research.studies.models import ConsentDocument


def write_interviews(included: Included, folder: Path) -> None:
    """Write interviews/INT-01.txt, and .vtt if its turns have times."""
    target = folder / "interviews"
    target.mkdir(parents=True, exist_ok=True)
    for each in included.conversations:
        words, label = words_of(each), each.interview.label
        (target / f"{label}.txt").write_text(words, encoding="utf-8", newline="\n")
        cues = [
            VttCue(turn.start_ms, turn.end_ms, turn.speaker.label, words[turn.start : turn.end])
            for turn in each.text.turns.all()
            if turn.start_ms is not None and turn.end_ms is not None
        ]
        if cues:
            write_vtt(cues, target / f"{label}.vtt", kind="captions")


def write_documents(included: Included, folder: Path) -> None:
    """Write the information sheets by scope and version, and the interview guides."""
    target = folder / "documents"
    target.mkdir(parents=True, exist_ok=True)
    for sheet in ConsentDocument.objects.filter(study=included.study):
        name = f"consent-{sheet.scope}-v{sheet.version}-{sheet.language}.txt"
        (target / name).write_text(sheet.text, encoding="utf-8", newline="")
    for guide in included.study.guides.all():
        name = f"guide-v{guide.version}.txt"
        (target / name).write_text(guide.text, encoding="utf-8", newline="")


def write_qda(included: Included, folder: Path) -> None:
    """Write qda/: the codebook in two formats, and the project."""
    target = folder / "qda"
    target.mkdir(parents=True, exist_ok=True)
    codes = codes_in(included)
    if codes:
        write_taguette(codes, target / "codebook-taguette.csv")
        write_codebook(code_tree(codes), target / "codebook.qdc")
    write_project(_project(included, codes), target / "project.qdpx", folder / ".qdpx")


def code_tree(
    codes: Sequence[Code],
    notes: Mapping[int, Sequence[Memo]] | None = None,
    parent: int | None = None,
) -> list[CodeNode]:
    """Return the tree of codes below one (None: all), each with its memos."""
    noted = notes or {}
    return [
        CodeNode(
            guid=code.guid,
            name=code.name,
            is_codable=code.is_codable,
            colour=code.colour,
            description=described(code),
            notes=tuple(memo.guid for memo in noted.get(code.pk, ())),
            children=tuple(code_tree(codes, notes, code.pk)),
        )
        for code in codes
        if code.parent_id == parent
    ]


def described(code: Code) -> str:
    """Return all texts of a code as one, since the codebook format has a single field."""
    parts = [code.description]
    if code.include_when:
        parts.append(f"Use it when: {code.include_when}")
    if code.exclude_when:
        parts.append(f"Do not use it when: {code.exclude_when}")
    if code.examples:
        parts.append(f"Examples: {code.examples}")
    return "\n".join(part for part in parts if part)


def _project(included: Included, codes: list[Code]) -> ProjectContent:
    study, key = included.study, included.key
    memos = memos_in(included)
    of_codes: dict[int, list[Memo]] = {}
    for memo in memos:
        if memo.code_id is not None:
            of_codes.setdefault(memo.code_id, []).append(memo)
    coders = Coder.objects.filter(study=study).order_by("number")
    return ProjectContent(
        name=study.title,
        coders=[(coder.guid, coder.label) for coder in coders],
        codes=code_tree(codes, of_codes),
        variables={
            name: keyed_guid(key, "variable", name) for name in ("participant_id", "user_group")
        },
        cases=_cases(included),
        texts=[_text(included, each, memos) for each in included.conversations],
        notes=[
            ProjectNote(
                guid=memo.guid,
                name=memo.title or "memo",
                coder=memo.coder.guid,
                words=memo.body,
                at=memo.at,
            )
            for memo in memos
        ],
        study_notes=[
            memo.guid for memo in memos if memo.code_id is None and memo.interview_id is None
        ],
        sets=_sets(included, codes),
    )


def _sets(included: Included, codes: list[Code]) -> list[ProjectSet]:
    there = {code.pk for code in codes}
    found = []
    for each in themes_in(included):
        newest = max(each.memos.all(), key=lambda memo: (memo.at, memo.pk), default=None)
        members = sorted(each.codes.all(), key=lambda code: (code.position, code.pk))
        found.append(
            ProjectSet(
                guid=each.guid,
                name=each.name,
                description=included.noted(newest.body) if newest else "",
                codes=tuple(code.guid for code in members if code.pk in there),
            )
        )
    return found


def _text(included: Included, each: Conversation, memos: list[Memo]) -> ProjectText:
    return ProjectText(
        guid=each.interview.guid,
        name=each.interview.label,
        words=words_of(each),
        codings=[
            ProjectCoding(
                guid=coding.guid,
                code=coding.code.guid,
                coder=coding.coder.guid,
                start=coding.start or 0,
                end=coding.end or 0,
                at=coding.at,
                memo=coding.memo,
            )
            for coding in codings_in(included, each)
        ],
        # Few tools keep the link from a case to a text, so the text has it too.
        variables={
            "participant_id": each.person.name,
            "user_group": each.person.participant.group,
        },
        notes=tuple(
            memo.guid
            for memo in memos
            if memo.interview_id == each.interview.pk and memo.code_id is None
        ),
    )


def _cases(included: Included) -> list[ProjectCase]:
    cases = []
    for person in included.people:
        texts = [
            each.interview.guid
            for each in included.conversations
            if person.name in {each.person.name, *(who.name for who in each.people.values())}
        ]
        if texts:
            cases.append(
                ProjectCase(
                    guid=keyed_guid(included.key, "case", person.name),
                    name=person.name,
                    variables={"user_group": person.participant.group},
                    texts=tuple(texts),
                )
            )
    return cases
