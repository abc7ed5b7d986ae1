"""Content of the owner's pages: beginning, one question after the other, and the answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.selectors import has_coach, profile_of
from coach.feedback.models import Run
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_run
from coach.lib.words.dates import date_words
from coach.questions.models import AskedQuestion, QuestionKind, QuestionSession
from coach.questions.results import AnswerResult, answer_result
from coach.questions.selectors import written_for_take
from coach.rehearsals.models import Rehearsal

MOST_SECONDS = 90
"""The maximum length of an answer: listeners expect 60 to 90 s (rule of thumb)."""

_COMPARED_WITHIN = timedelta(seconds=10)
"""A comparison takes a second; after this time the page no longer waits for it (rule of thumb)."""

State = Literal["open", "skipped", "running", "failed", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """A question with the state of its answer."""

    id: str
    number: int
    text: str
    language: str
    kind: str
    origin: str
    quote: str
    quote_url: str
    """The sentence of the talk to play; empty if there is none, or if the recording is gone."""
    state: State
    percent: int = 0
    problem: str = ""
    media_url: str = ""
    has_video: bool = False
    result: AnswerResult | None = None
    comment: str = ""
    comment_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """A session: the question to answer now, or all answers."""

    id: str
    title: str
    report_url: str
    again_url: str
    rows: tuple[QuestionRow, ...]
    current: QuestionRow | None
    place: str
    """Question 2 of 3; empty at the end."""
    is_waiting: bool
    percent: int
    may_share: bool
    coach_may_listen: bool
    is_sound: bool
    words_first: bool
    max_minutes: float = MOST_SECONDS / 60


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginPage:
    """The page before three questions."""

    take_id: str
    title: str
    report_url: str
    obstacle: str
    with_hostile: bool
    from_coach: bool
    sessions: tuple[tuple[str, str], ...]
    """Earlier sessions: URL and date."""


def begin_page(take: Rehearsal, obstacle: str) -> BeginPage:
    """Return the page before the questions; in gentle mode no hostile one is offered first."""
    return BeginPage(
        take_id=str(take.pk),
        title=take.title,
        report_url=reverse("feedback:report", args=[take.pk]),
        obstacle=obstacle,
        with_hostile=not profile_of(take.owner).gentle,
        from_coach=written_for_take(take).exists(),
        sessions=tuple(session_links(take.question_sessions.all())),
    )


def session_links(sessions: Iterable[QuestionSession]) -> list[tuple[str, str]]:
    """Return URL and date of sessions."""
    return [
        (reverse("questions:session", args=[each.pk]), date_words(each.created_at))
        for each in sessions
    ]


def session_page(session: QuestionSession) -> SessionPage:
    """Return the current state of a session."""
    take = session.take
    rows = tuple(question_rows(session))
    current = next((row for row in rows if row.state == "open"), None)
    running = [row for row in rows if row.state == "running"]
    words = {"number": current.number, "count": len(rows)} if current else {}
    return SessionPage(
        id=str(session.pk),
        title=take.title,
        report_url=reverse("feedback:report", args=[take.pk]),
        again_url=reverse("questions:begin", args=[take.pk]),
        rows=rows,
        current=current,
        place=_("Question %(number)d of %(count)d") % words if current else "",
        is_waiting=current is None and bool(running),
        percent=sum(row.percent for row in running) // max(len(running), 1),
        may_share=has_coach(take.owner),
        coach_may_listen=session.coach_may_listen,
        is_sound=take.has_video is False or profile_of(take.owner).gentle,
        words_first=profile_of(take.owner).reads_words_first,
    )


def question_rows(session: QuestionSession) -> list[QuestionRow]:
    """Return the questions of a session in order, with what was measured of their answers."""
    asked = session.questions.select_related("answer")
    return [question_row(each, session) for each in asked]


def question_row(asked: AskedQuestion, session: QuestionSession) -> QuestionRow:
    """Return one question with the state of its answer."""
    answer = asked.answer
    state, percent, problem, result = _answered(asked)
    has_media = answer is not None and answer.media_removed_at is None
    return QuestionRow(
        id=str(asked.pk),
        number=asked.position + 1,
        text=asked.text,
        language=session.language,
        kind=str(QuestionKind(asked.kind).label),
        origin=str(AskedQuestion.Source(asked.source).label),
        quote=asked.quote,
        quote_url=_quote_url(asked, session.take),
        state=state,
        percent=percent,
        problem=problem,
        media_url=reverse("questions:recording", args=[asked.pk]) if has_media else "",
        has_video=bool(answer and answer.has_video),
        result=result,
        comment=asked.comment,
        comment_by=asked.commented_by_name,
    )


def _quote_url(asked: AskedQuestion, take: Rehearsal) -> str:
    if asked.quote_start is None or asked.quote_end is None or take.media_removed_at:
        return ""
    here = reverse("rehearsals:media", args=[take.pk])
    return f"{here}#t={max(asked.quote_start - 0.3, 0.0):.1f},{asked.quote_end + 0.3:.1f}"


def _answered(asked: AskedQuestion) -> tuple[State, int, str, AnswerResult | None]:
    """Return the state, the progress in per cent, the problem in words, and the result."""
    if asked.answer is None:
        return ("skipped" if asked.skipped_at else "open"), 0, "", None
    run = latest_run(asked.answer)
    if run is None:
        return "running", 0, "", None
    page = analysing_page(asked.answer, run)
    if page.failed:
        return "failed", 0, page.problem, None
    if page.finished and not _is_being_compared(asked, run):
        return "done", 100, "", answer_result(report_of(run), nearest_start=asked.nearest_start)
    return "running", page.percent, "", None


def _is_being_compared(asked: AskedQuestion, run: Run) -> bool:
    """Return whether the worker is about to compare the answer with the question."""
    is_recent = run.finished_at is not None and timezone.now() - run.finished_at < _COMPARED_WITHIN
    return asked.compared_at is None and is_recent
