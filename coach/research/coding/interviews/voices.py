"""Voices of a transcript: one for each speaker name, with a guessed role."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import Truncator

from coach.research.coding.interviews.reading import ParsedTurn, ReadingProblem, turns_in
from coach.research.coding.interviews.reading.lines import from_document
from coach.research.coding.models import Speaker

_INTERVIEWER = re.compile(
    r"(?:i|q|e|m|int|mod|interviewer|moderator|facilitator|researcher|animateur|animatrice|"
    r"enquêteur|enquêtrice|chercheur|chercheuse|modérateur|modératrice)[\s.\-]?\d{0,2}",
    re.IGNORECASE,
)
_WORDS_OF = {
    "en": ("the", "and", "to", "it", "that", "you", "with", "for", "what"),
    "fr": ("le", "les", "et", "des", "je", "vous", "est", "pas", "une", "dans"),
}
"""Usual words that few other languages have: no *la*, *de*, *que* or *was*."""
_LEAST_WORDS, _LEAST_SHARE, _CLEAR = 5, 0.07, 2
"""Least number of words of a language, their least share of all, and the ratio to the other
language (rules of thumb): half as many as in a talk in that language, and more than in one of a
third."""
_SHOWN = 80
MOST_VOICES = 150
"""Each has four questions on the page, and may equal any other: with more, Django would reject the
form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptVoice:
    """A speaker in a transcript; `called` is empty for turns without a name."""

    called: str
    turns: int
    words: int
    sample: str
    guess: str
    """A `Speaker.Role`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTranscript:
    """A parsed file."""

    turns: Sequence[ParsedTurn]
    odd: Sequence[ReadingProblem]
    voices: Sequence[TranscriptVoice]


def parsed_transcript(document: dict[str, Any]) -> ParsedTranscript:
    """Return the turns and voices of a stored file, with a person's corrections of its names."""
    also, never = document.get("also", []), document.get("never", [])
    turns, odd = turns_in(from_document(document), also=also, never=never)
    return ParsedTranscript(turns=turns, odd=odd, voices=_voices(turns, also))


def likely_language(seen: ParsedTranscript) -> str:
    """Return `en` or `fr` if the words clearly indicate it; otherwise empty."""
    words = Counter(re.findall(r"\w+", " ".join(turn.words for turn in seen.turns).casefold()))
    least = max(_LEAST_WORDS, _LEAST_SHARE * words.total())
    first, second = sorted(
        ((sum(words[each] for each in usual), code) for code, usual in _WORDS_OF.items()),
        reverse=True,
    )
    is_clear = first[0] >= max(least, _CLEAR * second[0])
    return first[1] if is_clear else ""


def _voices(turns: Sequence[ParsedTurn], also: Iterable[str]) -> list[TranscriptVoice]:
    by_name: dict[str, list[str]] = {}
    for turn in turns:
        by_name.setdefault(turn.speaker, []).append(turn.words)
    for name in also:
        by_name.setdefault(name, [])
    asks = _probable_interviewer(turns)
    voices = []
    for name, said in by_name.items():
        voices.append(
            TranscriptVoice(
                called=name,
                turns=len(said),
                words=sum(len(words.split()) for words in said),
                sample=Truncator(said[0]).chars(_SHOWN) if said else "",
                guess=_guess(name, asks),
            )
        )
    return voices


def _guess(name: str, asks: str) -> str:
    if not name:
        return Speaker.Role.OTHER
    return Speaker.Role.INTERVIEWER if name == asks else guessed_role(name)


def guessed_role(name: str) -> str:
    """Return the role that a name implies; a participant if it implies none."""
    is_asking = _INTERVIEWER.fullmatch(name) is not None
    return Speaker.Role.INTERVIEWER if is_asking else Speaker.Role.PARTICIPANT


def _probable_interviewer(turns: Sequence[ParsedTurn]) -> str:
    """Return the voice that asks most questions, if none is named as an interviewer; empty
    otherwise.
    """
    if any(_INTERVIEWER.fullmatch(turn.speaker) for turn in turns):
        return ""
    asked = Counter(turn.speaker for turn in turns if turn.words.rstrip().endswith(("?", "؟")))
    return asked.most_common(1)[0][0] if asked else ""
