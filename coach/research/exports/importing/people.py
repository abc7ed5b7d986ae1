"""Import of a bundle's people, their consents and answers, and the rows of their takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils import timezone

from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.importing.reading import Bundle, NotABundle
from coach.research.exports.models import ImportedRow
from coach.research.studies.models import (
    Allocation,
    Answer,
    AnswerSheet,
    Condition,
    ConsentDocument,
    ConsentEvent,
    Participant,
    Question,
    Questionnaire,
    Study,
)

_AT_ONCE = 2000


@dataclass(kw_only=True)
class Loading:
    """The objects imported so far, by their names in the bundle."""

    study: Study
    bundle: Bundle
    first: datetime
    """Day 0 of everybody: only distances between days are in a bundle."""
    people: dict[str, Participant] = field(default_factory=dict)

    def moment(self, day: int, place: int = 0) -> datetime:
        """Return a time on that day; `place` keeps the order within a day."""
        return self.first + timedelta(days=day, seconds=place)

    def day(self, offset: int) -> date:
        """Return the date of a day offset."""
        return timezone.localdate(self.moment(offset))


def load_people(loading: Loading) -> None:
    """Import participants with their conditions."""
    arms = {
        arm["letter"]: Condition.objects.create(
            study=loading.study,
            letter=arm["letter"],
            name=arm.get("name", arm["letter"]),
            what=arm.get("what", ""),
            weight=arm["share"],
        )
        for arm in loading.bundle.manifest["conditions"]["arms"]
    }
    for number, row in enumerate(loading.bundle.rows("participants"), start=1):
        person = Participant.objects.create(
            study=loading.study,
            pseudonym=row["participant_id"],
            group=row["user_group"],
            cohort=row["cohort"],
            experience=row["experience_band"],
            practice_language=row["practice_language"],
        )
        loading.people[person.pseudonym] = person
        if row["condition"]:
            Allocation.objects.create(
                participant=person, condition=arms[row["condition"]], number=number
            )


def load_consents(loading: Loading) -> None:
    """Import the information sheets, and every consent event in order."""
    sheets = {}
    for said in loading.bundle.manifest["consent_documents"]:
        sheet = ConsentDocument.objects.create(
            study=loading.study,
            scope=said["scope"],
            version=said["version"],
            language=said["language"],
            is_material=said["is_material"],
            sha256=said["sha256"],
            text=loading.bundle.text(said["path"]),
        )
        sheets[sheet.scope, str(sheet.version), sheet.language] = sheet
    ConsentDocument.objects.filter(study=loading.study).update(created_at=loading.first)
    events = []
    for place, row in enumerate(loading.bundle.rows("consents")):
        key = (row["scope"], row["document_version"], row["document_language"])
        if key not in sheets:
            raise NotABundle(f"data/consents.csv, line {place + 2}")
        number = int(row["consent_event_id"].rpartition("-")[2])
        events.append(
            ConsentEvent(
                participant=loading.people[row["participant_id"]],
                scope=row["scope"],
                kind=row["event"],
                method=row["method"],
                document=sheets[key],
                at=loading.moment(row["day_offset"], number),
            )
        )
    ConsentEvent.objects.bulk_create(events)


def load_answers(loading: Loading) -> None:
    """Import questionnaires and their answers."""
    forms: dict[tuple[str, str, str], Questionnaire] = {}
    questions: dict[str, Question] = {}
    for row in loading.bundle.rows("questions"):
        key = (row["questionnaire"], row["moment"], row["language"])
        if key not in forms:
            forms[key] = Questionnaire.objects.create(
                study=loading.study,
                key=key[0],
                moment=key[1],
                language=key[2],
                title=row["questionnaire_title"],
                source=row["source"],
                terms=row["terms"],
            )
        named = ("text", "kind", "least", "most", "least_means", "most_means")
        questions[row["question_id"]] = Question.objects.create(
            questionnaire=forms[key],
            key=row["question_id"].rpartition(".")[2],
            position=row["position"],
            choices=row["choices"].split(" | ") if row["choices"] else [],
            is_reversed=row["is_reversed"],
            is_required=row["is_required"],
            **{name: row[name] for name in named},
        )
    for row in loading.bundle.rows("answers"):
        question = questions[row["question_id"]]
        sheet, _new = AnswerSheet.objects.get_or_create(
            participant=loading.people[row["participant_id"]],
            questionnaire=question.questionnaire,
            defaults={"sent_at": loading.moment(row["day_offset"])},
        )
        Answer.objects.create(
            sheet=sheet, question=question, number=row["number"], text=row["text"]
        )


def load_takes(loading: Loading) -> dict[str, int]:
    """Import the tables made from recordings unchanged; return the number of rows of each."""
    counts = {}
    for table in TABLES:
        if table.is_kept_as_it_came:
            rows = _rows(loading, table.name)
            counts[table.name] = len(ImportedRow.objects.bulk_create(rows, batch_size=_AT_ONCE))
    return counts


def _rows(loading: Loading, table: str) -> Iterator[ImportedRow]:
    for number, row in enumerate(loading.bundle.rows(table), start=1):
        yield ImportedRow(study=loading.study, table=table, number=number, values=row)
