"""What tells of um and uh while words are read: sound, by a head, and readings primed with fillers.

A head knows the encoder it learnt from. Where the words are read by a larger model that none knows,
the smallest one listens beside it: it hears more of them than the larger one's readings tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.backends.speech import filler_head, isolated_sounds
from analysis.backends.speech.filler_head import FillerHead
from analysis.backends.speech.isolated_sounds import Place
from analysis.backends.speech.loops import is_stuck, without_loops
from analysis.backends.speech.reading import Reading, Recogniser
from analysis.ports import FillerSound, FloatArray, Span
from analysis.results import Word
from analysis.talk.languages import LanguageData, language_data, plain


@dataclass(frozen=True, slots=True)
class Aligner:
    """Gives a reading of one window its times, on the clock of the recording."""

    recogniser: Recogniser
    encoded: Any
    index: int
    window: Span
    language: str

    def __call__(self, reading: Reading, *, prompt: str = "") -> tuple[Word, ...]:
        """The words of a reading that was made after `prompt`."""
        start, end = self.window
        words = self.recogniser.align(
            self.encoded,
            self.index,
            reading,
            language=self.language,
            seconds=end - start,
            prompt=prompt,
        )
        return _later(words, start)

    def filler_slots(self, reading: Reading, primed: Reading, prompt: str) -> tuple[Word, ...]:
        """Places where a filler could have stood."""
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
        return _later(slots, start)


@dataclass(frozen=True)
class Ear:
    """A recogniser that listens for fillers in a language, with the head on it if there is one."""

    recogniser: Recogniser
    language: str

    @cached_property
    def head(self) -> FillerHead | None:
        """None where no head was trained for this encoder in this language."""
        return filler_head.load_head(self.recogniser.name, self.language)

    @cached_property
    def _data(self) -> LanguageData:
        return language_data(self.language)

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """The encodings of several windows."""
        return self.recogniser.encode(audio)

    def primed(self, encoded: Any) -> tuple[Reading, ...]:
        """After a text full of fillers, if the language has one; without a head also how near each
        filler was."""
        prompt = self._data.filler_prompt
        if not prompt:
            return ()
        sounds = () if self.head else self._data.common_filled_pauses
        return self.recogniser.read(encoded, language=self.language, prompt=prompt, sounds=sounds)

    def closely(self, encoded: Any) -> tuple[Reading, ...]:
        """The third reading, in languages that have a text for it, where a head listens too."""
        prompt = self._data.witness_prompt
        if not prompt or self.head is None:
            return ()
        return self.recogniser.read_closely(encoded, language=self.language, prompt=prompt)

    def hinted(
        self, align: Aligner, reading: Reading, primed: Reading
    ) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """The primed reading's words, if it wrote fillers; without a head, where one could be."""
        prompt = self._data.filler_prompt
        words: tuple[Word, ...] = ()
        if self._names_one(primed):
            words = without_loops(align(primed, prompt=prompt), self.language)
        return words, () if self.head else align.filler_slots(reading, primed, prompt)

    def witness(self, align: Aligner, reading: Reading) -> tuple[Word, ...]:
        """The third reading's words, if it wrote fillers."""
        if not self._names_one(reading):
            return ()
        return without_loops(align(reading, prompt=self._data.witness_prompt), self.language)

    def sounds(self, encoded: Any, index: int, place: Place) -> tuple[FillerSound, ...]:
        """What sounds like a filled pause there; nothing without a head."""
        if self.head is None:
            return ()
        start, end = place.window
        frames = self.recogniser.frames(encoded, index)
        return isolated_sounds.heard_in(
            self.head, frames[: int((end - start) / filler_head.SECONDS_PER_FRAME)], place
        )

    def _names_one(self, reading: Reading) -> bool:
        """A primed reading that got stuck ("euh, euh, euh, ...") says nothing."""
        if is_stuck(reading):
            return False
        return any(plain(token) in self._data.filled_pauses for token in reading.text.split())


def _later(words: Sequence[Word], seconds: float) -> tuple[Word, ...]:
    return tuple(
        word.model_copy(
            update={"start": round(word.start + seconds, 3), "end": round(word.end + seconds, 3)}
        )
        for word in words
    )
