"""Watching of a recording: face, eyes and pose of one person in each sampled picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from analysis.backends.media.frames import Frame
from analysis.backends.media.memory import decoders_for
from analysis.backends.media.sniff import demuxer_for
from analysis.backends.sight.pieces import SEGMENT_SECONDS, VideoSource, segments_of, watch_segments
from analysis.backends.sight.series import series_of
from analysis.backends.sight.watcher import WatchOptions, watcher
from analysis.ports import Options, Progress, Sight
from analysis.results import MediaInfo

SAMPLES_PER_SECOND = 5.0
"""Sampling rate; docs/lab/watching.md has accuracy and cost by rate."""
LONGEST_SIDE_PX = 960
"""Longest side: enough for a face of 60 px in 720p; decoding at a larger size costs more than it
finds.
"""

# Seekable containers whose pictures carry their times.
_ENTERABLE = frozenset({"mov", "matroska"})


def watch(
    media_path: Path, *, media: MediaInfo, options: Options, progress: Progress, cores: int = 1
) -> Sight:
    """Watch the part selected by `options` in one pass. Raises ModelUnavailable.

    The result does not depend on the number of `cores`.
    """
    video, whole = media.video, media.duration
    return watch_file(
        media_path,
        source_width=video.width if video else None,
        spans=spans_to_watch(options),
        duration=whole,
        parts=parts_to_watch(options.skip),
        reads_eyes="gaze" not in options.skip,
        progress=lambda seconds: progress(min(1.0, seconds / whole) if whole else 0.0),
        cores=min(cores, decoders_for(video.width * video.height)) if video else 1,
    )


def watch_file(
    path: Path,
    *,
    source_width: int | None = None,
    spans: Sequence[tuple[float, float | None]] = ((0.0, None),),
    duration: float = 0.0,
    parts: tuple[str, ...] = ("face", "pose"),
    reads_eyes: bool = True,
    per_second: float = SAMPLES_PER_SECOND,
    progress: Progress = lambda _seconds: None,
    cores: int = 1,
    piece_seconds: float = SEGMENT_SECONDS,
) -> Sight:
    """Watch spans of a file at any rate; `progress` gets the seconds watched.

    A recording without a `duration` is one segment.
    """
    pieces = segments_of(spans, duration, per_second=per_second, length=piece_seconds)
    can_enter = demuxer_for(path) in _ENTERABLE
    workers = max(1, min(cores, len(pieces) if can_enter else 1))
    film = VideoSource(
        path=path,
        per_second=per_second,
        max_side=LONGEST_SIDE_PX,
        threads=max(1, cores // workers),
    )
    looking = WatchOptions(
        parts=parts,
        source_width=source_width,
        reads_eyes=reads_eyes,
        has_helper=cores > workers,
    )
    seen = watch_segments(film, pieces, looking, workers=workers, progress=progress)
    return series_of(seen, 1 / per_second, parts)


def spans_to_watch(options: Options) -> tuple[tuple[float, float | None], ...]:
    """Return the part to watch, with the calibration seconds (looking into the lens) if they
    precede it.
    """
    start, lens = options.start or 0.0, options.calibration
    if lens is None:
        return ((start, options.end),)
    if lens[1] >= start:
        return ((min(lens[0], start), options.end),)
    return (lens, (start, options.end))


def parts_to_watch(skip: frozenset[str]) -> tuple[str, ...]:
    """Return which of face and pose the enabled measures need."""
    parts = []
    if not {"gaze", "head"} <= skip:
        parts.append("face")
    if not {"posture", "gesture"} <= skip:
        parts.append("pose")
    return tuple(parts)


def watch_frames(
    frames: Iterable[Frame],
    *,
    source_width: int | None = None,
    parts: tuple[str, ...] = ("face", "pose"),
    per_second: float = SAMPLES_PER_SECOND,
    reads_eyes: bool = True,
) -> Sight:
    """Watch pictures that are already in memory; face and body are examined in each.

    `source_width` is the width of the original picture.
    """
    looking = WatchOptions(
        parts=parts, source_width=source_width, reads_eyes=reads_eyes, spares_still=False
    )
    with watcher(looking) as one:
        for frame in frames:
            one.take(frame)
        return series_of(one.finish(), 1 / per_second, parts)
