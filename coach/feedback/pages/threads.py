"""What was said about an item between trainee and coach, and what a coach asks the trainee."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from coach.feedback.exchange import Answered, Dispute, Question
from coach.feedback.models import Feedback, Item
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What somebody answered."""

    text: str
    who: str
    """Bea, 3 May 2026, 14:30."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """One thing that was said, and the answer to it."""

    text: str
    when: str
    reply: Reply | None
    is_open: bool
    """Somebody still waits for an answer."""
    is_withdrawn: bool
    item_id: str = ""
    """The item that it was said about: of an earlier version, where that was corrected since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """About one item: an objection, a question, each with its answer."""

    dispute: ThreadMessage | None = None
    question: ThreadMessage | None = None

    @property
    def is_open(self) -> bool:
        """Whether anything waits for an answer."""
        return any(said.is_open for said in (self.dispute, self.question) if said)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachQuestion:
    """What a coach asks before releasing."""

    who: str
    said: ThreadMessage


def thread_of(item: Item) -> Thread:
    """What was said about an item or, where nothing was, about the one that it corrects.

    With `disputes` and `questions` prefetched, nothing is read.
    """
    found = Thread()
    version: Item | None = item
    while version is not None and (found.dispute is None or found.question is None):
        disputes, questions = list(version.disputes.all()), list(version.questions.all())
        found = Thread(
            dispute=found.dispute or (_dispute(disputes[0]) if disputes else None),
            question=found.question or (_question(questions[0]) if questions else None),
        )
        version = version.former
    return found


def asked_box(question: Question | None) -> CoachQuestion | None:
    """The question of a coach, for whichever side reads it."""
    if question is None:
        return None
    said = _question(question)
    if question.feedback.state != Feedback.State.DRAFT and said.is_open:
        # Released without waiting for it.
        said = replace(said, is_open=False, is_withdrawn=True)
    return CoachQuestion(who=name_words(question.asker_name), said=said)


def _question(question: Question) -> ThreadMessage:
    return _said(question, question.text, question.at)


def _dispute(dispute: Dispute) -> ThreadMessage:
    reason = str(dispute.get_reason_display())
    words = f"{reason}. {dispute.note}" if dispute.note else f"{reason}."
    return _said(dispute, words, dispute.at)


def _said(row: Dispute | Question, text: str, at: datetime) -> ThreadMessage:
    return ThreadMessage(
        text=text,
        when=date_words(at),
        reply=_reply(row),
        is_open=row.is_open,
        is_withdrawn=row.withdrawn_at is not None,
        item_id=str(row.item_id or ""),
    )


def _reply(row: Answered) -> Reply | None:
    if row.answered_at is None:
        return None
    who = _("%(name)s, %(date)s") % {
        "name": name_words(row.answered_by_name),
        "date": date_words(row.answered_at),
    }
    return Reply(text=row.answer, who=who)
