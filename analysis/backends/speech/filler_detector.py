"""Filler detection during transcription: by sound (a trained head) and by readings primed with
fillers.

A head works only with the encoder it was trained on. If a larger model without a head transcribes,
the smallest model detects fillers in parallel: it finds more of them than the larger model's
readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.backends.speech import filler_head, isolated_sounds
from analysis.backends.speech.filler_head import FillerHead
from analysis.backends.speech.isolated_sounds import DetectionWindow
from analysis.backends.speech.loops import is_stuck, without_loops
from analysis.backends.speech.reading import Reading, Recogniser
from analysis.ports import FillerSound, FloatArray, Span
from analysis.results import Word
from analysis.talk.languages import LanguageData, language_data, plain


@dataclass(frozen=True, slots=True)
class Aligner:
    """Aligner of a reading of one window, on the clock of the recording."""

    recogniser: Recogniser
    encoded: Any
    index: int
    window: Span
    language: str

    def __call__(self, reading: Reading, *, prompt: str = "") -> tuple[Word, ...]:
        """Return the words of a reading that was made with `prompt`."""
        start, end = self.window
        words = self.recogniser.align(
            self.encoded,
            self.index,
            reading,
            language=self.language,
            seconds=end - start,
            prompt=prompt,
        )
        return _shifted(words, start)

    def filler_slots(self, reading: Reading, primed: Reading, prompt: str) -> tuple[Word, ...]:
        """Return slots where a filler is plausible."""
        sounds = language_data(self.language).common_filled_pauses
        start, end = self.window
        slots = self.recogniser.filler_slots(
            self.encoded,
            self.index,
            reading,
            language=self.language,
            primed=primed,
            prompt=prompt,
            sounds=sounds,
            seconds=end - start,
        )
        return _shifted(slots, start)


@dataclass(frozen=True)
class FillerDetector:
    """Filler detector for a language: a recogniser and, if trained, the head on its encoder."""

    recogniser: Recogniser
    language: str

    @cached_property
    def head(self) -> FillerHead | None:
        """Return the head for this encoder and language, or None if there is none."""
        return filler_head.load_head(self.recogniser.name, self.language)

    @cached_property
    def _data(self) -> LanguageData:
        return language_data(self.language)

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """Return the encodings of several windows."""
        return self.recogniser.encode(audio)

    def primed(self, encoded: Any) -> tuple[Reading, ...]:
        """Return readings primed with fillers; empty if the language has no filler prompt. Without
        a head they include the filler probabilities.
        """
        prompt = self._data.filler_prompt
        if not prompt:
            return ()
        sounds = () if self.head else self._data.common_filled_pauses
        return self.recogniser.read(encoded, language=self.language, prompt=prompt, sounds=sounds)

    def closely(self, encoded: Any) -> tuple[Reading, ...]:
        """Return the third readings; empty without a witness prompt or without a head."""
        prompt = self._data.witness_prompt
        if not prompt or self.head is None:
            return ()
        return self.recogniser.read_closely(encoded, language=self.language, prompt=prompt)

    def hinted(
        self, align: Aligner, reading: Reading, primed: Reading
    ) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """Return the primed reading's words if it wrote fillers and, without a head, the filler
        slots.
        """
        prompt = self._data.filler_prompt
        words: tuple[Word, ...] = ()
        if self._names_one(primed):
            words = without_loops(align(primed, prompt=prompt), self.language)
        return words, () if self.head else align.filler_slots(reading, primed, prompt)

    def witness(self, align: Aligner, reading: Reading) -> tuple[Word, ...]:
        """Return the third reading's words if it wrote fillers, otherwise an empty tuple."""
        if not self._names_one(reading):
            return ()
        return without_loops(align(reading, prompt=self._data.witness_prompt), self.language)

    def sounds(self, encoded: Any, index: int, place: DetectionWindow) -> tuple[FillerSound, ...]:
        """Return the sounds like a filled pause in a window; empty without a head."""
        if self.head is None:
            return ()
        start, end = place.window
        frames = self.recogniser.frames(encoded, index)
        return isolated_sounds.detect_fillers(
            self.head, frames[: int((end - start) / filler_head.SECONDS_PER_FRAME)], place
        )

    def _names_one(self, reading: Reading) -> bool:
        """Return whether the reading contains a filled pause; False if it is stuck ("euh, euh, euh,
        ...").
        """
        if is_stuck(reading):
            return False
        return any(plain(token) in self._data.filled_pauses for token in reading.text.split())


def _shifted(words: Sequence[Word], seconds: float) -> tuple[Word, ...]:
    return tuple(
        word.model_copy(
            update={"start": round(word.start + seconds, 3), "end": round(word.end + seconds, 3)}
        )
        for word in words
    )
