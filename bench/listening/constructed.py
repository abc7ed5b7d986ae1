"""Constructed speech with exact labels: recordings with inserted fillers and silences."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench.listening.truth import TimedWord, Truth
from bench.sounds import write_wave

_HOST_SECONDS = 28.0
_EVERY = 4
_LONGEST_HOST_SECONDS, _SHORTEST_HOST_SECONDS = 80.0, 8.0
_SILENCES = (0.3, 0.6, 1.2, 2.5)


@dataclass(slots=True)
class _GrowingRecording:
    parts: list[FloatArray] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, part: FloatArray) -> tuple[float, float]:
        start = self.seconds
        self.parts.append(part)
        self.seconds += len(part) / SAMPLE_RATE_HZ
        return start, self.seconds


def with_fillers(
    truths: Sequence[Truth], audio: dict[str, FloatArray], folder: Path, *, seed: int = 11
) -> list[Truth]:
    """Return fluent recordings with other speakers' fillers between their words.

    The fillers are shifted in pitch by -2 to +4 semitones and set 0 to 6 dB below the host's voice;
    half of them follow a silence of up to 0.3 s.
    """
    random = np.random.default_rng(seed)
    pieces = _pieces(truths, audio)
    hosts = [truth for truth in truths if _is_fluent(truth, audio)]
    made = []
    for host in hosts:
        if not pieces:
            break
        sound = audio[host.name][: int(_HOST_SECONDS * SAMPLE_RATE_HZ)]
        truth = _spliced(host, sound, pieces, folder, random)
        if truth is not None:
            made.append(truth)
    return made


def with_silences(
    truths: Sequence[Truth], audio: dict[str, FloatArray], folder: Path
) -> list[Truth]:
    """Return short fluent recordings joined with digital silences of known length."""
    short = [
        truth
        for truth in truths
        if truth.filler_count == 0 and len(audio[truth.name]) < 6 * SAMPLE_RATE_HZ
    ]
    made = []
    for number, group in enumerate(_fives(short)):
        growing = _GrowingRecording()
        silences = []
        for index, truth in enumerate(group):
            if index:
                quiet = np.zeros(int(_SILENCES[(index - 1) % 4] * SAMPLE_RATE_HZ), np.float32)
                silences.append(growing.add(quiet))
            growing.add(_level(_trimmed(audio[truth.name]), 0.08))
        if silences:
            path = _write(folder / f"joined_{number}.wav", growing)
            made.append(
                Truth(path=path, text=None, words=(), filler_count=None, silences=tuple(silences))
            )
    return made


def _fives(items: Sequence[Truth]) -> list[Sequence[Truth]]:
    return [items[start : start + 5] for start in range(0, len(items), 5)]


def _pieces(truths: Sequence[Truth], audio: dict[str, FloatArray]) -> list[tuple[str, FloatArray]]:
    return [
        (word.text, audio[truth.name][_sample(word.start) : _sample(word.end)])
        for truth in truths
        if "noise" not in truth.name
        for word in truth.fillers
    ]


def _is_fluent(truth: Truth, audio: dict[str, FloatArray]) -> bool:
    seconds = len(audio[truth.name]) / SAMPLE_RATE_HZ
    return (
        truth.filler_count == 0
        and truth.path.parent.name == "1_speech"
        and _SHORTEST_HOST_SECONDS < seconds < _LONGEST_HOST_SECONDS
    )


def _spliced(
    host: Truth,
    sound: FloatArray,
    pieces: Sequence[tuple[str, FloatArray]],
    folder: Path,
    random: np.random.Generator,
) -> Truth | None:
    speech = find_speech(sound, progress=lambda _share: None)
    gaps = [
        (left[1], right[0])
        for left, right in itertools.pairwise(speech)
        if right[0] - left[1] >= 0.1 and left[1] > 1.0
    ]
    if not gaps:
        return None
    level = float(np.sqrt(np.mean(sound[np.abs(sound) > 0.005] ** 2)))
    growing, fillers, last = _GrowingRecording(), [], 0.0
    for index in sorted(random.choice(len(gaps), min(_EVERY, len(gaps)), replace=False)):
        at = sum(gaps[index]) / 2
        growing.add(sound[_sample(last) : _sample(at)])
        if random.random() < 0.5:
            growing.add(np.zeros(int(random.uniform(0, 0.3) * SAMPLE_RATE_HZ), np.float32))
        text, piece = pieces[int(random.integers(len(pieces)))]
        start, end = growing.add(_adapted(piece, level, random))
        fillers.append(TimedWord(text, start, end))
        last = at
    growing.add(sound[_sample(last) :])
    path = _write(folder / f"{host.name}_um.wav", growing)
    return Truth(
        path=path,
        text=None,
        words=tuple(fillers),
        filler_count=None,
        silences=(),
        knows_all_words=False,
    )


def _adapted(piece: FloatArray, level: float, random: np.random.Generator) -> FloatArray:
    factor = 2 ** (random.uniform(-2, 4) / 12)
    moved = resample_poly(piece, 1000, round(1000 * factor)).astype(np.float32)
    scaled = _level(moved, level * 10 ** (random.uniform(-6, 0) / 20))
    edge = min(160, len(scaled) // 4)
    scaled[:edge] *= np.linspace(0, 1, edge, dtype=np.float32)
    scaled[-edge:] *= np.linspace(1, 0, edge, dtype=np.float32)
    return scaled


def _level(sound: FloatArray, level: float) -> FloatArray:
    scaled: FloatArray = sound * np.float32(level / max(float(np.sqrt(np.mean(sound**2))), 1e-6))
    return scaled


def _trimmed(sound: FloatArray) -> FloatArray:
    speech = find_speech(sound, progress=lambda _share: None)
    return sound[_sample(speech[0][0]) : _sample(speech[-1][1])] if speech else sound


def _write(path: Path, growing: _GrowingRecording) -> Path:
    write_wave(path, np.concatenate(growing.parts), SAMPLE_RATE_HZ)
    return path


def _sample(seconds: float) -> int:
    return int(seconds * SAMPLE_RATE_HZ)
