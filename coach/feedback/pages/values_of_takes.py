"""What the pages about somebody's takes show, and those about one that is being analysed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coach.feedback.pages.extensions import Part
from coach.lib.pages.paging import Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """One line of the progress list."""

    name: str
    title: str
    doing: str
    state: Literal["waiting", "running", "done", "skipped", "failed"]
    state_words: str
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysingPage:
    """The page of a rehearsal that is being analysed."""

    rehearsal_id: str
    title: str
    stages: tuple[StageRow, ...]
    percent: int
    estimate: str
    """About 2 minutes left; empty while unknown."""
    finished: bool
    failed: bool
    reason: str = ""
    """Why it is later than was said before."""
    said: str = ""
    """What the next news are to hold to, as the query of their address."""
    problem: str = ""
    """What happened, what was kept, what to do; only where the run ended without a report."""
    report_url: str = ""
    """The report, of this analysis or of one before; empty where there is none."""
    is_about_file: bool = False
    """The file is why it failed, so that another one is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRow:
    """One take on the practice page."""

    id: str
    url: str
    title: str
    when: str
    length: str
    state: str
    state_tone: Literal["plain", "busy", "done", "attention"]
    poster_url: str
    constructed: bool = False
    held_back: bool = False
    """Its owner reads nothing of it before a coach has answered."""
    is_sent: bool = False
    is_asked: bool = False
    """A coach waits for an answer to a question about it."""
    called: str = ""
    """Which take of its talk it is, in words, where all of them stand."""
    news: str = ""
    """What is new about it since its owner last looked, in words; empty where nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRow:
    """A talk with its takes, newest first."""

    title: str
    takes: tuple[TakeRow, ...]
    again_url: str
    """Where the next take of it begins."""
    url: str = ""
    """Where all of them stand, and several can be deleted; empty where there is one."""
    has_more: bool = False
    """Whether more of them stand there than here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPage:
    """All takes of one talk, page by page."""

    id: str
    talk: TalkRow
    paging: Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """What to do next: words, and where."""

    words: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingUpload:
    """What became of an upload that is no take yet, and where to go on with it, if one can."""

    sentence: str
    url: str
    act: str
    """What the link says."""
    went_wrong: bool
    """Whether it is more than a take that waits for its answers."""
    is_interrupted: bool = False
    """It was recorded here, and the page was closed or the line broke before its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakesPage:
    """The trainee's home."""

    next_step: NextStep | None
    talks: tuple[TalkRow, ...]
    paging: Paging
    uploads: tuple[WaitingUpload, ...] = ()
    announced: tuple[str, ...] = ()
    """What will soon be removed."""
    wanted: str = ""
    """What the titles were searched for."""
    can_search: bool = False
    parts: tuple[Part, ...] = ()
    """What upper apps add; nothing beyond the first page."""
