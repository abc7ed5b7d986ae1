"""A project's text with its turns, unchanged, since offsets must not move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from django.db.models import Max
from django.utils import timezone

from coach.research.coding.interviews.reading.docx import read_docx
from coach.research.coding.interviews.reading.encodings import decode
from coach.research.coding.interviews.reading.lines import Line, NotATranscript, ParsedFile
from coach.research.coding.interviews.reading.turns import named_lines
from coach.research.coding.interviews.transcript_text import digest
from coach.research.coding.interviews.voices import guessed_role
from coach.research.coding.models import Interview, Speaker, Text, Turn
from coach.research.exports.importing.refi.archive import Archive
from coach.research.exports.importing.refi.project import ImportedText, guid_of
from coach.research.studies.models import Study


def words_of(archive: Archive, text: ImportedText) -> tuple[str, str]:
    """Return the words as the tool had them, without a mark, and a problem code or an empty one."""
    if text.plain_path and (content := archive.file(text.plain_path)) is not None:
        return decode(content)[0], ""
    if text.inline is not None:
        return text.inline.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"), ""
    content = archive.file(text.rich_path) if text.rich_path else None
    if content is None:
        return "", "refi_no_text"
    try:
        return "\n".join(line.words for line in read_docx(content).lines), "refi_styled"
    except NotATranscript:
        return "", "refi_no_text"


def keep_text(study: Study, text: ImportedText, words: str, language: str) -> Text:
    """Save an interview whose text is already coded and may still contain names."""
    last = study.interviews.aggregate(last=Max("number"))["last"] or 0
    interview = Interview.objects.create(
        study=study,
        number=last + 1,
        guid=guid_of(text.key),
        mode=Interview.Mode.IN_PERSON,
        language=language,
        held_on=_day(text.held),
    )
    kept = Text.objects.create(
        interview=interview,
        kind=Text.Kind.LOCKED,
        text=words,
        sha256=digest(words),
        n_code_points=len(words),
    )
    _keep_turns(kept)
    return kept


def _day(said: str) -> date:
    try:
        return datetime.fromisoformat(said.strip()).date()
    except ValueError:
        return timezone.localdate()


def _keep_turns(text: Text) -> None:
    spans = list(_spans(text.text))
    names = list(dict.fromkeys(name for name, _start, _end in spans))
    speakers = {
        name: Speaker.objects.create(
            interview=text.interview,
            label=f"S{number}",
            called=name[:120],
            role=guessed_role(name) if name else Speaker.Role.PARTICIPANT,
        )
        for number, name in enumerate(names, start=1)
    }
    Turn.objects.bulk_create(
        Turn(text=text, number=number, speaker=speakers[name], start=start, end=end)
        for number, (name, start, end) in enumerate(spans, start=1)
    )
    people = sum(each.role == Speaker.Role.PARTICIPANT for each in speakers.values())
    if people > 1:
        Interview.objects.filter(pk=text.interview_id).update(kind=Interview.Kind.FOCUS_GROUP)


def _spans(words: str) -> Iterator[tuple[str, int, int]]:
    """Yield turns as speaker, start and end: up to the next named line; without names, each line.

    They cover the whole text, so that every coding begins in one: empty lines belong to the turn
    before.
    """
    lines = [Line(n, each) for n, each in enumerate(words.split("\n"), start=1)]
    named = named_lines(ParsedFile(kind="txt", lines=lines))
    name, start, at, is_begun = "", 0, 0, False
    for line in lines:
        if line.words.strip():
            if is_begun and (line.number in named or not name):
                yield name, start, at - 1
                start = at
            if not is_begun or start == at:
                name = named.get(line.number, "")
            is_begun = True
        at += len(line.words) + 1
    if is_begun:
        yield name, start, len(words)
