"""Where each word begins and ends: the recogniser's attention and the sound, weighed together.

Attention knows well which word comes when and badly where it ends: it lets a word begin at the end
of the one before it, across any pause or filler. So all words of a talk are placed at once, on a
clock that runs only while somebody speaks (and no filler is said), along the cheapest path: near
the attention's times, about as long as such words last, leaving little loud voice uncovered, not
across a silence, and with edges where the sound changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.results import Word
from analysis.talk import spans
from analysis.talk.languages import plain

_STEP = 0.01
_SHORTEST = 4
_LONGEST = 120
"""Frames of 10 ms that a word may last."""


@dataclass(frozen=True, slots=True)
class EdgeCosts:
    """Cost of each kind of evidence, a broad optimum on labelled speech: docs/lab/word-edges.md."""

    late: float = 0.035
    """Seconds by which the attention's corrected times are still late."""
    near: float = 0.1
    near_end: float = 0.06
    """Seconds from the attention's start and end; the cost grows with the logarithm of the
    distance. The end often tells where a word is whose span swallowed a filler before it.
    Where two readings wrote the word, it is the mean of what it costs to be away from each."""
    spread: float = 0.38
    """Standard deviation of the logarithm of how long words last, beside their usual length."""
    bare: float = 8.0
    """For a second of voice at the speaker's usual level that no word covers."""
    apart: float = 0.2
    """For any gap between words that is not a silence."""
    soft: float = 4.0
    """For a second inside a word that is as soft as the background."""
    across: float = 1.5
    across_second: float = 10.0
    """For a silence inside a word, and for each second of it."""
    change: float = 0.15
    """What a sudden change of the sound at an edge is worth."""
    final: float = 1.4
    """How much longer a word lasts before a silence."""
    own_tempo: float = 0.5
    """How far this speaker's tempo counts (0 not, 1 alone): half-way between the usual length and
    the median of the attention's spans, in which pauses and its errors are too (rule of thumb)."""
    range_db: float = 25.0
    """From the speaker's usual level, less 6 dB, down to what counts as background."""


WEIGHTS = EdgeCosts()
_REACH = 100
"""Frames of speech that a word may begin away from the attention's times, and that another
reading's time may widen this: the work grows with the square of it (rule of thumb)."""
_LONGEST_ACROSS = 250
"""Frames, with the silences inside: what takes longer costs no more."""
_NEVER = 1e6
_LARGEST_TEMPO = 2.0
"""No talk is so much slower or faster than usual; its spans are wrong then (rule of thumb)."""
_FEW_WORDS = 10
"""A talk of so many words tells half as much of its tempo as a long one: single spans differ about
three times as much as speakers do, and what a mean of few is worth goes with the square (rule of
thumb)."""

_NO_OTHER: Mapping[int, Word] = MappingProxyType({})

_Cost = NDArray[np.float64]
_Told = Sequence[Word]
"""One word as each reading that wrote it has it."""


@dataclass(frozen=True, slots=True)
class _Clock:
    """The frames in which somebody speaks, one after the other."""

    frames: NDArray[np.intp]
    """Their numbers in the recording."""
    cuts: NDArray[np.bool_]
    """Whether a silence (or a filler) lies before each frame; one more than there are frames."""
    crossed: _Cost
    """What it costs to speak a word across all cuts before each frame and its own."""
    voice: _Cost
    """0 (background) to 1 (as loud as this speaker usually is) in each frame."""
    change: _Cost
    """0 to 1: how suddenly the sound changes before each frame."""

    def place_of(self, second: float) -> int:
        """How many frames of speech lie before that time."""
        return int(np.searchsorted(self.frames, round(second / _STEP)))

    def start_of(self, place: int) -> float:
        return float(self.frames[min(place, len(self.frames) - 1)]) * _STEP

    def end_of(self, place: int) -> float:
        return float(self.frames[place - 1] + 1) * _STEP


def aligned(
    words: Sequence[Word],
    speech: Sequence[Span],
    taken: Sequence[Span],
    sound: Sound,
    again: Mapping[int, Word] = _NO_OTHER,
    weights: EdgeCosts = WEIGHTS,
) -> tuple[Word, ...] | None:
    """The words with the edges of the cheapest path; None where speech has no room for them.

    `words` have the times of the attention, `again` those of another reading's attention for some
    of them, by their place; `taken` is what fillers already stand in.
    """
    clock = _clock_of(speech, taken, sound, weights)
    if not words or len(clock.frames) < 2 * _SHORTEST * len(words):
        return None
    usual = _usual_of(words, weights)
    told = [(word, again[index]) if index in again else (word,) for index, word in enumerate(words)]
    lows, highs = _reaches(told, clock)
    starts, ends = _path(told, clock, usual, lows, highs, weights)
    if not starts:
        return None
    return tuple(
        word.model_copy(
            update={"start": round(clock.start_of(start), 3), "end": round(clock.end_of(end), 3)}
        )
        for word, start, end in zip(words, starts, ends, strict=True)
    )


