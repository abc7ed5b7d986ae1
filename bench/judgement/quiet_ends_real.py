"""Benchmark `quiet_ends_real`: sentence ends of real recordings before and after a planted fall.

Every phrase falls by 16 dB over its last 0.8 s, judged by the shipped measure and by two others.
The words are those of the unchanged recording, so that only the measure is judged. It takes the
reports that `bench firing` or `bench firing_groups` has cached.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.signal import resample_poly

from analysis.analysers import loudness
from analysis.backends.sound.listening import listen
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Sound, Span
from analysis.results import Word
from analysis.talk.languages import language_data
from analysis.talk.sentences import ends_sentence
from analysis.talk.silences import SHORTEST_PAUSE_SECONDS
from bench.document import publish
from bench.intervals import share_in_words
from bench.judgement.making import Effort, reports
from bench.judgement.planting import END_SECONDS, RATE_HZ, falling
from bench.judgement.recordings import joined_sound, recordings
from bench.media import ask_for_media, is_there, manifest

DROP_DB = 16.0
_LONGEST_SECONDS = 100.0
_LEAST_WORDS, _SHORTEST_SECONDS, _NEAR_SECONDS = 20, 1.2, 0.1
_CARD_SHARE = 0.4
_MEETINGS = "ami_"
Measure = Callable[[Sound, float, float], float]


@dataclass(frozen=True, slots=True)
class PlantedEnd:
    """Sentence end of a speaker, in the unchanged and in the planted sound."""

    speaker: str
    span: Span
    unchanged: Sound
    planted: Sound


def main(arguments: Sequence[str]) -> int:
    """Plant, judge, print, and with `--write` update docs/lab/sentences.md."""
    parser = argparse.ArgumentParser(prog="python -m bench quiet_ends_real", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/sentences.md")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    takes = [one for one in recordings(manifest(chosen.media)) if not one.is_seen]
    ends: list[PlantedEnd] = []
    for task, report in reports([(one, chosen.media) for one in takes], Effort(is_only_kept=True)):
        if isinstance(task, tuple) and not task[0].name.startswith(_MEETINGS):
            ends += ends_of(task[0].name, joined_sound(*task), report.words)
    publish("quiet_ends_real", lines(ends), is_written=chosen.write)
    return 0


def ends_of(speaker: str, sound: FloatArray, words: Sequence[Word]) -> Iterator[PlantedEnd]:
    """Yield the sentence ends at pauses of a recording; every phrase falls in the second sound."""
    seconds = min(len(sound) / RATE_HZ, _LONGEST_SECONDS)
    words = [word for word in words if word.end < seconds - _NEAR_SECONDS]
    if len(words) < _LEAST_WORDS:
        return
    sound = sound[: round(seconds * RATE_HZ)]
    phrases = _phrases(words)
    softer = sound.copy()
    for start, end in phrases:
        part = slice(round(start * RATE_HZ), round(end * RATE_HZ))
        softer[part] = falling(sound[part], DROP_DB)
    unchanged, planted = _heard(sound), _heard(softer)
    for start, end in _sentences(words):
        is_near = min(abs(end - each) for _, each in phrases) <= _NEAR_SECONDS
        if is_near and end - start >= _SHORTEST_SECONDS:
            yield PlantedEnd(speaker, (start, end), unchanged, planted)


def _phrases(words: Sequence[Word]) -> list[Span]:
    cuts = [
        at
        for at in range(1, len(words))
        if words[at].start - words[at - 1].end >= SHORTEST_PAUSE_SECONDS
    ]
    edges = [0, *cuts, len(words)]
    return [(words[first].start, words[behind - 1].end) for first, behind in pairwise(edges)]


def _sentences(words: Sequence[Word]) -> Iterator[Span]:
    data, first = language_data("en"), 0
    for at, word in enumerate(words):
        if ends_sentence(word, data):
            yield words[first].start, word.end
            first = at + 1


def _heard(sound: FloatArray) -> Sound:
    heard = resample_poly(sound, SAMPLE_RATE_HZ, RATE_HZ).astype(np.float32)
    whole = ((0.0, len(heard) / SAMPLE_RATE_HZ),)
    return listen(heard, speech=whole, progress=lambda _share: None)


def shipped(sound: Sound, start: float, end: float) -> float:
    """Return the drop of the last half second below the whole sentence."""
    energy = loudness.energy_db
    return energy(sound, start, end) - energy(sound, end - loudness.FINAL_SECONDS, end)


def without_its_end(sound: Sound, start: float, end: float) -> float:
    """Return the drop below the sentence without its last 0.8 s."""
    if end - start < END_SECONDS + 0.2:
        return shipped(sound, start, end)
    energy = loudness.energy_db
    before = energy(sound, start, end - END_SECONDS)
    return before - energy(sound, end - loudness.FINAL_SECONDS, end)


def below_the_second_before(sound: Sound, start: float, end: float) -> float:
    """Return the drop of the last 0.35 s below the second that ends 0.6 s before the end."""
    energy = loudness.energy_db
    return energy(sound, max(start, end - 1.6), end - 0.6) - energy(sound, end - 0.35, end)


_MEASURES: tuple[tuple[str, Measure, float | None], ...] = (
    ("as shipped: last 0.5 s below the sentence", shipped, loudness.DROP_DB),
    ("the same", shipped, None),
    ("one: below the sentence without its last 0.8 s", without_its_end, None),
    ("two: last 0.35 s below the second before", below_the_second_before, None),
)
_FALSE_SHARE = 0.05


def lines(ends: Sequence[PlantedEnd]) -> Iterator[str]:
    """Yield a row for each measure."""
    speakers = sorted({one.speaker for one in ends})
    of = np.array([one.speaker for one in ends])
    yield (
        f"{len(ends)} sentence ends of {len(speakers)} speakers. Without a limit of its own, a "
        "measure's limit is what one in twenty unchanged ends of the other speakers reaches. Last: "
        f"speakers of whom {_CARD_SHARE:.0%} of the ends are called quiet, unchanged and planted."
    )
    yield ""
    yield "| measure | limit, dB | unchanged called quiet | planted | area under curve | speakers |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, measure, fixed in _MEASURES:
        before = np.array([measure(one.unchanged, *one.span) for one in ends])
        after = np.array([measure(one.planted, *one.span) for one in ends])
        area = float(np.mean(after[:, None] > before[None, :]))
        limits = np.array(
            [
                np.quantile(before[of != one], 1 - _FALSE_SHARE) if fixed is None else fixed
                for one in of
            ]
        )
        cells = [
            share_in_words(int((values >= limits).sum()), len(ends)) for values in (before, after)
        ]
        reached = [
            sum((values >= limits)[of == one].mean() >= _CARD_SHARE for one in speakers)
            for values in (before, after)
        ]
        yield (
            f"| {name} | {np.median(limits):.1f} | {' | '.join(cells)} | {area:.3f} | "
            f"{reached[0]}, {reached[1]} of {len(speakers)} |"
        )
