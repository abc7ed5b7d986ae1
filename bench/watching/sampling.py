"""Benchmark `sampling`: cost and accuracy of different sampling rates."""

from __future__ import annotations

import argparse
import math
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.analysers.posture import Posture
from analysis.backends.media.frames import sampled_frames
from analysis.backends.sight.watching import LONGEST_SIDE_PX, watch_file, watch_frames
from analysis.ports import POSE_POINTS, Sight
from bench.document import publish
from bench.intervals import resampled
from bench.media import ask_for_media, is_there
from bench.watching.clips import moved, write
from bench.watching.truth import (
    SHARE,
    SWAY,
    clips_of,
    episode_f1,
    facing_in,
    living_clips,
    sway_truth,
    talk_of,
)

_SECONDS = 16.0
# At times that no rate matches by chance.
_AWAY = ((2.13, 4.57), (7.31, 8.69), (11.09, 13.93))
_SWAYS_HZ = (0.5, 1.2)
_SWAY_PX, _SWAY_SECONDS = 12.0, 24.0
"""Shortest recording; sway is measured from twenty seconds."""
# Real people who move, with the seconds used; shoulders are visible in the last four.
_REAL = (
    ("lp_d6.mp4", 12.0),
    ("lp_d10.mp4", 12.0),
    ("pyfeat_WolfgangLanger_Pexels.mp4", 12.0),
    ("webcam_man_expressions_53s.mp4", 20.0),
    ("lp_d13.mp4", 10.0),
    ("lp_s18.mp4", 9.0),
    ("retalk_1.mp4", 6.0),
)
_EVERY = 25.0
_DRAWS = 2000

Numbers = NDArray[np.float64]
Watch = Callable[[Path, float], Sight]


def _steadily(path: Path, seconds: float, *, per_second: float) -> Sight:
    frames = sampled_frames(path, per_second=per_second, max_side=LONGEST_SIDE_PX, end=seconds)
    return watch_frames(frames, per_second=per_second)


def _as_we_do(path: Path, seconds: float) -> Sight:
    return watch_file(path, spans=((0.0, seconds),), duration=seconds)


