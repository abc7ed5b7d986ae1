"""Labelled recordings: manifest, transcripts, word times, fillers, exact pauses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.media import manifest

FOLDERS = ("1_speech", "2_fillers")
FILLED_PAUSES = ("um", "uh", "er", "erm", "euh")
_MARKUP = re.compile(r"\[[^\]]*\]|<cutoff-[^>]*>|<VOCNOISE>|<[A-Z]+>")
_HESITANT = re.compile(r"<hes-([^>]*)>")
_SPEAKER = re.compile(r"(?:^|/ )[A-Z]: ")


@dataclass(frozen=True, slots=True)
class TimedWord:
    """Labelled word with its times."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Truth:
    """Labels of one recording; None for missing ones."""

    path: Path
    text: str | None
    words: tuple[TimedWord, ...]
    filler_count: int | None
    silences: tuple[tuple[float, float], ...]
    knows_all_words: bool = True
    """False if `words` contains only the inserted fillers."""
    covers_everybody: bool = True
    """False if the text is that of one of several audible people."""

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def fillers(self) -> tuple[TimedWord, ...]:
        return tuple(word for word in self.words if word.text in FILLED_PAUSES)


def load(folder: Path, folders: Sequence[str] = FOLDERS) -> list[Truth]:
    """Return every labelled speech recording of these parts of the manifest, in its order."""
    return [
        _truth(folder, row)
        for row in manifest(folder)
        if row["category"] in folders and (folder / row["path"]).is_file()
    ]


def _truth(folder: Path, row: dict[str, str]) -> Truth:
    files = [folder / name for name in row["gt_files"].split(";") if name]
    data: dict[str, Any] = {}
    text: str | None = None
    words: tuple[TimedWord, ...] = ()
    for file in files:
        if file.name.endswith(".truth.json"):
            data = json.loads(file.read_text(encoding="utf-8"))
        elif file.name.endswith(".ref.txt"):
            text = file.read_text(encoding="utf-8").strip()
        elif file.suffix == ".TextGrid":
            words = _textgrid_words(file.read_text(encoding="utf-8"))
    text = text or data.get("text")
    if "words" in data and isinstance(data["words"], list):
        words = tuple(TimedWord(word["w"], word["start"], word["end"]) for word in data["words"])
    words = words or _borrowed_words(folder, row)
    return Truth(
        path=folder / row["path"],
        text=None if text is None else plain_text(text),
        words=words,
        filler_count=_filler_count(data, text),
        silences=tuple((start, end) for start, end in data.get("inserted_digital_silence", [])),
        covers_everybody=not str(data.get("scope", "")).startswith("speaker "),
    )


def _borrowed_words(folder: Path, row: dict[str, str]) -> tuple[TimedWord, ...]:
    """Return the word times of the original of a copy with noise."""
    source = re.search(r"(\w+/\w+)\.wav \+ ", row["source"])
    if source is None:
        return ()
    sidecar = folder / f"{source[1]}.truth.json"
    if not sidecar.is_file():
        return ()
    words = json.loads(sidecar.read_text(encoding="utf-8")).get("words", [])
    return tuple(TimedWord(word["w"], word["start"], word["end"]) for word in words)


def _filler_count(data: dict[str, Any], text: str | None) -> int | None:
    if "filler_count" in data:
        return int(data["filler_count"])
    if "filler_counts" in data:
        return sum(int(data["filler_counts"].get(name, 0)) for name in FILLED_PAUSES)
    if text is None or "draft_text" in data:
        return None
    return sum(word in FILLED_PAUSES for word in plain_text(text).lower().split())


def plain_text(text: str) -> str:
    """Return the spoken words, without marks for noises, cut-off words and speakers."""
    unmarked = _MARKUP.sub(" ", _HESITANT.sub(r"\1", _SPEAKER.sub(" ", text)))
    return " ".join(unmarked.split())


def _textgrid_words(text: str) -> tuple[TimedWord, ...]:
    """Return the words of the tier `word` or `words`, in Praat's long or short text format."""
    items = re.findall(
        r'"((?:[^"]|"")*)"|(-?\d+(?:\.\d+)?)', re.sub(r"^\s*\w[^=\n]*=", "", text, flags=re.M)
    )
    values = [string if string or not number else float(number) for string, number in items]
    for index, value in enumerate(values):
        if isinstance(value, str) and value.lower() in ("word", "words", "utterance - words"):
            return _intervals(values, index)
    return ()


def _intervals(values: list[str | float], at: int) -> tuple[TimedWord, ...]:
    count = values[at + 3]
    words = []
    for number in range(int(count) if isinstance(count, float) else 0):
        start, end, text = values[at + 4 + 3 * number : at + 7 + 3 * number]
        if isinstance(start, float) and isinstance(end, float) and text and text != "sp":
            words.append(TimedWord(str(text).lower(), start, end))
    return tuple(words)
