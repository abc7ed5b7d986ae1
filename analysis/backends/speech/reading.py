"""Recogniser interface: encode a window once, read it, align the reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.ports import FloatArray
from analysis.results import Word
from analysis.talk.languages import plain

BEAM_SIZE = 5
"""Beam size, as in the `whisper` command."""
LEAST_SLOT_PROBABILITY = 0.001
OPENING_DISCOUNT = 0.1
"""Discount at the start: primed with fillers, a model expects one there in any case."""

Placed = list[tuple[str, float, float, float]]
"""Pieces of text with start and end (seconds from the window's start) and probability."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One decoding of one window, with the recogniser's own confidence."""

    tokens: tuple[int, ...]
    text: str
    no_speech_probability: float
    average_log_probability: float
    compression_ratio: float
    chances: NDArray[np.float64] | None = None
    """Probability of each sound in place of each token and of the end, shape (tokens + 1, sounds);
    None if not requested or not supported by the engine.
    """


class Recogniser(Protocol):
    """Recogniser of windows of at most 30 s. `Any` is the engine's own encoding."""

    name: str

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """Return the encodings of several windows."""

    def frames(self, encoded: Any, index: int) -> FloatArray:
        """Return the encoder output of one window, shape (frames of 20 ms, dimensions)."""

    def read(
        self, encoded: Any, *, language: str, prompt: str = "", sounds: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        """Return one reading of each window; `prompt` is assumed to precede it.

        `sounds` are fillers whose probabilities to include.
        """

    def read_closely(self, encoded: Any, *, language: str, prompt: str) -> tuple[Reading, ...]:
        """Return one reading of each window after `prompt`, by beam search with time stamps.

        The time stamps are not part of the result; with them a model writes other fillers.
        """

    def search(self, encoded: Any, index: int, *, language: str) -> Reading:
        """Read one window again with a beam of `BEAM_SIZE`: slower, but
        better where it hesitated.
        """

    def align(
        self,
        encoded: Any,
        index: int,
        reading: Reading,
        *,
        language: str,
        seconds: float,
        prompt: str = "",
    ) -> tuple[Word, ...]:
        """Return the words of a reading, with times relative to the window, which lasts `seconds`.

        Their probabilities are those after `prompt`, with which the reading was made.
        """

    def filler_slots(
        self,
        encoded: Any,
        index: int,
        reading: Reading,
        *,
        language: str,
        primed: Reading,
        prompt: str,
        sounds: Sequence[str],
        seconds: float,
    ) -> tuple[Word, ...]:
        """Return slots where a filler sound is plausible; empty if the engine cannot tell."""


def equal_places(
    pieces: Sequence[str], primed: Sequence[str], firsts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield matching words of both readings: index of the piece, and of the primed word's first
    token.

    The end counts as one more piece if the last words are equal.
    """
    texts = [plain(piece) for piece in pieces]
    others = [plain(piece) for piece in primed]
    matcher = SequenceMatcher(a=texts, b=others, autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            if texts[block.a + offset]:
                yield block.a + offset, firsts[block.b + offset]
    last, other = ([text for text in each if text][-1:] for each in (texts, others))
    if last and last == other:
        yield len(texts), firsts[-1]
