"""What both recognisers offer: encode a window once, read it, align what was read."""

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
"""As the `whisper` command has it."""
LEAST_SLOT_PROBABILITY = 0.001
OPENING_DISCOUNT = 0.1
"""Primed with fillers a model expects one at the very beginning, whatever is said."""

Placed = list[tuple[str, float, float, float]]
"""Pieces of text with start and end (seconds from the window's start) and probability."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One decoding of one window, with the recogniser's own doubts."""

    tokens: tuple[int, ...]
    text: str
    no_speech_probability: float
    average_log_probability: float
    compression_ratio: float
    chances: NDArray[np.float64] | None = None
    """(tokens + 1, sounds): what the model gave each sound in place of each token and of the end,
    where that was asked for and the engine can tell."""


class Recogniser(Protocol):
    """A model that reads windows of at most 30 s. `Any` is the engine's own encoding."""

    name: str

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """The encodings of several windows."""

    def frames(self, encoded: Any, index: int) -> FloatArray:
        """What the encoder made of one window: (frames of 20 ms, dimensions)."""

    def read(
        self, encoded: Any, *, language: str, prompt: str = "", sounds: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        """One reading of each window; `prompt` is text that is said to come before.

        `sounds` are those whose chances are wanted along the way.
        """

    def read_closely(self, encoded: Any, *, language: str, prompt: str) -> tuple[Reading, ...]:
        """One reading of each window after `prompt`, searched with a beam, times marked on the way.

        The marks are left out of what is answered; with them a model writes other fillers.
        """

    def search(self, encoded: Any, index: int, *, language: str) -> Reading:
        """One window again with a beam of `BEAM_SIZE`: slower, and surer where it hesitated."""

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
        """The words of one reading with times relative to the window, which lasts `seconds`.

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
        """Places where one of the filler sounds could well have stood; none if it cannot tell."""


def equal_places(
    pieces: Sequence[str], primed: Sequence[str], firsts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Where the primed reading has the same words: index of the piece, and of its first token.

    The end counts as one more piece where the last words are equal.
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
