"""Trainee and coach about a take: a trainee disagrees or asks about an item, a coach asks before
releasing, and whoever was asked answers once."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Dispute, Feedback, Item, Question
from coach.feedback.selectors import is_read_by_coaches, is_sent
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import coaches_of, standing_grant
from coach.rehearsals.services import lock_rehearsal

LONGEST = timedelta(days=3)
"""So long the promised reply time stands still for one question (rule of thumb)."""

OTHERS_AFTER = timedelta(hours=24)
"""So long the coach who released it has the first word; then it is anybody's (rule of thumb)."""


@transaction.atomic
def dispute_item(*, item: Item, owner: User, reason: str, note: str) -> Dispute:
    """The trainee says that an item is off. Saying it again replaces what was said.

    Raises ValidationError once a coach has answered, and where the take is gone.
    """
    # Said in two windows at once, the second waits here and replaces what the first one said.
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
    """The trainee takes back that an item is off. Pressing twice changes nothing.

    What a coach has answered stays, marked as taken back.
    """
    dispute = Dispute.objects.select_for_update().filter(item=item, withdrawn_at=None).first()
    if dispute is None:
        return
    settle(about=dispute)
    record_act(action="feedback.dispute_withdrawn", target=item, actor=owner, before=dispute.reason)
    _take_back(dispute)


@transaction.atomic
def stand_by_dispute(*, item: Item, owner: User) -> None:
    """The trainee disagrees after all with what a coach has answered. Twice changes nothing."""
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
    """The trainee asks their coach one question about an item.

    Raises ValidationError where one was asked already, or nobody could answer.
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
    """The trainee takes back a question that nobody has answered; twice changes nothing."""
    question = Question.objects.select_for_update().filter(item=item, answered_at=None).first()
    if question is None:
        return
    settle(about=question)
    record_act(action="feedback.question_withdrawn", target=item, actor=owner)
    question.delete()


@transaction.atomic
def ask_trainee(*, feedback: Feedback, coach: User, text: str) -> Question:
    """A coach asks the trainee one question before releasing: until it is answered, or taken back,
    or some days are over, the promised reply time stands still.

    Raises ValidationError where one was asked about this draft, or it is released.
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
    """A coach does not wait any longer. The trainee may no longer answer; it says why."""
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
    """Whoever was asked answers; once, by whoever comes first.

    Raises ValidationError where somebody has answered, it was taken back, or there are no words.
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
    """A correction is released: that answers what was objected to before, for colleagues too."""
    for dispute in _open_objections(rehearsal):
        settle(about=dispute)


def raise_objections_again(rehearsal: Rehearsal) -> None:
    """The correction was taken back before it left: they wait for an answer as they did."""
    for dispute in _open_objections(rehearsal):
        _ask_coaches(dispute.item, dispute)


def _open_objections(rehearsal: Rehearsal) -> QuerySet[Dispute]:
    found = Dispute.objects.filter(item__feedback__rehearsal=rehearsal, answered_at=None)
    return found.filter(withdrawn_at=None).select_related("item__feedback__rehearsal")


def _is_past(said: Dispute | Question) -> bool:
    """A coach who asked has released without waiting."""
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
    """Who asked; where they coach the group no more, those who do: the take waits for them."""
    coaches, grant = list(coaches_of(take)), standing_grant(take)
    if question.asker in coaches:
        notify(person=question.asker, kind=Kind.ANSWER, rehearsal=take, about=question)
    elif grant is not None:
        for coach in coaches:
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
    """It comes back to who answered, and after a while to everybody whom the take was sent to.

    Before the take is answered nobody is told: whoever opens it reads it there.
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
