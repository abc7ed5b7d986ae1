"""Artefacts of the stages in a work directory: typed files, written atomically."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from analysis.errors import StageArtefactMissing
from analysis.ports import Prepared, Sight, Sound, TimedSlides, Transcript
from analysis.results import Report, Skipped, StageRecord, load_report

FILES: Mapping[str, str] = {
    "prepare": "prepared.json",
    "transcribe": "transcript.json",
    "listen": "sound.npz",
    "watch": "sight.npz",
    "assemble": "report.json",
}
_SLIDES = "slides.json"
_PATHS = ("audio_path", "poster_path", "playback_path")


class Done(BaseModel):
    """Record of a finished stage: its key for repeatability, its stage record and its models."""

    model_config = ConfigDict(frozen=True)

    key: str
    record: StageRecord
    models: dict[str, str] = Field(default_factory=dict)


def store_prepared(workdir: Path, prepared: Prepared) -> None:
    """Write the result of `prepare`; paths are relative, so the directory may be moved."""
    content = TypeAdapter(Prepared).dump_python(prepared, mode="json")
    for name in _PATHS:
        path: Path | None = getattr(prepared, name)
        content[name] = None if path is None else path.relative_to(workdir).as_posix()
    _write_text(workdir / FILES["prepare"], json.dumps(content))


def load_prepared(workdir: Path) -> Prepared:
    """Read the result of `prepare`. Raises StageArtefactMissing."""
    prepared = TypeAdapter(Prepared).validate_json(_read(workdir, "prepare"))
    found: dict[str, Path] = {
        name: workdir / path for name in _PATHS if (path := getattr(prepared, name)) is not None
    }
    return replace(
        prepared,
        audio_path=found.get("audio_path"),
        poster_path=found.get("poster_path"),
        playback_path=found.get("playback_path"),
    )


def store_transcript(workdir: Path, transcript: Transcript) -> None:
    """Write the raw transcript."""
    document = TypeAdapter(Transcript).dump_json(transcript)
    _write_text(workdir / FILES["transcribe"], document.decode())


def load_transcript(workdir: Path) -> Transcript:
    """Read the raw transcript. Raises StageArtefactMissing."""
    return TypeAdapter(Transcript).validate_json(_read(workdir, "transcribe"))


def store_sound(workdir: Path, sound: Sound) -> None:
    """Write the acoustic series."""
    _write_series(workdir / FILES["listen"], sound)


def load_sound(workdir: Path) -> Sound:
    """Read the acoustic series. Raises StageArtefactMissing."""
    return Sound(**_read_series(workdir, "listen"))


def store_sight(workdir: Path, sight: Sight) -> None:
    """Write the visual series."""
    _write_series(workdir / FILES["watch"], sight)


def load_sight(workdir: Path) -> Sight:
    """Read the visual series. Raises StageArtefactMissing."""
    return Sight(**_read_series(workdir, "watch"))


def store_slides(workdir: Path, slides: TimedSlides) -> None:
    """Write the slides that the recorder timed, for `assemble`."""
    _write_text(workdir / _SLIDES, TypeAdapter(TimedSlides).dump_json(slides).decode())


def load_slides(workdir: Path) -> TimedSlides | None:
    """Read the slides, or return None if there are none."""
    path = workdir / _SLIDES
    return TypeAdapter(TimedSlides).validate_json(path.read_bytes()) if path.is_file() else None


def store_report(workdir: Path, report: Report) -> None:
    """Write the report as JSON."""
    _write_text(workdir / FILES["assemble"], report.as_json())


def load_stage_report(workdir: Path) -> Report:
    """Read the report. Raises StageArtefactMissing."""
    return load_report(_read(workdir, "assemble"))


def record_done(workdir: Path, stage: str, done: Done) -> None:
    """Mark a stage as finished; its artefact is complete."""
    _write_text(_done_path(workdir, stage), done.model_dump_json())
    _skipped_path(workdir, stage).unlink(missing_ok=True)


def load_done(workdir: Path, stage: str) -> Done | None:
    """Return the record of a finished stage, or None if it has not finished."""
    try:
        return Done.model_validate_json(_done_path(workdir, stage).read_bytes())
    except (OSError, ValidationError):
        return None


def record_skipped(workdir: Path, stage: str, skipped: Skipped) -> None:
    """Record why a stage made nothing, so that `assemble` can go on without it. Safe to repeat."""
    _write_text(_skipped_path(workdir, stage), skipped.model_dump_json())
    _done_path(workdir, stage).unlink(missing_ok=True)
    (workdir / FILES[stage]).unlink(missing_ok=True)


def forget(workdir: Path, stage: str) -> None:
    """Remove all files of a stage, since they are from another recording. Safe to repeat."""
    for path in (_done_path(workdir, stage), _skipped_path(workdir, stage), workdir / FILES[stage]):
        path.unlink(missing_ok=True)


def load_skipped(workdir: Path, stage: str) -> Skipped | None:
    """Return why a stage made nothing, or None if unknown."""
    try:
        return Skipped.model_validate_json(_skipped_path(workdir, stage).read_bytes())
    except (OSError, ValidationError):
        return None


def marks_of(stage: str) -> tuple[str, str]:
    """Return the names of the files that record how a stage ended."""
    return f"{stage}.done.json", f"{stage}.skipped.json"


def _done_path(workdir: Path, stage: str) -> Path:
    return workdir / marks_of(stage)[0]


def _skipped_path(workdir: Path, stage: str) -> Path:
    return workdir / marks_of(stage)[1]


def _read(workdir: Path, stage: str) -> bytes:
    try:
        return (workdir / FILES[stage]).read_bytes()
    except OSError as error:
        raise StageArtefactMissing("stage_missing", stage=stage) from error


def _write_text(path: Path, text: str) -> None:
    _write(path, lambda file: file.write(text.encode()))


def _write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write atomically: other processes see the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            write(file)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _write_series(path: Path, series: Sound | Sight) -> None:
    arrays = {item.name: np.asarray(getattr(series, item.name)) for item in fields(series)}
    _write(path, lambda file: np.savez(file, allow_pickle=False, **arrays))


def _read_series(workdir: Path, stage: str) -> dict[str, Any]:
    path = workdir / FILES[stage]
    if not path.is_file():
        raise StageArtefactMissing("stage_missing", stage=stage)
    with np.load(path, allow_pickle=False) as archive:
        return {name: _as_field(archive[name]) for name in archive.files}


def _as_field(value: Any) -> Any:
    """Convert an array from the archive back to a number, names or an array."""
    if value.ndim == 0:
        return value.item()
    return tuple(value.tolist()) if value.dtype.kind == "U" else value
