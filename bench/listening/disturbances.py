"""Disturbances of a recording: wind, noise gates, dropouts, applause, other voices."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import av
import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from analysis.ports import FloatArray, Span
from bench.judgement.planting import RATE_HZ
from bench.listening.noises import sounding

_SEED = 27
_BARK_SECONDS = 0.25
_BREAK_SECONDS = 40.0

Samples = NDArray[np.float64]


@dataclass(frozen=True)
class CleanTalk:
    """Clean talk at RATE_HZ, the spans of its sentences, and sentences of other speakers."""

    sound: FloatArray
    sentences: tuple[Span, ...]
    others: tuple[FloatArray, ...]
    """Sentences of other people, for the background."""

    @cached_property
    def level(self) -> float:
        """Return the root mean square of the sentences."""
        said = np.concatenate([self.sound[_part(span)] for span in self.sentences])
        return float(np.sqrt(np.mean(said**2)))

    @property
    def pauses(self) -> tuple[Span, ...]:
        ends = [end for _start, end in self.sentences[:-1]]
        starts = [start for start, _end in self.sentences[1:]]
        return tuple(zip(ends, starts, strict=True))


Disturbance = Callable[[CleanTalk], FloatArray]


def _part(span: Span) -> slice:
    return slice(round(span[0] * RATE_HZ), round(span[1] * RATE_HZ))


def _at_level(sound: NDArray[np.floating], level: float) -> Samples:
    rms = float(np.sqrt(np.mean(np.square(sound))))
    return np.asarray(sound * (level / max(rms, 1e-9)), dtype=np.float64)


def _db(decibels: float) -> float:
    return float(10 ** (decibels / 20))


def _made(sound: NDArray[np.floating]) -> FloatArray:
    """Return the sound at its level, softer only if it would clip."""
    peak = max(float(np.abs(sound).max()), 1e-9)
    return (sound * min(1.0, 0.98 / peak)).astype(np.float32)


def _noise(count: int) -> Samples:
    return np.random.default_rng(_SEED).standard_normal(count)


def wind(take: CleanTalk, *, over_db: float) -> FloatArray:
    """Add noise below 250 Hz in gusts of one or two seconds."""
    count = len(take.sound)
    low = sosfilt(butter(2, 250, "lowpass", fs=RATE_HZ, output="sos"), _noise(count))
    random = np.random.default_rng(_SEED + 1)
    each = random.uniform(0.05, 1.0, count // RATE_HZ + 3)
    gusts = np.interp(np.arange(count) / RATE_HZ, np.arange(len(each)), each)
    return _made(take.sound + _at_level(low * gusts**2, take.level * _db(over_db)))


def gate(take: CleanTalk, *, floor_db: float) -> FloatArray:
    """Attenuate everything 35 dB below the voice to a floor, not to zero."""
    frame = round(0.01 * RATE_HZ)
    power = np.convolve(take.sound**2, np.ones(frame) / frame, "same")
    is_open = power > (take.level * _db(-35.0)) ** 2
    hold = round(0.08 * RATE_HZ)
    held = np.convolve(is_open, np.ones(hold), "full")[: len(is_open)] > 0
    ramp = round(0.02 * RATE_HZ)
    gain = np.convolve(held, np.ones(ramp) / ramp, "same")
    floor = _at_level(_noise(len(take.sound)), _db(floor_db))
    return _made(take.sound * gain + floor)


def dropouts(take: CleanTalk, *, seconds: float, every: float) -> FloatArray:
    """Cut out this many seconds at about this interval, in speech or not."""
    sound, random = take.sound.copy(), np.random.default_rng(_SEED)
    at = every / 2
    while at + seconds < len(sound) / RATE_HZ:
        sound[_part((at, at + seconds))] = 0.0
        at += every * random.uniform(0.6, 1.4)
    return sound


def hum(take: CleanTalk, *, under_db: float) -> FloatArray:
    """Add mains hum from the middle onwards, as of a lamp or projector."""
    half = len(take.sound) // 2
    time = np.arange(len(take.sound) - half) / RATE_HZ
    tones = sum((np.sin(2 * np.pi * 50 * n * time) / n for n in range(1, 9)), 0 * time)
    sound = take.sound.astype(np.float64)
    sound[half:] += _at_level(tones, take.level * _db(-under_db))
    return _made(sound)


def filtered(take: CleanTalk, *, name: str, settings: str) -> FloatArray:
    """Return the sound after an FFmpeg filter."""
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=RATE_HZ, format="flt", layout="mono")
    steps = [graph.add(name, settings), graph.add("aresample", str(RATE_HZ))]
    steps.append(graph.add("aformat", "sample_fmts=flt:channel_layouts=mono"))
    chain = [source, *steps, graph.add("abuffersink")]
    for left, right in itertools.pairwise(chain):
        left.link_to(right)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(take.sound[None, :], format="flt", layout="mono")
    frame.sample_rate = RATE_HZ
    graph.push(frame)
    graph.push(None)
    heard = []
    while True:
        try:
            heard.append(graph.pull().to_ndarray()[0])
        except (av.BlockingIOError, av.EOFError):
            return np.concatenate(heard).astype(np.float32)


def clapping(take: CleanTalk, *, every: int, under_db: float) -> FloatArray:
    """Fill pauses with applause, from the end of a sentence to the next."""
    sound = take.sound.astype(np.float64)
    for start, end in take.pauses[every - 1 :: every]:
        part = _part((start, end))
        claps = resample_poly(sounding("applause", end - start + 0.2), 3, 2)
        sound[part] += _at_level(claps[: part.stop - part.start], take.level * _db(-under_db))
    return _made(sound)


def echo(take: CleanTalk, *, seconds: float) -> FloatArray:
    """Add an echo as loud as the voice, which decays by 60 dB in this many seconds."""
    count = round(seconds * RATE_HZ)
    fading = 10 ** (-3 * np.arange(count) / count)
    tail = _noise(count) * fading
    tail /= np.sqrt(np.sum(tail**2))
    wet = fftconvolve(take.sound, tail)[: len(take.sound)]
    return _made(take.sound + wet)


def barks(take: CleanTalk, *, every: int, over_db: float) -> FloatArray:
    """Add a dog in every n-th pause: falling tones of a quarter of a second."""
    sound = take.sound.astype(np.float64)
    time = np.arange(round(_BARK_SECONDS * RATE_HZ)) / RATE_HZ
    hz = 500 + 400 * np.exp(-12 * time)
    phase = 2 * np.pi * np.cumsum(hz) / RATE_HZ
    tones = sum((np.sin(n * phase) / n for n in range(1, 9)), 0 * time)
    bark = (tones + 0.4 * _noise(len(time))) * np.sin(np.pi * time / _BARK_SECONDS) ** 0.5
    loud = _at_level(bark, take.level * _db(over_db))
    for start, end in take.pauses[every - 1 :: every]:
        first = round((start + end - _BARK_SECONDS) / 2 * RATE_HZ)
        sound[first : first + len(loud)] += loud
    return _made(sound)


def neighbours(take: CleanTalk, *, under_db: float) -> FloatArray:
    """Add another voice that talks continuously, with 0.3 to 1.5 s between sentences."""
    return _made(take.sound + _talk(take, len(take.sound)) * _db(-under_db))


def _talk(take: CleanTalk, count: int) -> Samples:
    """Return the other speakers' sentences in sequence, as loud as the speaker."""
    random = np.random.default_rng(_SEED)
    behind, at = np.zeros(count), round(0.4 * RATE_HZ)
    while at < count:
        for said in take.others:
            part = _at_level(said, take.level)[: max(count - at, 0)]
            behind[at : at + len(part)] += part
            at += len(part) + round(random.uniform(0.3, 1.5) * RATE_HZ)
    return behind


