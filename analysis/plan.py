"""What an analysis will cost, and how many cores each of its stages gets: the one place for both.

A cost is told in processor seconds for each second of media. The figures here are those of a fresh
installation; `coach` replaces them by what it has learned, the command line uses them as they are.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from analysis.stage_roles import CONCLUDING, OPENING, SIDE_BY_SIDE, WORK, StageWork

_LARGE_PIXELS = 1280 * 720
"""Larger pictures cost more to decode than to look at: a kind of their own."""
_USUAL_SPEECH_SHARE = 0.8
"""Of a talk of which only the length is known (rule of thumb)."""
_CPU_MAX = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What decides how much there is to do about a recording.

    `seconds` are those that are measured, `speech` those with voice in them; None: not known yet.
    `encodes_copy`: browsers need a copy of its picture that is encoded again. `engine` and `reader`
    name what recognises words, `switched_off` stages that this person has no measure of.
    """

    seconds: float
    speech: float | None = None
    has_sound: bool = True
    has_picture: bool = True
    pixels: int = _LARGE_PIXELS
    encodes_copy: bool = False
    engine: str = ""
    reader: str = ""
    switched_off: frozenset[str] = frozenset()

    def as_document(self) -> dict[str, Any]:
        """For keeping as JSON; `Shape.from_document` reads it again."""
        return {**asdict(self), "switched_off": sorted(self.switched_off)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Shape:
        """What `as_document` wrote."""
        return cls(**{**document, "switched_off": frozenset(document["switched_off"])})

    def amount(self, stage: str) -> float:
        """The seconds of media that a stage works on; 0 where it has nothing to do."""
        if stage in self.switched_off:
            return 0.0
        on = _work(stage).on
        if on == "picture":
            return self.seconds if self.has_picture else 0.0
        if on == "all":
            return self.seconds
        if not self.has_sound:
            return 0.0
        if on == "sound":
            return self.seconds
        return _USUAL_SPEECH_SHARE * self.seconds if self.speech is None else self.speech

    def kind(self, stage: str) -> str:
        """Recordings of one kind cost a stage about the same for each second."""
        kinds = _work(stage).kinds
        if kinds == "reader":
            return f"{self.engine} {self.reader}".strip()
        if kinds and not self.has_picture:
            return "sound"
        if kinds == "copy":
            return "encoded" if self.encodes_copy else "copied"
        if kinds == "picture":
            return "large" if self.pixels > _LARGE_PIXELS else "picture"
        return ""


def _work(stage: str) -> StageWork:
    return WORK.get(stage, StageWork())


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a stage takes: `fixed` and `rate` in processor seconds, `rate` for a second of media.

    `stretch` is how much longer than its processor time it takes on one core: over 1 where others
    use the machine as well or the disk is slow, and where a graphics card does the work.
    """

    fixed: float
    rate: float
    stretch: float = 1.0

    def processor_seconds(self, amount: float) -> float:
        """For so many seconds of media; nothing to do costs nothing."""
        return self.fixed + self.rate * amount if amount > 0 else 0.0


Costs = Mapping[tuple[str, str], Cost]
"""By stage and kind; the kind "" stands for every other one."""

DEFAULT_COSTS: Costs = {
    (stage, kind): Cost(fixed=fixed, rate=rate)
    for stage, work in WORK.items()
    for kind, (fixed, rate) in work.costs.items()
}
"""Of a fresh installation."""
_ONE_CORE_ONLY = frozenset({"openai-whisper"})
"""Two threads of it take four times the processor time of one on two busy cores."""


def cost_of(stage: str, shape: Shape, costs: Costs = DEFAULT_COSTS) -> Cost:
    """The nearest that is known: learned for this kind, else the default for it, else for all."""
    kind = shape.kind(stage)
    for table in (costs, DEFAULT_COSTS):
        if found := table.get((stage, kind)):
            return found
    return costs.get((stage, "")) or DEFAULT_COSTS[stage, ""]


def most_cores(stage: str, shape: Shape) -> int:
    """With more than so many a stage becomes no faster."""
    work = _work(stage)
    if work.kinds == "reader" and shape.engine in _ONE_CORE_ONLY and shape.reader != "base":
        return 1
    if work.piece_seconds:
        return min(work.most_cores, math.ceil(shape.seconds / work.piece_seconds) + 1)
    return work.most_cores


def gain(stage: str, cores: int) -> float:
    """How many times as fast a stage is with so many cores as with one.

    What a site learns sets the times right that are told, not what is chosen by this.
    """
    divisible = _work(stage).divisible
    return 1 / (1 - divisible + divisible / max(cores, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One stage of a plan: its cores, how long it holds a core in all, and seconds on the clock."""

    cores: int
    processor_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one recording is analysed on a machine that has nothing else to do."""

    machine_cores: int
    stages: Mapping[str, Planned] = field(default_factory=dict)

    @property
    def measuring_seconds(self) -> float:
        """From the end of `prepare` until all that runs side by side has ended.

        The longest stage decides, or the cores do, where there are fewer than stages.
        """
        beside = [self.stages[name] for name in SIDE_BY_SIDE]
        shared = sum(each.processor_seconds for each in beside) / self.machine_cores
        return max(shared, *(each.seconds for each in beside))

    @property
    def seconds(self) -> float:
        """From the first stage to the draft."""
        alone = sum(each.seconds for name, each in self.stages.items() if name not in SIDE_BY_SIDE)
        return alone + self.measuring_seconds


def plan_for(shape: Shape, *, machine_cores: int, costs: Costs = DEFAULT_COSTS) -> Plan:
    """Give each stage one core, and what would stand idle to the stage that takes longest."""
    cores = dict.fromkeys((*OPENING, *CONCLUDING, "draft", *SIDE_BY_SIDE), 1)
    plan = _plan(shape, cores, machine_cores, costs)
    while True:
        longest = max(SIDE_BY_SIDE, key=lambda name: plan.stages[name].seconds)
        more = cores | {longest: cores[longest] + 1}
        if more[longest] > min(most_cores(longest, shape), machine_cores):
            return plan
        other = _plan(shape, more, machine_cores, costs)
        if other.measuring_seconds > plan.measuring_seconds:
            return plan
        cores, plan = more, other


def _plan(shape: Shape, cores: Mapping[str, int], machine_cores: int, costs: Costs) -> Plan:
    stages = {}
    for name, given in cores.items():
        cost = cost_of(name, shape, costs)
        processor = cost.processor_seconds(shape.amount(name))
        stages[name] = Planned(
            cores=given,
            processor_seconds=processor * given / gain(name, given),
            seconds=processor * cost.stretch / gain(name, given),
        )
    return Plan(machine_cores=machine_cores, stages=stages)


def usable_cores() -> int:
    """The cores that this process may use: its affinity, and what a container grants it."""
    try:
        mine = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        mine = os.cpu_count() or 1
    try:
        quota, period = _CPU_MAX.read_text().split()
        granted = mine if quota == "max" else math.ceil(int(quota) / int(period))
    except (OSError, ValueError):
        granted = mine
    return max(1, min(mine, granted))
