"""Still faces: pictures on a wall or slide, recognised by the absence of movement.

Over 5 s the middle of a living face moves by at least 0.010 of its height, its height by 0.013 and
its angles by 0.8 degrees (17 recordings, 74 windows; 10th to 90th percentile). For a picture on a
wall, with sensor noise, these are at most 0.0012, 0.003 and 0.3; for one on a recorded screen they
are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.backends.sight.face import Face
from analysis.backends.sight.follow import Sightings, face_distance, ratio_of

_STILL_HEIGHTS, _STILL_SIZE, _STILL_DEGREES = 0.004, 0.008, 0.6
_USUAL_SECONDS = 5.0
# A slide may be shown for less: the shorter, the less a face may have moved (rule of thumb).
_SHORTEST_SECONDS = 3.0
# Shortest presence of a living person; anything shorter may be a pattern (rule of thumb).
_LIVING_SECONDS = 2.0
# A face that was lost and found again in the position of a picture is the picture.
_SAME_PLACE_HEIGHTS, _SAME_SIZE_RATIO = 0.05, 1.05
_PERCENTILES = (10.0, 90.0)
# Samples of stillness (1.6 s) after which we search for another person next to the face.
_LOOKS = 8
BESIDE = 0.5
"""Distance in heights from which two faces are different ones."""


def pictured_faces(tracks: Sequence[Sightings], times: Sequence[float]) -> list[Sightings]:
    """Return the tracks that are pictures, if a living face is seen elsewhere.

    If all are still, the video is frozen or the whole picture is a photograph.
    """
    long = [track for track in tracks if _seconds(track, times) >= _LIVING_SECONDS]
    living = [track for track in long if not _is_still(track)]
    still = [track for track in long if _is_picture(track, _seconds(track, times))]
    prints = [
        one for one in still if living and not any(_is_at_still_place(each, one) for each in living)
    ]
    return prints + [
        track
        for track in tracks
        if track not in prints and any(_is_the_same(track, one) for one in prints)
    ]


def _seconds(track: Sightings, times: Sequence[float]) -> float:
    return times[track.seen[-1][0]] - times[track.seen[0][0]]


def _is_picture(track: Sightings, seconds: float) -> bool:
    share = min(1.0, seconds / _USUAL_SECONDS)
    return seconds >= _SHORTEST_SECONDS and _is_still(track, share)


def _is_still(track: Sightings, share: float = 1.0) -> bool:
    """Return whether the track moved as little as a picture, or by at most this share of it."""
    rows = np.array(
        [(*face.centre, face.height, face.yaw, face.pitch, face.roll) for _, face in track.seen]
    )
    low, high = np.percentile(rows, _PERCENTILES, axis=0)
    moved = high - low
    return bool(
        moved[:2].max() <= share * _STILL_HEIGHTS * track.height
        and moved[2] <= share * _STILL_SIZE * track.height
        and moved[3:].max() <= share * _STILL_DEGREES
    )


def _is_at_still_place(living: Sightings, still: Sightings) -> bool:
    """Return whether the living face was seen at the position of the still one: a video that froze
    for a while.
    """
    one = still.middle
    return any(_fits(face, one, 1.0, 2.0) for _, face in living.seen)


def _is_the_same(track: Sightings, one: Sightings) -> bool:
    return _fits(track.middle, one.middle, _SAME_PLACE_HEIGHTS, _SAME_SIZE_RATIO)


def _fits(face: Face, other: Face, heights: float, ratio: float) -> bool:
    return face_distance(face, other) <= heights and ratio_of(face.height, other.height) <= ratio


@dataclass(slots=True)
class StillFaces:
    """Register of faces that have not moved, updated sample by sample."""

    _known: list[tuple[Face, int]] = field(default_factory=list)
    """First sighting of each face, and the number of samples since."""

    def add(self, faces: Sequence[Face]) -> None:
        """Add the faces of the next sample."""
        before = self._known
        self._known = []
        for face in faces:
            first, looks = next(
                (one for one in before if _is_at_same_place(face, one[0])), (face, 0)
            )
            self._known.append((first, looks + 1))

    def living(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces that were not still for long."""
        return [
            face for face in faces if not any(_is_at_same_place(face, one) for one in self._still)
        ]

    def elsewhere(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces away from still ones; a still face reads differently in a close-up."""
        return [
            face
            for face in faces
            if not any(face_distance(face, one) <= BESIDE for one in self._still)
        ]

    @property
    def has_moving(self) -> bool:
        """Return whether a face of the last sample is new or has moved since the previous one."""
        return any(looks == 1 for _, looks in self._known)

    @property
    def _still(self) -> list[Face]:
        return [first for first, looks in self._known if looks >= _LOOKS]


def _is_at_same_place(face: Face, first: Face) -> bool:
    turned = (face.yaw - first.yaw, face.pitch - first.pitch, face.roll - first.roll)
    return (
        face_distance(face, first) <= _STILL_HEIGHTS
        and abs(face.height - first.height) <= _STILL_SIZE * first.height
        and max(map(abs, turned)) <= _STILL_DEGREES
    )
