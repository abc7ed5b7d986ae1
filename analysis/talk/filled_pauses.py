"""Finds um, uh, euh by their sound and by what a primed reading heard, each with a probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from analysis.ports import Sound, Span
from analysis.results import Event, Word
from analysis.talk import spans
from analysis.talk.languages import LanguageData, plain
from analysis.talk.words import usual_seconds

SHORTEST_SECONDS, LONGEST_SECONDS = 0.10, 1.5
"""Goto et al. (1999) look at 150 ms and more; transitions at both ends are not stable."""
_STABLE_FLUX = 0.95
"""Spectral change under the speaker's own median: the mouth stands still (after Goto, 1999)."""
_SMOOTHING_FRAMES = 5
_LOWEST_LEVEL_DB = -14.0
"""Under the speaker's own voiced median: breath and room."""
_BRIDGE_SECONDS = 0.1
_HEARD_WITHIN_SECONDS = 0.5
_SETTLING_SECONDS = 0.06
"""A filler begins this much before its spectrum is stable."""
CHOSEN = 0.5
"""The primed reading itself wrote a filler; under that it only found one possible."""
_FAINTEST = 0.001
_DOUBTED = 0.4
_LEAST_UNCOVERED = 0.2
"""Sound alone decides only where the words leave room; a drawn-out word sounds the same."""
_LEAST_PROBABILITY = 0.5
"""Less probable ones are neither shown nor counted."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch that may be a filled pause, and everything that speaks for or against it."""

    start: float
    end: float
    heard: float
    """Probability that the recogniser gives to a filler word here; 0 where it gives none."""
    text: str
    uncovered: float
    """Share of it that lies outside the usual length of the words around."""
    is_after_pause: bool
    flux: float
    slope: float
    """Semitones a second."""

    @property
    def seconds(self) -> float:
        return self.end - self.start


def find_filled_pauses(
    words: Sequence[Word],
    heard: Sequence[Word],
    *,
    speech: Sequence[Span],
    sound: Sound,
    data: LanguageData,
) -> tuple[Event, ...]:
    """Filled pauses in time order. `words` are without fillers; `heard` are those of readings."""
    events = []
    for candidate in candidates(words, heard, speech=speech, sound=sound, data=data):
        if candidate.heard < CHOSEN and candidate.uncovered < _LEAST_UNCOVERED:
            continue
        probability = probability_of(candidate)
        if probability >= _LEAST_PROBABILITY:
            events.append(_event(candidate, probability))
    return _apart(events)


def probability_of(candidate: Candidate) -> float:
    """Logistic; the weights were fitted on constructed and labelled speech (docs/accuracy.md)."""
    score = _BIAS
    for weight, value in zip(_WEIGHTS, features(candidate), strict=True):
        score += weight * value
    return 1 / (1 + math.exp(-max(min(score, 30.0), -30.0)))


def features(candidate: Candidate) -> tuple[float, ...]:
    """What the probability rests on, each about -1 to 1."""
    chance = math.log10(max(candidate.heard, _FAINTEST) / _FAINTEST) / -math.log10(_FAINTEST)
    return (
        chance,
        float(candidate.heard >= CHOSEN),
        min(candidate.seconds, 0.6) / 0.6,
        candidate.uncovered,
        float(candidate.is_after_pause),
        max(min((candidate.flux - 0.8) / 0.4, 1.0), -1.0),
        min(abs(candidate.slope) / 12.0, 1.0),
    )


_BIAS = -7.5
_WEIGHTS = (3.2, 0.9, 3.0, 1.9, 1.7, -5.4, -1.3)
"""Ridge logistic regression on 915 candidates (75 fillers) in 47 recordings, 15 of them
constructed; left-one-speaker-out F1 .88. The still spectrum weighs most."""


def candidates(
    words: Sequence[Word],
    heard: Sequence[Word],
    *,
    speech: Sequence[Span],
    sound: Sound,
    data: LanguageData,
) -> tuple[Candidate, ...]:
    """Stable stretches of voice, each with the filler that a reading heard nearest to it."""
    stretches = _stable_stretches(speech, sound)
    claims = _claims(stretches, heard)
    cores = _cores(words, data.code)
    found = [
        _describe(stretch, claims.get(index), cores, speech, sound)
        for index, stretch in enumerate(stretches)
    ]
    taken = {id(word) for word in claims.values()}
    for word in heard:
        if id(word) not in taken and word.probability >= CHOSEN:
            end = max(word.end, word.start + SHORTEST_SECONDS)
            found.append(_describe((word.start, end), word, cores, speech, sound))
    return tuple(sorted(found, key=lambda candidate: candidate.start))


