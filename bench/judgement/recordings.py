"""Real recordings long enough to draft for: single files, or several of one speaker joined."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

from analysis.ports import FloatArray
from bench.judgement.planting import RATE_HZ

LEAST_SECONDS = 20.0
LONGEST_SECONDS = 240.0
BETWEEN_SECONDS = 0.8
_LEVEL = 0.05
_FOLDERS = ("1_speech", "2_fillers", "2_fillers_more", "3_video")
_NAMED = re.compile(r"speaker (\w+)")
_LANGUAGE = re.compile(r"language (\w\w)")
# The manifest says of these that one person read them all.
_OF_ONE_PERSON = ("asterisk_", "librivox_sense_", "sb_spk1_", "sb_spk2_")


@dataclass(frozen=True, slots=True)
class Recording:
    """One take: a file, or several of one speaker to be joined."""

    name: str
    language: str
    paths: tuple[str, ...]
    """Below the folder of the media."""
    seconds: float


def recordings(rows: Iterable[Mapping[str, str]]) -> list[Recording]:
    """The takes that the manifest allows, by name. Made variants of a recording are left out."""
    by_speaker: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        folder, _, file = row["path"].partition("/")
        seconds = _number(row["duration_s"])
        if folder in _FOLDERS and seconds and not file.startswith("derived_"):
            by_speaker[_speaker(row, file), _language(row)].append((row["path"], seconds))
    takes = (_take(*who, files) for who, files in sorted(by_speaker.items()))
    return [take for take in takes if take.seconds >= LEAST_SECONDS]


def _take(speaker: str, language: str, files: list[tuple[str, float]]) -> Recording:
    """Files of one speaker in the order of their names, up to the longest take."""
    paths: list[str] = []
    seconds = 0.0
    for path, length in sorted(files):
        if paths and seconds + length > LONGEST_SECONDS:
            break
        paths.append(path)
        seconds += length
    return Recording(speaker, language, tuple(paths), round(seconds, 2))


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


def read_manifest(media: Path) -> list[dict[str, str]]:
    """Every row of the manifest."""
    with (media / "MANIFEST.csv").open(encoding="utf-8") as table:
        return list(csv.DictReader(table))


def joined_sound(recording: Recording, media: Path) -> FloatArray:
    """Its files one after another at RATE_HZ, each as loud as the others."""
    gap = np.zeros(round(BETWEEN_SECONDS * RATE_HZ), dtype=np.float32)
    parts: list[FloatArray] = []
    for path in recording.paths:
        sound = _read(media / path)
        parts += [sound * np.float32(_LEVEL / max(_root_mean_square(sound), 1e-6)), gap]
    return np.clip(np.concatenate(parts), -1, 1)


def _read(path: Path) -> FloatArray:
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("fltp", "mono", RATE_HZ)
        chunks = [
            piece.to_ndarray()[0]
            for frame in container.decode(audio=0)
            for piece in resampler.resample(frame)
        ]
    sound: FloatArray = np.concatenate(chunks)
    return sound


def _root_mean_square(sound: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))
