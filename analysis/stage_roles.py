"""The stages of an analysis and what each is for; plans, workers, pages and reports derive it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["opens", "measures", "concludes"]
"""`opens`: nothing goes without it. `measures`: the report comes out without this part.
`concludes`: works with whatever parts there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRole:
    """One stage. `part` is what it leaves for the talk, as `Talk.absent` names it."""

    name: str
    role: Role
    part: str = ""
    input: Literal["", "speech", "picture"] = ""
    """What a recording must hold for it."""


STAGE_ROLES: Final = (
    StageRole(name="prepare", role="opens"),
    StageRole(name="transcribe", role="measures", part="words", input="speech"),
    StageRole(name="listen", role="measures", part="sound", input="speech"),
    StageRole(name="watch", role="measures", part="sight", input="picture"),
    StageRole(name="assemble", role="concludes"),
)
OPENING: Final = tuple(each.name for each in STAGE_ROLES if each.role == "opens")
SIDE_BY_SIDE: Final = tuple(each.name for each in STAGE_ROLES if each.role == "measures")
"""The stages that need only what opens, so that they may run at the same time."""
PARTS: Final = {each.name: each.part for each in STAGE_ROLES if each.part}
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    each.name: {"opens": (), "measures": OPENING, "concludes": SIDE_BY_SIDE}[each.role]
    for each in STAGE_ROLES
}
"""The stages that must have ended before, with an artefact or a reason."""
BY_NAME: Final = {each.name: each for each in STAGE_ROLES}
