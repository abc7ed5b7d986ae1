"""Content of the coaches' pages: answers that go along with a take, and written questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import date_words
from coach.questions.forms import WrittenQuestionForm
from coach.questions.models import QuestionKind, WrittenQuestion
from coach.questions.page import QuestionRow, question_row
from coach.questions.selectors import shared_questions_for, written_questions_for
from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRow:
    """A written question with the form to change it."""

    id: str
    text: str
    language: str
    kind: str
    meant_for: str
    is_archived: bool
    form: WrittenQuestionForm


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPage:
    """The questions that a coach wrote."""

    form: WrittenQuestionForm
    rows: tuple[WrittenRow, ...]
    archived: tuple[WrittenRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardSession:
    """The answers of one session."""

    when: str
    rows: tuple[QuestionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersPage:
    """The answers that go along with a take, and the form for a question about its talk."""

    take_id: str
    title: str
    trainee: str
    desk_url: str
    sessions: tuple[HeardSession, ...]
    form: WrittenQuestionForm
    written: tuple[WrittenRow, ...]


def written_page(coach: User, form: WrittenQuestionForm | None = None) -> WrittenPage:
    """Return the coach's questions, newest first; archived ones apart."""
    rows = [written_row(each, coach) for each in written_questions_for(coach)]
    return WrittenPage(
        form=form or WrittenQuestionForm(coach=coach),
        rows=tuple(row for row in rows if not row.is_archived),
        archived=tuple(row for row in rows if row.is_archived),
    )


def written_row(
    written: WrittenQuestion, coach: User, form: WrittenQuestionForm | None = None
) -> WrittenRow:
    """Return a question with its form, filled in."""
    initial = {
        "text": written.text,
        "kind": written.kind,
        "language": written.language,
        "cohort": written.cohort_id,
    }
    is_for_talk = written.talk is not None
    return WrittenRow(
        id=str(written.pk),
        text=written.text,
        language=written.language,
        kind=str(QuestionKind(written.kind).label),
        meant_for=written.talk.title if written.talk else _group_words(written),
        is_archived=written.archived_at is not None,
        form=form
        or WrittenQuestionForm(
            coach=coach, for_talk=is_for_talk, initial=initial, auto_id=f"{written.pk}_%s"
        ),
    )


def _group_words(written: WrittenQuestion) -> str:
    return _("Group: %(name)s") % {"name": written.cohort.name if written.cohort else ""}


def answers_page(
    take: Rehearsal, coach: User, form: WrittenQuestionForm | None = None
) -> AnswersPage:
    """Return the answers that this coach may hear, newest session first."""
    asked = shared_questions_for(coach).filter(session__take=take, answer__isnull=False)
    by_session: dict[object, list[QuestionRow]] = {}
    when: dict[object, str] = {}
    for each in asked.order_by("-session__created_at", "position"):
        by_session.setdefault(each.session_id, []).append(question_row(each, each.session))
        when[each.session_id] = date_words(each.session.created_at)
    own = written_questions_for(coach).filter(talk=take.talk_id, archived_at=None)
    initial = {"language": take.language}
    return AnswersPage(
        take_id=str(take.pk),
        title=take.title,
        trainee=str(take.owner),
        desk_url=reverse("review:desk", args=[take.pk]),
        sessions=tuple(
            HeardSession(when=when[key], rows=tuple(rows)) for key, rows in by_session.items()
        ),
        form=form or WrittenQuestionForm(coach=coach, for_talk=True, initial=initial),
        written=_rows(own, coach),
    )


def _rows(written: Iterable[WrittenQuestion], coach: User) -> tuple[WrittenRow, ...]:
    return tuple(written_row(each, coach) for each in written)