def _usual_of(words: Sequence[Word], weights: EdgeCosts) -> NDArray[np.float64]:
    """Seconds that each word usually lasts, somewhat longer where all of this talk's do."""
    usual = np.array([_usual(word.text) for word in words])
    lasted = np.maximum([word.end - word.start for word in words], _SHORTEST * _STEP)
    tempo: float = np.clip(np.median(lasted / usual), 1 / _LARGEST_TEMPO, _LARGEST_TEMPO)
    share = weights.own_tempo * len(words) / (len(words) + _FEW_WORDS)
    longer: NDArray[np.float64] = usual * tempo**share
    return longer


def _usual(text: str) -> float:
    """Seconds; over 400 labelled words letters tell the length better than syllables do."""
    letters = sum(character.isalnum() for character in plain(text))
    return 0.04 + 0.055 * max(letters, 1)


def _clock_of(
    speech: Sequence[Span], taken: Sequence[Span], sound: Sound, weights: EdgeCosts
) -> _Clock:
    count = len(sound.level_db)
    inside = spans.frames_inside(spans.without(speech, taken), step=_STEP, count=count)
    frames = np.flatnonzero(inside)
    if not len(frames):
        nothing = np.zeros(0)
        return _Clock(frames, np.zeros(1, dtype=np.bool_), nothing, nothing, nothing)
    skipped = np.diff(frames) - 1
    cuts = np.concatenate([[True], skipped > 0, [True]])
    filled = np.cumsum(spans.frames_inside(taken, step=_STEP, count=count))
    hindrance = np.where(skipped > 0, weights.across + weights.across_second * _STEP * skipped, 0.0)
    hindrance += np.where(np.diff(filled[frames]) > 0, _NEVER, 0.0)
    crossed = np.concatenate([[0.0], np.cumsum(hindrance)])
    level = np.nan_to_num(sound.level_db[frames].astype(np.float64), nan=-90.0)
    voiced = np.isfinite(sound.f0_hz[frames])
    usual = float(np.median(level[voiced])) if voiced.any() else float(np.median(level))
    voice = np.clip(1 + (level - usual + 6.0) / weights.range_db, 0.0, 1.0)
    flux = np.nan_to_num(sound.flux[frames].astype(np.float64))
    slope = np.abs(np.gradient(level, 3.0)) if len(level) > 1 else np.zeros(1)
    change = np.clip(0.5 * flux / 3.0 + 0.5 * slope / 2.0, 0.0, 1.0)
    return _Clock(frames, cuts, crossed, voice, np.append(change, 1.0))


def _reaches(words: Sequence[_Told], clock: _Clock) -> tuple[list[int], list[int]]:
    """The first and last place where each word may begin; both never decrease."""
    count = len(clock.frames)
    wanted = [_wanted(told, clock) for told in words]
    lows = [max(min(places) - _REACH, index * _SHORTEST) for index, places in enumerate(wanted)]
    left = len(words)
    highs = [
        min(max(places) + _REACH, count - (left - index) * _SHORTEST)
        for index, places in enumerate(wanted)
    ]
    lows = list(np.maximum.accumulate(lows))
    highs = list(np.minimum.accumulate(highs[::-1])[::-1])
    return lows, [max(high, low + _SHORTEST) for low, high in zip(lows, highs, strict=True)]


def _wanted(told: _Told, clock: _Clock) -> list[int]:
    """Where each reading begins a word, none far from the first."""
    first, *others = (clock.place_of(word.start) for word in told)
    return [first, *(min(max(place, first - _REACH), first + _REACH) for place in others)]


