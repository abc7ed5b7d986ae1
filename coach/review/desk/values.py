"""What the desk shows, as plain values: the templates only lay them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from coach.feedback.items import Decision
from coach.feedback.pages.threads import Asked
from coach.feedback.pages.values import Card, Fact, Lane, NotMeasured, Player, Sentence, count_of
from coach.practice.self_assessment.page import SaidOfSelf
from coach.review.desk.corrections import CorrectionsPanel
from coach.review.desk.notes import NotesPanel
from coach.review.items.conflicts import Conflict
from coach.review.rubric.page import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """What a coach flagged a take for."""

    words: str
    why: str
    can_settle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewerTake:
    """A newer take of the same talk that its trainee has sent since."""

    words: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskItem:
    """One item on the desk: the card as the trainee would read it, and what was decided."""

    card: Card
    origin: Literal["rule", "coach"]
    decision: Decision
    decision_words: str
    shown: bool
    """Whether it would be among the released ones now."""
    needs_coach: bool
    """Withheld by the machine until a coach confirms it."""
    verdict_url: str
    replace_url: str
    can_undo: bool
    can_change: bool = False
    """Whether it is decided, and its words and moments can be changed all the same."""
    form_key: str = ""
    """What its form is known by: after each decision another, so that none shows former words."""
    tone: str
    quality: str
    clips: str
    """Its moments as they are typed."""
    has_machines: bool = False
    """Whether the machine has moments for it, for a coach to go back to."""
    conflict: Conflict | None = None
    """What somebody else did to it while it was open here."""
    out_of_use: str = ""
    """That its rule was retired or muted since it was drafted; empty where it speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRoom:
    """A fourth item came in, so this one is held back; another one could be instead."""

    claim: str
    url: str
    others: tuple[tuple[str, str], ...]
    """Keys and claims of those that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPage:
    """The desk for one rehearsal."""

    rehearsal_id: str
    title: str
    trainee: str
    note: str
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    lanes: tuple[Lane, ...]
    sentences: tuple[Sentence, ...]
    not_measured: tuple[NotMeasured, ...]
    notes: NotesPanel
    corrections: CorrectionsPanel
    items: tuple[DeskItem, ...]
    seen: int
    """The newest act on this draft: what a form sends along, so that nothing is overwritten."""
    word: str
    """The word to the trainee as a whole."""
    no_room: NoRoom | None
    """Which item was held back just now, because a fourth came in."""
    unsent: tuple[dict[str, Any], ...]
    """What this coach typed here before and did not send."""
    shown_count: int
    limit_words: str
    """At most three items reach the trainee: one strength and two to work on."""
    can_release: bool
    why_not: str
    released: str
    """When and by whom it was released; empty before."""
    leaving: str
    """Until when the release can be taken back, in words; empty where it cannot."""
    can_correct: bool
    can_retract: bool
    corrects: str
    """That this is a correction, and of what; empty where it is none."""
    held_by_other: str
    kept_words: str
    """That it is left to a colleague by name: opening it does not take it."""
    lease_words: str
    handed_over: str
    """What a colleague wrote who handed it over to this coach; empty where none did."""
    flag: Flag | None = None
    newer: NewerTake | None = None
    may_invite: bool
    """Whether the owner lets coaches invite guests."""
    asked: Asked | None
    """What was asked of the trainee before releasing."""
    colleagues: tuple[tuple[str, str], ...]
    """Keys and names of those to whom it can be handed over."""
    reasons: tuple[tuple[str, str], ...]
    """Codes and words for rejecting an item."""
    qualities: tuple[tuple[str, str], ...]
    rubric: Panel | None
    """The coach's own levels; None where there is nothing to read or to fill in."""
    said: SaidOfSelf | None = None
    """What the trainee said of themselves, where the coach may read it."""
    wishes: tuple[str, ...] = ()
    """How the trainee wants feedback, where that is otherwise than usual."""

    @property
    def not_measured_count(self) -> int:
        """How many measures are missing."""
        return count_of(self.not_measured)
