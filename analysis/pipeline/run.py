"""Parallel run of all stages of one recording, each in its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import IO, Any, Self

import analysis
from analysis.backends.media.sniff import demuxer_for
from analysis.backends.scratch import scratch_folder
from analysis.errors import AnalysisError, StageFailed
from analysis.pipeline import artefacts, work
from analysis.pipeline.shapes import shape_of
from analysis.pipeline.stages import STAGES, run_stage
from analysis.plan import Shape, plan_for, usable_cores
from analysis.ports import Limits, Options
from analysis.results import Reason, Report, Skipped
from analysis.stage_roles import EARLY, PROCESSES, SIDE_BY_SIDE

StageProgress = Callable[[str, float], None]
"""Progress callback: name of a stage and its share done."""

DEBUG_VARIABLE = "ROSTRUM_DEBUG"
"""Environment variable that shows the stderr of child processes and their libraries."""

_ONLY_SOUND = frozenset({"wav", "mp3", "flac"})

_Event = Mapping[str, Any]


def _silent(_stage: str, _share: float) -> None:
    """Ignore progress."""


def analyse(
    path: Path,
    *,
    options: Options,
    limits: Limits | None = None,
    progress: StageProgress = _silent,
) -> Report:
    """Analyse a recording from beginning to end, in a scratch directory.

    Raises an AnalysisError for a problem with the file. If another stage fails, its measures are
    skipped.
    """
    with scratch_folder() as workdir:
        with _Workers(path, workdir, options, limits or Limits(), progress) as workers:
            # A file that fails half-way need not wait until everything is loaded.
            concluding = Thread(target=work.warm_up, args=("assemble",), daemon=True)

            def go_on() -> None:
                concluding.start()
                shape = shape_of(workdir, options)
                workers.give(*EARLY, cores=_cores(replace(shape, speech=None)))

            workers.run("prepare", once_opened=go_on)
            workers.run(*SIDE_BY_SIDE, cores=_cores(shape_of(workdir, options)))
        concluding.join()
        progress("assemble", 0.0)
        run_stage("assemble", media_path=path, workdir=workdir, options=options)
        progress("assemble", 1.0)
        return artefacts.load_stage_report(workdir)


def _cores(shape: Shape) -> dict[str, int]:
    """Return the cores for each of the parallel stages."""
    plan = plan_for(shape, machine_cores=usable_cores())
    return {name: plan.stages[name].cores for name in SIDE_BY_SIDE}


class _Worker:
    """One process that runs stages."""

    def __init__(self, stages: tuple[str, ...]) -> None:
        self.stages = stages
        self.is_alive = True
        # Starts this program itself; nothing in the command comes from outside.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "analysis.pipeline.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get(DEBUG_VARIABLE) else subprocess.DEVNULL,
            env=_environment(),
            text=True,
            encoding="utf-8",
        )
        self._commands, self._events = _pipes(self._process)

    def tell(self, command: Mapping[str, object]) -> None:
        """Send a command; a dead process is noticed when its events end."""
        with suppress(OSError):
            self._commands.write(json.dumps(command) + "\n")
            self._commands.flush()

    def follow(self, queue: SimpleQueue[tuple[_Worker, _Event | None]]) -> None:
        """Forward its events to the queue, then None when there are no more."""
        with self._events as lines:
            for line in lines:
                queue.put((self, json.loads(line)))
        queue.put((self, None))

    def dismiss(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._commands.close()


class _Workers:
    """Processes that work on one recording."""

    def __init__(
        self,
        path: Path,
        workdir: Path,
        options: Options,
        limits: Limits,
        progress: StageProgress,
    ) -> None:
        self._workdir = workdir
        self._progress = progress
        self._queue: SimpleQueue[tuple[_Worker, _Event | None]] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._given: set[str] = set()
        self._over: set[str] = set()
        self._threads: list[Thread] = []
        self._likely = _likely_stages(path, options)
        self._job = {
            "media_path": str(path.absolute()),
            "workdir": str(workdir),
            "options": {**asdict(options), "skip": sorted(options.skip)},
            "limits": asdict(limits),
        }

    def __enter__(self) -> Self:
        for stages in PROCESSES:
            worker = _Worker(stages)
            self._workers.append(worker)
            thread = Thread(target=worker.follow, args=(self._queue,), daemon=True)
            thread.start()
            self._threads.append(thread)
            worker.tell(self._job)
            for stage in self._likely.intersection(stages):
                worker.tell({"do": "warm", "stage": stage})
        return self

    def __exit__(self, *_error: object) -> None:
        for worker in self._workers:
            worker.dismiss()
        for thread in self._threads:
            thread.join()

    def run(
        self,
        *stages: str,
        cores: Mapping[str, int] = MappingProxyType({}),
        once_opened: Callable[[], None] = work.nothing,
    ) -> None:
        """Run stages in parallel, each with its cores, and wait for all of them.

        `once_opened` is called when the first of them has opened the recording. Raises the
        AnalysisError of `prepare`.
        """
        self.give(*stages, cores=cores)
        waiting = set(stages)
        while waiting - self._over:
            worker, event = self._queue.get()
            if event is None:
                worker.is_alive = False
                self._lost(worker)
            elif "opened" in event:
                once_opened()
            else:
                self._heard(event)

    def give(self, *stages: str, cores: Mapping[str, int] = MappingProxyType({})) -> None:
        """Send the stages that were not sent yet."""
        fresh = set(stages) - self._given
        self._given |= fresh
        for worker in self._workers:
            for stage in fresh.intersection(worker.stages):
                worker.tell({"do": "run", "stage": stage, "cores": cores.get(stage, 1)})
            if not worker.is_alive:
                self._lost(worker)

    def _heard(self, event: _Event) -> None:
        """Handle an event: progress of a stage, or its end."""
        stage = event["stage"]
        if "share" in event:
            self._progress(stage, event["share"])
            return
        if "error" in event:
            self._failed(stage, _child_error(*event["error"]))
        self._ended(stage)

    def _lost(self, worker: _Worker) -> None:
        """Handle the death of a process: its remaining stages have failed."""
        for stage in (self._given - self._over).intersection(worker.stages):
            self._failed(stage, StageFailed("stage_died"))
            self._ended(stage)

    def _ended(self, stage: str) -> None:
        self._over.add(stage)
        self._progress(stage, 1.0)

    def _failed(self, stage: str, error: AnalysisError) -> None:
        """Raise the error for `prepare`; record other stages as skipped."""
        if stage == "prepare":
            raise error
        skipped = Skipped.because(Reason.STAGE_FAILED, error.says, **error.values)
        artefacts.record_skipped(self._workdir, stage, skipped)


def _likely_stages(path: Path, options: Options) -> set[str]:
    """Return the stages worth warming up for. Raises an AnalysisError if the file is not a
    recording.
    """
    has_no_picture = demuxer_for(path) in _ONLY_SOUND
    return {
        stage.name
        for stage in STAGES
        if not (stage.families and stage.families <= options.skip)
        and not (has_no_picture and stage.input == "picture")
    }


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    if process.stdin is None or process.stdout is None:
        raise StageFailed("process_not_started")
    return process.stdin, process.stdout


def _environment() -> dict[str, str]:
    """Return the environment with this package on PYTHONPATH."""
    root = str(Path(analysis.__file__).parent.parent)
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, known] if known else [root])}


def _child_error(code: str, says: str, values: dict[str, float | int | str]) -> AnalysisError:
    """Rebuild the error reported by a child."""
    kinds = {kind.code: kind for kind in AnalysisError.__subclasses__()}
    return kinds.get(code, AnalysisError)(says, **values)
