"""Tables of participants, their consents and their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coach.research.exports.bundle.privacy import generalised
from coach.research.exports.bundle.scope import Included, Person
from coach.research.exports.bundle.spec import (
    Row,
    Table,
    number,
    refers,
    text,
    whole,
    yes_no,
)
from coach.research.studies.models import (
    Answer,
    ConsentEvent,
    Participant,
    Question,
    Questionnaire,
    Scope,
)


def _participants(included: Included) -> Iterator[Row]:
    takes = included.take_counts
    talks = Counter(each.person.name for each in included.conversations)
    for person, shown in generalised(included):
        yield {
            "participant_id": person.name,
            "user_group": person.participant.group,
            "cohort": shown.cohort,
            "experience_band": shown.experience,
            "practice_language": shown.language,
            "condition": person.condition,
            "n_rehearsals": takes[person.name],
            "n_interviews": talks[person.name],
        }


def _consents(included: Included) -> Iterator[Row]:
    people = included.by_participant
    events = ConsentEvent.objects.filter(
        participant__in=list(people), at__lte=included.cut_off
    ).select_related("document")
    counts: Counter[str] = Counter()
    rows = []
    for event in events.order_by("at", "pk"):
        person = people[event.participant_id]
        counts[person.name] += 1
        rows.append(
            {
                "consent_event_id": f"{person.name}-{counts[person.name]:03d}",
                "participant_id": person.name,
                "scope": event.scope,
                "event": event.kind,
                "document_version": str(event.document.version),
                "document_sha256": event.document.sha256,
                "document_language": event.document.language,
                "method": event.method,
                "day_offset": person.day(event.at),
            }
        )
    yield from sorted(rows, key=lambda row: str(row["consent_event_id"]))


def _questions(included: Included) -> Iterator[Row]:
    asked = Question.objects.filter(questionnaire__study=included.study)
    rows = [
        {
            "question_id": question_id(each),
            "questionnaire": each.questionnaire.key,
            "questionnaire_title": each.questionnaire.title,
            "moment": each.questionnaire.moment,
            "position": each.position,
            "language": each.questionnaire.language,
            "text": each.text,
            "kind": each.kind,
            "least": each.least,
            "most": each.most,
            "least_means": each.least_means,
            "most_means": each.most_means,
            "choices": " | ".join(each.choices),
            "is_reversed": each.is_reversed,
            "is_required": each.is_required,
            "source": each.questionnaire.source,
            "terms": each.questionnaire.terms,
        }
        for each in asked.select_related("questionnaire")
    ]
    yield from sorted(rows, key=lambda row: str(row["question_id"]))


def question_id(question: Question) -> str:
    """Return the name of a question: its questionnaire, occasion, language and key."""
    form = question.questionnaire
    return f"{form.key}.{form.moment}.{form.language}.{question.key}"


def given_answers(included: Included) -> Iterator[tuple[Person, Answer]]:
    """Yield the answers of people who agreed to measurements, which these answers count as."""
    people = {
        pk: each for pk, each in included.by_participant.items() if each.agrees(Scope.MEASUREMENTS)
    }
    given = Answer.objects.filter(
        sheet__participant__in=list(people), sheet__sent_at__lte=included.cut_off
    ).select_related("sheet", "question__questionnaire")
    for each in given:
        yield people[each.sheet.participant_id], each


def _answers(included: Included) -> Iterator[Row]:
    rows = [
        {
            "participant_id": person.name,
            "question_id": question_id(each.question),
            "number": each.number,
            "text": each.text,
            "day_offset": person.day(each.sheet.sent_at),
        }
        for person, each in given_answers(included)
    ]
    yield from sorted(rows, key=lambda row: (str(row["participant_id"]), str(row["question_id"])))


PEOPLE_TABLES = (
    Table(
        name="participants",
        title="Participants, one row each",
        key=("participant_id",),
        rows=_participants,
        columns=(
            text("participant_id", "Random pseudonym, one for each person and study"),
            text("user_group", "Role in the study", *Participant.Group.values),
            text("cohort", "Generalised group; empty if it is too small", required=False),
            text(
                "experience_band",
                "Experience of speaking or coaching; empty if not given or if too few people "
                "share it",
                *(each for each in Participant.Experience.values if each),
                required=False,
            ),
            text("practice_language", "BCP 47 primary language subtag", required=False),
            text("condition", "Letter of the assigned condition", required=False),
            whole("n_rehearsals", "Number of this person's takes in this export"),
            whole("n_interviews", "Number of this person's interviews in this export"),
        ),
    ),
    Table(
        name="consents",
        title="Consent events: given, declined or withdrawn",
        key=("consent_event_id",),
        rows=_consents,
        refers=(refers("participant_id", "participants"),),
        columns=(
            text("consent_event_id", "Pseudonym and number; events are added, never changed"),
            text("participant_id", "The participant"),
            text("scope", "Scope of the consent", "service", *Scope.values),
            text(
                "event", "The event; the last one of each scope applies", *ConsentEvent.Kind.values
            ),
            text("document_version", "Version of the information sheet shown"),
            text("document_sha256", "Hash of the exact text, which is in documents/"),
            text("document_language", "BCP 47"),
            text("method", "How consent was given", *ConsentEvent.Method.values),
            whole("day_offset", "Days since this person's first consent event", "d"),
        ),
    ),
    Table(
        name="questions",
        title="Questions of the questionnaires",
        key=("question_id",),
        rows=_questions,
        columns=(
            text("question_id", "Questionnaire, moment, language and key"),
            text("questionnaire", "Key of the questionnaire"),
            text("questionnaire_title", "Its title", free=True),
            text("moment", "Time point of the questionnaire", *Questionnaire.Occasion.values),
            whole("position", "Position in the questionnaire"),
            text("language", "BCP 47"),
            text("text", "Wording of the question", free=True),
            text("kind", "Type of answer", *Question.Kind.values),
            number("least", "Lowest answer of a scale"),
            number("most", "Highest answer of a scale"),
            text("least_means", "What the lowest answer means", required=False, free=True),
            text("most_means", "What the highest answer means", required=False, free=True),
            text("choices", "Choices, separated by vertical bars", required=False, free=True),
            yes_no("is_reversed", "Whether the item is reverse-scored"),
            yes_no("is_required", "Whether an answer was required"),
            text("source", "Reference of the scale", required=False, free=True),
            text("terms", "Terms of use of the scale", required=False, free=True),
        ),
    ),
    Table(
        name="answers",
        title="Answers to the questionnaires",
        key=("participant_id", "question_id"),
        rows=_answers,
        refers=(refers("participant_id", "participants"), refers("question_id", "questions")),
        columns=(
            text("participant_id", "The participant"),
            text("question_id", "The question"),
            number("number", "Numeric answer, before any reverse scoring"),
            text("text", "Answer in words", required=False, free=True),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