def talk_in_the_break(take: CleanTalk, *, under_db: float) -> FloatArray:
    """Insert a break of 40 s after the middle sentence, in which others talk."""
    at = round(take.pauses[len(take.pauses) // 2][0] * RATE_HZ)
    count = round(_BREAK_SECONDS * RATE_HZ)
    room = np.tile(take.sound[: round(0.5 * RATE_HZ)], 2 * round(_BREAK_SECONDS))[:count]
    others = room + _talk(take, count) * _db(-under_db)
    return _made(np.concatenate([take.sound[:at], others, take.sound[at:]]))


DISTURBANCES: Mapping[str, Disturbance] = {
    "wind as strong as the voice": partial(wind, over_db=0.0),
    "noise gate, to -98 dB": partial(gate, floor_db=-98.0),
    "400 ms lost every 8 s": partial(dropouts, seconds=0.4, every=8.0),
    "hum from the middle on, 20 dB under the voice": partial(hum, under_db=20.0),
    "hum from the middle on, 10 dB under it": partial(hum, under_db=10.0),
    "compressor, 4 to 1": partial(
        filtered, name="acompressor", settings="threshold=0.05:ratio=4:attack=5:release=80"
    ),
    "loudness normaliser (dynaudnorm)": partial(filtered, name="dynaudnorm", settings="f=200:g=15"),
    "applause in every pause, 6 dB under the voice": partial(clapping, every=1, under_db=6.0),
    "echo of 2 s": partial(echo, seconds=2.0),
    "a bark in every second pause": partial(barks, every=2, over_db=3.0),
    "a neighbour, 10 dB under it": partial(neighbours, under_db=10.0),
    "a neighbour, 15 dB under the voice": partial(neighbours, under_db=15.0),
    "a neighbour, 20 dB under it": partial(neighbours, under_db=20.0),
    "a neighbour, 25 dB under it": partial(neighbours, under_db=25.0),
    "talk in a break, 10 dB under the voice": partial(talk_in_the_break, under_db=10.0),
}
"""Disturbances by name: from a talk to its sound at RATE_HZ."""
