"""Services to release feedback, and to cancel, correct or retract a release.

Each transition is one conditional UPDATE on the old state, so that only one of two concurrent
requests succeeds (docs/review-page.md has the state diagram).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.corrections import lay_cards
from coach.feedback.items import MAX_SHOWN, StandingItem, shown, standing_items
from coach.feedback.messages import raise_objections_again, settle_objections
from coach.feedback.models import Feedback, Item, TimedNote
from coach.feedback.services import AlreadyReleased, open_draft
from coach.feedback.verdicts import is_decided
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.rehearsals.selectors import was_taken_back
from coach.rehearsals.services import hold_answer, lock_rehearsal, note_answer
from coach.webhooks.models import Event
from coach.webhooks.services import announce, withdraw_message

TAKE_BACK_FOR = timedelta(seconds=30)
"""The time in which a release can be cancelled; the owner is notified and can read only then."""

_DRAFT, _RELEASED = Feedback.State.DRAFT, Feedback.State.RELEASED


@transaction.atomic
def release_feedback(
    *, feedback: Feedback, coach: User, leaves_in: timedelta = timedelta(0)
) -> None:
    """Release the feedback to the trainee, readable after `leaves_in`; it never changes again.

    Raises AlreadyReleased, and ValidationError if more than three items would be shown, one
    is undecided, or the owner has withdrawn the take in the meantime.
    """
    # Lock the take first: its owner may be withdrawing or deleting it at this moment.
    lock_rehearsal(feedback.rehearsal_id)
    if was_taken_back(feedback.rehearsal_id):
        raise ValidationError(_("This was withdrawn in the meantime, so nothing was sent."))
    draft = open_draft(feedback.pk)
    why_not = release_obstacle(draft)
    if why_not:
        raise ValidationError(why_not)
    at = timezone.now() + leaves_in
    if not Feedback.objects.filter(pk=draft.pk, state=_DRAFT).update(
        state=_RELEASED, released_at=at, released_by=coach, released_by_name=str(coach)
    ):
        raise AlreadyReleased
    take = draft.rehearsal
    # The coach's unanswered questions are obsolete now.
    for asked in draft.questions.filter(item=None, answered_at=None):
        settle(about=asked)
    if draft.corrects_id:
        settle_objections(take)
    note_answer(rehearsal_id=take.pk, at=at)
    kind = Kind.CORRECTED if draft.corrects_id else Kind.RELEASED
    notify(person=take.owner, kind=kind, rehearsal=take, about=draft, not_before=at)
    announce(event=Event.REVIEW_SENT, data=_ids_of(draft), at=at)
    record_act(
        action="feedback.released",
        target=draft,
        actor=coach,
        before=_DRAFT,
        after=_RELEASED,
        version=draft.version,
    )


def _ids_of(feedback: Feedback) -> dict[str, str]:
    return {"take_id": str(feedback.rehearsal_id), "version": str(feedback.version)}


@transaction.atomic
def take_release_back(*, feedback: Feedback, coach: User) -> bool:
    """Cancel a release before it goes out, and reopen the draft. The owner was not notified.

    Return False if it is too late.
    """
    now = timezone.now()
    before = Feedback.objects.filter(pk=feedback.pk).values_list("released_at", flat=True).first()
    if not Feedback.objects.filter(pk=feedback.pk, state=_RELEASED, released_at__gt=now).update(
        state=_DRAFT, released_at=None, released_by=None, released_by_name=""
    ):
        return False
    if before is not None:
        hold_answer(rehearsal_id=feedback.rehearsal_id, at=before)
    settle(about=feedback)
    withdraw_message(event=Event.REVIEW_SENT, data=_ids_of(feedback))
    if feedback.corrects_id:
        raise_objections_again(feedback.rehearsal)
    record_act(
        action="feedback.release_taken_back",
        target=feedback,
        actor=coach,
        before=_RELEASED,
        after=_DRAFT,
    )
    return True


@transaction.atomic
def begin_correction(*, feedback: Feedback, coach: User) -> Feedback:
    """Create a new version with the same items; the old one is shown until its release.

    A second call returns the open one. Raises ValidationError if nothing is released.
    """
    lock_rehearsal(feedback.rehearsal_id)
    newest = feedback.rehearsal.feedback.order_by("-version").first()
    if newest is not None and newest.state == _DRAFT and newest.corrects_id:
        return newest
    if newest is None or not newest.is_released:
        raise ValidationError(_("There is no released feedback on this take to correct."))
    fresh = _next_version(newest)
    record_act(
        action="feedback.correction_begun",
        target=fresh,
        actor=coach,
        before=newest.version,
        after=fresh.version,
    )
    return fresh


@transaction.atomic
def drop_correction(*, feedback: Feedback, coach: User) -> bool:
    """Delete an unreleased correction; the released version stays. Return whether there was one."""
    count, _rows = Feedback.objects.filter(
        pk=feedback.pk, state=_DRAFT, corrects__state=_RELEASED
    ).delete()
    if count:
        record_act(
            action="feedback.correction_dropped",
            target=feedback.rehearsal,
            actor=coach,
            before=feedback.version,
        )
    return bool(count)


def retract_obstacle(feedback: Feedback) -> str:
    """Return why released feedback cannot be retracted; empty if it can."""
    cohort = feedback.rehearsal.cohort
    if not feedback.is_released:
        return _("Only feedback that is released can be retracted.")
    if cohort is None or not cohort.may_retract:
        return _("In this group released feedback stays: correct it instead.")
    return ""


@transaction.atomic
def retract_feedback(*, feedback: Feedback, coach: User, why: str) -> Feedback:
    """Retract released feedback, notify its owner with the reason, and open a new draft.

    Raises ValidationError without a reason, or if the group's policy does not allow it.
    """
    lock_rehearsal(feedback.rehearsal_id)
    obstacle = retract_obstacle(feedback)
    if obstacle or not why.strip():
        raise ValidationError(obstacle or _("Say why: the trainee reads it."))
    now = timezone.now()
    if not Feedback.objects.filter(pk=feedback.pk, state=_RELEASED, released_at__lte=now).update(
        state=Feedback.State.RETRACTED, retracted_at=now, retracted_why=why.strip()
    ):
        raise AlreadyReleased
    settle(about=feedback)
    if feedback.released_at is not None:
        hold_answer(rehearsal_id=feedback.rehearsal_id, at=feedback.released_at)
    fresh = _next_version(feedback)
    take = feedback.rehearsal
    notify(person=take.owner, kind=Kind.CORRECTED, rehearsal=take, about=fresh)
    record_act(
        action="feedback.retracted",
        target=feedback,
        actor=coach,
        before=_RELEASED,
        after=Feedback.State.RETRACTED,
    )
    return fresh


def _next_version(feedback: Feedback) -> Feedback:
    """Return a new draft with the same items, which keep their decisions."""
    last = feedback.rehearsal.feedback.aggregate(last=Max("version"))["last"] or 0
    fresh = Feedback.objects.create(
        rehearsal=feedback.rehearsal,
        run=feedback.run,
        version=last + 1,
        rule_set=feedback.rule_set,
        draft=feedback.draft,
        context=feedback.context,
        word=feedback.word,
        corrects=feedback,
    )
    keys = {}
    for each in standing_items(feedback):
        keys[str(each.item.pk)] = str(_item_again(each.item, fresh).pk)
    fresh.order = [keys[key] for key in feedback.order if key in keys]
    fresh.save(update_fields=["order"])
    lay_cards(fresh)
    TimedNote.objects.bulk_create(
        TimedNote(
            feedback=fresh,
            author=note.author,
            author_name=note.author_name,
            start=note.start,
            end=note.end,
            text=note.text,
            tag=note.tag,
            former=note,
        )
        for note in feedback.notes.filter(removed_at=None)
    )
    return fresh


def _item_again(item: Item, feedback: Feedback) -> Item:
    return Item.objects.create(
        feedback=feedback,
        origin=item.origin,
        author=item.author,
        position=item.position,
        tone=item.tone,
        quality=item.quality,
        rule=item.rule,
        rule_version=item.rule_version,
        document=item.document,
        is_chosen=item.is_chosen,
        former=item,
    )


def release_obstacle(feedback: Feedback) -> str:
    """Return why a draft cannot be released yet, or an empty string."""
    return obstacle_in(standing_items(feedback))


def obstacle_in(items: Sequence[StandingItem]) -> str:
    """Return why these loaded items cannot be released yet, or an empty string."""
    if not is_decided(items):
        return _("Decide on each item first: accept it, change it or reject it.")
    if any(each.correction == "silent" and each.decision == "accepted" for each in items):
        return _(
            "One card no longer holds after the corrections. Reject it, or write it in your own "
            "words."
        )
    count = len(shown(items))
    if count > MAX_SHOWN:
        return _("At most three can be released. Hold back %(extra)s.") % {
            "extra": count - MAX_SHOWN
        }
    return ""
