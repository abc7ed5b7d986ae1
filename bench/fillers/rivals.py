"""Whisper for comparison, plain and prompted for fillers, beam 5; the output is cached."""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from typing import Any

import numpy as np
from faster_whisper import WhisperModel

from analysis import conversions, models
from analysis.ports import FloatArray, Span
from bench.fillers.pieces import folder

Heard = tuple[str, float, float]
PLAIN, PROMPTED = "plain Whisper", "Whisper, prompted"
_PROMPTS = {
    "en": "Um, uh, let me think, like, hmm... Uh, okay, um, here's what I'm, uh, thinking.",
    "fr": "Euh, hum, alors euh, comment dire, euh... Donc euh, voilà, euh, je pense que, euh...",
}
"""Prompts, after the example of the speech service of Whisper's makers; no other was tried."""
_SOUNDS = re.compile(r"^(u+m+|u+h+m*|e+r+m*|a+h+|h+m+|m+h?m+|e+u+h+|h+e+u+|e+h+|e+u+h*m+)$")


def hear(sound: FloatArray, *, language: str, system: str) -> tuple[Span, ...]:
    """Return the spans of um, uh, euh and similar words written by the system."""
    said = words(sound, language=language, system=system)
    return tuple((start, end) for text, start, end in said if is_filler(text))


def words(sound: FloatArray, *, language: str, system: str) -> list[Heard]:
    """Return all words written by the system, with their times."""
    prompt = _PROMPTS[language] if system == PROMPTED else ""
    named = hashlib.sha256(np.ascontiguousarray(sound).tobytes() + f"{language}{prompt}".encode())
    place = folder() / "rivals" / f"{named.hexdigest()[:32]}.json"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        read = _read(_engine(language), sound, language, prompt)
        place.write_text(json.dumps(read), encoding="utf-8")
    return [(text, start, end) for text, start, end in json.loads(place.read_text("utf-8"))]


def is_filler(text: str) -> bool:
    """Return whether a written word is a filled pause, in any spelling."""
    return bool(_SOUNDS.match(re.sub(r"[^\w]", "", text.lower())))


def _read(model: Any, sound: FloatArray, language: str, prompt: str) -> list[Heard]:
    """Return the words with a beam of five and the engine's own times."""
    found, _ = model.transcribe(
        sound, language=language, beam_size=5, word_timestamps=True, initial_prompt=prompt or None
    )
    return [
        (word.word.strip(), float(word.start), float(word.end))
        for segment in found
        for word in segment.words or ()
    ]


@lru_cache(maxsize=2)
def _engine(language: str) -> Any:
    """Load tiny.en for English, the multilingual base model for French, both with 8 bits."""
    weights = conversions.path_of("tiny.en") if language == "en" else models.path_of("whisper-base")
    return WhisperModel(str(weights), device="cpu", compute_type="int8", cpu_threads=1)
