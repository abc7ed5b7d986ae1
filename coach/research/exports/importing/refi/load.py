"""Import of a project into a study, in one transaction; unsupported content is reported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from django.db import DataError, IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.pages.plain_text import storable
from coach.research.coding.codebook.versions import keep_version, newest_version, unkept
from coach.research.coding.interviews.redaction.deciding import propose_redactions
from coach.research.coding.interviews.redaction.names import known_names, names_in_files
from coach.research.coding.interviews.redaction.patterns import NUMBER
from coach.research.coding.models import (
    UNSAID,
    Code,
    Coder,
    Coding,
    Interview,
    Memo,
    Round,
    Text,
    Theme,
    ThemeMemo,
)
from coach.research.exports.bundle.package import digest_of
from coach.research.exports.formats.refi import ORIGIN
from coach.research.exports.importing.refi.archive import Archive, NotRefi
from coach.research.exports.importing.refi.codes import keep_codes
from coach.research.exports.importing.refi.declared import declare_texts
from coach.research.exports.importing.refi.positions import NormalisedText, counted_as
from coach.research.exports.importing.refi.project import (
    ImportedCoding,
    ImportedText,
    ParsedProject,
    guid_of,
    read_project,
)
from coach.research.exports.importing.refi.texts import keep_text, words_of
from coach.research.studies.models import Study

_NUMBER: Final = re.compile(NUMBER)
_MOST_MEMO = 4000
_MOST_BODY = 20_000
_MOST_CODERS = 1000
_MOST_SPEAKERS = 10_000
"""Limit for all texts of a project, since each name is searched for in each text (rule of
thumb)."""
Told = list[list[str]]
"""Problems: codes with places and excerpts, for `sentences.problem_words`."""


@dataclass(kw_only=True)
class ProjectImport:
    """State of an import."""

    study: Study
    project: ParsedProject
    archive: Archive
    language: str
    told: Told = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    coders: dict[str, Coder] = field(default_factory=dict)
    codes: dict[str, Code] = field(default_factory=dict)
    memos: dict[str, str] = field(default_factory=dict)
    taken: set[UUID] = field(default_factory=set)
    """GUIDs of codings that the study has already."""
    placed: set[str] = field(default_factory=set)
    """Memos that belong to a coding."""
    noted: set[str] = field(default_factory=set)
    """Variables that a memo names."""

    def coder(self, *keys: str) -> Coder:
        """Return the coder of the first non-empty key, creating it; a fallback if there is none."""
        key = next((each for each in keys if each), self.project.user) or "nobody"
        if key not in self.coders:
            if len(self.coders) >= _MOST_CODERS:
                raise NotRefi("project.qde, Users")
            found = Coder.objects.filter(study=self.study, guid=guid_of(key)).first()
            last = Coder.objects.filter(study=self.study).aggregate(last=Max("number"))["last"]
            self.coders[key] = found or self._new_coder(key, (last or 0) + 1)
        return self.coders[key]

    def _new_coder(self, key: str, number: int) -> Coder:
        """Create a coder: a person without a name, or a model if named like one, with its name."""
        model = self.project.models.get(key, "")[:120]
        kind = Coder.Kind.MODEL if model else Coder.Kind.HUMAN
        made = Coder.objects.create(
            study=self.study, guid=guid_of(key), number=number, kind=kind, model=model
        )
        if model:
            self.told.append(["refi_model", made.label, model])
        return made


def load_refi(
    *,
    study: Study,
    path: Path,
    actor: User | None = None,
    language: str = UNSAID,
    declared: str = "",
) -> tuple[dict[str, int], Told]:
    """Import a .qdpx; return counts of imported and contained objects, and the problems.

    `declared` says who anonymised the texts before, and where consent is documented.

    Raises NotRefi, and saves nothing then.
    """
    with Archive(path) as archive:
        try:
            project = read_project(archive.project())
        except RecursionError as error:  # nested deeper than any codebook
            raise NotRefi("project.qde") from error
        coming = ProjectImport(study=study, project=project, archive=archive, language=language)
        try:
            with transaction.atomic():
                texts = _load(coming, actor)
                if declared and actor and texts:
                    _keep_cases(coming, texts)
                    declare_texts(
                        study=study, texts=list(texts.values()), statement=declared, actor=actor
                    )
                _report_left_out(coming)
                record_act(
                    action="research.refi_imported",
                    target=study,
                    actor=actor,
                    sha256=digest_of(path),
                    origin=project.origin[:120],
                )
        except (DataError, IntegrityError, ValueError, KeyError) as error:
            raise NotRefi("project.qde") from error
    return dict(coming.counts), coming.told


def _load(coming: ProjectImport, actor: User | None) -> dict[str, Text]:
    """Return the imported texts by key."""
    held = Study.objects.select_for_update().get(pk=coming.study.pk)
    project = coming.project
    there = held.interviews.filter(guid__in=[guid_of(text.key) for text in project.texts])
    if there.exists():
        raise NotRefi("sources/")
    coming.taken = set(Coding.objects.filter(study=held).values_list("guid", flat=True))
    for user in project.users:
        coming.coder(user)
    for note in project.notes:
        content = coming.archive.file(note.plain_path) if note.plain_path else None
        words = content.decode("utf-8-sig", "replace") if content is not None else note.inline
        coming.memos[note.key] = storable(words or "").strip()[:_MOST_BODY]
    coming.codes, told = keep_codes(held, project.codes, actor)
    coming.told += told
    codings: list[Coding] = []
    texts: dict[str, Text] = {}
    for source in project.texts:
        texts[source.key] = _keep(coming, source, codings)
    _propose(held, texts)
    _keep_codings(coming, held, codings, texts, actor)
    _keep_memos(coming, texts)
    _keep_themes(coming)
    coming.counts.update(
        codes_in_file=len(project.codes),
        codes=len({code.pk for code in coming.codes.values()}),
        codings_in_file=project.n_codings,
        codings=len(codings),
        interviews_in_file=len(project.texts),
        interviews=len(texts),
        coders_in_file=len(project.users),
        coders=len(coming.coders),
        memos_in_file=_memos_in_file(coming),
    )
    return texts


def _memos_in_file(coming: ProjectImport) -> int:
    """Return the number of non-empty notes and descriptions in the file."""
    said = [coming.project.description, *(text.description for text in coming.project.texts)]
    said += [each.description for each in coming.project.sets]
    return sum(map(bool, (*coming.memos.values(), *said)))


def _propose(study: Study, texts: dict[str, Text]) -> None:
    """Propose redactions after all texts are read: a speaker in one may be named in another."""
    if len(names_in_files(study)) > _MOST_SPEAKERS:
        raise NotRefi("sources/")
    if texts:
        known = known_names(study)
        for text in texts.values():
            propose_redactions(text=text, known=known)


def _keep(coming: ProjectImport, source: ImportedText, codings: list[Coding]) -> Text:
    raw, odd = words_of(coming.archive, source)
    way = counted_as(raw, [each for each in source.codings if None not in {each.start, each.end}])
    spans = [_span(way.code_point, each, len(raw)) for each in source.codings]
    tidied = NormalisedText(raw, [at for span in spans if span for at in span])
    text = keep_text(coming.study, source, tidied.text, coming.language)
    label = text.interview.label
    coming.counts["characters_in_file"] += len(raw)
    coming.counts["characters"] += len(tidied.text)
    if source.name not in {"", label}:
        coming.told.append(["refi_source", label, source.name])
    if odd:
        coming.told.append([odd, label, ""])
    if way.name != "code points":
        coming.told.append(["refi_counted", label, way.name])
    seen: set[tuple[int, int, int, int]] = set()
    for each, span in zip(source.codings, spans, strict=True):
        if span is None:
            coming.counts["outside"] += 1
            continue
        start, end = (tidied.place(at) for at in span)
        made = _coding(coming, source, each, text, start, end)
        if made is None:
            continue
        key = (made.coder_id, made.code_id, made.start or 0, made.end or 0)
        if key in seen:
            coming.counts["twice"] += 1
            continue
        seen.add(key)
        codings.append(made)
    return text


def _span(
    place: Callable[[int], int], coding: ImportedCoding, length: int
) -> tuple[int, int] | None:
    """Return the span of a selection; None if the file does not give its position."""
    if coding.is_whole:
        return 0, length
    if coding.start is None or coding.end is None:
        return None
    return place(coding.start), place(coding.end)


def _coding(
    coming: ProjectImport,
    source: ImportedText,
    said: ImportedCoding,
    text: Text,
    start: int,
    end: int,
) -> Coding | None:
    code = coming.codes.get(said.code)
    if code is None:
        coming.counts["without_code"] += 1
        return None
    if start >= end:
        # A cursor between two letters is not supported here: the letter after it is coded.
        end = min(start + 1, len(text.text))
        coming.counts["widened"] += start < end
    if start >= end:
        coming.counts["outside"] += 1
        return None
    memo = _joined([said.memo, *(coming.memos.get(each, "") for each in said.notes)])
    if len(memo) <= _MOST_MEMO:
        coming.placed |= set(said.notes)
    made = Coding(
        study=coming.study,
        guid=_free_guid(coming, said.guid),
        coder=coming.coder(said.user, source.user),
        code=code,
        text=text,
        start=start,
        end=end,
        memo=memo[:_MOST_MEMO],
    )
    if (at := _time(said.at)) is not None:
        made.at = at
    return made


def _time(said: str) -> datetime | None:
    """Return a time of the file; None without one that can be read."""
    try:
        at = datetime.fromisoformat(said.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _joined(words: list[str]) -> str:
    """Join words up to slightly more than the maximum: many codings may share the same long
    notes.
    """
    found, length = [], 0
    for each in filter(None, words):
        if length > _MOST_MEMO:
            break
        found.append(each)
        length += len(each)
    return "\n\n".join(found)


def _free_guid(coming: ProjectImport, key: str) -> UUID:
    guid = guid_of(key) if key else uuid4()
    return uuid4() if guid in coming.taken else guid


def _keep_codings(
    coming: ProjectImport,
    study: Study,
    codings: list[Coding],
    texts: dict[str, Text],
    actor: User | None,
) -> None:
    origin = coming.project.origin or "REFI-QDA"
    if coming.codes and unkept(study):
        keep_version(study=study, note=origin[:400], actor=actor)
    book = newest_version(study)
    if not codings or book is None:
        return
    last = study.rounds.aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(
        study=study,
        number=last + 1,
        title=origin[:120],
        codebook=book,
        state=Round.State.CLOSED,
        closed_at=timezone.now(),
    )
    made.coders.set({coding.coder for coding in codings})
    made.interviews.set({text.interview for text in texts.values()})
    guids: set[UUID] = set()
    for coding in codings:
        coding.round = made
        if coding.guid in guids:
            coding.guid = uuid4()
        guids.add(coding.guid)
    dated = [(each, at) for each in codings if (at := getattr(each, "at", None)) is not None]
    Coding.objects.bulk_create(codings, batch_size=2000)
    for coding, at in dated:  # creating them set today
        coding.at = at
    Coding.objects.bulk_update([coding for coding, _at in dated], ["at"], batch_size=2000)


def _keep_memos(coming: ProjectImport, texts: dict[str, Text]) -> None:
    """Save memos with the code or text that refers to them, and descriptions of texts and
    project.
    """
    project = coming.project
    of_code = {note: code.key for code in project.codes for note in code.notes}
    of_text = {note: text.key for text in project.texts for note in (*text.notes, *text.loose)}
    inside = {n: text.key for text in project.texts for c in text.codings for n in c.notes}
    placed = coming.placed - of_code.keys() - of_text.keys()
    for note in project.notes:
        words = coming.memos[note.key]
        if note.key in placed:
            coming.counts["memos"] += bool(words)
            continue
        if words:
            at = of_text.get(note.key) or inside.get(note.key, "")
            interview = texts[at].interview if at in texts else None
            _memo(
                coming,
                note.name,
                words,
                note.user,
                coming.codes.get(of_code.get(note.key, "")),
                interview,
                guid=guid_of(note.key),
            )
    for source in project.texts:
        if source.description:
            interview = texts[source.key].interview
            _memo(coming, source.name, source.description, source.user, None, interview)
    if project.description:
        _memo(coming, project.origin, project.description, project.user, None, None)


def _keep_themes(coming: ProjectImport) -> None:
    """Save sets of codes as themes, after those that the study has."""
    place = coming.study.themes.count()
    there = set(coming.study.themes.values_list("guid", flat=True))
    for number, each in enumerate(coming.project.sets, start=place):
        guid = guid_of(each.key)
        name = " ".join(storable(each.name).split())[:120] or "…"
        made = Theme.objects.create(
            study=coming.study,
            guid=uuid4() if guid in there else guid,
            position=number,
            name=name,
        )
        there.add(made.guid)
        made.codes.set(coming.codes[key] for key in each.codes if key in coming.codes)
        if memo := storable(each.description)[:_MOST_BODY]:
            ThemeMemo.objects.create(theme=made, body=memo, by=coming.coder())
            coming.counts["memos"] += 1


def _keep_cases(coming: ProjectImport, texts: dict[str, Text]) -> None:
    """Save names of texts, variables and cases as memos on the texts that they are about.

    Only if the texts are declared as anonymised: a case or file is often named like its person. A
    project of ours has them from its participants.
    """
    project = coming.project
    if project.origin == ORIGIN:
        return
    for source in project.texts:
        interview = texts[source.key].interview
        words = _variables(coming, source.values)
        # What looks like a telephone number would stop every export.
        if source.name not in {"", interview.label} and not _NUMBER.search(source.name):
            words = f"Source: {source.name}\n{words}"
        _note_case(coming, source.name, words, interview)
    of_source: dict[str, Interview] = {}
    for source in project.texts:
        of_source.setdefault(source.source, texts[source.key].interview)
    for case in project.cases:
        there = [of_source[key] for key in dict.fromkeys(case.sources) if key in of_source]
        if not there:
            continue
        coming.counts["cases"] += 1
        words = "\n".join(filter(None, (case.description, _variables(coming, case.values))))
        for interview in there:
            _note_case(coming, case.name, f"Case: {case.name}\n{words}", interview)


def _variables(coming: ProjectImport, values: Iterable[tuple[str, str]]) -> str:
    coming.noted |= {key for key, _value in values}
    names = coming.project.variables
    return "\n".join(f"{names.get(key, key)}: {value}" for key, value in values)


def _note_case(coming: ProjectImport, title: str, words: str, interview: Interview) -> None:
    if words := storable(words).strip():
        _memo(coming, storable(title), words, "", None, interview)
        # It is none of the notes in the file, with which the number of memos is compared.
        coming.counts["memos"] -= 1


def _memo(
    coming: ProjectImport,
    title: str,
    words: str,
    user: str,
    code: Code | None,
    interview: Interview | None,
    guid: UUID | None = None,
) -> None:
    coming.counts["memos"] += 1
    Memo.objects.create(
        study=coming.study,
        guid=guid or uuid4(),
        coder=coming.coder(user),
        code=code,
        interview=interview,
        title=title[:120],
        body=words[:_MOST_BODY],
    )


def _report_left_out(coming: ProjectImport) -> None:
    counts, project = coming.counts, coming.project
    for name in ("without_code", "outside", "twice", "widened"):
        if number := counts.pop(name, 0):
            coming.told.append([f"refi_{name}", "project.qde", str(number)])
    if project.n_on_media:
        coming.told.append(["refi_on_media", "project.qde", str(project.n_on_media)])
    others = project.others
    others["PlainTextSelection"] = sum(text.n_uncoded for text in project.texts)
    others["Case"] = len(project.cases) - counts.pop("cases", 0)
    others["Variable"] = len(project.variables.keys() - coming.noted)
    for kind, number in sorted((+others).items()):
        coming.told.append(["refi_left_out", kind, str(number)])