def _path(
    words: Sequence[_Told],
    clock: _Clock,
    usual: NDArray[np.float64],
    lows: Sequence[int],
    highs: Sequence[int],
    weights: EdgeCosts,
) -> tuple[list[int], list[int]]:
    count = len(clock.frames)
    bare = np.concatenate([[0.0], np.cumsum(clock.voice)]) * weights.bare * _STEP
    soft = np.concatenate([[0.0], np.cumsum(1 - clock.voice)]) * weights.soft * _STEP
    edge = -weights.change * clock.change
    before = np.array([0.0])
    first = 0  # the place of before[0]: where the word before may have ended
    came: list[tuple[int, NDArray[np.intp], int, NDArray[np.intp]]] = []
    for index, told in enumerate(words):
        low, high = lows[index], min(highs[index], count - 1)
        places = np.arange(low, high + 1)
        begin, begun_from = _begin(before, first, places, bare, weights, is_first=index == 0)
        began = [word.start - weights.late for word in told]
        begin = begin + _away(clock.frames[places], began, weights.near) + edge[places]
        last = min(high + _LONGEST, count)
        ends = np.arange(low + _SHORTEST, last + 1)
        ending, ended_from = _end(begin, places, ends, usual[index], soft, clock, weights)
        ended = [word.end for word in told]
        ending = ending + _away(clock.frames[ends - 1] + 1, ended, weights.near_end)
        came.append((low, begun_from, low + _SHORTEST, ended_from))
        before, first = ending, low + _SHORTEST
    final = before + bare[-1] - bare[first : first + len(before)]
    return _traced(came, int(final.argmin()) + first)


def _away(frames: NDArray[np.intp], seconds: Sequence[float], near: float) -> _Cost:
    """What it costs to lie away from the attention's times, silences between included."""
    times = frames * _STEP
    cost = sum(0.5 * np.log1p(((times - second) / near) ** 2) for second in seconds)
    return np.asarray(cost / len(seconds), dtype=np.float64)


def _begin(
    before: _Cost,
    first: int,
    places: NDArray[np.intp],
    bare: _Cost,
    weights: EdgeCosts,
    *,
    is_first: bool,
) -> tuple[_Cost, NDArray[np.intp]]:
    """Cheapest way to begin at each place, and where the word before then ended."""
    if is_first:
        return bare[places], np.zeros(len(places), dtype=np.intp)
    offset = places - first
    reach = np.minimum(offset - 1, len(before) - 1)
    cost, origin = _lowest(before - bare[first : first + len(before)], reach)
    cost += bare[places] + weights.apart
    touching = (offset >= 0) & (offset < len(before))
    straight = np.full(len(places), np.inf)
    straight[touching] = before[offset[touching]]
    better = straight <= cost
    return np.where(better, straight, cost), np.where(better, offset, origin) + first


def _lowest(costs: _Cost, reach: NDArray[np.intp]) -> tuple[_Cost, NDArray[np.intp]]:
    """The lowest cost up to each reach, and where it is; infinite where the reach is negative."""
    best = np.minimum.accumulate(costs)
    at = np.maximum.accumulate(np.where(costs <= best, np.arange(len(costs)), 0))
    safe = np.maximum(reach, 0)
    return np.where(reach >= 0, best[safe], np.inf), np.where(reach >= 0, at[safe], 0)


def _end(
    begin: _Cost,
    places: NDArray[np.intp],
    ends: NDArray[np.intp],
    usual: float,
    soft: _Cost,
    clock: _Clock,
    weights: EdgeCosts,
) -> tuple[_Cost, NDArray[np.intp]]:
    """Cheapest way to end at each place, and where the word then began."""
    within = ends[None, :] - places[:, None]
    lasted = (clock.frames[ends - 1] + 1)[None, :] - clock.frames[places][:, None]
    lasted = np.clip(lasted, 1, _LONGEST_ACROSS)
    tables = np.stack([_lengths(usual, weights), _lengths(usual * weights.final, weights)])
    cost = tables[clock.cuts[ends].astype(int)[None, :], lasted]
    cost += (begin - soft[places] - clock.crossed[places])[:, None]
    cost += (soft[ends] + clock.crossed[ends - 1])[None, :]
    cost[(within < _SHORTEST) | (within > _LONGEST)] = np.inf
    chosen = cost.argmin(axis=0)
    return cost[chosen, np.arange(len(ends))], chosen + places[0]


def _lengths(usual: float, weights: EdgeCosts) -> _Cost:
    """What it costs a word to last so many frames: a quadratic that becomes linear far out."""
    frames = np.maximum(np.arange(_LONGEST_ACROSS + 1), 1)
    unusual = np.abs(np.log(frames * _STEP / usual)) / weights.spread
    cost: _Cost = 0.5 * unusual**2 / (1 + unusual / 2)
    return cost


def _traced(
    came: Sequence[tuple[int, NDArray[np.intp], int, NDArray[np.intp]]], end: int
) -> tuple[list[int], list[int]]:
    starts, ends = [], []
    for low, begun_from, first_end, ended_from in reversed(came):
        if not 0 <= end - first_end < len(ended_from):
            return [], []
        start = int(ended_from[end - first_end])
        starts.append(start)
        ends.append(end)
        end = int(begun_from[start - low])
    return starts[::-1], ends[::-1]
