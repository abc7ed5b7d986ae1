"""Cost and core allocation of an analysis, by stage.

A cost is in CPU seconds per second of media. The figures here are those of a new installation;
`coach` replaces them with learned ones, the command line uses them unchanged.
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
"""Pixels above which decoding costs more than watching: a separate kind."""
_USUAL_SPEECH_SHARE = 0.8
"""Assumed share of speech in a talk of which only the length is known (rule of thumb)."""
_CPU_MAX = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Properties of a recording that determine its cost.

    `seconds` is the measured length, `speech` the speech in it (None if unknown). `encodes_copy`:
    the playback copy's picture has to be encoded. `engine` and `reader` name the speech recogniser,
    `switched_off` the stages without any enabled metric.
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
        """Return a JSON document, for `Shape.from_document`."""
        return {**asdict(self), "switched_off": sorted(self.switched_off)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Shape:
        """Rebuild a shape from the document of `as_document`."""
        return cls(**{**document, "switched_off": frozenset(document["switched_off"])})

    def amount(self, stage: str) -> float:
        """Return the seconds of media that a stage processes; 0 if it has nothing to do."""
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
        """Return the cost class of the recording for a stage; within a class, cost per second is
        similar.
        """
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
    """Cost of a stage in CPU seconds: `fixed`, and `rate` per second of media.

    `stretch` is wall time divided by CPU time on one core: above 1 if the machine is shared, the
    disk is slow, or a graphics card does the work.
    """

    fixed: float
    rate: float
    stretch: float = 1.0

    def processor_seconds(self, amount: float) -> float:
        """Return the CPU seconds for this many seconds of media; 0 for none."""
        return self.fixed + self.rate * amount if amount > 0 else 0.0


Costs = Mapping[tuple[str, str], Cost]
"""Costs by stage and kind; the kind "" is the default."""

DEFAULT_COSTS: Costs = {
    (stage, kind): Cost(fixed=fixed, rate=rate)
    for stage, work in WORK.items()
    for kind, (fixed, rate) in work.costs.items()
}
"""Costs of a new installation."""
_ONE_CORE_ONLY = frozenset({"openai-whisper"})
"""Engines limited to one core: two threads take four times the CPU time of one on two busy cores.
"""


def cost_of(stage: str, shape: Shape, costs: Costs = DEFAULT_COSTS) -> Cost:
    """Return the closest known cost: learned for this kind, default for it, or default for all
    kinds.
    """
    kind = shape.kind(stage)
    for table in (costs, DEFAULT_COSTS):
        if found := table.get((stage, kind)):
            return found
    return costs.get((stage, "")) or DEFAULT_COSTS[stage, ""]


def most_cores(stage: str, shape: Shape) -> int:
    """Return the number of cores above which a stage becomes no faster."""
    work = _work(stage)
    if work.kinds == "reader" and shape.engine in _ONE_CORE_ONLY and shape.reader != "base":
        return 1
    if work.piece_seconds:
        return min(work.most_cores, math.ceil(shape.seconds / work.piece_seconds) + 1)
    return work.most_cores


def gain(stage: str, cores: int) -> float:
    """Return the speed-up of a stage with this many cores.

    Learned costs correct the predicted times, not the choice made with this.
    """
    divisible = _work(stage).divisible
    return 1 / (1 - divisible + divisible / max(cores, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One stage of a plan: its cores, its total CPU seconds, and its wall-clock seconds."""

    cores: int
    processor_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Analysis of one recording on an otherwise idle machine."""

    machine_cores: int
    stages: Mapping[str, Planned] = field(default_factory=dict)

    @property
    def measuring_seconds(self) -> float:
        """Return the seconds from the end of `prepare` to the end of all parallel stages.

        The longest stage determines it, or the cores if there are fewer than stages.
        """
        beside = [self.stages[name] for name in SIDE_BY_SIDE]
        shared = sum(each.processor_seconds for each in beside) / self.machine_cores
        return max(shared, *(each.seconds for each in beside))

    @property
    def seconds(self) -> float:
        """Return the seconds from the first stage to the draft."""
        alone = sum(each.seconds for name, each in self.stages.items() if name not in SIDE_BY_SIDE)
        return alone + self.measuring_seconds


def plan_for(shape: Shape, *, machine_cores: int, costs: Costs = DEFAULT_COSTS) -> Plan:
    """Give each stage one core, and idle cores to the stage that takes longest."""
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
    """Return the cores available to this process, by affinity and container quota."""
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
