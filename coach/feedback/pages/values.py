"""What the pages about one rehearsal show, as plain values: the templates only lay them out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coach.feedback.pages.extensions import Part
from coach.feedback.pages.side_values import AS_IT_IS, OwnersSide, ReadingWishes
from coach.feedback.pages.threads import Thread
from coach.feedback.pages.version_values import FromCoach
from coach.lib.words.rule_words import Said
from feedback_rules.model import ReachedFocus

Tone = Literal["strength", "improvement"]
_BRACKETED_TIMES = re.compile(r"\s\(([\d:]+(?:, [\d:]+)*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipLink:
    """A playable moment; seconds of the media, and what the chip says (`3:10`)."""

    start: float
    end: float
    label: str
    time: str = ""
    """The time itself, where the label says something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """A coach's note at a time: when, what, by whom."""

    clips: tuple[ClipLink, ...]
    text: str
    tag: str
    """The quality that it is about, in words; empty where none was named."""
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCorrection:
    """One thing that a person put right: where, and what is so."""

    clips: tuple[ClipLink, ...]
    text: str
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A label and its value, in words."""

    label: str
    value: str
    is_named: bool = False
    """Whether its label is to be seen, where those of others are only heard."""

    @property
    def seen(self) -> str:
        """What of it stands in a line of facts."""
        return f"{self.label} {self.value}" if self.is_named else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Everything behind "Why am I seeing this?"."""

    rule: str
    rule_set: str
    author: str
    short: tuple[str, ...]
    """Two sentences: why this, and when it would not have appeared."""
    decided: tuple[str, ...]
    """Everything else that weighed, the grade, the source."""
    inputs: tuple[Fact, ...]
    references: tuple[Said, ...]
    language: str = ""
    """Of `short` and `decided`, as of the card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One evidence card, on a report, on the desk or as it would be."""

    tone: Tone
    heading: str
    """Keep, Work on this first, Next."""
    quality: str
    claim: str
    figure: str
    comparison: str
    why: str
    suggestion: str
    exercise_title: str
    exercise: str
    certainty: str
    clips: tuple[ClipLink, ...]
    author: str
    """Rule PAU002, or the coach's name."""
    id: str = ""
    """Of the item; empty where it is none."""
    title: str = ""
    """What its rule is called, in the card's language; empty on a coach's own."""
    rank: int = 0
    badge: str = ""
    """What is new about it, where two drafts stand beside each other."""
    counterfactual: str = ""
    """When it would not have appeared, where no explanation stands behind it."""
    corrected: str = ""
    """That its figures follow what a person put right, or that its rule is silent since."""
    coach_note: str = ""
    """What the coach did, in words: Confirmed by, Changed by; empty where nobody has."""
    original: str = ""
    """The wording before a coach changed it; empty where unchanged."""
    explanation: Why | None = None
    language: str = ""
    """Of its own words, which is that of the talk; empty where it is the reader's."""
    thread: Thread | None = None
    """What its trainee and coaches said about it."""
    is_about_talk: bool = False
    """Measured over the whole talk: there need be no moment to play."""
    is_brief: bool = False
    """Its reader wants it short: why it matters waits behind a press."""

    @property
    def claim_alone(self) -> str:
        """The claim without the times that the moments under it say as well."""
        told = {clip.time or clip.label for clip in self.clips}

        def left(found: re.Match[str]) -> str:
            return "" if set(found[1].split(", ")) <= told else found[0]

        return _BRACKETED_TIMES.sub(left, self.claim)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBackItem:
    """A finding that was not shown, and why not."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """One reason why rules had nothing to say, and what they are about."""

    reason: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """One thing worth trying where nothing stood out: an exercise, and no finding."""

    lead: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What is not among the cards, and why not."""

    items: tuple[HeldBackItem, ...] = ()
    waiting: str = ""
    """That some of what was noticed is for a coach to judge; empty where nothing is."""
    silences: tuple[Silence, ...] = ()
    recording: tuple[HeldBackItem, ...] = ()
    """What is wrong with the recording, and what would help: it takes no place of the three."""
    trying: Trying | None = None
    reached: tuple[ReachedFocus, ...] = ()
    """What the last take had to work on, and this one has nothing of to raise."""
    language: str = ""
    """Of all these words but `waiting`, as of the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What was seen and would help, and the labels of the measures that it concerns; a family of
    them where it concerns them all."""

    detail: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotMeasured:
    """One reason why something could not be measured, with everything that it holds for."""

    reason: str
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureRow:
    """One measurement in words."""

    label: str
    value: str
    plain: str
    """What it says, in a sentence for everybody."""
    meaning: str
    """How it is measured: its definition in the catalogue."""
    quality: str
    before: str = ""
    """What was measured before a person put something right, in words; empty where that is it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureGroup:
    """All measures of one family; `note` says what they are measured from, if that matters."""

    label: str
    rows: tuple[MeasureRow, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptWord:
    """A word on the page; `kind` is word, filler (um), filler_word (“like”, or another phrase that
    cards count), unsure (low recogniser confidence), missing,
    pause (a long silence, no word at all), or corrected (by a person).

    A missing one stands for speech that was heard and of which no word was written down.
    """

    text: str
    start: float
    end: float
    kind: Literal["word", "filler", "filler_word", "unsure", "missing", "pause", "corrected"] = (
        "word"
    )
    heard: str = ""
    """What the machine had read, where a person put the word right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A line of the transcript; `label` is its start as mm:ss."""

    start: float
    label: str
    words: tuple[TranscriptWord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneMark:
    """A span on a lane; positions in percent of the media's length."""

    start: float
    end: float
    left: float
    width: float
    label: str
    tone: Tone | None = None
    """Of the card that it belongs to; None where it belongs to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One row of the timeline.

    kind `marks` has spans; kind `line` has `path`, the d attribute of an SVG path in a
    viewBox of 0 0 1000 100 with gaps where nothing was measured.
    """

    label: str
    kind: Literal["marks", "line"]
    summary: str
    """The text alternative in one sentence."""
    marks: tuple[LaneMark, ...] = ()
    path: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """What the media element needs."""

    media_url: str
    media_type: str
    captions_url: str
    poster_url: str
    duration: float
    has_video: bool
    language: str
    fps: float | None = None
    """Pictures a second, for going on by one; None where that is not known."""
    may_be_saved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideLink:
    """What else there is about a take, elsewhere."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPage:
    """The report of one rehearsal."""

    rehearsal_id: str
    again_url: str
    title: str
    facts: tuple[Fact, ...]
    """Date, length, aim, audience, setting: one line."""
    state_words: str
    """Not with a coach; Sent to your coach on ...; Reviewed by ... on ..."""
    constructed: bool
    notices: tuple[str, ...]
    """Sentences above everything: a truncated file, a stage that failed, a waiting coach."""
    player: Player
    cards: tuple[Card, ...]
    neutral: str
    """A friendly sentence where there is no card, or no strength; else empty."""
    next_step: str
    left_out: LeftOut
    trying: Trying | None
    not_measured: tuple[NotMeasured, ...]
    measures: tuple[MeasureGroup, ...]
    lanes: tuple[Lane, ...]
    sentences: tuple[Sentence, ...]
    sound_alone: str = ""
    """That there is no picture, and what that leaves out; empty where there is one."""
    reading: ReadingWishes = AS_IT_IS
    is_held_back: bool = False
    """A coach reads it first: of the analysis the owner sees nothing until it is released."""
    failed_parts: tuple[str, ...] = ()
    """What did not work this time."""
    transcript_note: str = ""
    """Why there is no transcript, or what to know about it."""
    notes: tuple[ReadNote, ...] = ()
    """What a coach wrote at times of the recording; nothing before it is released."""
    note_lanes: tuple[Lane, ...] = ()
    """The lane of these notes, where there are some."""
    beside: tuple[BesideLink, ...] = ()
    parts: tuple[Part, ...] = ()
    """What upper apps add."""
    corrections: tuple[ReadCorrection, ...] = ()
    """What a coach put right, once it is released."""
    from_coach: FromCoach | None = None
    """A word about the take as a whole, and what a correction changed."""
    owner: OwnersSide | None = None
    """What only its owner is told and may do; None for everybody else."""

    @property
    def is_owner(self) -> bool:
        """Whether its owner reads it."""
        return self.owner is not None

    @property
    def first_cards(self) -> tuple[Card, ...]:
        """Those that are open when the page is."""
        return self.cards[:1] if self.reading.one_at_a_time else self.cards

    @property
    def later_cards(self) -> tuple[Card, ...]:
        """Those that wait until they are asked for."""
        return self.cards[len(self.first_cards) :]

    @property
    def causes(self) -> int:
        """For how many reasons something could not be measured, or not be measured well."""
        return len(self.not_measured) + len(self.left_out.recording)
