"""Words of a recording that was prepared and transcribed, without any measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.pipeline import artefacts
from analysis.ports import Span
from analysis.results import Word
from analysis.talk import spans
from analysis.talk.words import align_to_speech, believed_words

LONG_WITHOUT_WORDS_SECONDS = 3.0
"""Speech between two words from which it counts as untranscribed (rule of thumb): a sentence, not a
laugh or a breath.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """Transcribed words. `heard` is the detected language, empty without detection."""

    words: tuple[Word, ...]
    unread: tuple[Span, ...]
    """Spans of speech without words."""
    language: str
    heard: str
    model: str


def spoken_words(workdir: Path) -> SpokenWords:
    """Return the words as a report has them, without filled pauses detected by sound. Raises
    StageArtefactMissing.

    Invented words are left out, and boundaries are where the voice stops and starts.
    """
    prepared = artefacts.load_prepared(workdir)
    transcript = artefacts.load_transcript(workdir)
    language = transcript.language.code
    believed = believed_words(transcript, prepared.speech)
    words = align_to_speech(believed, prepared.speech, language)
    heard = transcript.spoken_language
    return SpokenWords(
        words=words,
        unread=unread(words, prepared.speech),
        language=language,
        heard=heard.code if heard else "",
        model=transcript.model,
    )


def unread(words: Sequence[Word], speech: Sequence[Span]) -> tuple[Span, ...]:
    """Return long spans of speech without words; recognisers skip whole sentences, mostly after a
    pause.
    """
    ends = (0.0, *(word.end for word in words))
    starts = (*(word.start for word in words), math.inf)
    found = []
    for end, start in zip(ends, starts, strict=True):
        if start - end < LONG_WITHOUT_WORDS_SECONDS:
            continue
        voiced = spans.clipped(speech, (end, start))
        if spans.total(voiced) >= LONG_WITHOUT_WORDS_SECONDS:
            found.append((voiced[0][0], voiced[-1][1]))
    return tuple(found)
