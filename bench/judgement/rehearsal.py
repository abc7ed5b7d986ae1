"""Constructed talks to make, and their order in a sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.judgement.faults import BY_NAME, CLEAN, CLEAN_SEEN, NAMES, PAIRS, STRENGTHS, TWO

_CLEAN = (CLEAN, CLEAN_SEEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructedTalk:
    """Talk of one voice, with the faults to plant."""

    name: str
    """Name in the table: a fault, two at once, or none."""
    faults: tuple[str, ...]
    strength: int
    voice: str
    language: str
    talk: int
    """Index of the text in its language."""

    @property
    def is_seen(self) -> bool:
        """Return whether it has a picture."""
        return self.name == CLEAN_SEEN or any(BY_NAME[name].is_seen for name in self.faults)

    @property
    def is_clean(self) -> bool:
        return not self.faults

    @property
    def label(self) -> str:
        planted = " and ".join(self.faults) or self.name
        return f"{self.language} {self.voice} {STRENGTHS[self.strength]} {planted}"


def rehearsals(voices: Mapping[str, Sequence[str]]) -> Iterator[ConstructedTalk]:
    """Yield all talks in an order in which any first part is balanced.

    Each fault appears once at each strength, with voices and languages alternating; then again with
    the next voice. A clean talk has no strength: each voice has one without and one with a picture.
    """
    turns = _taking_turns(voices)
    for turn in range(len(turns)):
        for strength in range(len(STRENGTHS)):
            place = turn * len(STRENGTHS) + strength
            for number, name in enumerate(NAMES):
                at = (turn + 3 * strength + number) % len(turns)
                if name in _CLEAN:
                    if place >= len(turns):
                        continue
                    at = (place + _CLEAN.index(name)) % len(turns)
                language, voice, talk = turns[at]
                yield ConstructedTalk(
                    name=name,
                    faults=_planted(name, place),
                    strength=strength,
                    voice=voice,
                    language=language,
                    talk=talk,
                )


def speakers(voices: Mapping[str, Sequence[str]]) -> Iterator[ConstructedTalk]:
    """Yield the clean talk of each voice."""
    for language, voice, talk in _taking_turns(voices):
        yield ConstructedTalk(
            name=CLEAN, faults=(), strength=0, voice=voice, language=language, talk=talk
        )


def _taking_turns(voices: Mapping[str, Sequence[str]]) -> list[tuple[str, str, int]]:
    """Return language, voice and text; the languages alternate."""
    most = max(len(each) for each in voices.values())
    return [
        (language, each[place], place)
        for place in range(most)
        for language, each in voices.items()
        if place < len(each)
    ]


def _planted(name: str, place: int) -> tuple[str, ...]:
    if name in _CLEAN:
        return ()
    if name == TWO:
        return tuple(fault.name for fault in PAIRS[place % len(PAIRS)])
    return (name,)
