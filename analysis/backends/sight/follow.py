"""Person tracking: follows one person through the talk while others come and go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.backends.sight.face import Face

# A face moves less than its own height between samples 0.2 s apart, and does not halve or double.
# Rules of thumb; a walking person two metres from the camera moves about 0.8 heights.
_REACH_HEIGHTS = 1.0
_SIZE_RATIO = 1.6
_FORGET_SECONDS = 1.5
_SAME_PERSON_RATIO = 2.0


@dataclass(slots=True)
class Sightings:
    """Track of one face: consecutive sightings as (sample index, face)."""

    seen: list[tuple[int, Face]] = field(default_factory=list)
    until: float = 0.0

    @property
    def last(self) -> Face:
        return self.seen[-1][1]

    @property
    def weight(self) -> float:
        """Return the time in view weighted by size; the speaker is large for long."""
        return sum(face.height for _, face in self.seen)

    @property
    def height(self) -> float:
        return float(np.median([face.height for _, face in self.seen]))

    @property
    def middle(self) -> Face:
        """Return the sighting in the middle of the track."""
        return self.seen[len(self.seen) // 2][1]


def follow(times: Sequence[float], faces: Sequence[Sequence[Face]]) -> list[Face | None]:
    """Return the followed person's face in each sample; None where that person was not seen."""
    return followed(tracks_of(times, faces), len(times))


def followed(tracks: Sequence[Sightings], samples: int) -> list[Face | None]:
    """Return the followed person's face in each sample, from existing tracks."""
    chosen: list[Face | None] = [None] * samples
    if not tracks:
        return chosen
    ranked = sorted(tracks, key=lambda track: -track.weight)
    usual = ranked[0].height
    for track in ranked:
        is_free = all(chosen[index] is None for index, _ in track.seen)
        if is_free and ratio_of(track.height, usual) <= _SAME_PERSON_RATIO:
            for index, face in track.seen:
                chosen[index] = face
    return chosen


def rivals(faces: Sequence[Sequence[Face]], followed: Sequence[Face | None]) -> list[float]:
    """Return the height of the largest other face divided by the followed
    one; 0 without another.
    """
    return [
        max((other.height / mine.height for other in seen if other is not mine), default=0.0)
        if mine is not None
        else 0.0
        for seen, mine in zip(faces, followed, strict=True)
    ]


def tracks_of(times: Sequence[float], faces: Sequence[Sequence[Face]]) -> list[Sightings]:
    """Return the tracks of all faces."""
    done: list[Sightings] = []
    alive: list[Sightings] = []
    for index, (time, seen) in enumerate(zip(times, faces, strict=True)):
        done += [track for track in alive if time - track.until > _FORGET_SECONDS]
        alive = [track for track in alive if time - track.until <= _FORGET_SECONDS]
        matched = _matched(seen, alive)
        for order, face in enumerate(seen):
            track = matched.get(order)
            if track is None:
                track = Sightings()
                alive.append(track)
            track.seen.append((index, face))
            track.until = time
    return done + alive


def _matched(faces: Sequence[Face], tracks: Sequence[Sightings]) -> dict[int, Sightings]:
    """Match faces to tracks, best pairs first; return the track of each matched face index."""
    pairs = sorted(
        (distance + math.log(ratio), order, place)
        for order, face in enumerate(faces)
        for place, track in enumerate(tracks)
        if (distance := face_distance(face, track.last)) <= _REACH_HEIGHTS
        and (ratio := ratio_of(face.height, track.last.height)) <= _SIZE_RATIO
    )
    found: dict[int, Sightings] = {}
    taken: set[int] = set()
    for _, order, place in pairs:
        if order not in found and place not in taken:
            found[order] = tracks[place]
            taken.add(place)
    return found


def continues(face: Face, other: Face) -> bool:
    """Return whether both may be the same face one sample apart."""
    is_near = face_distance(face, other) <= _REACH_HEIGHTS
    return is_near and ratio_of(face.height, other.height) <= _SIZE_RATIO


def face_distance(one: Face, other: Face) -> float:
    """Return the distance between the centres, in heights of the larger face."""
    return math.dist(one.centre, other.centre) / max(one.height, other.height)


def ratio_of(one: float, other: float) -> float:
    """Return the larger value divided by the smaller."""
    return max(one, other) / max(min(one, other), 1e-6)
