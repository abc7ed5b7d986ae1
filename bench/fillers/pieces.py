"""Pieces of every synthetic voice, cached: parts of sentences, fillers and traps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from analysis import models
from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench import voices
from bench.fillers.material import FILLERS, SENTENCES, TRAPS
from bench.sounds import from_whole_numbers, kept, whole_numbers

_SEED = 12
_SENTENCES, _FILLERS, _TRAPS = 4, 7, 5
_SPOKEN_OF_FOUR = {"en": 2, "fr": 2}
"""Pieces synthesised of four possible ones; synthesis takes longer than training."""


@dataclass(frozen=True, slots=True)
class VoicePiece:
    """Text spoken separately by one voice. `kind` is part, filler or trap."""

    kind: str
    voice: str
    language: str
    text: str
    phonemes: bool
    speed: float
    word: str = ""
    sentence: int = -1

    @property
    def path(self) -> Path:
        """Return the path of its cached sound."""
        named = repr((self.voice, self.language, self.text, self.phonemes, self.speed))
        return folder() / "pieces" / f"{hashlib.sha256(named.encode()).hexdigest()[:32]}.npy"

    def sound(self) -> FloatArray:
        """Return the sound at SAMPLE_RATE_HZ without silence around
        it; synthesised unless cached.
        """
        return from_whole_numbers(kept(self.path, self._spoken))

    def _spoken(self) -> NDArray[np.int16]:
        phrase = voices.Phrase(self.text, phonemes=self.phonemes, speed=self.speed)
        spoken = voices.say(phrase, voice=self.voice, language=self.language)
        return whole_numbers(resample_poly(spoken, SAMPLE_RATE_HZ, voices.RATE_HZ))


def folder() -> Path:
    """Return the cache directory of this benchmark."""
    return models.models_dir().parent / "bench-fillers"


def pieces_of(voice: str, language: str) -> tuple[VoicePiece, ...]:
    """Return the pieces of a voice; deterministic."""
    seed = int.from_bytes(hashlib.sha256(f"{_SEED} {voice} {language}".encode()).digest()[:4])
    drawn = _drawn(voice, language, np.random.default_rng(seed))
    spoken = _SPOKEN_OF_FOUR[language]
    return tuple(piece for index, piece in enumerate(drawn) if index % 4 < spoken)


def _drawn(voice: str, language: str, random: np.random.Generator) -> Iterator[VoicePiece]:
    sentences = SENTENCES[language]
    for index in random.choice(len(sentences), _SENTENCES, replace=False):
        speed = round(float(random.uniform(0.8, 1.2)), 2)
        for part in sentences[index].split("|"):
            yield VoicePiece(
                "part", voice, language, part, phonemes=False, speed=speed, sentence=int(index)
            )
    fillers = FILLERS[language]
    for index in random.choice(len(fillers), min(_FILLERS, len(fillers)), replace=False):
        word, phonemes = fillers[index]
        speed = round(float(random.uniform(0.65, 1.15)), 2)
        yield VoicePiece("filler", voice, language, phonemes, phonemes=True, speed=speed, word=word)
    traps = TRAPS[language]
    for index in random.choice(len(traps), _TRAPS, replace=False):
        speed = round(float(random.uniform(0.65, 1.15)), 2)
        yield VoicePiece("trap", voice, language, traps[index], phonemes=True, speed=speed)
