"""What the desk shows, as plain values: the templates only lay them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coach.feedback.items import Decision
from coach.feedback.pages.threads import Asked
from coach.feedback.pages.values import Card, Fact, Lane, NotMeasured, Player, Sentence
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
class Letters:
    """What is written to a coach about a take."""

    newer: NewerTake | None
    handed_over: str
    """What a colleague wrote who handed it over to this coach; empty where none did."""
    note: str
    """What the trainee wrote when they sent it."""
    said: SaidOfSelf | None
    """What the trainee said of themselves, where the coach may read it."""
    wishes: tuple[str, ...]
    """How the trainee wants feedback, where that is otherwise than usual."""

    def __bool__(self) -> bool:
        """Whether there is anything to read."""
        return any((self.newer, self.handed_over, self.note, self.said, self.wishes))


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterRelease:
    """What this coach may still do to feedback that is released."""

    leaving: str
    """Until when the release can be taken back, in words; empty where it cannot."""
    can_correct: bool
    can_retract: bool


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
class CardLimit:
    """A fourth item came in, so this one is held back; another one could be instead."""

    claim: str
    url: str
    others: tuple[tuple[str, str], ...]
    """Keys and claims of those that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskList:
    """The part of the desk that comes anew after each act: the items, and what would go out."""

    rehearsal_id: str
    trainee: str
    items: tuple[DeskItem, ...]
    seen: int
    """The newest act on this draft: what a form sends along, so that nothing is overwritten."""
    word: str
    """The word to the trainee as a whole."""
    no_room: CardLimit | None
    """Which item was held back just now, because a fourth came in."""
    shown_count: int
    limit_words: str
    """At most three items reach the trainee: one strength and two to work on."""
    can_release: bool
    why_not: str
    released: str
    """When and by whom it was released; empty before."""
    corrects: str
    """That this is a correction, and of what; empty where it is none."""
    lease_words: str
    kept_words: str
    """That it is left to a colleague by name: opening it does not take it."""
    reasons: tuple[tuple[str, str], ...]
    """Codes and words for rejecting an item."""

    @property
    def is_worked_on(self) -> bool:
        """Whether this coach has it, and decides on it now."""
        return bool(self.lease_words) and not self.released


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPage(DeskList):
    """The desk for one rehearsal."""

    title: str
    letters: Letters
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    lanes: tuple[Lane, ...]
    sentences: tuple[Sentence, ...]
    not_measured: tuple[NotMeasured, ...]
    notes: NotesPanel
    corrections: CorrectionsPanel
    after: AfterRelease
    held_by_other: str
    flag: Flag | None = None
    may_invite: bool
    """Whether the owner lets coaches invite guests."""
    asked: Asked | None
    """What was asked of the trainee before releasing."""
    colleagues: tuple[tuple[str, str], ...]
    """Keys and names of those to whom it can be handed over."""
    qualities: tuple[tuple[str, str], ...]
    rubric: Panel | None
    """The coach's own levels; None where there is nothing to read or to fill in."""
