"""Pipeline output for the judged files, with any head; the slow part is cached."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from analysis.backends.speech import isolated_sounds, transcription
from analysis.backends.speech.filler_head import FillerHead
from analysis.backends.speech.isolated_sounds import DetectionWindow, detect_fillers
from analysis.pipeline import artefacts, run_stage
from analysis.pipeline.work import media_sha256
from analysis.ports import (
    Engine,
    FillerSound,
    FloatArray,
    Options,
    Prepared,
    Sound,
    Transcript,
)
from bench.fillers.pieces import folder

_RECIPE = "10"
"""Version of the stages before the head; change it with them, since the cache then becomes
outdated.
"""
ENGINE: Engine = "ctranslate2"
"""Engine: 8-bit English, which is three times as fast; the head's input is almost the same."""
_PLACES, _ALL_PLACES = "places.json", TypeAdapter(list[DetectionWindow])
_STAGES = ("prepare", "listen", "transcribe")


class _HeadRecorder:
    """Stand-in for the head that records its input."""

    def __init__(self) -> None:
        self.kept: list[FloatArray] = []
        self.places: list[DetectionWindow] = []

    def heard_in(
        self, head: FillerHead, frames: FloatArray, place: DetectionWindow
    ) -> tuple[FillerSound, ...]:
        del head
        self.kept.append(np.array(frames, dtype=np.float16))
        self.places.append(place)
        return ()


@dataclass(frozen=True, slots=True)
class CachedStages:
    """Artefacts of one file, and the frames of each window for the head."""

    prepared: Prepared
    sound: Sound
    transcript: Transcript
    windows: tuple[tuple[DetectionWindow, FloatArray], ...]
    options: Options

    def with_head(self, head: FillerHead | None) -> Transcript:
        """Return the transcript as produced with this head."""
        if head is None:
            return replace(self.transcript, filler_sounds=None)
        sounds = [
            sound for place, frames in self.windows for sound in detect_fillers(head, frames, place)
        ]
        sounds.sort(key=lambda sound: sound.start)
        return replace(self.transcript, filler_sounds=tuple(sounds))


def listened(path: Path, *, language: str, engine: Engine = ENGINE) -> CachedStages | None:
    """Run the stages, or read their cached artefacts; None if no speech was found."""
    options = Options(engine=engine, language=language)
    named = repr((_RECIPE, media_sha256(path), engine, language))
    workdir = folder() / "runs" / hashlib.sha256(named.encode()).hexdigest()[:24]
    if not (workdir / "frames.npz").is_file():
        tap = _HeadRecorder()
        with _tapped(tap):
            for stage in _STAGES:
                run_stage(stage, media_path=path, workdir=workdir, options=options)
        (workdir / _PLACES).write_bytes(_ALL_PLACES.dump_json(tap.places))
        np.savez(workdir / "frames.npz", *tap.kept)
        (workdir / "audio.f32").unlink(missing_ok=True)
    if artefacts.load_skipped(workdir, "transcribe") is not None:
        return None
    transcript = artefacts.load_transcript(workdir)
    places = _ALL_PLACES.validate_json((workdir / _PLACES).read_bytes())
    with np.load(workdir / "frames.npz") as archive:
        windows = tuple((place, archive[f"arr_{index}"]) for index, place in enumerate(places))
    return CachedStages(
        artefacts.load_prepared(workdir),
        artefacts.load_sound(workdir),
        transcript,
        windows,
        options,
    )


@contextmanager
def _tapped(tap: _HeadRecorder) -> Iterator[None]:
    usual, detecting = isolated_sounds.detect_fillers, transcription._chances_of_languages  # noqa: SLF001
    isolated_sounds.detect_fillers = tap.heard_in
    # The language is known here, and detecting it takes as long as transcription.
    transcription._chances_of_languages = lambda *_: {}  # noqa: SLF001
    try:
        yield
    finally:
        isolated_sounds.detect_fillers = usual
        transcription._chances_of_languages = detecting  # noqa: SLF001
