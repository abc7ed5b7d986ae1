"""Phrases of the synthetic voices, cached, since synthesis takes longer than analysis."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from analysis.ports import FloatArray
from bench.judgement.analysed import folder
from bench.judgement.melody import reshaped
from bench.sounds import from_whole_numbers, kept, whole_numbers
from bench.voices import RATE_HZ, Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """Speaker derived from a synthetic voice by changes of vocal tract, pitch and tempo."""

    voice: str
    formants: float
    """Formant ratio; below 1 for a longer vocal tract."""
    pitch: float
    """Ratio to the pitch of the voice."""
    melody: float
    """Ratio of the pitch range, in semitones."""
    tempo: float
    """Tempo ratio; above 1 is faster."""


# Only one voice was made for French; the others are derived from it, by rules of thumb for
# speakers.
SHAPED: dict[str, Shaped] = {
    "siwis_low": Shaped(voice="ff_siwis", formants=0.92, pitch=0.8, melody=1.0, tempo=0.95),
    "siwis_man": Shaped(voice="ff_siwis", formants=0.85, pitch=0.57, melody=1.05, tempo=1.0),
    "siwis_light": Shaped(voice="ff_siwis", formants=1.06, pitch=1.15, melody=0.95, tempo=1.06),
}
VOICES: dict[str, tuple[str, ...]] = {
    "en": ("af_heart", "am_michael", "bf_emma", "bm_george"),
    "fr": ("ff_siwis", *SHAPED),
}


def said(phrase: Phrase, *, voice: str, language: str) -> FloatArray:
    """Return the phrase at RATE_HZ without silence around it; deterministic."""
    shaped = SHAPED.get(voice)
    if shaped is None:
        return _kept(phrase, voice=voice, language=language)
    original = _kept(phrase, voice=shaped.voice, language=language)
    return reshaped(
        original,
        RATE_HZ,
        formants=shaped.formants,
        pitch=shaped.pitch,
        melody=shaped.melody,
        tempo=shaped.tempo,
    )


def _kept(phrase: Phrase, *, voice: str, language: str) -> FloatArray:
    key = hashlib.sha256(repr((phrase.text, phrase.phonemes, voice, language)).encode())
    place = folder() / "phrases" / f"{key.hexdigest()[:32]}.npy"
    samples = kept(place, lambda: whole_numbers(say(phrase, voice=voice, language=language)))
    return from_whole_numbers(samples)
