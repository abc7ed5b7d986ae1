"""Bodies and hands of real people: what the product decides, compared with labels made by looking.

Definitions of the states and where the films come from: docs/lab/bodies.md.
"""

from __future__ import annotations

import csv
import hashlib
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
from mediapipe.tasks.python import vision
from PIL import Image

from analysis import models, weights
from analysis.analysers.arms import arms_crossed, self_touch
from analysis.analysers.gesture import LEAST_VISIBLE, MOVING_SPEED, wrist_speed
from analysis.analysers.posture import LEANING_DEGREES, leans
from analysis.backends.media.frames import Frame, sampled_frames
from analysis.backends.sight.landmarkers import PrivateOptions, as_image
from analysis.backends.sight.still import StillReader
from analysis.backends.sight.watching import LONGEST_SIDE_PX, SAMPLES_PER_SECOND, watch_frames
from analysis.results import Reason, Skipped
from analysis.talk.body_view import (
    body_problem,
    hands_problem,
    has_elbows,
    has_hips,
    has_shoulders,
    has_wrist,
    seldom_seen,
)
from analysis.talk.visual_samples import VisualSamples, visual_samples
from bench.intervals import resampled
from bench.watching.bodies import grainy
from bench.watching.truth import talk_of_size

LABELS = Path(__file__).with_name("real_bodies.csv")

# Letter of a label and the state; a small letter says that the state was looked for and is absent.
STATES = {
    "S": "both shoulders in the picture",
    "E": "both elbows in the picture",
    "H": "both hips in the picture",
    "W": "a hand is seen",
    "F": "a hand at face or neck",
    "M": "hands move",
    "L": "leans to a side",
    "X": "arms crossed",
    "C": "hands clasped",
}
_ONLY_WHERE_LOOKED_FOR = frozenset("ML")
_STILL_PICTURES = 20
# Seconds of a film that are watched before and after a look.
_AROUND = 4.0
_SUFFIXES = frozenset({".mp4", ".mpg", ".mov", ".jpg"})

Decisions = Mapping[str, bool | None]


