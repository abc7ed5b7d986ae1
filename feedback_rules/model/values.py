"""The closed sets of values that rules and contexts are written in."""

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
"""Whether somebody speaks in the first language that they learned, or in a later one."""
Goal = Literal["clarity", "fluency", "vocal_variety", "presence", "audience_contact", "structure"]
"""The communicative qualities; every rule belongs to exactly one, and a goal names one."""
Modality = Literal["words", "speech", "voice", "timing", "face", "body", "recording"]
"""Where a behaviour is noticed: word choice, sounds of speech, melody and level, pace and silence,
head and eyes, posture and hands, the recording itself."""
Tone = Literal["strength", "improvement"]
Grade = Literal["A", "B", "C"]
"""A: a controlled study links it to listeners' judgement. B: norms exist, no threshold.
C: practitioners' convention."""
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
"""What a strength praises and a suggestion advises. A silence after each sentence is one before
the next: both are `pause_between_sentences`."""
Place = Literal["talk", "opening", "ending", "moments"]
"""All of the talk, its first or its last part, or the moments that the card itself plays."""

LanguageCode = Annotated[str, Field(pattern=r"^[a-z]{2}$")]
Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def equals(other: object) -> Callable[[object], bool]:
    """For fields that came later: they stay out of a document that does not use them, so that the
    canonical form, and with it the digest, of every older document stays what it was."""

    def stands_at_default(value: object) -> bool:
        return value == other

    return stands_at_default


class Document(BaseModel):
    """Frozen, and refusing keys that nobody defined."""

    model_config = ConfigDict(frozen=True, extra="forbid")
