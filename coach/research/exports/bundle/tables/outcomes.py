"""Table of outcomes in long form, for studies of efficacy: one number in each row.

It repeats the measurements, ratings and answers of other tables with person, occasion and
condition beside each value, as programs for mixed models expect them.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.metric import UNITS
from analysis.metrics import METRICS
from coach.research.exports.bundle.reports import measured_in
from coach.research.exports.bundle.scope import Included, IncludedTake
from coach.research.exports.bundle.spec import Row, Table, number, refers, text, whole, yes_no
from coach.research.exports.bundle.tables.people import given_answers, question_id
from coach.research.exports.bundle.tables.ratings import consented_ratings, score_id
from coach.research.exports.bundle.tables.takes import measurement_id
from coach.research.studies.models import Question, Questionnaire

MEASURE, RATING, ANSWER = "measure", "rating", "answer"
FIRST, BETWEEN, LAST, ONLY = "first", "between", "last", "only"
_LEVEL, _POINTS = "level", "points"


def _outcomes(included: Included) -> Iterator[Row]:
    rows = [*_measures(included), *_ratings(included), *_answers(included)]
    yield from sorted(rows, key=lambda row: str(row["outcome_id"]))


def _measures(included: Included) -> Iterator[Row]:
    units = {each.id: UNITS[each.unit].ucum for each in METRICS}
    for take in included.takes:
        for each in measured_in(take).exclude(value=None):
            if each.metric in units:
                yield {
                    **_of_take(included, take),
                    "outcome_id": f"{MEASURE}:{measurement_id(take, each.metric)}",
                    "kind": MEASURE,
                    "outcome": each.metric,
                    "value": each.value,
                    "unit": units[each.metric],
                }


def _ratings(included: Included) -> Iterator[Row]:
    for rating, take, rater in consented_ratings(included):
        for each in rating.judgements.all():
            if rater is not None and each.level:
                yield {
                    **_of_take(included, take),
                    "outcome_id": f"{RATING}:{score_id(included, rating, each)}",
                    "rater_id": rater.name,
                    "kind": RATING,
                    "outcome": each.quality,
                    "value": each.level,
                    "unit": _LEVEL,
                }


def _of_take(included: Included, take: IncludedTake) -> Row:
    return {
        "participant_id": take.person.name,
        "condition": take.person.condition,
        "rehearsal_id": take.name,
        "sequence_no": take.number,
        "occasion": _occasion(take.number, included.take_counts[take.person.name]),
        "day_offset": take.person.day(take.rehearsal.created_at),
        "is_reversed": False,
    }


def _occasion(position: int, of: int) -> str:
    if of == 1:
        return ONLY
    return {1: FIRST, of: LAST}.get(position, BETWEEN)


def _answers(included: Included) -> Iterator[Row]:
    for person, each in given_answers(included):
        question = each.question
        if each.number is None:
            continue
        form = question.questionnaire
        yield {
            "outcome_id": f"{ANSWER}:{person.name}:{question_id(question)}",
            "participant_id": person.name,
            "condition": person.condition,
            "occasion": form.moment,
            "day_offset": person.day(each.sheet.sent_at),
            "kind": ANSWER,
            "outcome": f"{form.key}.{question.key}",
            "value": _turned(each.number, question),
            "unit": _POINTS,
            "is_reversed": question.is_reversed,
        }


def _turned(value: float, question: Question) -> float:
    """Return an answer so that more means more of what the questionnaire asks for."""
    if not question.is_reversed or question.least is None or question.most is None:
        return value
    return question.least + question.most - value


OUTCOME_TABLES = (
    Table(
        name="outcomes",
        title="Measures, coaches' ratings and answers in long form, one value in each row",
        key=("outcome_id",),
        rows=_outcomes,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(
            refers("participant_id", "participants"),
            refers("rehearsal_id", "rehearsals"),
            refers("rater_id", "participants", "participant_id"),
        ),
        columns=(
            text("outcome_id", "Kind, and the key of the value in its own table"),
            text("participant_id", "The person who spoke or answered"),
            text("condition", "Letter of the assigned condition", required=False),
            text("rehearsal_id", "The take; empty for an answer", required=False),
            whole("sequence_no", "Number of the person's take, from 1", least=1, required=False),
            text(
                "occasion",
                "Place among the person's takes in this export, or moment of the questionnaire",
                *(FIRST, BETWEEN, LAST, ONLY),
                *Questionnaire.Occasion.values,
            ),
            whole("day_offset", "Days since first consent", "d", least=None),
            text("rater_id", "The rater; only for a rating", required=False),
            text("kind", "Origin of the value", MEASURE, RATING, ANSWER),
            text("outcome", "Measure, criterion, or questionnaire and question"),
            number("value", "The value; reverse-scored where is_reversed is true", required=True),
            text("unit", "UCUM unit of a measure; level of a rating; points of an answer"),
            yes_no("is_reversed", "Whether the answer was reverse-scored here"),
        ),
    ),
)
