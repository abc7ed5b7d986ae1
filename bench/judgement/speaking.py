"""Phrases of the synthetic voices, each kept on disk: saying one takes longer than analysing it."""

from __future__ import annotations

import hashlib

import numpy as np

from analysis.ports import FloatArray
from bench.judgement.analysed import folder
from bench.voices import FRENCH, RATE_HZ, Phrase, say

# French has one voice of its own; three more, made for Italian and Spanish, read its phonemes.
VOICES: dict[str, tuple[str, ...]] = {
    "en": ("af_heart", "am_michael", "bf_emma", "bm_george"),
    "fr": (*FRENCH, "if_sara", "im_nicola", "ef_dora"),
}
_FULL_SCALE = 32767


def said(phrase: Phrase, *, voice: str, language: str) -> FloatArray:
    """The phrase at RATE_HZ without silence around it; the same samples each time."""
    key = hashlib.sha256(repr((phrase.text, phrase.phonemes, voice, language)).encode())
    place = folder() / "phrases" / f"{key.hexdigest()[:32]}.npy"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        audio = say(phrase, voice=voice, language=language)
        part = place.with_suffix(f".{key.hexdigest()[32:40]}.part")
        with part.open("wb") as file:
            np.save(file, (np.clip(audio, -1, 1) * _FULL_SCALE).astype(np.int16))
        part.replace(place)
    kept: FloatArray = np.load(place).astype(np.float32) / _FULL_SCALE
    return kept


__all__ = ["RATE_HZ", "VOICES", "Phrase", "folder", "said"]
