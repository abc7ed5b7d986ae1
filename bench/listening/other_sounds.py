"""Speech compared with other sounds: alone, between speech, and below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from analysis.talk import spans
from bench.listening.noises import SOUNDS, sounding

_HOSTS, _HOST_SECONDS = 6, 12.0
_ALONE_SECONDS, _BETWEEN_SECONDS, _EDGE_SECONDS = 20.0, 6.0, 0.1
_BETWEEN_LEVEL = 0.7
_UNDER_DB = (20, 10)
_STEP = 0.01

Mask = NDArray[np.bool_]


def lines(audio: Sequence[FloatArray]) -> Iterator[str]:
    """Yield the table; `audio` are fluent recordings of one voice."""
    hosts = [_host(sound) for sound in audio][:_HOSTS]
    yield from (
        "### Other sounds than speech",
        "",
        (
            f"Synthesised sounds alone ({_ALONE_SECONDS:.0f} s), for {_BETWEEN_SECONDS:.0f} s "
            f"between two stretches of speech, 3 dB softer, and under speech ({len(hosts)} "
            f"recordings, {_HOST_SECONDS:.0f} s of each). Kept: share of the speech still heard as "
            "speech. Pauses kept: share of the time between it still heard as no speech; where "
            "another sound fills them, they are neither pauses nor speech and coverage falls."
        ),
        "",
        (
            "| sound | alone: taken for speech | between speech: taken for speech | under speech, "
            "20 dB softer: kept, pauses kept | 10 dB softer: kept, pauses kept |"
        ),
        "| --- | --- | --- | --- | --- |",
    )
    for name in SOUNDS:
        alone = spans.total(_speech(sounding(name, _ALONE_SECONDS))) / _ALONE_SECONDS
        between = float(np.mean([_between(name, host) for host in hosts]))
        under = [_under(name, hosts, db) for db in _UNDER_DB]
        cells = " | ".join(f"{kept:.0%}, {quiet:.0%}" for kept, quiet in under)
        yield f"| {name} | {alone:.0%} | {between:.0%} | {cells} |"
    yield ""


def _speech(sound: FloatArray) -> tuple[Span, ...]:
    return find_speech(sound, progress=lambda _share: None)


def _host(sound: FloatArray) -> FloatArray:
    speech = _speech(sound)
    first, last = (int(second * SAMPLE_RATE_HZ) for second in (speech[0][0], speech[-1][1]))
    return sound[first:last][: int(_HOST_SECONDS * SAMPLE_RATE_HZ)]


def _level(host: FloatArray) -> float:
    return float(np.sqrt(np.mean(host[np.abs(host) > 0.005] ** 2)))


def _between(name: str, host: FloatArray) -> float:
    other = sounding(name, _BETWEEN_SECONDS, level=_BETWEEN_LEVEL * _level(host))
    start = len(host) / SAMPLE_RATE_HZ + _EDGE_SECONDS
    inside = (start, start + _BETWEEN_SECONDS - 2 * _EDGE_SECONDS)
    taken = spans.overlap(inside, _speech(np.concatenate([host, other, host])))
    return taken / (inside[1] - inside[0])


def _under(name: str, hosts: Sequence[FloatArray], softer_db: int) -> tuple[float, float]:
    """Return speech shares over the frames of all hosts, since some have no pause."""
    frames = [_frames(name, host, softer_db) for host in hosts]
    before, after = (np.concatenate(parts) for parts in zip(*frames, strict=True))
    return float(after[before].mean()), float((~after)[~before].mean())


def _frames(name: str, host: FloatArray, softer_db: int) -> tuple[Mask, Mask]:
    """Return the frames detected as speech without the other sound, and with it."""
    other = sounding(name, len(host) / SAMPLE_RATE_HZ, level=_level(host) / 10 ** (softer_db / 20))
    count = int(len(host) / SAMPLE_RATE_HZ / _STEP)
    alone, together = (
        spans.frames_inside(_speech(sound), step=_STEP, count=count)
        for sound in (host, host + other[: len(host)])
    )
    return alone, together