_REFERENCE = "every (25)"
WAYS: Mapping[str, Watch] = {
    "1": partial(_steadily, per_second=1.0),
    "2": partial(_steadily, per_second=2.0),
    "5": partial(_steadily, per_second=5.0),
    "10": partial(_steadily, per_second=10.0),
    _REFERENCE: partial(_steadily, per_second=_EVERY),
    "**as we do**": _as_we_do,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _SamplingItem:
    """Clip or recording. `truth` is its share of facing, or its sway."""

    name: str
    kind: str
    path: Path
    seconds: float
    truth: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class _WatchedItem:
    """Result of watching an item in one way, with its CPU seconds."""

    item: _SamplingItem
    sight: Sight
    cpu: float


def main(arguments: Sequence[str]) -> int:
    """Watch each item in each way, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench sampling", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/watching.md")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    with tempfile.TemporaryDirectory() as work:
        items = _items(chosen.media, Path(work))
        found = {name: [_looked(item, watch) for item in items] for name, watch in WAYS.items()}
        publish("sampling", _table(found), is_written=chosen.write)
    return 0


def _items(media: Path, work: Path) -> list[_SamplingItem]:
    truth = 1 - sum(end - start for start, end in _AWAY) / _SECONDS
    found = []
    clips = [*clips_of(media, _AWAY, _SECONDS), *living_clips(media, _AWAY, _SECONDS)]
    for number, clip in enumerate(clips):
        name = f"gaze{number}"
        path = write(clip, work / f"{name}.mp4")
        found.append(
            _SamplingItem(name=name, kind="gaze", path=path, seconds=_SECONDS, truth=truth)
        )
    picture = media / "4_gaze/zoom_real/real_006.png"
    for rate in _SWAYS_HZ:
        name = f"sway{rate}"
        clip = moved(picture, partial(_swaying, rate), _SWAY_SECONDS, shake=False)
        path = write(clip, work / f"{name}.mp4")
        found.append(
            _SamplingItem(name=name, kind="sway", path=path, seconds=_SWAY_SECONDS, truth=rate)
        )
    for file, seconds in _REAL:
        path = media / "3_video" / file
        found.append(_SamplingItem(name=path.stem, kind="real", path=path, seconds=seconds))
    return found


def _swaying(rate: float, time: float) -> float:
    return _SWAY_PX * math.sin(2 * math.pi * rate * time)


def _looked(item: _SamplingItem, watch: Watch) -> _WatchedItem:
    began = time.process_time()
    sight = watch(item.path, item.seconds)
    return _WatchedItem(item=item, sight=sight, cpu=time.process_time() - began)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One way of watching: CPU seconds per second of media, and errors on each item."""

    cost: float
    share: Numbers
    episodes: Numbers
    """Hits, detections and true episodes of each clip."""
    starts: Numbers
    yaw: Numbers
    body: Numbers
    sway: Numbers


def _table(found: Mapping[str, Sequence[_WatchedItem]]) -> Iterator[str]:
    reference = {one.item.name: one.sight for one in found[_REFERENCE]}
    rows = {name: _row(seen, reference) for name, seen in found.items()}
    base = rows["5"].cost
    ours = next(iter(rows.values()))
    yield _lead(ours)
    yield ""
    yield (
        "| a second | processor time over length | beside 5 | share: error | episodes: F1 | "
        "starts: error | head: error | body: error | sway 0.5, 1.2 Hz: error |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, row in rows.items():
        is_reference = name == _REFERENCE
        yield (
            f"| {name} | {row.cost:.3f} | {row.cost / base:.2f} × | {_mean(row.share, 3)} | "
            f"{_f1(row.episodes)} | {_mean(row.starts, 2)} s | "
            f"{'–' if is_reference else _mean(row.yaw, 2) + '°'} | "
            f"{'–' if is_reference else _mean(row.body, 3)} | "
            f"{', '.join(f'{error:.0%}' for error in row.sway)} |"
        )


def _lead(row: _Row) -> str:
    seconds = sum(seconds for _, seconds in _REAL)
    return textwrap.fill(
        f"`python -m bench sampling`. Share and episodes: {len(row.share)} clips of "
        f"{_SECONDS:.0f} s (720p25) with {int(row.episodes[:, 2].sum())} looks away at times that "
        "no rate hits by chance, half of the clips from real video. Head: yaw between the samples, "
        f"beside every picture ({len(row.yaw)} recordings, {seconds:.0f} s). Body: shoulders, "
        f"elbows and wrists likewise, in shoulder widths ({len(row.body)} recordings in which they "
        f"are seen). Sway: one still person moved by {_SWAY_PX:.0f} px. In brackets the central "
        "95% when clips are drawn anew; all ways in one run.",
        width=105,
    )


def _row(seen: Sequence[_WatchedItem], reference: Mapping[str, Sight]) -> _Row:
    shares, episodes, starts, yaws, bodies, sways = [], [], [], [], [], []
    for one in seen:
        item = one.item
        if item.kind == "gaze":
            measured = facing_in(item.path, one.sight, item.seconds)
            shares.append(abs(measured.measurements[SHARE].value - item.truth))
            episodes.append(episode_f1(measured.events, _AWAY))
            starts += [
                min(abs(event.start - span[0]) for span in _AWAY) for event in measured.events
            ]
        elif item.kind == "sway":
            sways.append(_sway_error(one))
        else:
            yaws.append(_yaw_error(one.sight, reference[item.name]))
            bodies.append(_body_error(one.sight, reference[item.name]))
    return _Row(
        cost=sum(one.cpu for one in seen) / sum(one.item.seconds for one in seen),
        share=np.array(shares),
        episodes=np.array(episodes, dtype=np.float64),
        starts=np.array(starts),
        yaw=np.array(yaws),
        body=np.array([error for error in bodies if math.isfinite(error)]),
        sway=np.array(sways),
    )


def _yaw_error(sight: Sight, every: Sight) -> float:
    """Return the mean difference to sampling every picture,
    interpolated linearly between samples.
    """
    known, other = np.isfinite(sight.head[:, 0]), np.isfinite(every.head[:, 0])
    joined = np.interp(every.times[other], sight.times[known], sight.head[known, 0])
    return float(np.abs(joined - every.head[other, 0]).mean())


def _body_error(sight: Sight, every: Sight) -> float:
    """Return the difference for clear points of the body, in shoulder widths; NaN without
    shoulders.
    """
    left, right = (POSE_POINTS.index(f"{side}_shoulder") for side in ("left", "right"))
    clear = (every.pose[:, [left, right], 2] > 0.5).all(axis=1)
    if clear.mean() < 0.5:
        return math.nan
    width = float(
        np.median(np.hypot(*(every.pose[clear, left] - every.pose[clear, right])[:, :2].T))
    )
    errors = []
    for point in range(left, POSE_POINTS.index("left_hip")):
        known = np.isfinite(sight.pose[:, point, 0])
        there = every.pose[:, point, 2] > 0.5
        if not known.any() or not there.any():
            continue
        joined = [
            np.interp(every.times[there], sight.times[known], sight.pose[known, point, axis])
            for axis in (0, 1)
        ]
        apart = np.hypot(*(np.array(joined).T - every.pose[there, point, :2]).T)
        errors.append(float(apart.mean()) / width)
    return float(np.mean(errors))


def _sway_error(one: _WatchedItem) -> float:
    """Return the relative error of the measured sway; NaN if it was skipped."""
    truth = sway_truth(one.sight, _SWAY_PX)
    talk = talk_of(one.item.path, one.sight, one.item.seconds)
    measured = Posture().measure(talk).measurements.get(SWAY)
    return math.nan if measured is None else abs(measured.value - truth) / truth


def _mean(errors: Numbers, digits: int) -> str:
    """Return the mean with its central 95%."""
    if not len(errors):
        return "–"
    near = resampled(errors.tolist(), lambda drawn: float(np.mean(drawn)), times=_DRAWS)
    return f"{errors.mean():.{digits}f}{_in_brackets(near, digits)}"


def _f1(counts: Numbers) -> str:
    def of(rows: Sequence[Sequence[float]]) -> float:
        hits, found, true = (sum(column) for column in zip(*rows, strict=True))
        return float(2 * hits / (found + true))

    rows = counts.tolist()
    return f"{of(rows):.2f}{_in_brackets(resampled(rows, of, times=_DRAWS), 2)}"


def _in_brackets(near: tuple[float, float] | None, digits: int) -> str:
    return "" if near is None else f" ({near[0]:.{digits}f}-{near[1]:.{digits}f})"
