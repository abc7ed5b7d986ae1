"""Messages between trainee and coach about a take: disagreements, questions, answers.

A trainee disagrees with a card or asks about it; a coach asks before the release. Each message is
answered once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Answered, Dispute, Feedback, Item, Question
from coach.feedback.selectors import is_read_by_coaches, is_sent
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import coaches_of, standing_grant
from coach.rehearsals.services import lock_rehearsal

LONGEST = timedelta(days=3)
"""The maximum time that a question pauses the promised reply time (rule of thumb)."""

OTHERS_AFTER = timedelta(hours=24)
"""The time after which coaches other than the releasing one are notified (rule of thumb)."""


@transaction.atomic
def dispute_item(*, item: Item, owner: User, reason: str, note: str) -> Dispute:
    """Save the trainee's disagreement with an item; a second one replaces the first.

    Raises ValidationError once a coach has answered, and if the take was deleted.
    """
    # The second of two simultaneous submissions waits for this lock and replaces the first.
    if not lock_rehearsal(item.feedback.rehearsal_id):
        raise ValidationError(_("This take was deleted."))
    held = Dispute.objects.select_for_update().filter(item=item).first()
    if held is not None and held.answered_at is not None:
        raise ValidationError(_("Your coach has already answered this."))
    dispute = held or Dispute(item=item)
    before = dispute.reason
    dispute.reason, dispute.note = reason, note
    dispute.full_clean(validate_unique=False)
    dispute.save()
    record_act(action="feedback.disputed", target=item, actor=owner, before=before, reason=reason)
    _ask_coaches(item, dispute)
    return dispute


@transaction.atomic
def withdraw_dispute(*, item: Item, owner: User) -> None:
    """Withdraw a disagreement. A second call changes nothing.

    An answered one is kept and marked as withdrawn.
    """
    dispute = Dispute.objects.select_for_update().filter(item=item, withdrawn_at=None).first()
    if dispute is None:
        return
    settle(about=dispute)
    record_act(action="feedback.dispute_withdrawn", target=item, actor=owner, before=dispute.reason)
    _take_back(dispute)


@transaction.atomic
def stand_by_dispute(*, item: Item, owner: User) -> None:
    """Restore a disagreement that was answered and withdrawn. A second call changes nothing."""
    dispute = Dispute.objects.select_for_update().filter(item=item).first()
    if dispute is None or dispute.withdrawn_at is None:
        return
    dispute.withdrawn_at = None
    dispute.save(update_fields=["withdrawn_at"])
    record_act(
        action="feedback.disputed", target=item, actor=owner, before="", reason=dispute.reason
    )


@transaction.atomic
def ask_about_item(*, item: Item, owner: User, text: str) -> Question:
    """Ask the coach a question about an item; one per item.

    Raises ValidationError if one was asked already, or nobody can answer.
    """
    take = item.feedback.rehearsal
    if not is_sent(take):
        raise ValidationError(_("Send this take to your coach first; then you can ask a question."))
    if not is_read_by_coaches(take):
        raise ValidationError(
            _("The group of this take has no coach at the moment, so nobody can answer.")
        )
    question, is_new = Question.objects.get_or_create(
        item=item,
        defaults={
            "rehearsal": take,
            "feedback": item.feedback,
            "asker": owner,
            "asker_name": str(owner),
            "text": text.strip(),
        },
    )
    if not is_new:
        raise ValidationError(
            _("You have already asked about this card. You can ask one question per card.")
        )
    record_act(action="feedback.question_asked", target=item, actor=owner)
    _ask_coaches(item, question)
    return question


@transaction.atomic
def withdraw_question(*, item: Item, owner: User) -> None:
    """Withdraw an unanswered question. A second call changes nothing."""
    question = Question.objects.select_for_update().filter(item=item, answered_at=None).first()
    if question is None:
        return
    settle(about=question)
    record_act(action="feedback.question_withdrawn", target=item, actor=owner)
    question.delete()


@transaction.atomic
def ask_trainee(*, feedback: Feedback, coach: User, text: str) -> Question:
    """Ask the trainee a question before the release; one per draft.

    The promised reply time pauses until it is answered or withdrawn, for `LONGEST` at most.
    Raises ValidationError if one was asked already, or the draft is released.
    """
    locked = Feedback.objects.select_for_update().get(pk=feedback.pk)
    if locked.state != Feedback.State.DRAFT:
        raise ValidationError(_("This feedback is released and can no longer change."))
    question, is_new = Question.objects.get_or_create(
        feedback=locked,
        item=None,
        defaults={
            "rehearsal": locked.rehearsal,
            "asker": coach,
            "asker_name": str(coach),
            "text": text.strip(),
        },
    )
    if not is_new:
        raise ValidationError(_("One question about this take was already asked."))
    take = locked.rehearsal
    notify(person=take.owner, kind=Kind.QUESTION, rehearsal=take, about=question)
    record_act(action="feedback.trainee_asked", target=take, actor=coach)
    return question


@transaction.atomic
def go_on_without_answer(*, feedback: Feedback, coach: User) -> None:
    """Withdraw the coach's question; the trainee can no longer answer it."""
    open_ones = Question.objects.filter(
        feedback=feedback, item=None, answered_at=None, withdrawn_at=None
    )
    for question in open_ones.select_for_update():
        question.withdrawn_at = timezone.now()
        question.save(update_fields=["withdrawn_at"])
        settle(about=question)
        record_act(action="feedback.question_withdrawn", target=feedback.rehearsal, actor=coach)


