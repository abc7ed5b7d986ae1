"""What our pipeline hears in the judged files, with any head: the slow part is kept on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.backends.speech import filler_head, transcription
from analysis.backends.speech.filler_head import FillerHead
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

_RECIPE = "6"
"""To be changed with the stages before the head: what is kept is then made anew."""
ENGINE: Engine = "ctranslate2"
"""English with 8 bits: three times as quick, and the sound that the head is given is alike."""
_STAGES = ("prepare", "listen", "transcribe")


class _Tap:
    """Stands where the head stands: keeps what it would be given, and says which window it was."""

    def __init__(self) -> None:
        self.kept: list[FloatArray] = []

    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        self.kept.append(np.array(frames, dtype=np.float16))
        return (FillerSound(start=0.0, end=0.0, log_odds=float(len(self.kept) - 1)),)


@dataclass(frozen=True, slots=True)
class Listened:
    """The artefacts of one file, and its windows: where each begins, and its frames."""

    prepared: Prepared
    sound: Sound
    transcript: Transcript
    windows: tuple[tuple[float, FloatArray], ...]
    options: Options

    def with_head(self, head: FillerHead | None) -> Transcript:
        """The transcript as this head would have left it."""
        if head is None:
            return replace(self.transcript, filler_sounds=None)
        sounds = tuple(
            replace(one, start=round(one.start + start, 3), end=round(one.end + start, 3))
            for start, frames in self.windows
            for one in head.hear(frames)
        )
        return replace(self.transcript, filler_sounds=sounds)


def listened(path: Path, *, language: str, engine: Engine = ENGINE) -> Listened | None:
    """What the stages leave, as often as asked for the price of once; None where nobody speaks."""
    options = Options(engine=engine, language=language)
    named = repr((_RECIPE, media_sha256(path), engine, language))
    workdir = folder() / "runs" / hashlib.sha256(named.encode()).hexdigest()[:24]
    if not (workdir / "frames.npz").is_file():
        tap = _Tap()
        with _tapped(tap):
            for stage in _STAGES:
                run_stage(stage, media_path=path, workdir=workdir, options=options)
        np.savez(workdir / "frames.npz", *tap.kept)
        (workdir / "audio.f32").unlink(missing_ok=True)
    if artefacts.load_skipped(workdir, "transcribe") is not None:
        return None
    transcript = artefacts.load_transcript(workdir)
    with np.load(workdir / "frames.npz") as archive:
        windows = tuple(
            (mark.start, archive[f"arr_{int(mark.log_odds)}"])
            for mark in transcript.filler_sounds or ()
        )
    return Listened(
        artefacts.load_prepared(workdir),
        artefacts.load_sound(workdir),
        transcript,
        windows,
        options,
    )


@contextmanager
def _tapped(tap: _Tap) -> Iterator[None]:
    usual, detecting = filler_head.load_head, transcription._chances_of_languages  # noqa: SLF001
    filler_head.load_head = lambda *_: tap  # type: ignore[assignment]
    # The language is known here, and hearing it takes as long as reading.
    transcription._chances_of_languages = lambda *_: {}  # noqa: SLF001
    try:
        yield
    finally:
        filler_head.load_head = usual
        transcription._chances_of_languages = detecting  # noqa: SLF001
