"""Visual samples in time: the seconds each represents, runs of a state, resampled intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from analysis.ports import Sight, Span
from analysis.results import Reason, Skipped, Track
from analysis.talk.spans import clipped, overlap, total, without
from analysis.talk.talk import Talk

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

# A sample represents the time around it, but never more than this many steps: a frozen picture or a
# hole in the file is not watched time.
_LONGEST_STEPS = 3.0
# A repeated picture is not either: its mean brightness is the same except for rounding, and so is
# the head angle. In recordings of six speaking people both are constant for at most 0.2 s, in
# stills with sensor noise for less than 3 s (rules of thumb).
_SAME_LIGHT, _SAME_DEGREES = 5e-7, 0.05
_FROZEN_SECONDS, _CODED_ANEW_SECONDS = 3.0, 0.5
# A re-encoded picture differs, but its face does not move, as on a poster (the limits of
# `backends.sight.prints`). A camera with two pictures per second shows a face that moves.
_STANDS_HEIGHTS, _STANDS_SIZE, _STANDS_DEGREES = 0.004, 0.008, 0.6
# VP8 and VP9, in which browsers record, re-encode constantly. Over 5 s a frozen video moves the
# face by at most 0.004 of its height, its height by 0.005, its angles by 0.6 degrees, brightness by
# 0.0003 (10th to 90th percentile), and half of its pictures turn the head by at most 0.02 degrees.
# The stillest living person has 0.010, 0.015, 1.4, 0.0008 and 0.25, a still with sensor noise 0.12.
_HANGS_SECONDS, _LEAST_LOOKS = 5.0, 8
_HANGS_BY = np.array([0.006, 0.006, 0.008, 0.8, 0.8, 0.8, 4e-4])
_MOST_FROZEN_SHARE = 0.4
_LEAST_FILMED_SHARE = 0.6
"""Share of the speech that must be filmed for visual measures (rule of thumb, as for a face)."""
# Neighbouring seconds are correlated; blocks of this length hardly are (rule of thumb).
_BLOCK_SECONDS = 5
_DRAWS = 400
_SHORTEST_SECONDS = 2.0
CENTRAL = (10.0, 90.0)
"""Percentiles of the central 80%."""


@dataclass(frozen=True)
class VisualSamples:
    """Samples of a talk with the seconds that each represents."""

    sight: Sight
    times: Numbers
    seconds: Numbers
    """Watched seconds per sample."""
    speech: Numbers
    """Seconds of speech per sample; all watched seconds if the recording has no sound."""
    has_sound: bool
    picture_width: int | None = None
    """Picture width in source pixels."""
    duration: float = float("inf")
    """Length of the recording in seconds; no episode ends after it."""
    lens: VisualSamples | None = None
    """Samples of the calibration, in which the speaker looked into the lens; not part of the talk.
    """

    @property
    def too_short(self) -> Skipped | None:
        """Return why the watched time is too short, or None."""
        seconds = float(self.speech.sum())
        if seconds >= _SHORTEST_SECONDS:
            return None
        return Skipped.because(
            Reason.TOO_SHORT,
            "picture_short",
            seconds=seconds,
            base=self.base,
            needed=_SHORTEST_SECONDS,
        )

    @cached_property
    def starts(self) -> Numbers:
        """Return the start of the time that each sample represents."""
        return _edges(self.times, self.seconds)[0]

    @cached_property
    def second_of(self) -> NDArray[np.int64]:
        """Return the whole second of media time of each sample."""
        return np.floor(self.times).astype(np.int64)

    @property
    def base(self) -> str:
        """Return the base of `speech_share`, as named in sentences."""
        return "speech" if self.has_sound else "recording"

    @property
    def step(self) -> float:
        """Return the usual seconds between samples."""
        return float(np.median(self.seconds)) if len(self.seconds) else self.sight.source_step

    def speech_share(self, flags: Flags, among: Flags | None = None) -> float:
        """Return the share of the speech time (of `among`) in which `flags` is true."""
        base = self.speech if among is None else self.speech * among
        total = float(base.sum())
        return float((base * flags).sum()) / total if total > 0 else 0.0

    def track(self, values: Numbers, unit: str) -> Track:
        """Return the median of each second as a track; null if unknown."""
        return self._per_second(values, unit, weighted_median)

    def share_track(self, flags: Numbers, unit: str = "share") -> Track:
        """Return the mean of each second as a track, for flags that are 0, 1 or NaN."""
        return self._per_second(flags, unit, lambda inside, w: float(np.average(inside, weights=w)))

    def medians(self, values: Numbers) -> Numbers:
        """Return the median of each whole second from the first to the last; NaN if unknown."""
        return self._cells(values, weighted_median)

    def _cells(self, values: Numbers, how: Callable[[Numbers, Numbers], float]) -> Numbers:
        seconds = np.arange(self.second_of[0], self.second_of[-1] + 2)
        edges = np.searchsorted(self.second_of, seconds).tolist()
        cells = []
        for first, behind in pairwise(edges):
            known = np.isfinite(values[first:behind])
            inside, weights = values[first:behind][known], self.seconds[first:behind][known]
            cells.append(how(inside, weights) if len(inside) else float("nan"))
        return np.array(cells)

    def _per_second(
        self, values: Numbers, unit: str, how: Callable[[Numbers, Numbers], float]
    ) -> Track:
        cells = [
            round(cell, 3) if math.isfinite(cell) else None
            for cell in self._cells(values, how).tolist()
        ]
        return Track(start=float(self.second_of[0]), step=1.0, unit=unit, values=tuple(cells))


def visual_samples(talk: Talk) -> VisualSamples | Skipped:
    """Return the samples of this talk, or why there are none."""
    if talk.sight is None:
        return talk.absent.get("sight") or Skipped.because(Reason.NO_VIDEO, "no_picture")
    begin = talk.options.measured_from
    sight = samples_outside(samples_between(talk.sight, begin, float("inf")), talk.options.left_out)
    if len(sight.times) < 2:
        return Skipped.because(Reason.TOO_SHORT, "hardly_any_picture")
    has_sound = talk.media.audio is not None and "audio" not in talk.absent
    if has_sound and not talk.speech:
        return Skipped.because(Reason.NO_SPEECH, "no_speech_to_watch")
    whole = _timed_samples(sight, talk, has_sound=has_sound)
    if has_sound and (hardly_filmed := _skip_if_hardly_filmed(whole, talk)) is not None:
        return hardly_filmed
    stood_still = frozen(sight)
    share = whole.speech_share(stood_still)
    if share > _MOST_FROZEN_SHARE:
        return Skipped.because(Reason.POOR_SIGNAL, "picture_frozen", share=share, base=whole.base)
    sight = _chosen(sight, ~(stood_still | repeated(sight)))
    if len(sight.times) < 2:
        return Skipped.because(Reason.TOO_SHORT, "hardly_any_picture")
    calibration = talk.options.calibration
    lens = None if calibration is None else samples_between(talk.sight, *calibration)
    samples = _timed_samples(sight, talk, has_sound=has_sound)
    if lens is None or len(lens.times) < 2:
        return samples
    return replace(samples, lens=_timed_samples(lens, talk, has_sound=False))


def _skip_if_hardly_filmed(samples: VisualSamples, talk: Talk) -> Skipped | None:
    """Return a skip if too little speech was filmed, with advice on whether the camera stopped once
    or repeatedly.
    """
    part = (talk.options.measured_from, talk.options.end or float("inf"))
    spoken = clipped(without(talk.speech, talk.options.left_out), part)
    seconds, seen = total(spoken), float(samples.speech.sum())
    if seconds <= 0 or seen >= _LEAST_FILMED_SHARE * seconds:
        return None
    first, last = float(samples.times[0]), float(samples.times[-1])
    between = overlap((first, last), spoken) - seen
    code = "picture_in_pieces" if 2 * between >= seconds - seen else "picture_part"
    return Skipped.because(
        Reason.LOW_COVERAGE, code, seen=seen / seconds, needed=_LEAST_FILMED_SHARE
    )


def _timed_samples(sight: Sight, talk: Talk, *, has_sound: bool) -> VisualSamples:
    times = sight.times.astype(np.float64)
    seconds = _seconds(times, sight.source_step)
    return VisualSamples(
        sight=sight,
        times=times,
        seconds=seconds,
        speech=_overlaps(times, seconds, talk) if has_sound else seconds.copy(),
        has_sound=has_sound,
        picture_width=talk.media.video.width if talk.media.video else None,
        duration=talk.media.duration,
    )


def samples_between(sight: Sight, start: float, end: float) -> Sight:
    """Return the samples with `start <= t < end`."""
    return _chosen(sight, (sight.times >= start) & (sight.times < end))


def samples_outside(sight: Sight, left_out: Sequence[Span]) -> Sight:
    """Return the samples outside the parts in which others speak."""
    kept = np.ones(len(sight.times), dtype=np.bool_)
    for start, end in left_out:
        kept &= (sight.times < start) | (sight.times >= end)
    return _chosen(sight, kept)


def frozen(sight: Sight) -> Flags:
    """Return a flag per sample: the picture is frozen, as with a stalled webcam or a photograph."""
    stands = np.zeros(len(sight.times), dtype=np.bool_)
    for first, last in _still_picture_runs(sight):
        if sight.times[last] - sight.times[first] >= _FROZEN_SECONDS:
            stands[first : last + 1] = True
    for first, behind in _frozen_ranges(sight):
        stands[first:behind] = True
    return stands


def repeated(sight: Sight) -> Flags:
    """Return a flag per sample: it repeats the previous picture, as with a slow camera or
    connection.
    """
    alike = np.zeros(len(sight.times), dtype=np.bool_)
    alike[1:] = _is_repeated_picture(sight)
    return alike


def _is_repeated_picture(sight: Sight) -> Flags:
    """Return for each sample but the first whether it is the same picture as the previous one."""
    turned = np.abs(np.diff(sight.head, axis=0)).max(axis=1)
    same: Flags = (np.abs(np.diff(sight.light)) <= _SAME_LIGHT) & (turned <= _SAME_DEGREES)
    return same


def _still_picture_runs(sight: Sight) -> list[tuple[int, int]]:
    """Return first and last samples of runs of one picture, which may be re-encoded in between."""
    found: list[tuple[int, int]] = []
    for first, last in runs(_is_repeated_picture(sight)):
        if found:
            begin, end = found[-1]
            is_near = sight.times[first] - sight.times[end] < _CODED_ANEW_SECONDS
            if is_near and _shows_the_same_face(sight, begin, first):
                found[-1] = begin, last
                continue
        found.append((first, last))
    return found


def _frozen_ranges(sight: Sight) -> Iterator[tuple[int, int]]:
    """Yield index ranges of five seconds in which face and brightness are too still for a living
    person.
    """
    times = sight.times.astype(np.float64)
    count = round(_HANGS_SECONDS / max(float(np.median(np.diff(times))), 1e-6))
    if not _LEAST_LOOKS <= count < len(times):
        return
    box = sight.face_box.astype(np.float64)
    rows = np.column_stack(
        (box[:, :2] + box[:, 2:] / 2, box[:, 3], sight.head, sight.light.astype(np.float64))
    )
    low, high = np.percentile(sliding_window_view(rows, count, axis=0), CENTRAL, axis=-1)
    moved = high - low
    moved[:, :3] /= box[: len(moved), 3:]
    seconds = times[count - 1 :] - times[: len(moved)]
    turned = np.abs(np.diff(sight.head, axis=0)).max(axis=1)
    is_same = np.median(sliding_window_view(turned, count - 1), axis=-1) <= _SAME_DEGREES
    stands = is_same & (moved <= _HANGS_BY).all(axis=1) & (seconds < 2 * _HANGS_SECONDS)
    for first in np.flatnonzero(stands).tolist():
        yield first, first + count


def _shows_the_same_face(sight: Sight, one: int, other: int) -> bool:
    before, now = (sight.face_box[index].astype(np.float64) for index in (one, other))
    moved = np.hypot(*(now[:2] + now[2:] / 2 - before[:2] - before[2:] / 2))
    turned = np.abs(sight.head[other] - sight.head[one]).max()
    return bool(
        moved <= _STANDS_HEIGHTS * before[3]
        and abs(now[3] - before[3]) <= _STANDS_SIZE * before[3]
        and turned <= _STANDS_DEGREES
    )


def _chosen(sight: Sight, inside: Flags) -> Sight:
    if inside.all():
        return sight
    cut: dict[str, Any] = {}
    for item in fields(sight):
        values = getattr(sight, item.name)
        if isinstance(values, np.ndarray) and len(values) == len(inside):
            cut[item.name] = values[inside]
    return replace(sight, **cut)


def _seconds(times: Numbers, step: float) -> Numbers:
    gaps = np.diff(times)
    usual = max(step, float(np.median(gaps)))
    gaps = np.minimum(gaps, _LONGEST_STEPS * usual)
    halves = np.concatenate(([min(gaps[0], usual)], gaps, [min(gaps[-1], usual)])) / 2
    return halves[:-1] + halves[1:]


def _edges(times: Numbers, seconds: Numbers) -> tuple[Numbers, Numbers]:
    return times - seconds / 2, times + seconds / 2


def _overlaps(times: Numbers, seconds: Numbers, talk: Talk) -> Numbers:
    """Return the seconds of speech within the time that each sample represents."""
    low, high = _edges(times, seconds)
    spans = np.array(sorted(talk.speech), dtype=np.float64).reshape(-1, 2)
    before = np.concatenate(([0.0], np.cumsum(spans[:, 1] - spans[:, 0])))

    def spoken_until(when: Numbers) -> Numbers:
        index = np.searchsorted(spans[:, 0], when, side="right")
        current = np.minimum(when, spans[np.maximum(index - 1, 0), 1])
        running = np.maximum(current - spans[np.maximum(index - 1, 0), 0], 0.0)
        result: Numbers = np.where(index > 0, before[np.maximum(index - 1, 0)] + running, 0.0)
        return result

    return np.maximum(spoken_until(high) - spoken_until(low), 0.0)


def weighted_median(values: Numbers, weights: Numbers) -> float:
    """Return the median weighted by time, since samples are denser where something moves."""
    order = np.argsort(values)
    heights = np.cumsum(weights[order]) - weights[order] / 2
    return float(np.interp(heights[-1] / 2 + heights[0] / 2, heights, values[order]))


def runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """Yield half-open index ranges in which `flags` is true."""
    edges = np.diff(np.concatenate(([0], flags.astype(np.int8), [0])))
    yield from zip(
        np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist(), strict=True
    )


def episodes(
    watched_samples: VisualSamples, flags: Flags, *, shortest: float
) -> Iterator[tuple[int, int, float, float]]:
    """Yield runs of at least `shortest` seconds: index range, start and end in media time."""
    for first, behind in runs(flags):
        start = max(float(watched_samples.starts[first]), 0.0)
        length = float(watched_samples.seconds[first:behind].sum())
        if length >= shortest - 1e-6:
            yield first, behind, start, min(start + length, watched_samples.duration)


def smooth_states(state: Numbers, seconds: Numbers, *, hold: float) -> Numbers:
    """Return the states (NaN unknown) with runs shorter than `hold` replaced by the state before.

    A state must last to count: a single differing sample is noise.
    """
    result = state.copy()
    codes = np.where(np.isfinite(state), state, -1.0)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(codes)) + 1, [len(codes)]))
    for first, behind in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if first > 0 and float(seconds[first:behind].sum()) < hold and behind < len(codes):
            result[first:behind] = result[first - 1]
    return result


def bootstrap(
    numerators: Numbers, denominators: Numbers, *, seed: int = 1, draws: int = _DRAWS
) -> Numbers:
    """Return ratios of sums over resampled blocks of seconds; the seed is fixed."""
    count = len(numerators)
    block = max(1, min(_BLOCK_SECONDS, count // 2))
    generator = np.random.default_rng(seed)
    blocks = -(-count // block)
    starts = generator.integers(0, count - block + 1, size=(draws, blocks))
    chosen = (starts[:, :, None] + np.arange(block)).reshape(draws, -1)[:, :count]
    totals = denominators[chosen].sum(axis=1)
    ratios: Numbers = np.divide(
        numerators[chosen].sum(axis=1), totals, out=np.zeros(draws), where=totals > 0
    )
    return ratios


def by_second(samples: VisualSamples, values: Numbers) -> Numbers:
    """Return sums of the values over each whole second from the first to the last sample."""
    seconds = samples.second_of - samples.second_of[0]
    sums: Numbers = np.zeros(int(seconds[-1]) + 1)
    np.add.at(sums, seconds, values)
    return sums


def share_interval(samples: VisualSamples, flags: Flags, known: Flags) -> tuple[float, float]:
    """Return the central 80% of a share of speech time, by block bootstrap over seconds."""
    draws = bootstrap(
        by_second(samples, samples.speech * (flags & known)),
        by_second(samples, samples.speech * known),
    )
    low, high = np.percentile(draws, CENTRAL)
    return float(low), float(high)
