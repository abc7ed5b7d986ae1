"""The stages of an analysis and what each is for; plans, workers, pages and reports derive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Role = Literal["opens", "measures", "concludes"]
"""`opens`: nothing goes without it. `measures`: the report comes out without this part.
`concludes`: works with whatever parts there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageWork:
    """What a stage has to do and what that costs; `analysis.plan` reckons with it.

    `on`: which seconds of a recording it works on. `kinds`: what else its cost depends on, the
    picture, who reads, or whether a copy is encoded again. `costs`: for each kind the processor
    seconds that are fixed, and those for each second of media; the kind "" stands for every other
    one. `most_cores` and `divisible` (the share of the work that cores can divide, after Amdahl)
    are rules of thumb; `piece_seconds`: it is cut into pieces of this length.
    """

    costs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    on: Literal["all", "sound", "speech", "picture"] = "all"
    kinds: Literal["", "picture", "reader", "copy"] = ""
    most_cores: int = 1
    divisible: float = 0.0
    piece_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRole:
    """One stage. `part` is what it leaves for the talk, as `Talk.absent` names it.

    `process`: on the command line, stages of one number share a process; what concludes is run by
    the command itself. `library`: the module that a process loads while it waits.
    """

    name: str
    role: Role
    part: str = ""
    input: Literal["", "speech", "picture"] = ""
    """What a recording must hold for it."""
    work: StageWork
    process: int = 0
    library: str = ""


# Costs were measured on two cores, on takes of 1 to 10 minutes; docs/guides/workers.md.
# The process that prepares goes on to listen, which is short; the two long stages load their
# libraries meanwhile.
STAGE_ROLES: Final = (
    StageRole(
        name="prepare",
        role="opens",
        work=StageWork(kinds="picture", costs={"": (0.3, 0.007), "sound": (0.1, 0.003)}),
    ),
    StageRole(
        name="transcribe",
        role="measures",
        part="words",
        input="speech",
        process=1,
        library="analysis.backends.speech.engines",
        work=StageWork(
            on="speech",
            kinds="reader",
            costs={"": (1.5, 0.15), "ctranslate2 tiny.en": (1.6, 0.055)},
            most_cores=4,
            divisible=0.8,
        ),
    ),
    StageRole(
        name="listen",
        role="measures",
        part="sound",
        input="speech",
        library="analysis.backends.sound.listening",
        work=StageWork(on="sound", costs={"": (0.1, 0.005)}),
    ),
    StageRole(
        name="watch",
        role="measures",
        part="sight",
        input="picture",
        process=2,
        library="analysis.backends.sight.watching",
        work=StageWork(
            on="picture",
            kinds="picture",
            costs={"": (0.3, 0.12), "large": (0.3, 0.2)},
            most_cores=8,
            divisible=0.8,  # two cores do it 1.6 times as fast as one, measured
            piece_seconds=30.0,  # side by side, and face and body of one apart
        ),
    ),
    StageRole(
        name="assemble",
        role="concludes",
        library="analysis.pipeline.assembly",
        work=StageWork(costs={"": (0.1, 0.005)}),
    ),
)
SITE_WORK: Final = {
    "draft": StageWork(costs={"": (0.1, 0.0003)}),
    "playback": StageWork(
        kinds="copy", costs={"": (0.3, 0.2), "copied": (0.05, 0.001), "sound": (0.1, 0.01)}
    ),
}
"""Of stages that only a site has (`coach.feedback.runs.plan`)."""
OPENING: Final = tuple(each.name for each in STAGE_ROLES if each.role == "opens")
SIDE_BY_SIDE: Final = tuple(each.name for each in STAGE_ROLES if each.role == "measures")
"""The stages that need only what opens, so that they may run at the same time."""
EARLY: Final = tuple(
    each.name for each in STAGE_ROLES if each.role == "measures" and each.input == "picture"
)
"""Of these those that need no speech found: they may begin as soon as a recording is open."""
PARTS: Final = {each.name: each.part for each in STAGE_ROLES if each.part}
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    each.name: {"opens": (), "measures": OPENING, "concludes": SIDE_BY_SIDE}[each.role]
    for each in STAGE_ROLES
}
"""The stages that must have ended before, with an artefact or a reason."""
BY_NAME: Final = {each.name: each for each in STAGE_ROLES}
WORK: Final = {**{each.name: each.work for each in STAGE_ROLES}, **SITE_WORK}
CONCLUDING: Final = tuple(each.name for each in STAGE_ROLES if each.role == "concludes")
PROCESSES: Final = tuple(
    tuple(each.name for each in STAGE_ROLES if each.process == process and each.role != "concludes")
    for process in sorted({each.process for each in STAGE_ROLES})
)
"""Each process of the command line and the stages that it runs."""
