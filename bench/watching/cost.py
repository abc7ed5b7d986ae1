"""Cost of watching: milliseconds per picture, share of the recording's length, memory."""

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.backends.media.frames import sampled_frames
from analysis.backends.sight.landmarkers import as_image, open_face, open_pose
from analysis.backends.sight.watching import (
    LONGEST_SIDE_PX,
    SAMPLES_PER_SECOND,
    watch_file,
    watch_frames,
)


@dataclass(frozen=True, slots=True)
class WatchCost:
    """One watch stage on a file, in its own process."""

    media_seconds: float
    stage_seconds: float
    cpu_seconds: float
    pictures: int
    peak_mb: float

    @property
    def ratio(self) -> float:
        """Return the share of the recording's length."""
        return self.stage_seconds / self.media_seconds


def landmarks_ms(path: Path) -> tuple[float, float, float]:
    """Return median milliseconds per picture: face, pose, and both on two threads as in the
    product.
    """
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


def stage_cost(path: Path, seconds: float, *, cores: int = 1) -> WatchCost:
    """Watch the file in a fresh process, so that peak memory is this stage's own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return WatchCost(**json.loads(pool.apply(_watch_alone, (str(path), seconds, cores))))


def _watch_alone(path: str, seconds: float, cores: int) -> str:
    began, used = time.perf_counter(), time.process_time()
    sight = watch_file(Path(path), duration=seconds, cores=cores)
    cost = WatchCost(
        media_seconds=seconds,
        stage_seconds=time.perf_counter() - began,
        cpu_seconds=time.process_time() - used,
        pictures=len(sight.times),
        peak_mb=_peak_mb(),
    )
    return json.dumps(asdict(cost))


def _peak_mb() -> float:
    """Return VmHWM, which unlike getrusage excludes the parent process."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
