"""Reports on rehearsals: what is kept at once, the others made side by side."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
import wave
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.ports import FloatArray, Options
from analysis.results import Report
from bench.judgement.analysed import Kept, folder
from bench.judgement.faults import BY_NAME, OVER_TIME
from bench.judgement.planting import RATE_HZ, SEED
from bench.judgement.recipe import VERSION, limit_of, sound_of
from bench.judgement.recordings import Recording, joined_sound
from bench.judgement.rehearsal import Rehearsal
from feedback_rules.model import Context

_FULL_SCALE = 32767


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much may be made anew."""

    jobs: int = 1
    seconds: float = float("inf")
    """None is begun after that."""
    is_only_kept: bool = False


def context_of(language: str, *, limit: float | None = None) -> Context:
    """What is said about every talk: to inform the public, seen by a camera on a table."""
    return Context(
        aim="inform",
        audience="public",
        setting="camera",
        camera_position="level",
        slides=False,
        language=language,
        time_limit=limit,
    )


def context_for(rehearsal: Rehearsal, report: Report) -> Context:
    """The same, with the time that was given where that is the fault."""
    return context_of(rehearsal.language, limit=limit_of(rehearsal, report.media.duration))


Task = Rehearsal | tuple[Recording, Path]
"""Something to be made and analysed: a rehearsal, or a real recording below a folder."""


def reports(tasks: Sequence[Task], effort: Effort) -> Iterator[tuple[Task, Report]]:
    """What is kept at once, then what has to be made, as it gets ready."""
    kept, missing = Kept(folder()), []
    for task in tasks:
        report = kept.report_of(_recipe(task), _options(task))
        if report is None:
            missing.append(task)
        else:
            yield task, report
    if missing and not effort.is_only_kept:
        yield from _made(missing, effort)


def _made(missing: Sequence[Task], effort: Effort) -> Iterator[tuple[Task, Report]]:
    until = time.monotonic() + effort.seconds
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(effort.jobs, mp_context=spawn) as pool:
        running = {pool.submit(_make, task, until): task for task in missing}
        for number, done in enumerate(as_completed(running), 1):
            report = done.result()
            if report is not None:
                print(f"{number} of {len(missing)}: {_label(running[done])}", file=sys.stderr)
                yield running[done], report


def _make(task: Task, until: float) -> Report | None:
    """Make and analyse one; nothing once the time is over."""
    if time.monotonic() >= until:
        return None
    kept = Kept(folder())
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "talk.wav"
        if isinstance(task, Rehearsal):
            _write_wave(path, sound_of(task)[0])
        else:
            recording, media = task
            path = _written(recording, media, path)
        return kept.analyse(_recipe(task), path, _options(task))


def _written(recording: Recording, media: Path, path: Path) -> Path:
    """One file stays as it is, with its picture."""
    if len(recording.paths) == 1:
        return media / recording.paths[0]
    _write_wave(path, joined_sound(recording, media))
    return path


def _write_wave(path: Path, sound: FloatArray) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes((sound * _FULL_SCALE).astype(np.int16).tobytes())


def _recipe(task: Task) -> str:
    """What the sound depends on: running over time is in what was said about it, not in it."""
    if not isinstance(task, Rehearsal):
        return f"{VERSION} {task[0]}"
    heard = tuple(fault for fault in task.faults if fault != OVER_TIME.name)
    same = replace(task, name="", faults=heard, strength=task.strength if heard else 0)
    revised = [f" {name} {BY_NAME[name].revision}" for name in heard if BY_NAME[name].revision > 1]
    return f"{VERSION} {SEED} {same}{''.join(revised)}"


def _options(task: Task) -> Options:
    return Options(language=task.language if isinstance(task, Rehearsal) else task[0].language)


def _label(task: Task) -> str:
    return task.label if isinstance(task, Rehearsal) else task[0].name
