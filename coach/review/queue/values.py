"""What the pages of the queue show, as plain values: the templates only lay them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coach.feedback.pages.about_take import Fact
from coach.lib.pages.paging import Paging


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
