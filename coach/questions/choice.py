"""Choice of three questions: a calm first one, one about the talk, and a harder one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.questions.bank import bank
from coach.questions.models import AskedQuestion, QuestionKind, QuestionLanguage
from coach.questions.selectors import written_for_take
from coach.questions.sentences import SpokenSentence, sentences_in
from coach.questions.talk_questions import built_questions
from coach.rehearsals.models import Rehearsal

ASKED_AT_ONCE = 3
Source = AskedQuestion.Source
_FRIENDLY, _CLARIFYING, _HOSTILE = (
    QuestionKind.FRIENDLY,
    QuestionKind.CLARIFYING,
    QuestionKind.HOSTILE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A question that could be asked."""

    source: AskedQuestion.Source
    key: str
    kind: QuestionKind
    text: str
    sentence: SpokenSentence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What may be asked at one place, best first."""

    kinds: tuple[QuestionKind, ...]
    sources: tuple[AskedQuestion.Source, ...]


_CALM = _Place(kinds=(_FRIENDLY, _CLARIFYING), sources=(Source.COACH, Source.BANK, Source.TALK))
_ON_THE_TALK = _Place(
    kinds=(_CLARIFYING, _FRIENDLY), sources=(Source.TALK, Source.COACH, Source.BANK)
)
_HARD = _Place(kinds=(_HOSTILE,), sources=(Source.COACH, Source.TALK, Source.BANK))


def language_of(take: Rehearsal, otherwise: str) -> str:
    """Return the language in which questions about this take are asked."""
    run = latest_report_run(take)
    heard = run.report.language if run else take.language
    return next(
        (each for each in (heard, take.language, otherwise) if each in QuestionLanguage.values),
        QuestionLanguage.ENGLISH.value,
    )


def choose_questions(
    take: Rehearsal, language: str, *, with_hostile: bool, titles: Sequence[str] = ()
) -> list[Candidate]:
    """Return the next three questions after this take; those not yet asked after the talk first.

    The same take, bank and history always give the same questions. `titles` are those of slides.
    """
    candidates = _candidates(take, language, titles)
    asked = set(
        AskedQuestion.objects.filter(session__take__talk=take.talk_id).values_list("key", flat=True)
    )
    chosen: list[Candidate] = []
    for place in (_CALM, _ON_THE_TALK, _HARD if with_hostile else _ON_THE_TALK):
        left = [each for each in candidates if _differs(each, chosen) and each.kind in place.kinds]
        if left:
            chosen.append(min(left, key=lambda each: _rank(each, place, asked)))
    return chosen


def _rank(each: Candidate, place: _Place, asked: set[str]) -> tuple[bool, int, int]:
    return (each.key in asked, place.sources.index(each.source), place.kinds.index(each.kind))


def _differs(each: Candidate, chosen: Sequence[Candidate]) -> bool:
    """Return whether neither this question nor its sentence was chosen already."""
    return all(
        each.key != other.key and (each.sentence is None or each.sentence != other.sentence)
        for other in chosen
    )


def _candidates(take: Rehearsal, language: str, titles: Sequence[str]) -> list[Candidate]:
    written = [
        Candidate(
            source=Source.COACH, key=str(each.pk), kind=QuestionKind(each.kind), text=each.text
        )
        for each in written_for_take(take).filter(language=language)
    ]
    return [*written, *_built(take, language, titles), *_from_bank(take, language)]


def _built(take: Rehearsal, language: str, titles: Sequence[str]) -> list[Candidate]:
    """Return the questions about the talk; none while a coach reads it first."""
    run = latest_report_run(take)
    if run is None or is_held_back(take):
        return []
    sentences = sentences_in(report_for_reading(run, feedback_for_owner(take)))
    return [
        Candidate(
            source=Source.TALK, key=each.key, kind=each.kind, text=each.text, sentence=each.sentence
        )
        for each in built_questions(sentences, language, titles=titles)
    ]


def _from_bank(take: Rehearsal, language: str) -> list[Candidate]:
    """Return the fitting questions, in an order of this take's own."""
    fitting = [each for each in bank() if each.fits(aim=take.aim, audience=take.audience)]
    fitting.sort(key=lambda each: sha256(f"{take.pk}{each.id}".encode()).digest())
    return [
        Candidate(source=Source.BANK, key=each.id, kind=each.kind, text=each.text(language))
        for each in fitting
    ]
