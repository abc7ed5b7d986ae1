"""A text for reading: turns, split where codings begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coach.research.coding.models import Coding, Text, Turn


@dataclass(frozen=True, kw_only=True)
class CodedPiece:
    """Words with the same codes throughout."""

    words: str
    codings: tuple[Coding, ...]


@dataclass(frozen=True, kw_only=True)
class ReadTurn:
    """One speaker's turn, without the label that precedes it in the text."""

    turn: Turn
    label: str
    start: int
    end: int
    words: str
    is_asked: bool
    """Whether a participant speaks, whose turns are compared."""
    is_left_out: bool
    """Whether a withdrawn participant speaks."""


@dataclass(frozen=True, kw_only=True)
class CodedTurn:
    """A turn with one coder's codings."""

    read: ReadTurn
    pieces: tuple[CodedPiece, ...]
    codings: tuple[Coding, ...]
    """Codings that begin in it."""


def read_turns(text: Text) -> list[ReadTurn]:
    """Return the turns of a text in order."""
    # A text has hundreds of turns of few speakers: they are read once.
    turns = text.turns.prefetch_related("speaker__participant").order_by("number")
    return [read_turn(text, turn) for turn in turns]


def read_turn(text: Text, turn: Turn) -> ReadTurn:
    """Return one turn, without its speaker label."""
    said, label = text.text[turn.start : turn.end], turn.speaker.label
    for before in (f"{label}: ", f"{label}:\u00a0", f"{label}:"):
        if said.startswith(before):
            break
    else:
        before = ""
    start = turn.start + len(before)
    person = turn.speaker.participant
    return ReadTurn(
        turn=turn,
        label=label,
        start=start,
        end=turn.end,
        words=text.text[start : turn.end],
        is_asked=turn.speaker.role == turn.speaker.Role.PARTICIPANT,
        is_left_out=person is not None and person.withdrawn_at is not None,
    )


def coded_turns(turns: Iterable[ReadTurn], codings: Sequence[Coding]) -> list[CodedTurn]:
    """Return turns split at codings of this text."""
    ordered = sorted(codings, key=lambda coding: (coding.start or 0, -(coding.end or 0), coding.pk))
    return [_coded(turn, ordered) for turn in turns]


def _coded(read: ReadTurn, codings: Sequence[Coding]) -> CodedTurn:
    here = [each for each in codings if _overlaps(each, read.start, read.end)]
    begins = [each for each in here if read.turn.start <= (each.start or 0)]
    edges = sorted(
        {read.start, read.end}
        | {place for each in here for place in (each.start, each.end) if place is not None}
    )
    edges = [place for place in edges if read.start <= place <= read.end]
    pieces = tuple(
        CodedPiece(
            words=read.words[start - read.start : end - read.start],
            codings=tuple(each for each in here if _overlaps(each, start, end)),
        )
        for start, end in pairwise(edges)
    )
    return CodedTurn(read=read, pieces=pieces, codings=tuple(begins))


def _overlaps(coding: Coding, start: int, end: int) -> bool:
    return (coding.start or 0) < end and (coding.end or 0) > start
