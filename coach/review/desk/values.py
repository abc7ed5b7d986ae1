"""What the coach's pages show, as plain values: the templates only lay them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from coach.feedback.items import Decision
from coach.feedback.pages.threads import Asked
from coach.feedback.pages.values import Card, Fact, Lane, NotMeasured, Player, Sentence, count_of
from coach.lib.paging import Paging
from coach.practice.self_assessment.page import SaidOfSelf
from coach.review.desk.corrections import CorrectionsPanel
from coach.review.desk.notes import NotesPanel
from coach.review.items.conflicts import Conflict
from coach.review.rubric.page import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityPart:
    """One addend of a priority."""

    label: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One rehearsal that waits for a coach, or was answered."""

    url: str
    title: str
    trainee: str
    length: str
    sent: str
    """When it was sent, in words."""
    state: str
    """Waiting, You are on it, Bea is on it until 14:30, Released."""
    note: str
    due: str = ""
    """By when an answer was promised, in words; empty where nothing was."""
    urgency: Literal["", "soon", "late"] = ""
    deadline: str = ""
    """The day of the talk itself, in words."""
    flag: str = ""
    """That a coach flagged it, and why; empty where none did."""
    newer: str = ""
    """That a newer take of the talk was sent, too; empty where none was."""
    priority: int = 0
    parts: tuple[PriorityPart, ...] = ()
    """What the priority is the sum of; those of nothing are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A link that narrows or sorts the queue."""

    label: str
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A release that has not left yet."""

    words: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """The review queue."""

    rows: tuple[QueueRow, ...]
    paging: Paging
    done: tuple[QueueRow, ...]
    """The latest few."""
    empty: str
    """Which kind of empty: nothing waiting, all held by others, all done, nothing fits."""
    groups: tuple[tuple[Choice, ...], ...]
    """Whose, which group, how urgent: links of which one is chosen."""
    sorts: tuple[Choice, ...]
    reasons: tuple[tuple[str, str], ...]
    """What a priority can be the sum of: each part's name, and what it means."""
    query: str
    """The filters as they stand in the address, for the button that takes the next one."""
    is_narrowed: bool
    leads: bool
    """Whether there is a page about the team for this coach."""
    leaving: tuple[Leaving, ...]
    """What this coach released just now, and can still take back."""
    held: str
    """How many are in colleagues' hands, and until when; empty where none is."""
    seconds: int
    """How many second opinions this coach could give, or settle."""
    come_back: tuple[QueueRow, ...] = ()
    """Released takes whose trainees asked or disagreed, and wait for an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedPage:
    """What was released, page by page."""

    rows: tuple[QueueRow, ...]
    paging: Paging
    times: tuple[Fact, ...]
    """How long the coach's own reviews and items take."""


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
