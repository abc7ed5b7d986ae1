"""Filler evidence: sound, readings and position, combined into a probability.

Each item adds to the log odds; none decides alone. The weights are fitted by `python -m bench
train_fillers` on speakers outside the head's training data.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from analysis.ports import FillerSound, Sound, Span
from analysis.results import Word
from analysis.talk.filler_readings import FillerGap
from analysis.talk.filler_stretches import (
    LONGEST_SECONDS,
    SHORTEST_SECONDS,
    frames,
    onset,
    slope_of,
    usual_level_db,
)
from analysis.talk.languages import LanguageData, plain

_WEIGHTS = Path(__file__).with_name("filler_weights.json")
_ROUNDED = "-int8"
"""Suffix of the same recogniser with 8-bit weights."""
_NEAR_SECONDS = 0.2
"""Largest distance between a written filler's gap and its sound."""
_AROUND_SECONDS = 0.5
_UNHEARD_LOG_ODDS = -4.0
"""Log odds of a written filler whose sound the head did not detect."""
_HIGHEST_LOG_ODDS, _FAINTEST = 6.0, 0.001

FEATURES = (
    "sound",
    "written",
    "is_written",
    "opens",
    "unheard",
    "seconds",
    "uncovered",
    "after_pause",
    "change",
    "slope",
    "voiced",
    "unspoken",
    "unwritten_change",
    "trails_off",
    "doubted",
    "level",
)
"""Names of the evidence, each about -1 to 1."""


@dataclass(frozen=True, slots=True)
class FillerCandidate:
    """Candidate with its evidence, in the order of FEATURES."""

    start: float
    end: float
    text: str
    is_written: bool
    evidence: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CandidateContext:
    """Context for describing candidates."""

    speech: Sequence[Span]
    sound: Sound
    cores: Sequence[Span]
    """Part of each word that it certainly needs."""
    data: LanguageData
    words: Sequence[Word]
    """Words of the plain reading, in time order."""


@dataclass(frozen=True, slots=True)
class _WrittenFiller:
    text: str
    probability: float
    opens: bool


def candidates(
    sounds: Sequence[FillerSound], rooms: Sequence[FillerGap], around: CandidateContext
) -> tuple[FillerCandidate, ...]:
    """Return candidates by sound and by writing, each with its evidence."""
    free = list(sounds)
    found: list[FillerCandidate] = []
    for room in rooms:
        near = sorted((one for one in free if _is_near(one, room)), key=lambda one: -one.log_odds)[
            : len(room.fillers)
        ]
        free = [one for one in free if one not in near]
        near.sort(key=lambda one: one.start)
        for index, word in enumerate(room.fillers):
            written = _WrittenFiller(
                plain(word.text), word.probability, room.is_opening and index == 0
            )
            if index < len(near):
                place = (max(near[index].start, room.start - _NEAR_SECONDS), near[index].end)
                found.append(_weighed(place, near[index].log_odds, written, around))
            elif not near:
                end = min(max(room.end, room.start + SHORTEST_SECONDS), room.start + 0.3)
                found.append(_weighed((room.start, end), None, written, around))
    found += [_weighed((one.start, one.end), one.log_odds, None, around) for one in free]
    return tuple(found)


def probability(candidate: FillerCandidate, reader: str) -> float:
    """Return the probability of a filled pause, by the weights for this reader's head."""
    bias, weights = weights_of(reader)
    score = bias + sum(w * e for w, e in zip(weights, candidate.evidence, strict=True))
    return 1 / (1 + math.exp(-max(min(score, 30.0), -30.0)))


def weights_of(reader: str) -> tuple[float, tuple[float, ...]]:
    """Return the bias, and a weight for each of FEATURES."""
    chosen = _all_weights()[reader.removesuffix(_ROUNDED)]
    return chosen["bias"], tuple(chosen[name] for name in FEATURES)


