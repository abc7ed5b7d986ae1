"""Fault planting: edits speech with exact positions and amounts. Only numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.ports import FloatArray, Span
from bench.sounds import in_a_room

RATE_HZ = 24_000
SEED = 20
LEAD_SECONDS = 0.6
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.6, 1.1
END_SECONDS = 0.8


@dataclass(frozen=True, slots=True)
class SpokenPiece:
    """Phrase, and the silence after it in seconds."""

    audio: FloatArray
    pause: float
    ends_sentence: bool = True

    @property
    def seconds(self) -> float:
        return len(self.audio) / RATE_HZ


def usual_pauses(count: int, *, name: str) -> list[float]:
    """Return the pause after each sentence of a speaker; deterministic by name."""
    random = np.random.default_rng([SEED, *name.encode()])
    return [
        round(float(each), 2) for each in random.uniform(_SHORTEST_PAUSE, _LONGEST_PAUSE, count)
    ]


def spread(count: int, among: int) -> frozenset[int]:
    """Return `count` of the positions, spread evenly; all of them if there are too few."""
    if count >= among:
        return frozenset(range(among))
    return frozenset(int((place + 0.5) * among / count) for place in range(count))


def with_quiet_ends(
    pieces: Sequence[SpokenPiece], *, decibels: float, share: float
) -> list[SpokenPiece]:
    """Fade this share of the sentences by so many decibels over the last 0.8 s."""
    ends = [index for index, piece in enumerate(pieces) if piece.ends_sentence]
    chosen = {ends[place] for place in spread(round(share * len(ends)), len(ends))}
    return [
        replace(piece, audio=falling(piece.audio, decibels)) if index in chosen else piece
        for index, piece in enumerate(pieces)
    ]


def falling(audio: FloatArray, decibels: float, seconds: float = END_SECONDS) -> FloatArray:
    """Return the sound with an end that falls evenly, in decibels."""
    level = np.zeros(len(audio))
    end = min(round(seconds * RATE_HZ), len(audio))
    level[len(audio) - end :] = np.linspace(0.0, -decibels, end)
    softer: FloatArray = (audio * 10 ** (level / 20)).astype(np.float32)
    return softer


def with_pauses_of(pieces: Sequence[SpokenPiece], seconds: float) -> list[SpokenPiece]:
    """Shorten every pause to at most this many seconds."""
    return [replace(piece, pause=min(seconds, piece.pause)) for piece in pieces]


def tail_of(pieces: Sequence[SpokenPiece], share: float) -> int:
    """Return the index of the first piece in the last share of the talk."""
    whole = sum(piece.seconds + piece.pause for piece in pieces)
    at = 0.0
    for index, piece in enumerate(pieces):
        if at >= (1 - share) * whole:
            return index
        at += piece.seconds + piece.pause
    return len(pieces)


def joined(pieces: Sequence[SpokenPiece]) -> tuple[FloatArray, tuple[Span, ...]]:
    """Return the whole recording at RATE_HZ in a quiet room, and the span of
    each piece in seconds.
    """
    parts: list[FloatArray] = [_silence(LEAD_SECONDS)]
    spans: list[Span] = []
    samples = len(parts[0])
    for piece in pieces:
        spans.append((samples / RATE_HZ, (samples + len(piece.audio)) / RATE_HZ))
        rest = _silence(piece.pause)
        parts += [piece.audio, rest]
        samples += len(piece.audio) + len(rest)
    return in_a_room(np.concatenate(parts), seed=SEED), tuple(spans)


def _silence(seconds: float) -> FloatArray:
    return np.zeros(round(seconds * RATE_HZ), dtype=np.float32)