def _stable_stretches(speech: Sequence[Span], sound: Sound) -> tuple[Span, ...]:
    count = len(sound.flux)
    smooth = uniform_filter1d(sound.flux, _SMOOTHING_FRAMES)
    inside = spans.frames_inside(speech, step=sound.step, count=count)
    loud = sound.level_db > _usual_level(sound) + _LOWEST_LEVEL_DB
    found = spans.spans_of(inside & loud & (smooth < _STABLE_FLUX), step=sound.step)
    joined = spans.merged(found, closer_than=_BRIDGE_SECONDS)
    return tuple(
        (start, min(end, start + LONGEST_SECONDS))
        for start, end in joined
        if end - start >= SHORTEST_SECONDS
    )


def _usual_level(sound: Sound) -> float:
    voiced = np.isfinite(sound.f0_hz)
    return float(np.median(sound.level_db[voiced])) if voiced.any() else -30.0


def _claims(stretches: Sequence[Span], heard: Sequence[Word]) -> dict[int, Word]:
    """Which stretch each heard filler most likely is: near and long; the surest choose first."""
    claims: dict[int, Word] = {}
    for word in sorted(heard, key=lambda word: (-word.probability, word.start)):
        best = max(
            (index for index in range(len(stretches)) if index not in claims),
            key=lambda index: _fit(stretches[index], word),
            default=None,
        )
        if best is not None and _fit(stretches[best], word) > 0:
            claims[best] = word
    return claims


def _fit(stretch: Span, word: Word) -> float:
    distance = max(stretch[0] - word.end, word.start - stretch[1], 0.0)
    if distance > _HEARD_WITHIN_SECONDS:
        return 0.0
    return (stretch[1] - stretch[0]) * (1 - distance / _HEARD_WITHIN_SECONDS)


def _cores(words: Sequence[Word], language: str) -> tuple[Span, ...]:
    """The last usual length of each word: what lies before it in its span may be a filler.

    Usual for this speaker: somebody who draws out every word says no filler in each. A word that
    the recogniser doubts may be a long one misheard; it keeps its whole span.
    """
    lengths = [usual_seconds(word.text, language) for word in words]
    ratios = [
        (word.end - word.start) / length
        for word, length in zip(words, lengths, strict=True)
        if word.end > word.start
    ]
    slowness = max(float(np.median(ratios)), 1.0) if ratios else 1.0
    cores = []
    for word, length in zip(words, lengths, strict=True):
        earliest = word.start if word.probability < _DOUBTED else word.end - slowness * length
        cores.append((max(word.start, earliest), word.end))
    return tuple(cores)


def _describe(
    stretch: Span,
    heard: Word | None,
    cores: Sequence[Span],
    speech: Sequence[Span],
    sound: Sound,
) -> Candidate:
    first, last = round(stretch[0] / sound.step), max(round(stretch[1] / sound.step), 1)
    first = min(first, last - 1)
    f0 = sound.f0_hz[first:last]
    tune = 12 * np.log2(f0[np.isfinite(f0)])
    start = _onset(stretch[0], speech)
    return Candidate(
        start=round(start, 3),
        end=round(stretch[1], 3),
        heard=heard.probability if heard else 0.0,
        text=plain(heard.text) if heard else "",
        uncovered=1 - min(spans.overlap(stretch, cores) / (stretch[1] - stretch[0]), 1.0),
        is_after_pause=any(abs(stretch[0] - piece[0]) < 0.15 for piece in speech),
        flux=float(sound.flux[first:last].mean()),
        slope=_slope(tune, sound.step),
    )


def _onset(stable_from: float, speech: Sequence[Span]) -> float:
    """The stretch begins with the speech around it, if that began just before."""
    for start, end in speech:
        if start <= stable_from < end:
            return start if stable_from - start < 0.2 else stable_from - _SETTLING_SECONDS
    return stable_from


def _slope(tune: NDArray[np.float64], step: float) -> float:
    """Semitones a second of a straight line through the voiced frames."""
    if len(tune) < 5:
        return 0.0
    return float(np.polyfit(np.arange(len(tune)) * step, tune, 1)[0])


def _event(candidate: Candidate, probability: float) -> Event:
    source = "second_reading" if candidate.heard >= CHOSEN else "sound"
    return Event(
        kind="filled_pause",
        start=candidate.start,
        end=candidate.end,
        probability=round(probability, 3),
        label=candidate.text or "uh",
        detail={"source": source},
    )


def _apart(events: Sequence[Event]) -> tuple[Event, ...]:
    """Of overlapping events the more probable one."""
    kept: list[Event] = []
    for event in sorted(events, key=lambda event: -(event.probability or 0.0)):
        if all(event.end <= other.start or event.start >= other.end for other in kept):
            kept.append(event)
    return tuple(sorted(kept, key=lambda event: event.start))
