"""One rehearsal to be made, and the order in which a sample takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.judgement.faults import CLEAN, NAMES, PAIRS, STRENGTHS, TWO


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A talk of one voice, with what is planted into it."""

    name: str
    """As in the table: a fault, two at once, or none."""
    faults: tuple[str, ...]
    strength: int
    voice: str
    language: str
    talk: int
    """Which of the texts of the language it is."""

    @property
    def label(self) -> str:
        planted = " and ".join(self.faults) or CLEAN
        return f"{self.language} {self.voice} {STRENGTHS[self.strength]} {planted}"


def rehearsals(voices: Mapping[str, Sequence[str]]) -> Iterator[Rehearsal]:
    """Every one, so ordered that any first part is balanced: each fault at each strength once,
    the voices and languages taking turns; then again with the next voice."""
    speakers = _taking_turns(voices)
    for turn in range(len(speakers)):
        for strength in range(len(STRENGTHS)):
            for number, name in enumerate(NAMES):
                language, voice, talk = speakers[(turn + 3 * strength + number) % len(speakers)]
                # A clean talk has no strength: three would be the same one.
                if name == CLEAN and turn * len(STRENGTHS) + strength >= len(speakers):
                    continue
                place = turn * len(STRENGTHS) + strength
                if name == CLEAN:
                    language, voice, talk = speakers[place]
                yield Rehearsal(
                    name=name,
                    faults=_planted(name, place),
                    strength=strength,
                    voice=voice,
                    language=language,
                    talk=talk,
                )


def _taking_turns(voices: Mapping[str, Sequence[str]]) -> list[tuple[str, str, int]]:
    """Language, voice and text; the languages alternate."""
    most = max(len(each) for each in voices.values())
    return [
        (language, each[place], place)
        for place in range(most)
        for language, each in voices.items()
        if place < len(each)
    ]


def _planted(name: str, place: int) -> tuple[str, ...]:
    if name == CLEAN:
        return ()
    if name == TWO:
        return tuple(fault.name for fault in PAIRS[place % len(PAIRS)])
    return (name,)
