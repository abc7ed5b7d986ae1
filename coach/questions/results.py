"""What was measured in an answer: plain facts, and sentences to compare with the question.

Nothing here judges the content.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.results import Report
from analysis.similarity import rank
from analysis.talk.languages import is_filled_pause, language_data
from coach.feedback.models import Run
from coach.feedback.pages.plain_facts import PlainFact, plain_facts
from coach.feedback.reports import report_of
from coach.lib.words.numbers import decimal
from coach.questions.sentences import SpokenSentence, sentences_in

_LEAST_SENTENCES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """The facts of an answer."""

    facts: tuple[PlainFact, ...] = ()
    first_sentence: str = ""
    nearest: SpokenSentence | None = None
    """The sentence nearest to the question; None if there are fewer than two."""
    nearest_place: str = ""
    no_speech: str = ""
    """Why there is nothing to show; else empty."""


def answer_result(report: Report, *, nearest_start: float | None) -> AnswerResult:
    """Return the facts of an answer from its report, and the sentence that starts there."""
    sentences = sentences_in(report)
    if not sentences:
        return AnswerResult(no_speech=_("We heard no words in this recording."))
    place = next((n for n, each in enumerate(sentences) if each.start == nearest_start), None)
    return AnswerResult(
        facts=(_first_word(report), *plain_facts(report)),
        first_sentence=sentences[0].text,
        nearest=None if place is None else sentences[place],
        nearest_place=""
        if place is None
        else _("Nearest to the question is sentence %(number)d of %(count)d:")
        % {"number": place + 1, "count": len(sentences)},
    )


def nearest_start(question: str, report: Report, language: str) -> float | None:
    """Return the start of the sentence nearest to the question; None without a choice.

    It only ranks: no similarity is stored or shown. Call it in a worker, since it loads a model.
    """
    sentences = sentences_in(report)
    if len(sentences) < _LEAST_SENTENCES:
        return None
    best = rank(question, [each.text for each in sentences], language)[0]
    return sentences[best.index].start


def first_word_seconds(run: Run) -> float | None:
    """Return the time to the first word of a stored report; None without a word."""
    return _first_word_at(report_of(run))


def _first_word_at(report: Report) -> float | None:
    data = language_data(report.language.code)
    return next((word.start for word in report.words if not is_filled_pause(word, data)), None)


def _first_word(report: Report) -> PlainFact:
    start = _first_word_at(report)
    value = "" if start is None else _("%(seconds)s s") % {"seconds": decimal(start)}
    return PlainFact(label=_("Time to the first word"), value=value)
