"""Parsing of the blind page: valid items are saved, the others get an error.

A page sends the state of each item when it was rendered (`seen`): only changes made on it
are saved, so that an old page in another window reverts nothing. An item changed in
both windows is saved once the coach agrees (`over`, with its state by then).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.http import QueryDict

from coach.feedback.models import RejectReason
from coach.feedback.verdicts import checked_clips
from coach.review.items.moments import MOST_TYPED, Clips, ClipsField, exact_words
from coach.review.second.models import Decision, Opinion
from coach.review.second.services import ItemVerdict, items_of, verdicts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedOpinion:
    """An item's values in the form, valid or not."""

    kind: str
    reason: str
    moments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The parsed form, by item."""

    verdicts: dict[str, ItemVerdict]
    """Verdicts to save; without a kind if a choice was cleared."""
    typed: dict[str, TypedOpinion]
    problems: dict[str, str]
    """Why the moments of an item were not saved; its choice is."""
    elsewhere: dict[str, str]
    """The seen states of items that another window also changed, so that none is saved."""


def seen_words(verdict: ItemVerdict) -> str:
    """Serialise a verdict, to detect whether a page changed it."""
    reason = verdict.reason if verdict.kind == Decision.Kind.REJECT else ""
    moments = verdict.moments if verdict.kind == Decision.Kind.KEEP else ()
    return "|".join((verdict.kind, reason, exact_words(moments)))


def sent_from(form: QueryDict, opinion: Opinion) -> Sent:
    """Parse each item on its own, so that an invalid one does not block the others."""
    sent = Sent(verdicts={}, typed={}, problems={}, elsewhere={})
    stored = verdicts_of(opinion)
    for key in (str(item.pk) for item in items_of(opinion)):
        before = stored.get(key, ItemVerdict(kind=""))
        typed = sent.typed[key] = _typed(form, key, before)
        moments = before.moments
        try:
            moments = _moments(typed, before, opinion)
        except ValidationError as error:
            sent.problems[key] = str(error.messages[0])
        verdict = ItemVerdict(kind=typed.kind, reason=typed.reason, moments=moments)
        stands, now = seen_words(before), seen_words(verdict)
        seen, over = form.get(f"seen_{key}"), form.get(f"over_{key}")
        is_problem = key in sent.problems
        is_said = bool(typed.kind) if seen is None else is_problem or seen != now
        is_same = stands == now and not is_problem
        if is_said and seen is not None and not is_same and stands not in {seen, over}:
            sent.elsewhere[key] = seen
        elif is_said:
            sent.verdicts[key] = verdict
    return sent


def _typed(form: QueryDict, key: str, before: ItemVerdict) -> TypedOpinion:
    """Return the typed values of an item; a missing field keeps its moments."""
    kind, reason = form.get(f"kind_{key}", ""), form.get(f"reason_{key}", "")
    return TypedOpinion(
        kind=kind if kind in Decision.Kind.values else "",
        reason=reason if reason in RejectReason.values else "",
        moments=form.get(f"clips_{key}", exact_words(before.moments)),
    )


def _moments(typed: TypedOpinion, before: ItemVerdict, opinion: Opinion) -> Clips:
    """Return the moments of a kept item, unchanged for others. Raises ValidationError."""
    if typed.kind != Decision.Kind.KEEP or typed.moments == exact_words(before.moments):
        return before.moments
    duration = opinion.rehearsal.duration or 0.0
    field = ClipsField(required=False, max_length=MOST_TYPED, duration=duration)
    clips = checked_clips(field.clean(typed.moments), opinion.feedback)
    return tuple((clip["start"], clip["end"]) for clip in clips)
