"""Synthesised sounds that are not speech."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_LEVEL = 0.1

Sound = NDArray[np.float64]


def _clock(seconds: float) -> Sound:
    return np.arange(int(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ


def _band(sound: Sound, low: float, high: float) -> Sound:
    filtered: Sound = sosfilt(
        butter(2, [low, high], "bandpass", fs=SAMPLE_RATE_HZ, output="sos"), sound
    )
    return filtered


def _tone(seconds: float, hz: float) -> Sound:
    return np.sin(2 * np.pi * hz * _clock(seconds))


def tone(seconds: float) -> Sound:
    """Return a steady tone of 220 Hz, in the range of voices."""
    return _tone(seconds, 220.0)


def hum(seconds: float) -> Sound:
    """Return mains hum: 50 Hz and its harmonics."""
    return sum((_tone(seconds, 50.0 * n) / n for n in range(1, 9)), np.zeros(1))


def bell(seconds: float) -> Sound:
    """Return an old telephone: two bells struck twenty times per second, one second on, two off."""
    time = _clock(seconds)
    struck = np.exp(-12 * (time * 20 % 1) / 20)
    ringing = (time % 3) < 1
    partials = sum((np.sin(2 * np.pi * hz * time) for hz in (1230, 1480, 3120, 4010)), 0 * time)
    return partials * struck * ringing


def ringback(seconds: float) -> Sound:
    """Return the ringing tone of a telephone network: 440 and 480 Hz, one second on, two off."""
    time = _clock(seconds)
    return (_tone(seconds, 440) + _tone(seconds, 480)) * ((time % 3) < 1)


def ringtone(seconds: float) -> Sound:
    """Return a mobile phone: short notes of a tune with three harmonics."""
    time = _clock(seconds)
    notes = np.array([659, 587, 370, 415, 554, 494, 294, 330, 494, 440, 277, 330, 440.0])
    place = (time / 0.15).astype(int)
    hz = notes[place % len(notes)]
    phase = 2 * np.pi * np.cumsum(hz) / SAMPLE_RATE_HZ
    fading = np.exp(-6 * (time % 0.15))
    return (np.sin(phase) + 0.5 * np.sin(2 * phase) + 0.3 * np.sin(3 * phase)) * fading


def chords(seconds: float) -> Sound:
    """Return struck, decaying chords, a new one each half second."""
    time = _clock(seconds)
    sound = np.zeros(len(time))
    for beat in range(int(seconds / 0.5)):
        since = np.clip(time - beat * 0.5, 0, None)
        for note in (220.0, 277.2, 329.6)[: 1 + beat % 3]:
            hz = note * 2 ** ((beat % 7) / 12)
            sound += (since > 0) * np.exp(-3 * since) * np.sin(2 * np.pi * hz * since)
    return sound


def strings(seconds: float) -> Sound:
    """Return bowed notes with vibrato: sustained and harmonic like a voice, without its
    formants."""
    time = _clock(seconds)
    scale = np.array([196, 220, 247, 262, 294, 330, 294, 247.0])
    hz = scale[(time / 0.8).astype(int) % len(scale)] * (1 + 0.01 * np.sin(2 * np.pi * 6 * time))
    phase = 2 * np.pi * np.cumsum(hz) / SAMPLE_RATE_HZ
    swell = np.sqrt(np.sin(np.pi * (time / 0.8 % 1)) + 0.1)
    return sum((np.sin(n * phase) / n for n in range(1, 16)), 0 * time) * swell


def drums(seconds: float) -> Sound:
    """Return a bass drum and a hi-hat."""
    random = np.random.default_rng(3)
    time = _clock(seconds)
    beat, offbeat = time % 0.5, (time + 0.25) % 0.5
    low = np.sin(2 * np.pi * 60 * beat) * np.exp(-12 * beat)
    high = _band(random.standard_normal(len(time)), 5000, 7500) * np.exp(-40 * offbeat)
    return low + 0.5 * high


def applause(seconds: float) -> Sound:
    """Return about thirty people clapping, each at their own pace."""
    random = np.random.default_rng(5)
    count = int(seconds * SAMPLE_RATE_HZ)
    sound = np.zeros(count)
    length = int(0.03 * SAMPLE_RATE_HZ)
    decay = np.exp(-np.arange(length) / (0.006 * SAMPLE_RATE_HZ))
    for _ in range(30):
        every, low = random.uniform(0.2, 0.35), random.uniform(500, 1200)
        clap = _band(random.standard_normal(length), low, 3 * low) * decay
        at = random.uniform(0, every)
        while at < seconds:
            first = int(at * SAMPLE_RATE_HZ)
            part = clap[: count - first]
            sound[first : first + len(part)] += part * random.uniform(0.5, 1)
            at += every * random.uniform(0.9, 1.1)
    return sound


def keyboard(seconds: float) -> Sound:
    """Return typing: short clicks, about five per second."""
    random = np.random.default_rng(6)
    count = int(seconds * SAMPLE_RATE_HZ)
    sound = np.zeros(count)
    length = int(0.02 * SAMPLE_RATE_HZ)
    decay = np.exp(-np.arange(length) / (0.003 * SAMPLE_RATE_HZ))
    at = 0.1
    while at < seconds - 0.1:
        first = int(at * SAMPLE_RATE_HZ)
        sound[first : first + length] += random.standard_normal(length) * decay
        at += random.exponential(0.2) + 0.03
    return sound


def room(seconds: float) -> Sound:
    """Return room noise: pink, as of a fan or distant traffic."""
    random = np.random.default_rng(7)
    spectrum = np.fft.rfft(random.standard_normal(int(seconds * SAMPLE_RATE_HZ)))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    return np.fft.irfft(spectrum, int(seconds * SAMPLE_RATE_HZ))


SOUNDS: Mapping[str, Callable[[float], Sound]] = {
    "steady tone, 220 Hz": tone,
    "mains hum": hum,
    "telephone bell": bell,
    "ringing tone, 440 and 480 Hz": ringback,
    "mobile ringtone": ringtone,
    "music: struck chords": chords,
    "music: bowed notes": strings,
    "music: drums": drums,
    "applause": applause,
    "typing": keyboard,
    "room noise": room,
}


def sounding(name: str, seconds: float, *, level: float = _LEVEL) -> FloatArray:
    """Return one of `SOUNDS` at a root mean square level."""
    sound = SOUNDS[name](seconds)
    scale = level / max(float(np.sqrt(np.mean(sound**2))), 1e-9)
    return (np.clip(scale * sound, -1, 1)).astype(np.float32)
