"""Agreement between a person's own moments, the cards and a coach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from coach.feedback.items import StandingItem
from coach.feedback.models import Item, TimedNote
from coach.practice.models import OwnMoment

NEAR_SECONDS = 4.0
"""Nobody presses on the instant: so far from a clip a mark still means it (rule of thumb)."""

Who = Literal["machine", "coach"]
How = Literal["same", "whole", "other"]
"""`same`: this place and quality, seen the same way; `whole`: of the whole talk, without a place;
`other`: this place and quality, and one keeps what the other would change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """An agreement with a card or a coach; `item` is the card's key, empty for a note."""

    who: Who
    how: How
    item: str = ""


def meetings(
    moment: OwnMoment, items: Iterable[StandingItem], notes: Sequence[TimedNote] = ()
) -> tuple[Meeting, ...]:
    """Return the agreements with one moment, cards before a coach's notes."""
    found = [meeting for each in items for meeting in _with_item(moment, each)]
    near = (each for each in notes if each.tag == moment.quality and _is_near_note(moment, each))
    return (*found, *(Meeting(who="coach", how="same") for _note in near))


def _with_item(moment: OwnMoment, each: StandingItem) -> Iterable[Meeting]:
    if each.item.quality != moment.quality:
        return
    clips = each.card.clips
    is_same = each.item.tone == moment.tone
    how: How | None = None
    if any(_is_near(moment, clip.start, clip.end) for clip in clips):
        how = "same" if is_same else "other"
    elif is_same and not clips:
        how = "whole"
    if how is None:
        return
    key = str(each.item.pk)
    if each.item.origin == Item.Origin.RULE:
        yield Meeting(who="machine", how=how, item=key)
    if each.item.origin == Item.Origin.COACH or each.decision in {"accepted", "edited"}:
        yield Meeting(who="coach", how=how, item=key)


def _is_near_note(moment: OwnMoment, note: TimedNote) -> bool:
    return _is_near(moment, note.start, note.start if note.end is None else note.end)


def _is_near(moment: OwnMoment, start: float, end: float) -> bool:
    return start - NEAR_SECONDS <= moment.at_seconds <= end + NEAR_SECONDS
