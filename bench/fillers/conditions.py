"""Recording conditions: telephone, noise, rooms, level, tempo and changed voices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import librosa
import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from bench.fillers.talks import Filler, FillerTalk

_MU = 255.0
_LONGEST_SECONDS = 29.0
"""Longest sound (one window); speech slowed beyond it is cut."""
Change = Callable[[FillerTalk, np.random.Generator], FillerTalk]


def clean(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
    """Return the talk in a quiet room: noise 45 to 60 dB below the voice, at another level."""
    level = float(10 ** (random.uniform(-14, 4) / 20))
    heard = _with_noise(talk.sound, _noise(len(talk.sound), random), random.uniform(45, 60))
    return _sounding(talk, heard * level, "clean")


def telephone(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
    """Return the talk through a telephone: 300 to 3400 Hz, 8 kHz, 8 bits (G.711)."""
    narrow = resample_poly(talk.sound, 1, 2)
    band = butter(4, [300, 3400], "bandpass", fs=SAMPLE_RATE_HZ / 2, output="sos")
    narrow = _with_noise(sosfilt(band, narrow), _noise(len(narrow), random), random.uniform(25, 45))
    loud = np.clip(narrow / max(float(np.abs(narrow).max()), 1e-6), -1, 1)
    pressed = np.sign(loud) * np.log1p(_MU * np.abs(loud)) / np.log1p(_MU)
    coded = np.round(pressed * 127) / 127
    back = np.sign(coded) * np.expm1(np.abs(coded) * np.log1p(_MU)) / _MU
    return _sounding(talk, 0.4 * resample_poly(back, 2, 1)[: len(talk.sound)], "telephone")


def noisy(*decibels: float) -> Change:
    """Return a function that adds steady or babbling noise this far below the voice."""

    def change(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
        below = float(random.choice(decibels))
        noise = _noise(len(talk.sound), random)
        return _sounding(talk, _with_noise(talk.sound, noise, below), f"noise {below:.0f} dB")

    return change


def room(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
    """Return the talk in a room with 0.25 to 0.7 s of reverberation, one or two metres from the
    microphone.
    """
    ringing = random.uniform(0.25, 0.7)
    count = int(ringing * SAMPLE_RATE_HZ)
    tail = random.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    tail *= random.uniform(0.3, 0.8) / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    heard = fftconvolve(talk.sound, tail)[: len(talk.sound)]
    heard = _with_noise(heard, _noise(len(heard), random), random.uniform(30, 45))
    return _sounding(talk, heard, "room")


def tempo(*factors: float) -> Change:
    """Return a function that makes speech slower or faster at the same pitch."""

    def change(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
        factor = float(random.choice(factors))
        moved = librosa.effects.time_stretch(talk.sound, rate=factor)
        stretched = _stretched(talk, moved, 1 / factor)
        return replace(clean(stretched, random), condition=f"tempo {factor}")

    return change


def other_voice(talk: FillerTalk, random: np.random.Generator) -> FillerTalk:
    """Return the talk with another voice: resampled, so faster or slower."""
    factor = float(random.choice([0.84, 0.9, 1.1, 1.19]))
    moved = resample_poly(talk.sound, 100, round(100 * factor)).astype(np.float32)
    return replace(clean(_stretched(talk, moved, 1 / factor), random), condition="other voice")


TRAINING: Mapping[str, Change] = {
    "clean": clean,
    "telephone": telephone,
    "noise": noisy(5, 8, 12, 20),
    "room": room,
    "tempo": tempo(0.8, 0.9, 1.15),
    "voice": other_voice,
}
JUDGING: Mapping[str, Change] = {
    "clean": clean,
    "noise 8 dB": noisy(8),
    "telephone": telephone,
    "slow": tempo(0.75),
}


def _sounding(talk: FillerTalk, sound: FloatArray, condition: str) -> FillerTalk:
    heard = np.clip(sound, -1, 1).astype(np.float32)
    return replace(talk, sound=heard, condition=condition)


def _stretched(talk: FillerTalk, sound: FloatArray, factor: float) -> FillerTalk:
    def moved(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple((start * factor, end * factor) for start, end in spans)

    fillers = (Filler(one.word, one.start * factor, one.end * factor) for one in talk.fillers)
    kept = tuple(one for one in fillers if one.end < _LONGEST_SECONDS)
    cut = sound[: int(_LONGEST_SECONDS * SAMPLE_RATE_HZ)]
    return replace(talk, sound=cut, unsure=moved(talk.unsure), fillers=kept)


def _with_noise(sound: FloatArray, noise: FloatArray, below_db: float) -> FloatArray:
    loud = sound[np.abs(sound) > 0.05 * max(float(np.abs(sound).max()), 1e-6)]
    level = float(np.sqrt(np.mean(loud**2))) if len(loud) else 0.05
    factor = level * 10 ** (-below_db / 20) / max(float(np.sqrt(np.mean(noise**2))), 1e-9)
    heard: FloatArray = (sound + factor * noise).astype(np.float32)
    return heard


def _noise(count: int, random: np.random.Generator) -> FloatArray:
    """Return white, pink or brown noise, steady or swelling like a crowded room."""
    spectrum = np.fft.rfft(random.standard_normal(count))
    slope = float(random.choice([0.0, 0.5, 0.5, 1.0]))
    spectrum /= np.maximum(np.arange(len(spectrum)), 20) ** slope
    noise = np.fft.irfft(spectrum, count)
    if random.random() < 0.5:
        knots = random.uniform(0.3, 1.7, max(count // 3000, 2))
        noise *= np.interp(np.linspace(0, len(knots) - 1, count), np.arange(len(knots)), knots)
    swelling: FloatArray = noise.astype(np.float32)
    return swelling
