"""Planted faults, the rules that name each, and the rules that would praise its opposite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STRENGTHS = ("slight", "clear", "strong")
CLEAN, CLEAN_SEEN = "none", "none, with a picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault. A rule names it if its card is about this fault, in whole or in part; a strength
    is its opposite if it praises the removed behaviour.
    """

    name: str
    named_by: frozenset[str]
    opposite: frozenset[str]
    is_seen: bool = False
    """Whether it needs a picture."""
    revision: int = 1
    """Version of how the fault is planted; reports are cached by it."""
    amounts: tuple[str, str, str] = ("", "", "")
    """The three strengths in words."""


def _fault(
    name: str,
    named_by: str,
    opposite: str,
    amounts: tuple[str, str, str],
    *,
    is_seen: bool = False,
    revision: int = 1,
) -> Fault:
    return Fault(
        name=name,
        named_by=frozenset(named_by.split()),
        opposite=frozenset(opposite.split()),
        is_seen=is_seen,
        revision=revision,
        amounts=amounts,
    )


# FIL003 names a burst of ums, FIL004 is FIL001 in French. FIL010 and FIL011 say that there were
# few.
FILLERS = _fault(
    "fillers", "FIL001 FIL003 FIL004", "FIL010 FIL011", ("8 a minute", "11 a minute", "14 a minute")
)
# PIT002 names the place, PIT003 the same against the baseline; the strengths praise pitch
# variation.
LEVEL_PITCH = _fault(
    "level pitch",
    "PIT001 PIT002 PIT003",
    "PIT010 PIT011 PRG011",
    ("1.6 semitones", "1.2 semitones", "0.8 semitones"),
)
# PAC001 names a fast passage, which is the ending here; PAC010 and PRG013 praise a steady ending.
RUSHED_END = _fault(
    "rushed end",
    "PAC001 PAC002",
    "PAC010 PRG013",
    ("30% faster", "45% faster", "60% faster"),
    revision=2,
)
# PAU011 would praise an outstanding silence; PAU010 is about other places and is not an opposite.
LONG_SILENCES = _fault(
    "long silences inside sentences",
    "PAU001",
    "PAU011",
    ("1.5 a minute, 2.4 s", "2.5 a minute, 2.7 s", "4 a minute, 3 s"),
    revision=2,
)
QUIET_ENDS = _fault(
    "quiet sentence ends",
    "LOU001",
    "LOU010",
    ("falling by 12 dB, 7 in 10", "by 16 dB, 17 in 20", "by 20 dB, all"),
)
OVER_TIME = _fault("over time", "TIM001", "TIM010", ("20% over", "35% over", "60% over"))
# PAU003 names the longest run, PAC004 the same with a fast pace.
NO_PAUSES = _fault(
    "no pauses",
    "PAU002 PAU003 PAC004",
    "PAU010 PAU011 PRG010",
    ("0.25 s", "0.15 s", "0.08 s"),
)
NO_SIGNPOSTS = _fault(
    "no signposts", "SGP001", "SGP010", ("in 155 s", "in 185 s", "in 215 s"), revision=2
)
# GAZ002 and GAZ003 name its part at the beginning and the end, GAZ006 a possible cause.
LOOKING_DOWN = _fault(
    "looking down",
    "GAZ001 GAZ002 GAZ003 GAZ005 GAZ006",
    "GAZ010 GAZ011 PRG012",
    ("6 times a minute", "9 times a minute", "12 times a minute"),
    is_seen=True,
    revision=3,
)
LOOKING_ASIDE = _fault(
    "looking aside all the time",
    "GAZ001 GAZ002 GAZ003 GAZ004 GAZ006",
    "GAZ010 GAZ011 PRG012",
    ("70% of the time", "85% of the time", "all the time"),
    is_seen=True,
    revision=2,
)
# None of the three cards: it is listed under what could not be measured.
NO_FACE = _fault(
    "no face",
    "SIG003",
    "GAZ010 GAZ011 PRG012",
    ("60% of the time", "80% of the time", "all the time"),
    is_seen=True,
    revision=2,
)
NONE = _fault(CLEAN, "", "", ("", "", ""))

SINGLE: tuple[Fault, ...] = (
    *(FILLERS, LEVEL_PITCH, RUSHED_END, LONG_SILENCES, QUIET_ENDS, OVER_TIME),
    *(NO_PAUSES, NO_SIGNPOSTS, LOOKING_DOWN, LOOKING_ASIDE, NO_FACE),
)
PAIRS: tuple[tuple[Fault, Fault], ...] = (
    (FILLERS, RUSHED_END),
    (LONG_SILENCES, QUIET_ENDS),
    (LEVEL_PITCH, NO_PAUSES),
    (LOOKING_DOWN, LEVEL_PITCH),
)
TWO = "two at once"
NAMES: tuple[str, ...] = (CLEAN, CLEAN_SEEN, *(fault.name for fault in SINGLE), TWO)
BY_NAME: Mapping[str, Fault] = {fault.name: fault for fault in (*SINGLE, NONE)}
