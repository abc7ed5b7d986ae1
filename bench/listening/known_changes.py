"""Effect of known changes of a recording on its measures: tempo, pitch, gain."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import librosa
import numpy as np

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from analysis.results import Report
from bench.listening.systems import ours
from bench.listening.truth import Truth
from bench.sounds import write_wave

_RECORDINGS = 3
_LEAST_SECONDS, _MOST_SECONDS = 18.0, 80.0


def lines(truths: Sequence[Truth], audio: dict[str, FloatArray]) -> Iterator[str]:
    """Yield the table, over a few fluent recordings."""
    hosts = [
        audio[truth.name]
        for truth in truths
        if truth.path.parent.name == "1_speech"
        and _LEAST_SECONDS <= len(audio[truth.name]) / SAMPLE_RATE_HZ <= _MOST_SECONDS
    ][:_RECORDINGS]
    if not hosts:
        return
    plain = [_report(host) for host in hosts]
    yield from (
        "### Known changes",
        "",
        f"{len(hosts)} fluent recordings, changed; median and range over them.",
        "",
        "| change | measure | should be | is |",
        "| --- | --- | --- | --- |",
    )
    for name, (change, checks) in _CHANGES.items():
        changed = [_report(change(host)) for host in hosts]
        for metric, should, compare in checks:
            found = [
                compare(before.measurements[metric].value, after.measurements[metric].value)
                for before, after in zip(plain, changed, strict=True)
                if metric in before.measurements and metric in after.measurements
            ]
            if found:
                middle, low, high = np.median(found), min(found), max(found)
                yield f"| {name} | {metric} | {should} | {middle:.2f} ({low:.2f} to {high:.2f}) |"
    yield ""


def _report(sound: FloatArray) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.wav"
        write_wave(path, sound, SAMPLE_RATE_HZ)
        return ours(path).report


def _tempo(rate: float) -> Callable[[FloatArray], FloatArray]:
    def change(sound: FloatArray) -> FloatArray:
        return librosa.effects.time_stretch(sound, rate=rate, n_fft=1024).astype(np.float32)

    return change


def _higher(sound: FloatArray) -> FloatArray:
    return librosa.effects.pitch_shift(sound, sr=SAMPLE_RATE_HZ, n_steps=4.0).astype(np.float32)


def _softer(sound: FloatArray) -> FloatArray:
    return (sound * 0.25).astype(np.float32)


def _ratio(before: float, after: float) -> float:
    return after / before


def _difference(before: float, after: float) -> float:
    return after - before


_WORDS, _RATE = "pace.words_per_minute", "pace.articulation_rate_syllables_per_second"
_Check = tuple[str, str, Callable[[float, float], float]]
_CHANGES: dict[str, tuple[Callable[[FloatArray], FloatArray], tuple[_Check, ...]]] = {
    "tempo 1.25": (
        _tempo(1.25),
        ((_WORDS, "1.25 times", _ratio), (_RATE, "1.25 times", _ratio)),
    ),
    "tempo 0.8": (_tempo(0.8), ((_WORDS, "0.8 times", _ratio), (_RATE, "0.8 times", _ratio))),
    "4 semitones up": (_higher, (("pitch.sd_semitones", "unchanged: 1 time", _ratio),)),
    "12 dB softer": (_softer, (("loudness.range_db", "unchanged: 0 dB more", _difference),)),
}
