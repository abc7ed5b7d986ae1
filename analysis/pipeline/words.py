"""The words of a recording that was prepared and transcribed, where nothing is to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.pipeline import artefacts
from analysis.results import Word
from analysis.talk.words import believed_words, placed


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """What was written down. `heard`: the language that was heard, where detection ran."""

    words: tuple[Word, ...]
    language: str
    heard: str
    model: str


def spoken_words(workdir: Path) -> SpokenWords:
    """As a report has them, without the ums that only the sound tells. Raises StageArtefactMissing.

    Words that nobody said are left out, and boundaries lie where the voice stops and starts.
    """
    prepared = artefacts.load_prepared(workdir)
    transcript = artefacts.load_transcript(workdir)
    language = transcript.language.code
    believed = believed_words(transcript, prepared.speech)
    heard = transcript.spoken_language
    return SpokenWords(
        words=placed(believed, prepared.speech, language),
        language=language,
        heard=heard.code if heard else "",
        model=transcript.model,
    )
