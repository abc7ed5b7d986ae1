"""Makes studies, people who take part and interviews for tests."""

from __future__ import annotations

import csv
import hashlib
import io
import unicodedata
import zipfile
from datetime import date
from pathlib import Path

from django.utils import timezone

from coach.accounts.models import User
from coach.research.coding.models import (
    Code,
    CodebookVersion,
    Coder,
    Coding,
    Interview,
    Round,
    Speaker,
    Text,
    Turn,
)
from coach.research.exports.command_export import export_to
from coach.research.studies.models import (
    ConsentDocument,
    ConsentEvent,
    Member,
    Participant,
    Pseudonym,
    Scope,
    Study,
    StudySecret,
)
from coach.research.studies.services import write_sheet


def make_study(lead: User, slug: str = "first-talks") -> Study:
    """A study that `lead` leads."""
    study = Study.objects.create(slug=slug, title="First talks", created_by=lead)
    StudySecret.objects.create(study=study)
    Member.objects.create(study=study, user=lead, role=Member.Role.LEAD)
    return study


def take_part(study: Study, user: User, **fields: str) -> Participant:
    """Give somebody a pseudonym in a study."""
    participant = Participant.objects.create(study=study, **fields)
    Pseudonym.objects.create(study=study, user=user, participant=participant)
    return participant


def agree(participant: Participant, *scopes: str, kind: str = ConsentEvent.Kind.GRANTED) -> None:
    """Somebody agrees to these, or does what `kind` says; sheets are made where there are none."""
    for scope in scopes:
        words = f"What {scope} means."
        sheet, _ = ConsentDocument.objects.get_or_create(
            study=participant.study,
            scope=scope,
            language="en",
            version=1,
            defaults={"text": words, "sha256": hashlib.sha256(words.encode()).hexdigest()},
        )
        ConsentEvent.objects.create(
            participant=participant, scope=scope, kind=kind, document=sheet, at=timezone.now()
        )


def mark(
    coding_round: Round, coder: int, text: Text, quote: str, code: str | None = None, memo: str = ""
) -> Coding:
    """One coder marks the first place where a text says this."""
    start = text.text.index(quote)
    return Coding.objects.create(
        study=coding_round.study,
        round=coding_round,
        coder=coding_round.coders.get(number=coder),
        code=Code.objects.get(study=coding_round.study, name=code)
        if code
        else Code.objects.filter(study=coding_round.study).first(),
        text=text,
        start=start,
        end=start + len(quote),
        memo=memo,
    )


def make_interview(
    study: Study,
    said: list[tuple[str, Participant | None, str]],
    kind: str = Interview.Kind.INTERVIEW,
) -> Interview:
    """A locked interview: label, who it is (None: the interviewer), words; one line a turn."""
    people = [who for _label, who, _words in said if who is not None]
    interview = Interview.objects.create(
        study=study,
        number=study.interviews.count() + 1,
        kind=kind,
        participant=people[0] if people else None,
        mode=Interview.Mode.IN_PERSON,
        language="en",
        held_on=date(2026, 3, 2),
        state=Interview.State.LOCKED,
    )
    words = unicodedata.normalize("NFC", "\n".join(f"{label}: {line}" for label, _, line in said))
    text = Text.objects.create(
        interview=interview,
        kind=Text.Kind.LOCKED,
        text=words,
        sha256=hashlib.sha256(words.encode()).hexdigest(),
        n_code_points=len(words),
        redaction_version="1",
    )
    _lay_turns(interview, text, said)
    return interview


def _lay_turns(
    interview: Interview, text: Text, said: list[tuple[str, Participant | None, str]]
) -> None:
    at = 0
    for number, ((label, who, _words), line) in enumerate(
        zip(said, text.text.split("\n"), strict=True), start=1
    ):
        role = Speaker.Role.PARTICIPANT if who else Speaker.Role.INTERVIEWER
        speaker, _ = Speaker.objects.get_or_create(
            interview=interview, label=label, defaults={"role": role, "participant": who}
        )
        Turn.objects.create(text=text, number=number, speaker=speaker, start=at, end=at + len(line))
        at += len(line) + 1


def make_round(study: Study, *names: str, coders: int = 2) -> Round:
    """A closed round with codes of these names and so many coders."""
    for position, name in enumerate(names):
        Code.objects.create(study=study, name=name, position=position, colour="#2a9d8f")
    book = CodebookVersion.objects.create(study=study, number=1, document=[], digest="")
    made = Round.objects.create(
        study=study, number=1, codebook=book, state=Round.State.CLOSED, closed_at=timezone.now()
    )
    made.coders.set(Coder.objects.create(study=study, number=n + 1) for n in range(coders))
    return made


def bundle_of(study: Study, folder: Path, name: str) -> zipfile.ZipFile:
    """Export a study to NAME.zip in a folder."""
    work = folder / f"work-{name}"
    work.mkdir()
    export_to(
        study=study,
        target=folder / f"{name}.zip",
        folder=work,
        formats=(),
        recipient="A",
        purpose="B",
        agreement="C",
    )
    return zipfile.ZipFile(folder / f"{name}.zip")


def rows(archive: zipfile.ZipFile, table: str) -> list[dict[str, str]]:
    """A table of a bundle."""
    return list(csv.DictReader(io.StringIO(archive.read(f"data/{table}.csv").decode())))


def ask_again(study: Study, actor: User) -> None:
    """Another information sheet on recordings, which everybody is to be asked about anew."""
    write_sheet(
        study=study,
        scope=Scope.RECORDING,
        language="en",
        text="More is asked.",
        is_material=True,
        actor=actor,
    )
