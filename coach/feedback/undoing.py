"""Undo of coaches' actions on the review page, with one function per kind of action."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.corrections import take_correction_back
from coach.feedback.models import DeskAct, Feedback, Verdict
from coach.feedback.notes import take_note_back
from coach.feedback.services import open_draft
from coach.feedback.verdicts import record_desk_act

UNDO_DEPTH = 10
"""The maximum number of actions to undo in a row."""

TakeBack = Callable[[DeskAct, Feedback, User], None]


def _verdicts(act: DeskAct, _feedback: Feedback, _coach: User) -> None:
    """Undo the action's verdicts, including those that held back or replaced other items."""
    now = timezone.now()
    written = act.after.get("verdicts", [])
    Verdict.objects.filter(pk__in=written, undone_at=None).update(undone_at=now)
    Verdict.objects.filter(pk__in=act.after.get("undid", [])).update(undone_at=None)


def _order(act: DeskAct, feedback: Feedback, _coach: User) -> None:
    feedback.order = act.before.get("order", [])
    feedback.save(update_fields=["order"])


def _word(act: DeskAct, feedback: Feedback, _coach: User) -> None:
    feedback.word = act.before.get("word", "")
    feedback.save(update_fields=["word"])


def _note(act: DeskAct, _feedback: Feedback, _coach: User) -> None:
    take_note_back(act)


def _correction(act: DeskAct, feedback: Feedback, _coach: User) -> None:
    take_correction_back(act, feedback)


TAKE_BACK: dict[str, TakeBack] = {
    "verdict": _verdicts,
    "order": _order,
    "word": _word,
    "note": _note,
    "correction": _correction,
}
"""The undo function of each kind of action; a kind without one cannot be undone."""

ACT_WORDS = {
    "verdict": _("the decision"),
    "order": _("the order"),
    "word": _("the word to the trainee"),
    "note": _("the note"),
    "correction": _("your correction"),
}


@transaction.atomic
def take_back_last(*, feedback: Feedback, coach: User) -> DeskAct | None:
    """Undo the coach's newest action in force, at most ten in a row.

    Return the action, or None if there is none. Raises AlreadyReleased.
    """
    locked = open_draft(feedback.pk)
    act = last_act_of(locked, coach)
    if act is None:
        return None
    TAKE_BACK[act.kind](act, locked, coach)
    DeskAct.objects.filter(pk=act.pk).update(undone_at=timezone.now())
    record_desk_act(
        feedback=locked, coach=coach, kind="undo", item=act.item, before={"kind": act.kind}
    )
    record_act(action="feedback.undone", target=locked, actor=coach, kind=act.kind)
    return act


def last_act_of(feedback: Feedback, coach: User) -> DeskAct | None:
    """Return the action that `u` would undo now, or None."""
    own = feedback.desk_acts.filter(coach=coach)
    act = own.filter(undone_at=None, kind__in=TAKE_BACK).select_related("item").last()
    if act is None:
        return None
    in_a_row = own.filter(kind="undo", pk__gt=act.pk).count()
    return act if in_a_row < UNDO_DEPTH else None
