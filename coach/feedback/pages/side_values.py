"""What stands beside the cards of a report, and how its owner reads them, as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingWishes:
    """How the owner wants to read; for everybody else it is as it is."""

    one_at_a_time: bool = False
    strength_first: bool = False
    words_first: bool = False
    """Figures wait behind a press."""
    is_brief: bool = False
    """Why it matters and what it is compared with wait behind a press."""
    reasons_open: bool = False
    """Why one sees a card stands openly under it."""
    welcome: str = ""
    """What stands before the cards; empty where nothing was wished."""
    ease: EaseBox | None = None
    can_read_now: bool = False
    """Nothing is shown since they chose to wait for their coach; they may choose otherwise."""
    waits_gently: bool = False
    """It is gentle mode that waits: they are told so, and where to change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EaseBox:
    """How easy speaking felt, for its owner alone."""

    before: str
    """In words; empty where nothing was said."""
    choices: tuple[tuple[str, str, bool], ...]
    """Codes, words, and which was chosen for afterwards."""


AS_IT_IS = ReadingWishes()


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    """The two fields of one part, as m:ss."""

    number: int
    start: str = ""
    end: str = ""

    @property
    def start_name(self) -> str:
        """The name of the field for where it begins."""
        return f"start_{self.number}"

    @property
    def end_name(self) -> str:
        """The name of the field for where it ends."""
        return f"end_{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartBox:
    """Where the trainee says which part of the recording is their own talk."""

    rows: tuple[PartRow, ...]
    """What stands in the fields: what was marked, else what is suggested, else nothing."""
    whole: str
    """Where the recording ends."""
    marked: str = ""
    """What was marked, in words; empty where all is measured."""
    suggestion: str = ""
    """Why a part should be marked, in a sentence; empty where nothing speaks for it."""
    locked: str = ""
    """Why another part cannot be measured now, in words; empty where it can."""
    problem: str = ""
    """Why what was typed could not be taken, in words; empty where nothing was refused."""
    refused: str = ""
    """The name of the field to mend: start_1."""

    @property
    def speaks_again(self) -> bool:
        """Whether a second part is named, so that its fields stand open."""
        return any(row.start or row.end for row in self.rows[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraBox:
    """The question where the camera stood, or what was answered."""

    seen: str
    """What was seen, in a sentence; empty once it is answered."""
    question: str
    """The question, or the answer that was given."""
    remembered: str = ""
    """What its owner said of an earlier take, in words; empty where nothing was said."""
    answers: tuple[tuple[str, str], ...]
    """Codes and what a button says; none where it cannot be answered now."""
    note: str = ""
    """What an answer changes, or why there can be none now."""
    is_answered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderTake:
    """An older take of the same talk that waits for a coach, too."""

    words: str
    url: str
    take_back_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentTakes:
    """What else of this talk lies with a coach, for the owner of a take that was sent."""

    older: tuple[OlderTake, ...] = ()
    newer_words: str = ""
    """That a newer one was sent since; empty where none was, or this one is answered."""
    newer_url: str = ""


NO_OTHERS = SentTakes()
