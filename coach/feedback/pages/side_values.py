"""What stands beside the cards of a report, and how its owner reads them, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from coach.feedback.pages.threads import Asked


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
class QuestionBox:
    """A question that the analysis leaves open, or what its owner answered."""

    seen: str
    """What was seen or heard, in a sentence; empty once it is answered."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who opened this rehearsal, and when."""

    who: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersSide:
    """What only the owner of a take is told on its report, and what they may do there."""

    promised: str
    """By when a coach answers; empty where nothing was promised, or all is said."""
    can_send: bool
    """A coach exists and the take is private."""
    no_coach: str
    """Why it cannot be sent, in words; empty where it can."""
    is_sent: bool
    """It can be taken back."""
    withdraws_for_good: bool
    """Its feedback is released: once taken back it is not sent again."""
    is_read: bool
    """It is sent, and a coach is there who could answer."""
    others_sent: SentTakes
    asked: Asked | None
    """What a coach asks before releasing."""
    can_try_again: bool
    """Something did not work this time."""
    can_measure_again: bool
    """A part of the analysis was not installed when it was made, which may have changed."""
    heard_language: str
    """That another language was heard than the one that was named, in words; else empty."""
    other_languages: tuple[tuple[str, str], ...]
    """Codes of languages to analyse it in, where another one was heard, and what a button says."""
    camera: QuestionBox | None
    """Where the camera stood; only where it has to be asked."""
    part: PartBox
    dispute_reasons: tuple[tuple[str, str], ...]
    """Codes and words for disagreeing with a card."""
    viewers: tuple[Viewer, ...]
    alone: QuestionBox | None = None
    """Whether nobody else was talking; only where it sounds as if somebody were."""
