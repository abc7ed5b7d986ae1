"""What the person meant to try, and how it went, as the headline of a report."""

from __future__ import annotations

from collections.abc import Iterable

from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.practice.one_thing.advice import advice_for
from coach.practice.one_thing.comparison import answer_of
from coach.practice.preferences import reads_words_first


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the headline for the owner, unless a coach reads the take first."""
    take = reading.rehearsal
    if not reading.is_owner or reading.feedback is None:
        return
    advice = advice_for(take.owner, of=take, before=take.created_at)
    if advice is None:
        return
    is_reached = advice.rule in reading.reached
    answer = answer_of(advice, take, reading.report)
    is_same_talk = advice.take is not None and advice.take.talk_id == take.talk_id
    if not (answer.facts or (is_same_talk and (answer.words or is_reached))):
        return
    yield PagePart(
        place="top",
        template="practice/_last_time.html",
        context={
            "advice": advice,
            "answer": answer,
            "is_reached": is_reached,
            "words_first": reads_words_first(take.owner),
        },
        about=advice.rule,
    )
