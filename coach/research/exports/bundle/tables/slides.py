"""Tables of slides and key messages: times and counts, neither texts nor names of files."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.slides import SlidesBesideTalk, without_fit
from coach.practice.key_messages.matching import sentences_near, spoken_sentences
from coach.practice.key_messages.selectors import messages_of, verdicts_on
from coach.practice.models import KeyMessageVerdict
from coach.research.exports.bundle.reports import milliseconds, report_in
from coach.research.exports.bundle.scope import Included, IncludedTake
from coach.research.exports.bundle.spec import Row, Table, refers, text, whole, yes_no
from coach.research.studies.models import Scope
from coach.slides.models import SlideComparison
from coach.slides.selectors import timed_slides_of

_LIVE, _ESTIMATED = "live", "estimated"
_SAID, _LEFT_OUT, _OPEN = "said", "left_out", "open"


def _slides(included: Included) -> Iterator[Row]:
    """Yield each slide of exported takes: timed by the recorder, or estimated for their owner."""
    for take in included.takes:
        found = _beside(included, take) if take.person.agrees(Scope.MEASUREMENTS) else None
        for each in found.slides if found else ():
            visits = [visit for visit in found.visits if visit.slide == each.slide] if found else []
            silences = [visit.silence for visit in visits if visit.silence is not None]
            yield {
                "rehearsal_id": take.name,
                "slide": each.slide + 1,
                "timing": _ESTIMATED if found and found.is_estimated else _LIVE,
                "shown_ms": milliseconds(each.seconds),
                "times_shown": len(visits),
                "passed_over": each.passed_over,
                "words": each.words,
                "words_read_aloud": each.read,
                "silence_ms": milliseconds(max(silences)) if silences else None,
            }


def _beside(included: Included, take: IncludedTake) -> SlidesBesideTalk | None:
    """Return the times of a take's slides; None without slides, or if nobody asked for them."""
    timed = timed_slides_of(take.rehearsal)
    if timed is not None:
        report = report_in(take)
        return without_fit(report.words, timed, duration=report.media.duration)
    asked = SlideComparison.objects.filter(rehearsal=take.rehearsal, run=take.run.pk).first()
    if asked is None or not asked.found or not included.is_before(asked.asked_at):
        return None
    return SlidesBesideTalk.model_validate(asked.found)


def _key_messages(included: Included) -> Iterator[Row]:
    """Yield each key message of exported takes with what its speaker decided by the cut-off."""
    for take in included.takes:
        messages = [
            each
            for each in messages_of(take.rehearsal)
            if included.is_before(each.created_at) and take.person.agrees(Scope.MEASUREMENTS)
        ]
        if not messages:
            continue
        report = report_in(take)
        sentences = spoken_sentences(report)
        verdicts = [each for each in verdicts_on(take.rehearsal) if included.is_before(each.at)]
        for each in messages:
            near = sentences_near(each.text, sentences, report.language.code)
            own = [verdict for verdict in verdicts if verdict.message_id == each.pk]
            yield {
                "rehearsal_id": take.name,
                "message": each.place,
                "found_by_words": near.found,
                **_decided(own),
            }


def _decided(verdicts: list[KeyMessageVerdict]) -> Row:
    said = [each.at_seconds for each in verdicts if each.is_it and each.at_seconds is not None]
    whole_take = [each for each in verdicts if each.at_seconds is None]
    state = _SAID if said else _OPEN
    if whole_take:
        state = _SAID if whole_take[0].is_it else _LEFT_OUT
    rejected = sum(not each.is_it and each.at_seconds is not None for each in verdicts)
    return {
        "state": state,
        "confirmed": len(said),
        "rejected": rejected,
        "first_said_ms": milliseconds(min(said)) if said else None,
    }


SLIDE_TABLES = (
    Table(
        name="slides",
        title="Slides shown in takes",
        key=("rehearsal_id", "slide"),
        rows=_slides,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(refers("rehearsal_id", "rehearsals"),),
        columns=(
            text("rehearsal_id", "The take"),
            whole("slide", "Number of the slide, from 1"),
            text(
                "timing",
                "Timed by the recorder (live), or estimated from the words of the take",
                *(_LIVE, _ESTIMATED),
            ),
            whole("shown_ms", "Time shown, all showings together", "ms"),
            whole("times_shown", "Number of showings"),
            yes_no("passed_over", "Whether it was shown for under 2 s; false if estimated"),
            whole("words", "Words on the slide; 0 without readable text"),
            whole("words_read_aloud", "Of them, words said as written, in runs of five and more"),
            whole(
                "silence_ms",
                "Longest silence at the beginning of a showing; missing if estimated",
                "ms",
                required=False,
            ),
        ),
    ),
    Table(
        name="key_messages",
        title="Key messages of takes",
        key=("rehearsal_id", "message"),
        rows=_key_messages,
        is_kept_as_it_came=True,
        may_be_missing=True,
        refers=(refers("rehearsal_id", "rehearsals"),),
        columns=(
            text("rehearsal_id", "The take"),
            whole("message", "Place among the messages of the talk, from 1"),
            whole(
                "found_by_words",
                "Sentences that share at least half of the content words of the message",
            ),
            text(
                "state",
                "Decision of the speaker: said, left out, or none yet (open)",
                *(_SAID, _LEFT_OUT, _OPEN),
            ),
            whole("confirmed", "Sentences that the speaker confirmed"),
            whole("rejected", "Sentences that the speaker rejected"),
            whole(
                "first_said_ms",
                "Start of the first confirmed sentence; missing without one",
                "ms",
                required=False,
            ),
        ),
    ),
)
