"""Closed sets of values used in rules and contexts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from analysis import situation

Aim = Literal["inform", "persuade", "pitch", "teach", "report", "celebrate"]
Audience = Literal["experts", "colleagues", "students", "public", "decision_makers", "mixed"]
Setting = situation.Setting
CameraPosition = situation.CameraPosition
SpeaksAs = Literal["first", "second"]
Notes = Literal["key_words", "scrolling"]
"""Whether a person speaks in their first language or in a later one."""
Goal = Literal["clarity", "fluency", "vocal_variety", "presence", "audience_contact", "structure"]
"""Communicative qualities; every rule belongs to exactly one, and a goal names one."""
Modality = Literal["words", "speech", "voice", "timing", "face", "body", "recording"]
"""Channel of a behaviour: word choice, sounds of speech, pitch and level, pace and silence, head
and eyes, posture and hands, or the recording itself.
"""
Tone = Literal["strength", "improvement"]
Grade = Literal["A", "B", "C"]
"""Grade of evidence. A: a controlled study links it to listeners' judgement. B: norms exist, no
threshold. C: practitioners' convention.
"""
DecidedBy = Literal["machine", "machine_then_coach", "coach"]
Status = Literal["draft", "experimental", "stable", "retired"]
ReadingLanguage = Literal["en", "fr"]
READING_LANGUAGES: tuple[ReadingLanguage, ...] = ("en", "fr")

BehaviourKind = Literal[
    "ask_questions",
    "better_recording",
    "carry_sentence_ends",
    "face_listeners",
    "few_fillers",
    "fewer_numbers",
    "keep_to_time",
    "mark_steps",
    "move_hands",
    "parallel_openings",
    "pause_between_sentences",
    "pause_for_effect",
    "plain_words",
    "plan_ahead",
    "return_to_opening",
    "settled_posture",
    "short_sentences",
    "silence_for_fillers",
    "simple_slides",
    "speak_from_notes",
    "steady_loudness",
    "stress_key_words",
    "strong_ending",
    "strong_opening",
    "unhurried_pace",
    "use_all_the_time",
    "vary_loudness",
    "vary_pitch",
]
"""Behaviours that strengths praise and suggestions advise. A silence after each sentence also
precedes the next: both are `pause_between_sentences`.
"""
TalkPosition = Literal["talk", "opening", "ending", "moments"]
"""Position in the talk: all of it, its first or last part, or the moments that the card itself
plays.
"""

LanguageCode = Annotated[str, Field(pattern=r"^[a-z]{2}$")]
Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def equals(other: object) -> Callable[[object], bool]:
    """Return a predicate for fields added later, which are omitted from documents at their default.

    The canonical form of older documents, and with it the digest, therefore does not change.
    """

    def stands_at_default(value: object) -> bool:
        return value == other

    return stands_at_default


class Document(BaseModel):
    """Base of all documents: frozen, rejecting unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
