"""Stage roles: the stages of an analysis and their purpose, used by plans, workers, pages and
reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Role = Literal["opens", "measures", "concludes"]
"""Role of a stage. `opens`: required by all others. `measures`: optional for the report.
`concludes`: works with whatever parts exist.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageWork:
    """Work of a stage and its cost, used by `analysis.plan`.

    `on`: the seconds of a recording it processes. `kinds`: what else its cost depends on: the
    picture, the recogniser, or whether the copy is encoded. `costs`: CPU seconds for each kind,
    fixed and per second of media; the kind "" is the default. `most_cores` and `divisible` (the
    parallel share of the work, after Amdahl) are rules of thumb. `piece_seconds`: length of the
    segments it is cut into.
    """

    costs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    on: Literal["all", "sound", "speech", "picture"] = "all"
    kinds: Literal["", "picture", "reader", "copy"] = ""
    most_cores: int = 1
    divisible: float = 0.0
    piece_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRole:
    """One stage. `part` is its contribution to the talk, as named in `Talk.absent`.

    `process`: on the command line, stages with the same number share a process; concluding stages
    run in the command itself. `library`: the module that a process loads while it waits.
    """

    name: str
    role: Role
    part: str = ""
    input: Literal["", "speech", "picture"] = ""
    """What the recording must contain for it."""
    work: StageWork
    process: int = 0
    library: str = ""


# Costs were measured on two cores, on takes of 1 to 10 minutes; see docs/guides/workers.md. The
# process that prepares then listens, a short stage, while the two long stages load libraries.
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
            divisible=0.8,  # two cores are 1.6 times as fast as one, measured
            piece_seconds=30.0,  # in parallel, and face and body of one segment separately
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
"""Work of stages that only a site has (`coach.feedback.runs.plan`)."""
OPENING: Final = tuple(each.name for each in STAGE_ROLES if each.role == "opens")
SIDE_BY_SIDE: Final = tuple(each.name for each in STAGE_ROLES if each.role == "measures")
"""Stages that need only the opening one, so that they may run in parallel."""
EARLY: Final = tuple(
    each.name for each in STAGE_ROLES if each.role == "measures" and each.input == "picture"
)
"""Stages among these that need no detected speech: they may start as soon as a recording is open.
"""
PARTS: Final = {each.name: each.part for each in STAGE_ROLES if each.part}
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    each.name: {"opens": (), "measures": OPENING, "concludes": SIDE_BY_SIDE}[each.role]
    for each in STAGE_ROLES
}
"""Stages that must have ended before, with an artefact or a reason."""
BY_NAME: Final = {each.name: each for each in STAGE_ROLES}
WORK: Final = {**{each.name: each.work for each in STAGE_ROLES}, **SITE_WORK}
CONCLUDING: Final = tuple(each.name for each in STAGE_ROLES if each.role == "concludes")
PROCESSES: Final = tuple(
    tuple(each.name for each in STAGE_ROLES if each.process == process and each.role != "concludes")
    for process in sorted({each.process for each in STAGE_ROLES})
)
"""Processes of the command line, each with the stages it runs."""
