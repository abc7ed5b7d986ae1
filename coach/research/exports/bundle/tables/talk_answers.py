"""Table of answers to questions after a talk: counts and times, neither question nor words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone

from coach.feedback.models import MeasuredValue, Run
from coach.questions.models import AskedQuestion, QuestionKind
from coach.questions.results import first_word_seconds
from coach.research.exports.bundle.reports import milliseconds
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Row, Table, number, refers, text, whole, yes_no
from coach.research.studies.models import Scope

_METRICS = {
    "words_per_minute": "pace.words_per_minute",
    "filled_pauses_per_minute": "fillers.filled_pauses_per_minute",
}


def _answers(included: Included) -> Iterator[Row]:
    """Yield the questions asked after exported takes, within the study's dates."""
    takes = {take.rehearsal.pk: take for take in included.takes}
    asked = AskedQuestion.objects.filter(session__take__in=list(takes))
    rows = asked.select_related("session", "answer").order_by("session__created_at", "position")
    place = 0
    for each in rows:
        take = takes[each.session.take_id]
        at = each.session.created_at
        if take.person.agrees(Scope.MEASUREMENTS) and _is_in(included, at):
            place += 1
            yield {
                "talk_answer_id": f"A-{place:05d}",
                "participant_id": take.person.name,
                "rehearsal_id": take.name,
                "position": each.position + 1,
                "kind": each.kind,
                "source": each.source,
                # The id of a coach's question would lead to its words.
                "question": "" if each.source == "coach" else each.key.partition(":")[0],
                "skipped": each.answer is None,
                "day_offset": take.person.day(at),
                **_measured(included, each),
            }


def _is_in(included: Included, at: datetime) -> bool:
    day, study = timezone.localdate(at), included.study
    is_early = study.starts_on is not None and day < study.starts_on
    is_late = study.ends_on is not None and day > study.ends_on
    return included.is_before(at) and not is_early and not is_late


def _measured(included: Included, asked: AskedQuestion) -> Row:
    """Return the measures of the newest analysis finished by the cut-off; none without one."""
    run = (
        Run.objects.filter(
            rehearsal=asked.answer, state=Run.State.DONE, finished_at__lte=included.cut_off
        )
        .order_by("-created_at")
        .first()
        if asked.answer is not None
        else None
    )
    if run is None:
        return {}
    values = MeasuredValue.objects.filter(report=run.pk, metric__in=_METRICS.values())
    found = dict(values.values_list("metric", "value"))
    first = first_word_seconds(run)
    return {
        "duration_ms": milliseconds(run.report.duration),
        "first_word_ms": None if first is None else milliseconds(first),
        **{name: found.get(metric) for name, metric in _METRICS.items()},
    }


TALK_ANSWER_TABLES = (
    Table(
        name="talk_answers",
        title="Answers to questions after a talk",
        key=("talk_answer_id",),
        rows=_answers,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(
            refers("participant_id", "participants"),
            refers("rehearsal_id", "rehearsals"),
        ),
        columns=(
            text("talk_answer_id", "Number within this export"),
            text("participant_id", "The participant"),
            text("rehearsal_id", "The take after which it was asked"),
            whole("position", "Place among the questions of one session, from 1"),
            text("kind", "Tone of the question", *QuestionKind.values),
            text("source", "Origin of the question", *AskedQuestion.Source.values),
            text(
                "question",
                "Name in the question bank, or of the template; empty for a coach's question",
                required=False,
            ),
            yes_no("skipped", "Whether there is no answer"),
            whole("duration_ms", "Length of the answer", "ms", required=False),
            whole("first_word_ms", "Time to the first word", "ms", required=False),
            number("words_per_minute", "Speaking rate of the answer", "/min"),
            number("filled_pauses_per_minute", "Filled pauses in the answer", "/min"),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)