@transaction.atomic
def answer(*, said: Dispute | Question, by: User, text: str) -> None:
    """Store the answer to a message; the first answer counts.

    Raises ValidationError if it was answered or withdrawn, or the text is empty.
    """
    locked = type(said).objects.select_for_update(of=("self",)).get(pk=said.pk)
    words = text.strip()
    if not words:
        raise ValidationError(_("Write your answer first."))
    if locked.answered_at is not None:
        raise ValidationError(
            _("%(name)s answered this in the meantime. Your message was not sent: %(words)s")
            % {"name": locked.answered_by_name, "words": words}
        )
    if locked.withdrawn_at is not None or _is_past(locked):
        raise ValidationError(_("This was withdrawn in the meantime, so nothing was sent."))
    locked.answer, locked.answered_at = words, timezone.now()
    locked.answered_by, locked.answered_by_name = by, str(by)
    locked.save()
    settle(about=locked)
    record_act(action="feedback.answered", target=_target(locked), actor=by)
    _tell_who_asked(locked)


def settle_objections(rehearsal: Rehearsal) -> None:
    """Settle notifications of disagreements, because a released correction answers them."""
    for dispute in _open_objections(rehearsal):
        settle(about=dispute)


def raise_objections_again(rehearsal: Rehearsal) -> None:
    """Notify coaches of disagreements again after the correction's release was undone."""
    for dispute in _open_objections(rehearsal):
        _ask_coaches(dispute.item, dispute)


def _open_objections(rehearsal: Rehearsal) -> QuerySet[Dispute]:
    found = Dispute.objects.filter(item__feedback__rehearsal=rehearsal, answered_at=None)
    return found.filter(withdrawn_at=None).select_related("item__feedback__rehearsal")


def _is_past(said: Dispute | Question) -> bool:
    """Return whether a coach's question is obsolete, because the feedback was released."""
    if isinstance(said, Dispute) or said.item_id is not None:
        return False
    return said.feedback.state != Feedback.State.DRAFT


def _tell_who_asked(said: Dispute | Question) -> None:
    take = _take_of(said)
    if isinstance(said, Question) and said.item is None:
        _tell_coach(said, take)
    else:
        notify(person=take.owner, kind=Kind.ANSWER, rehearsal=take, about=said)


def _tell_coach(question: Question, take: Rehearsal) -> None:
    """Notify the coach who asked, or all coaches if that one has left the group or is away."""
    coaches, grant = list(coaches_of(take)), standing_grant(take)
    present = [coach for coach in coaches if not coach.is_away]
    if question.asker in present:
        notify(person=question.asker, kind=Kind.ANSWER, rehearsal=take, about=question)
    elif grant is not None:
        for coach in present or coaches:
            notify(person=coach, kind=Kind.WAITING, rehearsal=take, about=grant)


def _take_of(said: Dispute | Question) -> Rehearsal:
    return said.rehearsal if isinstance(said, Question) else said.item.feedback.rehearsal


def _target(said: Dispute | Question) -> Item | Rehearsal:
    return said.item or _take_of(said)


def _take_back(dispute: Dispute) -> None:
    if dispute.answered_at is None:
        dispute.delete()
        return
    dispute.withdrawn_at = timezone.now()
    dispute.save(update_fields=["withdrawn_at"])


def _ask_coaches(item: Item, said: Dispute | Question) -> None:
    """Notify the coach who released the feedback, and the others after `OTHERS_AFTER`.

    Before the release nobody is notified: the message is on the review page.
    """
    feedback = item.feedback
    if not feedback.is_released:
        return
    take, later = feedback.rehearsal, timezone.now() + OTHERS_AFTER
    coaches = list(coaches_of(take))
    is_first_there = feedback.released_by in coaches
    for coach in coaches:
        at_once = coach == feedback.released_by or not is_first_there
        notify(
            person=coach,
            kind=Kind.QUESTION,
            rehearsal=take,
            about=said,
            not_before=None if at_once else later,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer with its author and date."""

    text: str
    who: str
    """Author and date, for example: Bea, 3 May 2026, 14:30."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """A message and its answer."""

    text: str
    when: str
    reply: Reply | None
    is_open: bool
    """Whether an answer is awaited."""
    is_withdrawn: bool
    item_id: str = ""
    """The item that it is about; one of an earlier version after a correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The messages about an item: its dispute and its question."""

    dispute: ThreadMessage | None = None
    question: ThreadMessage | None = None

    @property
    def is_open(self) -> bool:
        """Whether an answer is awaited."""
        return any(said.is_open for said in (self.dispute, self.question) if said)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachQuestion:
    """A coach's question before the release."""

    who: str
    said: ThreadMessage


def thread_of(item: Item) -> Thread:
    """Return the messages about an item, or about the item that it corrects.

    Runs no query if `disputes` and `questions` are prefetched.
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
    """Return a coach's question for display, or None if there is none."""
    if question is None:
        return None
    said = _question(question)
    if question.feedback.state != Feedback.State.DRAFT and said.is_open:
        # Released without an answer.
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
