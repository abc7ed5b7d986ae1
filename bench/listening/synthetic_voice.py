"""Synthetic voice (eSpeak NG, for tests only): any text in any language, with exact times."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import espeakng_loader
import numpy as np
from scipy.signal import resample_poly

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span

_SYNCHRONOUS, _UTF8, _RATE, _RANGE = 2, 1, 1, 4
_QUIET = 0.003
_EDGE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class SyntheticSpeech:
    """Recording, and the span of each of its phrases."""

    audio: FloatArray
    phrases: tuple[Span, ...]


def say(
    phrases: Sequence[str], *, voice: str, pause: float, words_a_minute: int = 150, melody: int = 50
) -> SyntheticSpeech:
    """Synthesise the phrases in sequence, with exactly `pause` seconds of silence between them.

    `melody` is the pitch range: 50 is usual, 0 is a single level. Deterministic, independent of
    earlier calls in this process.
    """
    quiet = np.zeros(round(pause * SAMPLE_RATE_HZ), dtype=np.float32)
    parts: list[FloatArray] = [quiet]
    spans: list[Span] = []
    at = pause
    with _synthesizer(voice, words_a_minute, melody) as speak:
        for phrase in phrases:
            sound = _trimmed(speak(phrase))
            seconds = len(sound) / SAMPLE_RATE_HZ
            spans.append((at, at + seconds))
            at += seconds + pause
            parts += [sound, quiet]
    return SyntheticSpeech(audio=np.concatenate(parts), phrases=tuple(spans))


@contextmanager
def _synthesizer(
    voice: str, words_a_minute: int, melody: int
) -> Iterator[Callable[[str], FloatArray]]:
    """Yield a function that synthesises a text. Raises ValueError for an unknown voice.

    The library's state changes how it speaks on, even after a restart, so each call loads its own
    copy.
    """
    with TemporaryDirectory() as folder:
        copy = shutil.copy(espeakng_loader.get_library_path(), Path(folder) / "espeak-ng.so")
        library = ctypes.CDLL(str(copy))
    data = str(espeakng_loader.get_data_path()).encode()
    rate = library.espeak_Initialize(_SYNCHRONOUS, 0, data, 0)
    if library.espeak_SetVoiceByName(voice.encode()) != 0:
        raise ValueError(voice)
    library.espeak_SetParameter(_RATE, words_a_minute, 0)
    library.espeak_SetParameter(_RANGE, melody, 0)
    heard: list[Any] = []
    callback = _callback(heard)
    library.espeak_SetSynthCallback(callback)

    def speak(text: str) -> FloatArray:
        heard.clear()
        encoded = text.encode()
        library.espeak_Synth(encoded, len(encoded) + 1, 0, 0, 0, _UTF8, None, None)
        library.espeak_Synchronize()
        sound = np.concatenate(heard).astype(np.float64) / 32768
        resampled: FloatArray = resample_poly(sound, SAMPLE_RATE_HZ, rate).astype(np.float32)
        return resampled

    try:
        yield speak
    finally:
        library.espeak_Terminate()


def _callback(heard: list[Any]) -> Callable[..., int]:
    def collect(samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            heard.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0

    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
    )
    return kind(collect)


def _trimmed(sound: FloatArray) -> FloatArray:
    loud = np.flatnonzero(np.abs(sound) > _QUIET)
    edge = round(_EDGE_SECONDS * SAMPLE_RATE_HZ)
    return sound[max(loud[0] - edge, 0) : loud[-1] + edge] if len(loud) else sound
