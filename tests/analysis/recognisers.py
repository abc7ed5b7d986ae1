"""A recogniser that says what it was told to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.backends.speech.reading import Reading
from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from analysis.results import Word


class FakeRecogniser:
    """Says what it was told to, per reading; each word lasts 0.3 s."""

    name = "fake"
    dimensions = 4

    def __init__(
        self,
        plainly: Sequence[Reading],
        primed: Sequence[Reading] = (),
        searched: Sequence[Reading] = (),
        closely: Sequence[Reading] = (),
    ) -> None:
        self._plainly, self._primed = list(plainly), list(primed)
        self._searched, self._closely = list(searched), list(closely)
        self.windows: list[float] = []

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        self.windows += [len(part) / SAMPLE_RATE_HZ for part in audio]
        return list(audio)

    def frames(self, encoded: Any, index: int) -> FloatArray:
        return np.zeros((1500, self.dimensions), np.float32)

    def read(
        self, encoded: Any, *, language: str, prompt: str = "", sounds: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        source = self._primed if prompt else self._plainly
        return tuple(source.pop(0) if source else reading("") for _ in encoded)

    def read_closely(self, encoded: Any, *, language: str, prompt: str) -> tuple[Reading, ...]:
        assert prompt
        return tuple(self._closely.pop(0) for _ in encoded)

    def search(self, encoded: Any, index: int, *, language: str) -> Reading:
        return self._searched.pop(0) if self._searched else reading("", sure=-9.0)

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
        sure = 0.6 if prompt else 0.9
        return tuple(
            Word(text=text, start=0.3 * place, end=0.3 * place + 0.3, probability=sure)
            for place, text in enumerate(reading.text.split())
        )

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
        return tuple(
            Word(text=sounds[0], start=0.3 * place, end=0.3 * place, probability=0.01)
            for place, text in enumerate(reading.text.split())
            if text == "slot"
        )


def reading(
    text: str, *, compression: float = 1.5, sure: float = -0.1, silent: float = 0.0
) -> Reading:
    return Reading(
        tokens=(1,) if text else (),
        text=text,
        no_speech_probability=silent,
        average_log_probability=sure,
        compression_ratio=compression,
    )