@dataclass(frozen=True, slots=True)
class Look:
    """One labelled picture: what was seen in each pass."""

    person: str
    sha256: str
    crop: tuple[float, ...]
    seconds: float | None
    first: str
    second: str

    def truth(self, state: str, *, second: bool = False) -> bool | None:
        """Return the label of a state; None where it cannot be told from this picture."""
        letters = self.second if second else self.first
        if state in letters:
            return True
        is_told = state not in _ONLY_WHERE_LOOKED_FOR or state.lower() in letters
        return False if is_told else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and what it is compared with."""

    person: str
    truth: bool
    other: bool


def labelled() -> list[Look]:
    """Return all labelled pictures."""
    looks = []
    with LABELS.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            crop = tuple(float(side) for side in row["crop"].split())
            for text in row["looks"].split():
                seconds, _, passes = text.partition(":")
                first, _, second = passes.partition("/")
                looks.append(
                    Look(
                        row["person"],
                        row["sha256"],
                        crop,
                        float(seconds) if seconds else None,
                        first,
                        second,
                    )
                )
    return looks


def films_in(folder: Path, looks: Sequence[Look]) -> dict[str, Path]:
    """Return the labelled films in a folder and below it, by their SHA-256."""
    wanted, found = {look.sha256 for look in looks}, {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in _SUFFIXES:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if digest in wanted:
                found[digest] = path
    return found


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures of one film around its looks, or of one photograph, and what was labelled there."""

    looks: tuple[Look, ...]
    frames: tuple[Frame, ...]
    size: tuple[int, int]

    def place(self, look: Look) -> int:
        """Return the index of the picture of a look."""
        middle = self.frames[len(self.frames) // 2].time
        wanted = middle if look.seconds is None else look.seconds
        return min(range(len(self.frames)), key=lambda index: abs(self.frames[index].time - wanted))


def films_of(paths: Mapping[str, Path], looks: Sequence[Look]) -> Iterator[Film]:
    """Yield each film, or part of a photograph, that is at hand."""
    grouped: dict[tuple[str, tuple[float, ...]], list[Look]] = {}
    for look in looks:
        grouped.setdefault((look.sha256, look.crop), []).append(look)
    for (digest, crop), some in grouped.items():
        if digest in paths:
            frames, size = _frames(paths[digest], some, crop)
            yield Film(tuple(some), frames, size)


def _frames(
    path: Path, looks: Sequence[Look], crop: tuple[float, ...]
) -> tuple[tuple[Frame, ...], tuple[int, int]]:
    """Return sampled pictures and the picture's size; a photograph is repeated with noise."""
    if path.suffix.lower() != ".jpg":
        whole = next(iter(sampled_frames(path, per_second=1, max_side=10_000))).rgb
        frames = sampled_frames(path, per_second=SAMPLES_PER_SECOND, max_side=LONGEST_SIDE_PX)
        near = [
            frame
            for frame in frames
            if any(abs(frame.time - (look.seconds or 0.0)) <= _AROUND for look in looks)
        ]
        return tuple(near), (whole.shape[1], whole.shape[0])
    with Image.open(path) as image:
        left, top, right, bottom = crop
        wide, high = image.size
        part = image.convert("RGB").crop(
            (round(left * wide), round(top * high), round(right * wide), round(bottom * high))
        )
    part.thumbnail((LONGEST_SIDE_PX, LONGEST_SIDE_PX))
    noise, still = np.random.default_rng(7), np.asarray(part)
    frames_of_still = tuple(
        Frame(time=index / SAMPLES_PER_SECOND, rgb=grainy(still, noise))
        for index in range(_STILL_PICTURES)
    )
    return frames_of_still, part.size


def decisions(film: Film) -> list[tuple[Decisions, Decisions]]:
    """Return what the product decides at each look: from the points alone, and as in a report.

    A report leaves states out in films that do not show enough of the body.
    """
    sight = watch_frames(film.frames, source_width=film.size[0])
    talk = talk_of_size(film.size, sight, float(sight.times[-1]) + sight.source_step)
    samples = visual_samples(talk)
    if isinstance(samples, Skipped):
        return [({}, {})] * len(film.looks)
    told, measured = _told(samples), _measured(samples)
    found: list[tuple[Decisions, Decisions]] = []
    for look in film.looks:
        moment = film.frames[film.place(look)].time
        plain = _at(told, int(np.abs(samples.times - moment).argmin()))
        found.append((plain, {state: plain[state] for state in measured}))
    return found


def _measured(samples: VisualSamples) -> frozenset[str]:
    """Return the states that a report would measure in this film, were it long enough."""
    problem = body_problem(samples)
    if problem is not None and problem.reason is not Reason.TOO_SHORT:
        return frozenset()
    states = set()
    if seldom_seen(samples, has_hips(samples), "hips_seldom") is None:
        states.add("L")
    if hands_problem(samples) is None:
        states |= {"W", "F", "X"}
        if samples.speech_share(has_wrist(samples)) >= LEAST_VISIBLE:
            states.add("M")
    return frozenset(states)


def _told(samples: VisualSamples) -> dict[str, np.ndarray]:
    """Return a column for each state: 1 yes, 0 no, NaN where the product cannot tell."""
    speed, lean = wrist_speed(samples, is_steadied=True), np.abs(leans(samples))
    return {
        "S": has_shoulders(samples).astype(float),
        "E": has_elbows(samples).astype(float),
        "H": has_hips(samples).astype(float),
        "W": has_wrist(samples).astype(float),
        "F": self_touch(samples).astype(float),
        "X": arms_crossed(samples).astype(float),
        "M": np.where(np.isfinite(speed), speed > MOVING_SPEED, np.nan),
        "L": np.where(np.isfinite(lean), lean > LEANING_DEGREES, np.nan),
    }


def _at(told: Mapping[str, np.ndarray], place: int) -> Decisions:
    return {
        state: None if math.isnan(column[place]) else bool(column[place])
        for state, column in told.items()
    }


@contextmanager
def pose_model(path: Path | None) -> Iterator[None]:
    """Use another pose model, for a comparison."""
    if path is None:
        yield
        return
    known = models.path_of

    def chosen(name: str) -> Path:
        return path if name == weights.POSE_LANDMARKER else known(name)

    with patch.object(models, "path_of", chosen):
        yield


def kappa(pairs: Sequence[Pair]) -> float:
    """Return Cohen's kappa; NaN if chance alone explains everything."""
    truth = np.array([pair.truth for pair in pairs])
    other = np.array([pair.other for pair in pairs])
    if not len(truth):
        return math.nan
    agreed = float((truth == other).mean())
    yes = truth.mean() * other.mean()
    chance = float(yes + (1 - truth.mean()) * (1 - other.mean()))
    return (agreed - chance) / (1 - chance) if chance < 1 else math.nan


def kappa_interval(pairs: Sequence[Pair]) -> tuple[float, float] | None:
    """Return the central 95% over resampled people, since pictures of one person are alike."""
    people: dict[str, list[Pair]] = {}
    for pair in pairs:
        people.setdefault(pair.person, []).append(pair)
    return resampled(
        list(people.values()), lambda drawn: kappa([pair for one in drawn for pair in one])
    )


def pose_ms(films: Sequence[Film]) -> float:
    """Return processor milliseconds of the pose model for each picture."""
    began, pictures = time.process_time(), 0
    for film in films:
        watch_frames(film.frames, source_width=film.size[0], parts=("pose",))
        pictures += len(film.frames)
    return (time.process_time() - began) / pictures * 1000


def hands_found(films: Sequence[Film], model: Path) -> tuple[list[Decisions], float]:
    """Return what a hands model tells at each look, and its processor milliseconds for each."""
    found: list[Decisions] = []
    spent = 0.0
    options = vision.HandLandmarkerOptions(
        base_options=PrivateOptions(model_asset_path=str(model)), num_hands=2
    )
    with vision.HandLandmarker.create_from_options(options) as landmarker, StillReader() as reader:
        for film in films:
            for look in film.looks:
                rgb = film.frames[film.place(look)].rgb
                began = time.process_time()
                result = landmarker.detect(as_image(rgb))
                spent += time.process_time() - began
                size = np.array([rgb.shape[1], rgb.shape[0]])
                hands = [
                    np.array([(point.x, point.y) for point in hand]) * size
                    for hand in result.hand_landmarks
                ]
                face = reader.read(rgb).face
                touches = face is not None and any(_is_at_face(hand, face.box) for hand in hands)
                found.append({"W": bool(hands), "F": touches, "C": _are_clasped(hands)})
    return found, spent / len(found) * 1000


def _is_at_face(hand: np.ndarray, box: tuple[float, float, float, float]) -> bool:
    """Return whether a point of the hand lies on the face or the neck below it."""
    left, top, width, height = box
    aside = np.abs(hand[:, 0] - left - width / 2) < 0.6 * width
    below = hand[:, 1] - top
    return bool((aside & (below > 0) & (below < 1.35 * height)).any())


def _are_clasped(hands: Sequence[np.ndarray]) -> bool:
    """Return whether two hands come closer than half a palm."""
    if len(hands) < 2:
        return False
    one, other = hands
    nearest = np.linalg.norm(one[:, None] - other[None], axis=2).min()
    palm = max(np.linalg.norm(hand[0] - hand[9]) for hand in hands)
    return bool(nearest < 0.5 * palm)