@lru_cache(maxsize=1)
def _all_weights() -> Mapping[str, Mapping[str, float]]:
    weights: Mapping[str, Mapping[str, float]] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return weights


def _is_near(one: FillerSound, room: FillerGap) -> bool:
    return one.start < room.end + _NEAR_SECONDS and one.end > room.start - _NEAR_SECONDS


def _weighed(
    place: Span, heard: float | None, written: _WrittenFiller | None, around: CandidateContext
) -> FillerCandidate:
    start, end = place[0], min(place[1], place[0] + LONGEST_SECONDS)
    end = max(end, start + SHORTEST_SECONDS)
    at = frames((start, end), around.sound)
    log_odds = _UNHEARD_LOG_ODDS if heard is None else min(heard, _HIGHEST_LOG_ODDS)
    voiced = np.isfinite(around.sound.f0_hz[at])
    evidence = (
        log_odds / 3,
        0.0 if written is None else _log_odds(written.probability) / 3,
        float(written is not None),
        float(written is not None and written.opens),
        float(heard is None),
        min(end - start, 0.6) / 0.6,
        _outside(start, end, around.cores),
        float(any(abs(start - piece[0]) < 0.15 for piece in around.speech)),
        _change(around.sound, at),
        min(abs(slope_of((start, end), around.sound)) / 12.0, 1.0),
        float(voiced.mean()) if len(voiced) else 0.0,
        _outside(start, end, around.speech),
        0.0 if written else _change(around.sound, at),
        float(any(_trails_off(word, start, end) for word in _near(around.words, start, end))),
        _doubt(start, end, around.words),
        _level(around.sound, at),
    )
    text = written.text if written else around.data.common_filled_pauses[0]
    return FillerCandidate(
        start=round(min(onset(start, around.speech), start), 3),
        end=round(end, 3),
        text=text,
        is_written=written is not None,
        evidence=evidence,
    )


def _outside(start: float, end: float, cores: Sequence[Span]) -> float:
    """Return the share outside these spans."""
    covered = sum(max(0.0, min(end, last) - max(start, first)) for first, last in cores)
    return 1 - min(covered / (end - start), 1.0)


def _near(words: Sequence[Word], start: float, end: float) -> Sequence[Word]:
    """Return the words within half a second of the span."""
    first = bisect_left(words, start - _AROUND_SECONDS, key=lambda word: word.end)
    last = bisect_right(words, end + _AROUND_SECONDS, key=lambda word: word.start)
    return words[first:last]


def _trails_off(word: Word, start: float, end: float) -> bool:
    """Return whether the reading wrote an ellipsis near here, as it does for hesitations."""
    ends = word.text.rstrip()
    return ends.endswith(("...", "…")) and start - _NEAR_SECONDS <= word.end <= end + _NEAR_SECONDS


def _doubt(start: float, end: float, words: Sequence[Word]) -> float:
    """Return the plain reading's doubt about its word here; 0 if it has none."""
    shares = [
        (max(0.0, min(end, word.end) - max(start, word.start)), word)
        for word in _near(words, start, end)
    ]
    most, word = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    return 0.0 if word is None or most < (end - start) / 4 else 1 - word.probability


def _level(sound: Sound, at: slice) -> float:
    """Return the level relative to the speaker's usual level, in tens of decibels, -1 to 1."""
    here = sound.level_db[at]
    here = here[np.isfinite(here)]
    if not len(here):
        return 0.0
    return max(min((float(here.mean()) - usual_level_db(sound)) / 10, 1.0), -1.0)


def _change(sound: Sound, at: slice) -> float:
    flux = sound.flux[at]
    return max(min((float(flux.mean()) - 0.8) / 0.4, 1.0), -1.0) if len(flux) else 0.0


def _log_odds(value: float) -> float:
    sure = min(max(value, _FAINTEST), 1 - _FAINTEST)
    return math.log(sure / (1 - sure))
