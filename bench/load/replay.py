"""Replay of a trace: submits takes, causes the faults, and records the results."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from bench.load.clips import Clips
from bench.load.meters import Cores
from bench.load.trace import SCALE, TraceTake
from bench.load.workers import Workers

if TYPE_CHECKING:
    from coach.feedback.models import Run, Stage
    from coach.feedback.runs.estimates import Estimate

LOST_AFTER_SECONDS = 300.0
"""Longest wait after the last take was submitted."""
_LOOK_SECONDS = 0.2
_COUNT_SECONDS = 1.0


@dataclass(slots=True, kw_only=True)
class TakeObservation:
    """Observations of one take."""

    take: TraceTake
    run: Run
    handed_in: float
    """Time of submission in seconds since 1970, like all times here."""
    guesses: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Estimates by time of display: the time, and the shortest and longest remaining seconds shown,
    equal for a single time.
    """
    hit: set[int] = field(default_factory=set)
    """Stages whose process was killed while they ran."""
    is_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Trace, with the events of the workers meanwhile."""

    name: str
    takes: Sequence[TraceTake]
    events: Mapping[float, str] = field(default_factory=dict)
    """Events by time: kill, join, leave."""
    one_by_one: bool = False
    scale: float = SCALE
    """Factor by which lengths and times are divided."""


@dataclass(slots=True, kw_only=True)
class ReplayResult:
    """Trace and its result."""

    name: str
    scale: float
    takes: list[TakeObservation]
    began: float
    cores: Cores
    notes: list[str]


class ReplayPlayer:
    """Player of traces on an installation's workers."""

    def __init__(self, workers: Workers, clips: Clips, folder: Path) -> None:
        self._workers, self._clips, self._folder = workers, clips, folder

    def play(self, replay: Replay, dice: random.Random) -> ReplayResult:
        """Play until every run has ended, or until minutes after the last take was submitted."""
        takes, one_by_one, name = replay.takes, replay.one_by_one, replay.name
        recordings = {take.number: self._clips.make(take) for take in takes}
        played = ReplayResult(
            name=name,
            scale=replay.scale,
            takes=[],
            began=time.time(),
            cores=Cores(self._folder),
            notes=[],
        )
        waiting, due = list(takes), sorted(replay.events.items())
        counted = time.monotonic()
        quiet_since = time.time()
        while waiting or not all(seen.is_over for seen in played.takes):
            now = time.time() - played.began
            is_free = not one_by_one or all(seen.is_over for seen in played.takes)
            while waiting and is_free and (one_by_one or waiting[0].at <= now):
                take = waiting.pop(0)
                played.takes.append(_hand_in(name, take, recordings[take.number]))
                quiet_since, is_free = time.time(), not one_by_one
            while due and due[0][0] <= now:
                self._act(due.pop(0)[1], played, dice)
            self._look(played)
            if time.monotonic() - counted > _COUNT_SECONDS:
                counted = time.monotonic()
                played.cores.look(counts=any(not seen.is_over for seen in played.takes))
            if time.time() - quiet_since > LOST_AFTER_SECONDS:
                break
            time.sleep(_LOOK_SECONDS)
        return played

    def _act(self, event: str, played: ReplayResult, dice: random.Random) -> None:
        at = time.time() - played.began
        if event == "kill":
            before = _running()
            busy = {int(holder.split()[-2]) for _key, _run, holder in before if holder}
            name, pids = self._workers.kill(dice, busy)
            # A stage may already have been taken over, or have started just then.
            hit = _mark(played, [*before, *_running()], pids)
            played.notes.append(f"{at:5.0f} s: worker {name} killed, {hit} stages in hand")
        elif event == "join":
            for name in ("speech", "vision"):
                self._workers.join(name)
            played.notes.append(f"{at:5.0f} s: a second worker for speech and for vision joins")
        elif event == "leave":
            for worker in [
                each for each in self._workers.workers if each.name in {"speech", "vision"}
            ][:2]:
                self._workers.leave(worker)
            played.notes.append(f"{at:5.0f} s: the first workers for speech and vision leave")

    def _look(self, played: ReplayResult) -> None:
        from coach.feedback.models import Run  # noqa: PLC0415 - Django is set up only now

        going_on = {seen.run.pk: seen for seen in played.takes if not seen.is_over}
        runs = Run.objects.filter(pk__in=going_on).select_related("rehearsal")
        for run in runs.prefetch_related("stages"):
            seen = going_on[run.pk]
            seen.is_over = run.state != "running"
            if not seen.is_over:
                _ask(seen, run, list(run.stages.all()), played.scale)


def _ask(seen: TakeObservation, run: Run, stages: Sequence[Stage], scale: float) -> None:
    """Request the estimate at first, and again as soon as the recording has been opened."""
    from coach.feedback.runs.estimates import estimate  # noqa: PLC0415

    states = {stage.name: stage.state for stage in stages}
    when = "opened" if states["prepare"] == "done" else "handed in"
    if when not in seen.guesses:
        shown = [stage for stage in stages if stage.name != "playback"]
        found = estimate(run, shown)
        seen.guesses[when] = (time.time(), found.least, _latest(found, scale))


def _latest(found: Estimate, scale: float) -> float:
    """Return the longer time if a range would be shown at full length; a minute here is three
    seconds.
    """
    full = replace(found, least=scale * found.least, most=scale * found.most)
    return found.most if full.is_range else found.least


def _running() -> list[tuple[int, UUID, str]]:
    from coach.feedback.models import Stage  # noqa: PLC0415

    return list(Stage.objects.filter(state="running").values_list("pk", "run", "holder"))


def _mark(played: ReplayResult, running: Sequence[tuple[int, UUID, str]], pids: set[int]) -> int:
    """Record the stages whose process was killed; return their number."""
    by_run = {seen.run.pk: seen for seen in played.takes}
    hit = {
        (key, run)
        for key, run, holder in running
        if holder and int(holder.split()[-2]) in pids and run in by_run
    }
    for key, run in hit:
        by_run[run].hit.add(key)
    return len(hit)


def _hand_in(name: str, take: TraceTake, recording: Path) -> TakeObservation:
    from coach.accounts.models import Role, User  # noqa: PLC0415
    from coach.portal.demonstration.seeding import hand_in  # noqa: PLC0415
    from coach.rehearsals.talk_context import TalkContext  # noqa: PLC0415

    address = f"{name.replace(' ', '-')}-{take.person}@example.org"
    owner, _new = User.objects.get_or_create(
        email=address, defaults={"name": f"Person {take.person}", "roles": [Role.TRAINEE]}
    )
    context = TalkContext(
        title=f"{name} {take.number}",
        aim="inform",
        audience="public",
        setting="camera",
        language="en",
    )
    at = time.time()
    rehearsal = hand_in(owner=owner, recording=recording, context=context, is_constructed=True)
    if rehearsal is None:
        raise SystemExit(f"{recording.name} was handed in twice")
    return TakeObservation(take=take, run=rehearsal.runs.get(), handed_in=at)
