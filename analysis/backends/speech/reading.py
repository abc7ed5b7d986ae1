"""What both recognisers offer: encode a window once, read it, align what was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analysis.ports import FloatArray
from analysis.results import Word

BEAM_SIZE = 5
"""As the `whisper` command has it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One decoding of one window, with the recogniser's own doubts."""

    tokens: tuple[int, ...]
    text: str
    no_speech_probability: float
    average_log_probability: float
    compression_ratio: float


class Recogniser(Protocol):
    """A model that reads windows of at most 30 s. `Any` is the engine's own encoding."""

    name: str

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """The encodings of several windows."""

    def read(self, encoded: Any, *, language: str, prompt: str = "") -> tuple[Reading, ...]:
        """One reading of each window; `prompt` is text that is said to come before."""

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
        prompt: str,
        sounds: Sequence[str],
        seconds: float,
    ) -> tuple[Word, ...]:
        """Places where one of the filler sounds could well have stood; none if it cannot tell."""
