"""Services for a coach's actions on the review page: decide, reorder, add items, comment.

Each action is one transaction: verdicts in rows of their own (items are never overwritten), one
`DeskAct` for undo (`u`), one audit log entry.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.items import MAX_SHOWN, StandingItem, shown, standing, standing_items
from coach.feedback.models import DeskAct, Feedback, Item, RejectReason, Verdict
from coach.feedback.services import open_draft

MOST_CLIPS = 6
"""The maximum number of moments of an item: more are not watched (rule of thumb)."""

_NEEDS_REASON = {Verdict.Kind.REJECT, Verdict.Kind.REPLACE}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachItem:
    """A coach's own item; clips are in seconds of the media."""

    tone: str
    quality: str
    claim: str
    suggestion: str
    clips: tuple[tuple[float, float], ...]


def record_desk_act(
    *,
    feedback: Feedback,
    coach: User,
    kind: str,
    item: Item | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> DeskAct:
    """Record an action of a coach for undo (`coach.feedback.undoing`)."""
    return DeskAct.objects.create(
        feedback=feedback,
        coach=coach,
        coach_name=str(coach),
        kind=kind,
        item=item,
        before=before or {},
        after=after or {},
    )


@transaction.atomic
def decide_on_item(
    *,
    item: Item,
    coach: User,
    kind: Verdict.Kind,
    wording: dict[str, Any] | None = None,
    reason: str = "",
    note: str = "",
) -> Verdict:
    """Accept, edit, reject or hold back an item; the original is never overwritten.

    If this would show a fourth item, the last of the others is held back. Raises
    AlreadyReleased, and ValidationError for a rejection without a reason or an edit without words.
    """
    feedback = open_draft(item.feedback_id)
    wording = wording or {}
    if kind == Verdict.Kind.EDIT:
        wording = _checked_wording(wording, feedback)
    before = standing(item)
    verdict = _write_verdict(item, coach, kind, wording=wording, reason=reason, note=note)
    held = _make_room(feedback, coach, keep=item)
    record_desk_act(
        feedback=feedback,
        coach=coach,
        kind="verdict",
        item=item,
        before={"decision": before.decision},
        after={"verdicts": [verdict.pk, *(each.pk for each in held)]},
    )
    record_act(
        action="feedback.verdict",
        target=item,
        actor=coach,
        kind=kind,
        reason=reason,
        before=before.decision,
        held_back=[str(each.item_id) for each in held],
    )
    return verdict


def _write_verdict(
    item: Item,
    coach: User,
    kind: Verdict.Kind,
    *,
    wording: dict[str, Any] | None = None,
    reason: str = "",
    note: str = "",
) -> Verdict:
    if kind in _NEEDS_REASON and reason not in RejectReason.values:
        raise ValidationError(_("Choose why you reject it: the rules learn from it."))
    return Verdict.objects.create(
        item=item,
        coach=coach,
        coach_name=str(coach),
        kind=kind,
        wording=wording or {},
        reason=reason if kind in _NEEDS_REASON else "",
        note=note,
    )


def _checked_wording(wording: dict[str, Any], feedback: Feedback) -> dict[str, Any]:
    if not str(wording.get("claim", "")).strip():
        raise ValidationError(_("Say what the item should read."))
    if wording.get("clips") is None:
        return wording  # unchanged, or the machine's again
    clips = [(clip["start"], clip["end"]) for clip in wording["clips"]]
    return {**wording, "clips": checked_clips(clips, feedback)}


def checked_clips(
    clips: Sequence[tuple[float, float]], feedback: Feedback
) -> list[dict[str, float]]:
    """Return moments in a document's format. Raises ValidationError for invalid ones."""
    duration = feedback.rehearsal.duration or 0.0
    if any(not 0 <= start < end <= duration + 0.5 for start, end in clips):
        raise ValidationError(_("Choose a moment inside the recording, its end after its start."))
    if len(clips) > MOST_CLIPS:
        raise ValidationError(_("At most %(most)s moments an item.") % {"most": MOST_CLIPS})
    return [{"start": start, "end": min(end, duration)} for start, end in sorted(clips)]


def _make_room(feedback: Feedback, coach: User, *, keep: Item) -> list[Verdict]:
    """Hold back the last of the other items if more than three would be shown."""
    up = shown(standing_items(feedback))
    if keep.pk not in {each.item.pk for each in up}:
        return []
    others = [each for each in up if each.item.pk != keep.pk]
    extra = others[MAX_SHOWN - 1 :]
    return [_write_verdict(each.item, coach, Verdict.Kind.HOLD) for each in extra]


@transaction.atomic
def hold_another_back(*, held: Item, other: Item, coach: User) -> None:
    """Show one held-back item and hold back another one in its place.

    Raises AlreadyReleased, and ValidationError if their state has changed.
    """
    feedback = open_draft(held.feedback_id)
    now = standing(held)
    if now.decision != "held" or now.verdict is None or not standing(other).is_shown:
        raise ValidationError(_("That has changed in the meantime. Please look again."))
    Verdict.objects.filter(pk=now.verdict.pk).update(undone_at=timezone.now())
    verdict = _write_verdict(other, coach, Verdict.Kind.HOLD)
    record_desk_act(
        feedback=feedback,
        coach=coach,
        kind="verdict",
        item=other,
        after={"verdicts": [verdict.pk], "undid": [now.verdict.pk]},
    )
    record_act(
        action="feedback.verdict",
        target=other,
        actor=coach,
        kind=Verdict.Kind.HOLD,
        brought_back=str(held.pk),
    )


@transaction.atomic
def add_coach_item(*, feedback: Feedback, coach: User, words: CoachItem) -> Item:
    """Add a coach's own item; a fourth item holds the last one back.

    Raises AlreadyReleased, and ValidationError for a place outside the recording.
    """
    locked = open_draft(feedback.pk)
    item, verdicts = _write_item(locked, coach, words)
    _note_item(locked, coach, item, verdicts)
    return item


@transaction.atomic
def replace_item(*, item: Item, coach: User, words: CoachItem, reason: str, note: str = "") -> Item:
    """Reject an item for a reason, and add a coach's own in its place.

    Raises AlreadyReleased, and ValidationError without a reason or outside the recording.
    """
    locked = open_draft(item.feedback_id)
    out = _write_verdict(item, coach, Verdict.Kind.REPLACE, reason=reason, note=note)
    own, verdicts = _write_item(locked, coach, words, replaces=item)
    _note_item(locked, coach, own, [out, *verdicts])
    record_act(action="feedback.verdict", target=item, actor=coach, kind=out.kind, reason=reason)
    return own


def _write_item(
    feedback: Feedback, coach: User, words: CoachItem, *, replaces: Item | None = None
) -> tuple[Item, list[Verdict]]:
    if not words.claim.strip():
        raise ValidationError(_("Say what you observed."))
    clips = checked_clips(words.clips, feedback)
    last = feedback.items.aggregate(last=Max("position"))["last"] or 0
    item = Item.objects.create(
        feedback=feedback,
        origin=Item.Origin.COACH,
        author=coach,
        position=replaces.position if replaces else last + 1,
        tone=words.tone,
        quality=words.quality,
        replaces=replaces,
        document={"claim": words.claim, "suggestion": words.suggestion, "clips": clips},
    )
    _take_its_place(feedback, replaces, item)
    verdict = _write_verdict(item, coach, Verdict.Kind.ADD)
    return item, [verdict, *_make_room(feedback, coach, keep=item)]


def _take_its_place(feedback: Feedback, former: Item | None, item: Item) -> None:
    """Put a replacement before the replaced item in the coach's order."""
    if former is None or str(former.pk) not in feedback.order:
        return
    at = feedback.order.index(str(former.pk))
    feedback.order = [*feedback.order[:at], str(item.pk), *feedback.order[at:]]
    feedback.save(update_fields=["order"])


def _note_item(feedback: Feedback, coach: User, item: Item, verdicts: Sequence[Verdict]) -> None:
    keys = [each.pk for each in verdicts]
    record_desk_act(
        feedback=feedback, coach=coach, kind="verdict", item=item, after={"verdicts": keys}
    )
    record_act(
        action="feedback.item_added",
        target=item,
        actor=coach,
        replaces=str(item.replaces_id or ""),
        held_back=[str(each.item_id) for each in verdicts if each.kind == Verdict.Kind.HOLD],
    )


@transaction.atomic
def move_item(*, item: Item, coach: User, by: int) -> bool:
    """Move an item up (-1) or down (1). Return False if it is already at the end.

    Raises AlreadyReleased.
    """
    feedback = open_draft(item.feedback_id)
    keys = [str(each.item.pk) for each in standing_items(feedback)]
    at = keys.index(str(item.pk)) if str(item.pk) in keys else -1
    to = at + by
    if at < 0 or not 0 <= to < len(keys):
        return False
    before = list(feedback.order)
    keys[at], keys[to] = keys[to], keys[at]
    feedback.order = keys
    feedback.save(update_fields=["order"])
    record_desk_act(
        feedback=feedback, coach=coach, kind="order", item=item, before={"order": before}
    )
    record_act(action="feedback.item_moved", target=item, actor=coach, before=at + 1, after=to + 1)
    return True


class ChangedMeanwhile(Exception):
    """An error: the page shows an outdated text; `stands` is the current one, by action `by`."""

    def __init__(self, stands: str, by: DeskAct | None = None) -> None:
        super().__init__(stands)
        self.stands, self.by = stands, by


@transaction.atomic
def set_word(
    *, feedback: Feedback, coach: User, text: str, known: Collection[str] | None = None
) -> Feedback:
    """Save the coach's comment on the whole take; an empty one removes it.

    Consecutive saves count as one action. `known` are the texts that the coach
    has seen. Raises AlreadyReleased, and ChangedMeanwhile if the text has changed.
    """
    locked = open_draft(feedback.pk)
    text = text.strip()
    if locked.word == text:
        return locked
    if known is not None and locked.word not in {each.strip() for each in known}:
        raise ChangedMeanwhile(locked.word, done_last(locked.desk_acts.filter(kind="word")))
    before, locked.word = locked.word, text
    locked.save(update_fields=["word"])
    last = locked.desk_acts.last()
    if last is not None and last.kind == "word" and last.coach_id == coach.pk:
        DeskAct.objects.filter(pk=last.pk).update(at=timezone.now())
        return locked
    record_desk_act(feedback=locked, coach=coach, kind="word", before={"word": before})
    record_act(
        action="feedback.word_written",
        target=locked,
        actor=coach,
        before=len(before),
        after=len(text),
    )
    return locked


def undo_verdict(*, item: Item, coach: User) -> None:
    """Undo the last decision on an item; this also removes a coach's own item.

    Raises AlreadyReleased.
    """
    with transaction.atomic():
        feedback = open_draft(item.feedback_id)
        last = item.verdicts.filter(undone_at=None).last()
        if last is None:
            return
        now = timezone.now()
        Verdict.objects.filter(pk=last.pk).update(undone_at=now)
        feedback.desk_acts.filter(
            undone_at=None, kind="verdict", after__verdicts__contains=last.pk
        ).update(undone_at=now)
        record_desk_act(feedback=feedback, coach=coach, kind="undo", item=item)
        record_act(action="feedback.verdict_undone", target=item, actor=coach, kind=last.kind)


def acts_since(feedback: Feedback, item: Item, seen: int) -> DeskAct | None:
    """Return the newest action on an item after the action `seen`, or None."""
    return feedback.desk_acts.filter(pk__gt=seen, item=item, kind__in=["verdict", "undo"]).last()


def done_last(acts: QuerySet[DeskAct]) -> DeskAct | None:
    """Return the action done or undone last, or None; coaches undo only their own."""
    return acts.order_by(Coalesce("undone_at", "at"), "pk").last()


def is_decided(items: Sequence[StandingItem]) -> bool:
    """Return whether a coach has decided on each item that the rules chose."""
    return not any(each.item.is_chosen and each.decision == "open" for each in items)
