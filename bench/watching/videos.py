"""Camera-facing decisions along real recordings, compared with labels of moments and people."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from analysis.analysers.gaze import CameraFacing, decide
from analysis.ports import Options
from analysis.results import Skipped
from analysis.talk.face_view import face_samples
from analysis.talk.talk import Talk
from bench.watching.basis import FACING
from bench.watching.labels import FacingAgreement, agreement, video_of
from bench.watching.truth import SHARE, sight_of, talk_of

# Recordings of people who, according to the manifest, always look aside.
ASIDE = ("lp_s29.mp4", "retalk_1.mp4")


@dataclass(frozen=True, slots=True)
class People:
    """Camera-facing shares of recordings of people who face the camera, or do not."""

    name: str
    shares: tuple[float, ...]
    skipped: tuple[str, ...]
    in_interval: int
    """Number of recordings whose interval includes a share of 0.9 and more, or of 0.1 and less."""


@cache
def _talk(path: Path) -> Talk:
    sight = sight_of(path)
    return talk_of(path, sight, float(sight.times[-1]) + sight.source_step)


def moments(media: Path) -> FacingAgreement:
    """Return the agreement of labelled frames, decided from the recording around them as in a talk.

    Frames with closed eyes are left out, since a blink says nothing in a talk.
    """
    pairs: list[tuple[bool, bool | None, str]] = []
    with (media / "4_gaze/gaze_labels.shared.csv").open() as table:
        rows = [row for row in csv.DictReader(table) if row["kind"] == "frame"]
    for row in rows:
        if row["gaze"] == "Eyes_Closed":
            continue
        time = float(Path(row["file"]).stem.rsplit("_", 1)[1])
        talk = _talk(media / "3_video" / f"{video_of(row['file'])}.mp4")
        pairs.append((row["gaze"] == "Camera", _facing_at(talk, time), row["file"]))
    return agreement("frames in their recordings", pairs)


def _facing_at(talk: Talk, time: float) -> bool | None:
    samples = face_samples(talk)
    if isinstance(samples, Skipped):
        return None
    decided = decide(samples, Options())
    state = decided.state[int(np.abs(samples.times - time).argmin())]
    return bool(state) if np.isfinite(state) else None


def people(media: Path) -> list[People]:
    """Return whole recordings of people who face the camera, and of people who look aside."""
    found = []
    for name, files, edge in (("face the camera", FACING, 0.9), ("look aside", ASIDE, 0.1)):
        shares, skipped, held = [], [], 0
        for file in files:
            measured = CameraFacing().measure(_talk(media / "3_video" / file))
            if SHARE not in measured.measurements:
                skipped.append(file)
                continue
            share = measured.measurements[SHARE]
            low, high = share.interval or (share.value, share.value)
            held += high >= edge if edge > 0.5 else low <= edge
            shares.append(share.value)
        found.append(People(name, tuple(shares), tuple(skipped), held))
    return found
