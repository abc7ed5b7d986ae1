"""Real recordings that are long enough for a draft: single files, or several
of one speaker joined.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

from analysis.ports import FloatArray
from bench.judgement.planting import RATE_HZ

LEAST_SECONDS = 8.0
LEAST_SEEN_SECONDS = 4.5
TALK_SECONDS = 90.0
"""Length to which shorter recordings are repeated: most rules require 60 or 90 s."""
LONGEST_SECONDS = 240.0
BETWEEN_SECONDS = 0.8
_LEVEL = 0.05
_FOLDERS = ("1_speech", "2_fillers", "2_fillers_more", "3_video")
_NAMED = re.compile(r"speaker (\w+)")
_LANGUAGE = re.compile(r"language (\w\w)")
_LISTENS = "hvb_"
"""Recordings of one side of a telephone call, whose long silences are turns of the other side."""
_LISTENING_SECONDS, _WINDOW_SECONDS = 1.5, 0.05
_SILENT_DB = -35.0
"""Level below the loudest tenth of the recording. Rule of thumb; these channels are clean."""
# By the manifest, one person read all of these.
_OF_ONE_PERSON = ("asterisk_", "librivox_sense_", "sb_spk1_", "sb_spk2_")


@dataclass(frozen=True, slots=True)
class JoinedRecording:
    """One take: a file, or several of one speaker to be joined."""

    name: str
    language: str
    paths: tuple[str, ...]
    """Paths relative to the media directory."""
    seconds: float
    """Length before repetition and cuts."""

    @property
    def is_repeated(self) -> bool:
        """Return whether the words are repeated, so that structure and changes over time cannot be
        judged.
        """
        return self.seconds < TALK_SECONDS or self._has_listening

    @property
    def is_seen(self) -> bool:
        return self.paths[0].startswith("3_video")

    @property
    def _has_listening(self) -> bool:
        return self.paths[0].rpartition("/")[2].startswith(_LISTENS)


def recordings(
    rows: Iterable[Mapping[str, str]], *, least_seconds: float = LEAST_SECONDS
) -> list[JoinedRecording]:
    """Return the takes of the manifest, by name; derived variants of a recording are left out.

    `least_seconds` is the shortest take without a picture.
    """
    by_speaker: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        folder, _, file = row["path"].partition("/")
        seconds = _number(row["duration_s"])
        if folder in _FOLDERS and seconds and not file.startswith("derived_"):
            by_speaker[_speaker(row, file), _language(row)].append((row["path"], seconds))
    takes = (_take(*who, files) for who, files in sorted(by_speaker.items()))
    return [
        take
        for take in takes
        if take.seconds >= (LEAST_SEEN_SECONDS if take.is_seen else least_seconds)
    ]


def _take(speaker: str, language: str, files: list[tuple[str, float]]) -> JoinedRecording:
    """Join files of one speaker in the order of their names, up to the longest take."""
    paths: list[str] = []
    seconds = 0.0
    for path, length in sorted(files):
        if paths and seconds + length > LONGEST_SECONDS:
            break
        paths.append(path)
        seconds += length
    return JoinedRecording(speaker, language, tuple(paths), round(seconds, 2))


def _speaker(row: Mapping[str, str], file: str) -> str:
    named = _NAMED.search(row["notes"])
    if named:
        return named[1]
    return next((each.rstrip("_") for each in _OF_ONE_PERSON if file.startswith(each)), file)


def _language(row: Mapping[str, str]) -> str:
    said = _LANGUAGE.search(row["notes"])
    return said[1] if said else "en"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def joined_sound(recording: JoinedRecording, media: Path) -> FloatArray:
    """Return the files joined at RATE_HZ, at one level, repeated until they are long enough."""
    gap = np.zeros(round(BETWEEN_SECONDS * RATE_HZ), dtype=np.float32)
    parts: list[FloatArray] = []
    for path in recording.paths:
        sound = read_sound(media / path)
        if Path(path).name.startswith(_LISTENS):
            sound = without_listening(sound)
        parts += [sound * np.float32(_LEVEL / max(_root_mean_square(sound), 1e-6)), gap]
    once = np.clip(np.concatenate(parts), -1, 1)
    times = math.ceil(TALK_SECONDS * RATE_HZ / len(once))
    return np.tile(once, max(times, 1))


def without_listening(sound: FloatArray) -> FloatArray:
    """Shorten silences during the other side's turns to a usual pause."""
    width = round(_WINDOW_SECONDS * RATE_HZ)
    windows = sound[: len(sound) // width * width].reshape(-1, width)
    level = 10 * np.log10(np.maximum(np.mean(np.square(windows), axis=1), 1e-12))
    is_silent = level < np.percentile(level, 90) + _SILENT_DB
    kept = np.ones(len(windows), dtype=bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], is_silent.astype(int), [0]])))
    rest = round(BETWEEN_SECONDS / _WINDOW_SECONDS)
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if (end - start) * _WINDOW_SECONDS >= _LISTENING_SECONDS:
            kept[start + rest : end] = False
    found: FloatArray = windows[kept].reshape(-1)
    return found


def read_sound(path: Path) -> FloatArray:
    """Return the sound in mono at RATE_HZ."""
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("fltp", "mono", RATE_HZ)
        chunks = [
            piece.to_ndarray()[0]
            for frame in container.decode(audio=0)
            for piece in resampler.resample(frame)
        ]
    sound: FloatArray = np.concatenate(chunks)
    return sound


def has_sound(path: Path) -> bool:
    """Return whether there is an audio stream."""
    with av.open(str(path)) as container:
        return bool(container.streams.audio)


def _root_mean_square(sound: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))
