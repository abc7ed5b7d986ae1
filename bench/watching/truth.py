"""Measures on clips with known labels, and their errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.analysers.gaze import CameraFacing
from analysis.analysers.visibility import Visibility
from analysis.backends.media.frames import sampled_frames
from analysis.backends.sight.watching import watch_file
from analysis.ports import Measured, Options, Sight
from analysis.results import Event, Language, MediaInfo, Reason, Skipped, VideoInfo
from analysis.talk.talk import Talk
from bench.watching.clips import (
    DrawnClip,
    Span,
    beside_slides,
    living,
    looking,
    mirrored,
    with_black,
    with_bystander,
    write,
)
from bench.watching.labels import video_of

SHARE = "gaze.camera_facing_share"
SWAY = "posture.sway_shoulder_widths"

# Pairs of labelled pictures of one person: into the camera, and away from it.
PEOPLE = (
    ("lp_d10_001.00.jpg", "lp_d10_010.00.jpg"),
    ("lp_d0_000.10.jpg", "lp_d0_001.00.jpg"),
    ("retalk_3_002.50.jpg", "retalk_3_000.50.jpg"),
)
# The only recordings with moments of both labels; closed eyes are a blink there, not an episode.
LIVING = (
    ("lp_d10_004.00.jpg", "lp_d10_010.00.jpg"),
    ("lp_d0_000.10.jpg", "lp_d0_001.00.jpg"),
    ("lp_d0_000.10.jpg", "lp_d0_002.00.jpg"),
)
_AWAY: tuple[Span, ...] = ((4.0, 6.5), (10.0, 11.4), (15.0, 21.0), (26.0, 26.5))
_SECONDS = 30.0
# Two episodes are the same if they overlap by more than half of their union.
_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class KnownValueCheck:
    """Check against a known value. `is_met` says whether it is within tolerance."""

    name: str
    truth: str
    ours: str
    is_met: bool


def within(
    name: str, limit: float, value: float, *, unit: str = "", digits: int = 3
) -> KnownValueCheck:
    """Return the check that a value is at most this."""
    return KnownValueCheck(
        name, f"within {limit}{unit}", f"{value:.{digits}f}{unit}", bool(value <= limit)
    )


def as_said(name: str, share: float, clip: DrawnClip) -> KnownValueCheck:
    """Return the check that a share is that of the clip, within 0.05."""
    true = _true_share(clip)
    return KnownValueCheck(name, f"{true:.2f}", f"{share:.2f}", abs(share - true) <= 0.05)


def sight_of(path: Path) -> Sight:
    """Watch a file as the pipeline does."""
    return watch_file(path, source_width=_size(path)[0])


def _size(path: Path) -> tuple[int, int]:
    frame = next(iter(sampled_frames(path, per_second=1, max_side=10_000)))
    return frame.rgb.shape[1], frame.rgb.shape[0]


def talk_of(path: Path, sight: Sight, seconds: float, options: Options | None = None) -> Talk:
    """Return a talk without sound: everything refers to watched time."""
    return talk_of_size(_size(path), sight, seconds, options)


def talk_of_size(
    size: tuple[int, int], sight: Sight, seconds: float, options: Options | None = None
) -> Talk:
    """Return a talk without sound from pictures of this width and height."""
    width, height = size
    video = VideoInfo(width=width, height=height, fps=25.0)
    return Talk(
        media=MediaInfo(sha256="0" * 64, duration=seconds, container="mp4", video=video),
        options=options or Options(),
        language=Language(code="en", source="default"),
        speech=(),
        sight=sight,
        absent={"audio": Skipped(reason=Reason.NO_AUDIO)},
    )


def facing_of(path: Path, seconds: float) -> Measured:
    """Return the gaze measures of a file, watched as the pipeline does."""
    return facing_in(path, sight_of(path), seconds)


def facing_in(path: Path, sight: Sight, seconds: float) -> Measured:
    """Return the gaze measures of a file that was already watched."""
    return CameraFacing().measure(talk_of(path, sight, seconds))


def episode_f1(events: Sequence[Event], spans: Sequence[Span]) -> tuple[int, int, int]:
    """Return hits, found and true episodes; an episode counts once."""
    free, hits = list(spans), 0
    for event in events:
        for span in free:
            both = min(event.end, span[1]) - max(event.start, span[0])
            either = max(event.end, span[1]) - min(event.start, span[0])
            if both / either > _OVERLAP:
                hits += 1
                free.remove(span)
                break
    return hits, len(events), len(spans)


def clips_of(
    media: Path, away: tuple[Span, ...] = _AWAY, seconds: float = _SECONDS
) -> list[DrawnClip]:
    """Return one clip for each person; spans below a second are not episodes."""
    folder = media / "4_gaze/frames"
    return [looking(folder / camera, folder / aside, away, seconds) for camera, aside in PEOPLE]


def living_clips(
    media: Path, away: tuple[Span, ...] = _AWAY, seconds: float = _SECONDS
) -> list[DrawnClip]:
    """Return the same of people in motion: real video around labelled moments."""
    clips = []
    for pair in LIVING:
        camera, aside = (
            (media / "3_video" / f"{video_of(name)}.mp4", float(Path(name).stem.rsplit("_", 1)[1]))
            for name in pair
        )
        clips.append(living(camera, aside, away, seconds))
    return clips


def sway_truth(sight: Sight, pixels: float, width_px: int = 1280) -> float:
    """Return the sway, in shoulder widths, of a person moved back and forth by this many pixels."""
    shoulders = sight.pose[:, 3, :2] - sight.pose[:, 4, :2]
    width = float(np.nanmedian(np.hypot(*shoulders.T)))
    return pixels / math.sqrt(2) / (width * width_px)


def checks(media: Path, work: Path) -> list[KnownValueCheck]:
    """Check all constructed clips."""
    clips = clips_of(media)
    return [
        *_episodes(clips, work, "3 people, stills"),
        *_episodes(living_clips(media), work, "3 clips of 2 people from real video"),
        *_same_everywhere(clips[0], work),
        *_disturbances(clips[1], media, work),
        _beside_slides(clips[0], work),
    ]


def _true_share(clip: DrawnClip) -> float:
    return 1 - sum(end - start for start, end in clip.away) / clip.seconds


def _episodes(clips: Sequence[DrawnClip], work: Path, who: str) -> list[KnownValueCheck]:
    hits = found = true = 0
    errors = []
    for index, clip in enumerate(clips):
        path = write(clip, work / f"person{index}{len(who)}.mp4")
        measured = facing_of(path, clip.seconds)
        spans = [span for span in clip.away if span[1] - span[0] >= 1]
        counts = episode_f1(measured.events, spans)
        hits, found, true = hits + counts[0], found + counts[1], true + counts[2]
        errors.append(measured.measurements[SHARE].value - _true_share(clip))
    f1 = 2 * hits / (found + true)
    return [
        KnownValueCheck(
            f"look-away episodes, {who}: F1",
            f"{true} episodes",
            f"{f1:.2f} ({hits} of {true} found, {found - hits} more)",
            f1 >= 0.8,
        ),
        within(f"camera-facing share, {who}: largest error", 0.05, max(map(abs, errors))),
    ]


def _same_everywhere(clip: DrawnClip, work: Path) -> list[KnownValueCheck]:
    shares, starts = [], []
    for fps, height in ((12, 720), (25, 720), (60, 720), (25, 360), (25, 1080)):
        path = write(clip, work / f"clip{fps}_{height}.mp4", fps=fps, height=height)
        measured = facing_of(path, clip.seconds)
        shares.append(measured.measurements[SHARE].value)
        starts.append([event.start for event in measured.events])
    same = all(len(one) == len(starts[0]) for one in starts)
    shift = float(np.ptp(np.array(starts), axis=0).max()) if same else math.inf
    plain, turned = (
        facing_of(write(one, work / f"{name}.mp4"), one.seconds)
        for name, one in (("plain", clip), ("mirrored", mirrored(clip)))
    )
    directions = [
        [event.detail["direction"] for event in measured.events] for measured in (plain, turned)
    ]
    opposite = [{"left": "right", "right": "left"}[one] for one in directions[0]]
    return [
        within(
            "12, 25, 60 fps and 360p, 720p, 1080p: spread of the share",
            0.03,
            float(np.ptp(shares)),
        ),
        within(
            "the same: spread of the episodes' starts",
            0.4,
            shift,
            unit=" s",
            digits=2,
        ),
        KnownValueCheck(
            "mirrored clip mirrors the directions",
            ", ".join(opposite),
            ", ".join(directions[1]),
            directions[1] == opposite,
        ),
    ]


def _disturbances(clip: DrawnClip, media: Path, work: Path) -> list[KnownValueCheck]:
    black = with_black(clip, ((11.5, 14.5), (23.0, 25.5)))
    path = write(black, work / "black.mp4")
    sight = sight_of(path)
    gone = Visibility().measure(talk_of(path, sight, clip.seconds)).events
    hits, found, true = episode_f1(gone, black.black)
    share = CameraFacing().measure(talk_of(path, sight, clip.seconds)).measurements[SHARE]
    inside = 1 - 10.4 / 24.5  # time looking away, over time that was not black
    visitor = media / "4_gaze/frames/lp_d8_005.00.jpg"
    joined = write(with_bystander(clip, visitor, (3.0, 23.0)), work / "bystander.mp4")
    with_other = facing_of(joined, clip.seconds).measurements[SHARE].value
    return [
        KnownValueCheck(
            "cuts to black: times without the speaker",
            f"{true} spans",
            f"{hits} of {true}, {found - hits} more",
            hits == true == found,
        ),
        KnownValueCheck(
            "cuts to black: share of what was seen",
            f"{inside:.2f}, coverage 0.82",
            f"{share.value:.2f}, coverage {share.coverage:.2f}",
            abs(share.value - inside) <= 0.05 and abs(share.coverage - 24.5 / 30) <= 0.03,
        ),
        as_said("second person at the side for 20 s: share", with_other, clip),
    ]


def _beside_slides(clip: DrawnClip, work: Path) -> KnownValueCheck:
    path = write(beside_slides(clip), work / "slides.mp4")
    measured = facing_of(path, clip.seconds).measurements
    share = measured[SHARE].value if SHARE in measured else math.nan
    name = "the same as a small camera picture (face about 85 px) beside slides: share"
    return as_said(name, share, clip)
