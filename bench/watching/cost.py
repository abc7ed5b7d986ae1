"""What watching costs: milliseconds a picture, share of the media's length, memory, by rate."""

from __future__ import annotations

import json
import math
import multiprocessing
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from analysis.backends.media.frames import sampled_frames
from analysis.backends.sight.landmarkers import as_image, open_face, open_pose
from analysis.backends.sight.watching import (
    LONGEST_SIDE_PX,
    SAMPLES_PER_SECOND,
    watch_file,
    watch_frames,
)
from analysis.ports import Sight
from bench.watching.clips import write
from bench.watching.truth import SHARE, episode_f1, facing_in, living_clips

RATES = (1.0, 2.0, 5.0, 10.0, 25.0)


@dataclass(frozen=True, slots=True)
class Cost:
    """One watch stage on a file, in a process of its own."""

    media_seconds: float
    stage_seconds: float
    cpu_seconds: float
    pictures: int
    peak_mb: float

    @property
    def ratio(self) -> float:
        """Share of the media's length."""
        return self.stage_seconds / self.media_seconds


@dataclass(frozen=True, slots=True)
class Rate:
    """Accuracy and cost at one rate of sampling; 25 a second is every frame."""

    name: str
    share_error: float
    episode_f1: float
    start_error: float
    ratio: float


def landmarks_ms(path: Path) -> tuple[float, float, float]:
    """Median milliseconds a picture: face, pose, and both on two threads as we run them."""
    frames = list(sampled_frames(path, per_second=SAMPLES_PER_SECOND, max_side=LONGEST_SIDE_PX))
    alone = []
    for opened in (open_face(is_video=True, faces=3), open_pose(is_video=True)):
        spent = []
        with opened as landmarker:
            for frame in frames:
                began = time.perf_counter()
                landmarker.detect_for_video(as_image(frame.rgb), round(frame.time * 1000))
                spent.append((time.perf_counter() - began) * 1000)
        alone.append(statistics.median(spent[2:]))
    began = time.perf_counter()
    watch_frames(frames[:1])
    start = time.perf_counter() - began
    began = time.perf_counter()
    watch_frames(frames)
    together = (time.perf_counter() - began - start) / (len(frames) - 1) * 1000
    return alone[0], alone[1], together


def stage_cost(path: Path, seconds: float) -> Cost:
    """Watch the file in a fresh process, so that peak memory is this stage's own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return Cost(**json.loads(pool.apply(_watch_alone, (str(path), seconds))))


def _watch_alone(path: str, seconds: float) -> str:
    began, used = time.perf_counter(), time.process_time()
    sight = watch_file(Path(path))
    cost = Cost(
        media_seconds=seconds,
        stage_seconds=time.perf_counter() - began,
        cpu_seconds=time.process_time() - used,
        pictures=len(sight.times),
        peak_mb=_peak_mb(),
    )
    return json.dumps(asdict(cost))


def _peak_mb() -> float:
    """VmHWM: unlike getrusage it does not remember the process that started this one."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _steady(path: Path, *, per_second: float) -> Sight:
    frames = sampled_frames(path, per_second=per_second, max_side=LONGEST_SIDE_PX)
    return watch_frames(frames, per_second=per_second)


def rates(media: Path, work: Path) -> list[Rate]:
    """The constructed clips from real video at each rate."""
    clips = living_clips(media)
    paths = [write(clip, work / f"rate{index}.mp4") for index, clip in enumerate(clips)]
    found = []
    ways: dict[str, Callable[[Path], Sight]] = {
        f"{rate:.0f}": partial(_steady, per_second=rate) for rate in RATES
    }
    for name, watch in {**ways, "5, more where something moves": watch_file}.items():
        hits = seen = true = 0
        errors, starts, began = [], [], time.perf_counter()
        for clip, path in zip(clips, paths, strict=True):
            measured = facing_in(path, watch(path), clip.seconds)
            spans = [span for span in clip.away if span[1] - span[0] >= 1]
            counts = episode_f1(measured.events, spans)
            hits, seen, true = hits + counts[0], seen + counts[1], true + counts[2]
            truth = 1 - sum(end - start for start, end in clip.away) / clip.seconds
            errors.append(abs(measured.measurements[SHARE].value - truth))
            starts += [
                min(abs(event.start - span[0]) for span in spans) for event in measured.events
            ]
        found.append(
            Rate(
                name=name,
                share_error=float(np.mean(errors)),
                episode_f1=2 * hits / (seen + true),
                start_error=float(np.median(starts)) if starts else math.nan,
                ratio=(time.perf_counter() - began) / sum(clip.seconds for clip in clips),
            )
        )
    return found
