"""Table of practice between takes: exercises, redone parts, focuses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from coach.feedback.models import MeasuredValue, Run
from coach.practice.models import ExerciseDone, FocusArea, SpanAgain
from coach.research.exports.bundle.reports import milliseconds
from coach.research.exports.bundle.scope import Included, Person
from coach.research.exports.bundle.spec import Row, Table, number, refers, text, whole
from coach.research.studies.models import Scope

EXERCISE, AGAIN, FOCUS = "exercise", "stretch_again", "focus"


def _practice(included: Included) -> Iterator[Row]:
    """Yield the practice of people who consented to measurements, within the study's dates."""
    people = {
        each.user_id: each
        for each in included.people
        if each.user_id is not None and each.agrees(Scope.MEASUREMENTS)
    }
    rows = [
        *_exercises(included, people),
        *_stretches(included),
        *_focuses(included, people),
    ]
    rows.sort(key=lambda pair: (str(pair[1]["participant_id"]), pair[0]))
    for place, (_at, row) in enumerate(rows, start=1):
        yield {"practice_id": f"P-{place:05d}", **row}


def _is_in(included: Included, at: datetime) -> bool:
    day, study = timezone.localdate(at), included.study
    is_early = study.starts_on is not None and day < study.starts_on
    is_late = study.ends_on is not None and day > study.ends_on
    return included.is_before(at) and not is_early and not is_late


def _exercises(included: Included, people: dict[int, Person]) -> Iterator[tuple[datetime, Row]]:
    takes = {take.rehearsal.pk: take.name for take in included.takes}
    for each in ExerciseDone.objects.filter(user__in=list(people)):
        if _is_in(included, each.at):
            person = people[each.user_id]
            yield (
                each.at,
                {
                    "participant_id": person.name,
                    "kind": EXERCISE,
                    "exercise": each.exercise,
                    "rehearsal_id": takes.get(each.rehearsal_id, "") if each.rehearsal_id else "",
                    "day_offset": person.day(each.at),
                },
            )


def _stretches(included: Included) -> Iterator[tuple[datetime, Row]]:
    takes = {take.rehearsal.pk: take for take in included.takes}
    for each in SpanAgain.objects.filter(take__in=list(takes)):
        if not _is_in(included, each.created_at):
            continue
        take = takes[each.take_id]
        yield (
            each.created_at,
            {
                "participant_id": take.person.name,
                "kind": AGAIN,
                "metric_id": each.metric,
                "rehearsal_id": take.name,
                "start_ms": milliseconds(each.start),
                "end_ms": milliseconds(each.end),
                "value_before": _value(included, each.before_id, each.metric),
                "value_after": _value(included, each.after_id, each.metric),
                "day_offset": take.person.day(each.created_at),
            },
        )


def _value(included: Included, recording: UUID | None, metric: str) -> float | None:
    """Return the value in the newest analysis finished by the cut-off; None if not measured."""
    run = (
        Run.objects.filter(
            rehearsal=recording, state=Run.State.DONE, finished_at__lte=included.cut_off
        )
        .order_by("-created_at")
        .first()
    )
    if run is None:
        return None
    found = MeasuredValue.objects.filter(report=run.pk, metric=metric).values_list("value").first()
    return found[0] if found else None


def _focuses(included: Included, people: dict[int, Person]) -> Iterator[tuple[datetime, Row]]:
    for each in FocusArea.objects.filter(person__in=list(people)):
        if not _is_in(included, each.created_at):
            continue
        person = people[each.person_id]
        ended = each.ended_at if included.is_before(each.ended_at) else None
        yield (
            each.created_at,
            {
                "participant_id": person.name,
                "kind": FOCUS,
                "metric_id": each.metric,
                "step": each.step,
                "day_offset": person.day(each.created_at),
                "ended_day_offset": person.day(ended) if ended else None,
            },
        )


def _answers(included: Included) -> Iterator[Row]:
    """Yield each count of the recorded exercises of the same people."""
    people = {
        each.user_id: each
        for each in included.people
        if each.user_id is not None and each.agrees(Scope.MEASUREMENTS)
    }
    rows = [
        (people[done.user_id].name, done.at, done, people[done.user_id])
        for done in ExerciseDone.objects.filter(user__in=list(people)).exclude(facts=[])
        if _is_in(included, done.at)
    ]
    rows.sort(key=lambda row: row[:2])
    counts = (
        (place, done, person, fact)
        for place, (_name, _at, done, person) in enumerate(rows, start=1)
        for fact in done.facts
    )
    for at, (place, done, person, fact) in enumerate(counts, start=1):
        yield {
            "answer_id": f"A-{at:06d}",
            "participant_id": person.name,
            "recording": place,
            "exercise": done.exercise,
            "fact": fact["id"],
            "value": fact["value"],
            "unit": fact["unit"],
            "day_offset": person.day(done.at),
        }


PRACTICE_TABLES = (
    Table(
        name="practice",
        title="Practice between takes",
        key=("practice_id",),
        rows=_practice,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(
            refers("participant_id", "participants"),
            refers("rehearsal_id", "rehearsals"),
            refers("metric_id", "metrics"),
        ),
        columns=(
            text("practice_id", "Number within this export"),
            text("participant_id", "The participant"),
            text(
                "kind",
                "A finished exercise, a redone part of a take, or a focus",
                *(EXERCISE, AGAIN, FOCUS),
            ),
            text("exercise", "Name of the exercise", required=False),
            text("metric_id", "The measure compared or worked on", required=False),
            text("rehearsal_id", "The take it is based on", required=False),
            whole("start_ms", "Start of the part that was redone", "ms", required=False),
            whole("end_ms", "Exclusive", "ms", required=False),
            number(
                "value_before", "Value of the original part, in the unit given in metrics.csv", ""
            ),
            number("value_after", "Value of the redone part, in the same unit", ""),
            whole("step", "Step at the start, from 1 to 3", required=False),
            whole("day_offset", "Days since first consent", "d", least=None),
            whole(
                "ended_day_offset",
                "Day on which it ended, in days since first consent",
                "d",
                least=None,
                required=False,
            ),
        ),
    ),
    Table(
        name="exercise_answers",
        title="Counts in recorded exercises",
        key=("answer_id",),
        rows=_answers,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(refers("participant_id", "participants"),),
        columns=(
            text("answer_id", "Number within this export"),
            text("participant_id", "The participant"),
            whole("recording", "Number of the recording within this export"),
            text("exercise", "Name of the exercise"),
            text("fact", "What was counted or measured"),
            number("value", "Its value", ""),
            text("unit", "Its unit"),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
