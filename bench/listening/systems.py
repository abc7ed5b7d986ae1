"""Compared systems: our pipeline with each engine, and plain openai-whisper."""

from __future__ import annotations

import itertools
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import whisper

from analysis import models
from analysis.pipeline import load_stage_report, run_stage
from analysis.ports import DEFAULT_ENGINE, Engine, FloatArray, Options
from analysis.results import Report, Word
from bench.listening.parts import parts_of
from bench.listening.scores import PAUSE_SECONDS, SystemOutput
from bench.listening.truth import FILLED_PAUSES

STAGES = ("prepare", "listen", "transcribe", "assemble")


@dataclass(frozen=True, slots=True)
class Ours:
    """Output of our pipeline for one recording."""

    heard: SystemOutput
    report: Report
    audio: FloatArray
    parts: dict[str, SystemOutput]
    """Results of each part alone."""


def ours(path: Path, *, engine: Engine = DEFAULT_ENGINE, language: str = "en") -> Ours:
    """Run our speech stages in this process."""
    options = Options(engine=engine, language=language)
    with tempfile.TemporaryDirectory() as folder:
        workdir = Path(folder)
        started = time.process_time()
        for stage in STAGES:
            run_stage(stage, media_path=path, workdir=workdir, options=options)
        seconds = time.process_time() - started
        report = load_stage_report(workdir)
        audio = np.fromfile(workdir / "audio.f32", dtype="<f4")
        parts = parts_of(workdir, options)
    heard = SystemOutput(
        words=report.words,
        fillers=tuple((event.start, event.end) for event in report.events_of("filled_pause")),
        pauses=tuple((event.start, event.end) for event in report.events_of("silent_pause")),
        seconds=seconds,
        words_per_minute=_measured(report, "pace.words_per_minute"),
        articulation_rate=_measured(report, "pace.articulation_rate_syllables_per_second"),
    )
    return Ours(heard, report, audio, parts)


def _measured(report: Report, metric: str) -> float | None:
    found = report.measurements.get(metric)
    return None if found is None else found.value


class PlainWhisper:
    """Plain `whisper FILE --model tiny.en --word_timestamps True`, with the command's defaults."""

    name = "openai-whisper tiny.en"

    def __init__(self, prompt: str | None = None) -> None:
        folder = models.path_of("tiny.en.pt").parent
        self._model = whisper.load_model("tiny.en", download_root=str(folder))
        self._prompt = prompt

    def hear(self, audio: FloatArray) -> SystemOutput:
        """Return the words, the fillers among them, and the gaps between words."""
        started = time.process_time()
        result: dict[str, Any] = whisper.transcribe(
            self._model,
            audio,
            language="en",
            fp16=False,
            word_timestamps=True,
            initial_prompt=self._prompt,
            beam_size=5,
            best_of=5,
            temperature=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0),
        )
        seconds = time.process_time() - started
        words = tuple(
            Word(
                text=word["word"].strip(),
                start=float(word["start"]),
                end=max(float(word["end"]), float(word["start"])),
                probability=min(max(float(word["probability"]), 0.0), 1.0),
            )
            for segment in result["segments"]
            for word in segment["words"]
        )
        bare = [word.text.lower().strip(".,!?") for word in words]
        return SystemOutput(
            words=words,
            fillers=tuple(
                (word.start, word.end)
                for word, text in zip(words, bare, strict=True)
                if text in FILLED_PAUSES
            ),
            pauses=tuple(
                (left.end, right.start)
                for left, right in itertools.pairwise(words)
                if right.start - left.end >= PAUSE_SECONDS
            ),
            seconds=seconds,
            words_per_minute=_pace(words),
        )


def _pace(words: tuple[Word, ...]) -> float | None:
    """Return words per minute from the first to the last word; None with too few words."""
    if len(words) < 2 or words[-1].end - words[0].start < 5:
        return None
    return 60 * len(words) / (words[-1].end - words[0].start)
