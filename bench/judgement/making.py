"""Reports on constructed talks: from the cache, or made by several processes."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import get_args

from analysis.ports import DEFAULT_ENGINE, Engine, Options
from analysis.results import Report
from bench.judgement.analysed import ReportCache, folder
from bench.judgement.faults import BY_NAME, OVER_TIME
from bench.judgement.planting import RATE_HZ, SEED
from bench.judgement.recipe import VERSION, limit_of, sound_of
from bench.judgement.recordings import (
    TALK_SECONDS,
    JoinedRecording,
    has_sound,
    joined_sound,
    read_sound,
)
from bench.judgement.rehearsal import ConstructedTalk
from bench.judgement.scenes import scene_of
from bench.judgement.speaking import VOICES
from bench.media import media_folder
from bench.sounds import write_wave
from feedback_rules.model import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Limits on what may be made."""

    jobs: int = 1
    is_only_kept: bool = False


def context_of(language: str, *, limit: float | None = None) -> Context:
    """Return the context of every talk: to inform the public, with a camera on a table."""
    return Context(
        aim="inform",
        audience="public",
        setting="camera",
        camera_position="level",
        slides=False,
        language=language,
        time_limit=limit,
    )


def context_for(rehearsal: ConstructedTalk, report: Report) -> Context:
    """Return the context, with a time limit if the fault is to exceed it."""
    return context_of(rehearsal.language, limit=limit_of(rehearsal, report.media.duration))


Task = ConstructedTalk | tuple[JoinedRecording, Path]
"""Talk to make and analyse: a constructed one, or a real recording in a directory."""


def reports(tasks: Sequence[Task], effort: Effort) -> Iterator[tuple[Task, Report]]:
    """Yield cached reports, then the others as they are finished."""
    kept, missing = ReportCache(folder()), []
    for task in tasks:
        report = _kept(kept, task, effort)
        if report is None:
            missing.append(task)
        else:
            yield task, report
    if missing and not effort.is_only_kept:
        yield from _made(missing, effort)


def _kept(kept: ReportCache, task: Task, effort: Effort) -> Report | None:
    """Return the cached report, or None; if nothing may be made, another engine's report is
    accepted.
    """
    others = [each for each in get_args(Engine) if each != DEFAULT_ENGINE]
    for engine in (DEFAULT_ENGINE, *(others if effort.is_only_kept else ())):
        report = kept.report_of(_recipe(task), _options(task, engine))
        if report is not None:
            return report
    return None


def _made(missing: Sequence[Task], effort: Effort) -> Iterator[tuple[Task, Report]]:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(effort.jobs, mp_context=spawn) as pool:
        running = {pool.submit(_make, task): task for task in missing}
        for number, done in enumerate(as_completed(running), 1):
            print(f"{number} of {len(missing)}: {_label(running[done])}", file=sys.stderr)
            yield running[done], done.result()


def _make(task: Task) -> Report:
    """Make and analyse one talk."""
    kept = ReportCache(folder())
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "talk.wav"
        if isinstance(task, ConstructedTalk):
            path = _played(task, path)
        else:
            recording, media = task
            path = _written(recording, media, path)
        return kept.analyse(_recipe(task), path, _options(task, DEFAULT_ENGINE))


def _played(rehearsal: ConstructedTalk, path: Path) -> Path:
    sound, _ = sound_of(rehearsal)
    if not rehearsal.is_seen:
        write_wave(path, sound, RATE_HZ)
        return path
    # Detects faces, so loaded only if a person is visible.
    pictures = import_module("bench.judgement.pictures")

    scene = scene_of(rehearsal.faults, rehearsal.strength, len(sound) / RATE_HZ)
    person = pictures.PEOPLE[_number_of(rehearsal.voice) % len(pictures.PEOPLE)]
    film = path.with_suffix(".mkv")
    pictures.film(film, scene, media_folder() / person, sound)
    return film


def _number_of(voice: str) -> int:
    return [each for voices in VOICES.values() for each in voices].index(voice)


def _written(recording: JoinedRecording, media: Path, path: Path) -> Path:
    """Return the file of a recording; one that is long enough is unchanged, with its picture."""
    first = media / recording.paths[0]
    if len(recording.paths) == 1 and not recording.is_repeated:
        return first
    if not recording.is_seen:
        write_wave(path, joined_sound(recording, media), RATE_HZ)
        return path
    film = path.with_suffix(".mkv")
    sound = read_sound(first) if has_sound(first) else None
    import_module("bench.judgement.pictures").looped(first, film, TALK_SECONDS, sound)
    return film


def _recipe(task: Task) -> str:
    """Return the properties that determine the sound. Exceeding the time is in the context, not in
    the sound.
    """
    if not isinstance(task, ConstructedTalk):
        return f"{VERSION} {task[0]}"
    heard = tuple(fault for fault in task.faults if fault != OVER_TIME.name)
    same = replace(task, name="", faults=heard, strength=task.strength if heard else 0)
    seen = " with a picture" if task.is_seen and not heard else ""
    revised = [f" {name} {BY_NAME[name].revision}" for name in heard if BY_NAME[name].revision > 1]
    return f"{VERSION} {SEED} {same}{''.join(revised)}{seen}"


def _options(task: Task, engine: Engine) -> Options:
    language = task.language if isinstance(task, ConstructedTalk) else task[0].language
    return Options(language=language, engine=engine)


def _label(task: Task) -> str:
    return task.label if isinstance(task, ConstructedTalk) else task[0].name
