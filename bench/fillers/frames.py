"""Encoder output of the recognisers for a talk: a row of numbers per 20 ms, cached."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np

from analysis import conversions, models
from analysis.backends.speech import ctranslate
from analysis.backends.speech.openai import OpenAIWhisper
from analysis.ports import FloatArray
from bench.fillers.pieces import folder
from bench.fillers.talks import FillerTalk
from bench.sounds import kept

STEP_SECONDS = 0.02


def frames(talk: FillerTalk, encoder: str) -> FloatArray:
    """Return the encoder output of the talk, which is at most a window long, shape (frames,
    dimensions).

    Recordings with inserted fillers are read by the 8-bit English model, the others in full
    precision, so that the head knows both.
    """
    named = hashlib.sha256(np.ascontiguousarray(talk.sound).tobytes()).hexdigest()[:32]
    if encoder == "tiny.en" and talk.kind == "inserted":
        encoder = conversions.name_of(encoder)
    place = folder() / "frames" / encoder / f"{named}.npy"
    return kept(place, lambda: encode(talk.sound, encoder).astype(np.float16))


def encode(sound: FloatArray, encoder: str) -> FloatArray:
    """Return the encoder output without the cache."""
    engine = _engine(encoder)
    whole = np.array(engine.encode([sound]), dtype=np.float32)[0]
    rows: FloatArray = whole[: int(len(sound) / 16_000 / STEP_SECONDS)]
    return rows


@lru_cache(maxsize=2)
def _engine(encoder: str) -> Any:
    if encoder == "tiny.en":
        return OpenAIWhisper(models.path_of("tiny.en.pt"), "tiny.en")
    if conversions.is_converted(encoder):
        return ctranslate.load(conversions.path_of("tiny.en"), 1)
    return ctranslate.load(models.path_of("whisper-base"), 1)
