"""CTranslate2 engine: 8-bit Whisper, for English sizes and the multilingual base model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from ctranslate2 import StorageView
from faster_whisper import WhisperModel
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer
from numpy.typing import NDArray

from analysis.backends.speech.alignment import assemble_words
from analysis.backends.speech.reading import (
    BEAM_SIZE,
    LEAST_SLOT_PROBABILITY,
    OPENING_DISCOUNT,
    Placed,
    Reading,
    equal_places,
)
from analysis.ports import FloatArray
from analysis.results import Word

_FRAMES_PER_SECOND = 100
_LATER_SECONDS = {"whisper-base": 0.05, "tiny.en-int8": -0.07}
"""Correction in seconds: attention of the base model is early, that of tiny.en late. Medians over
three labelled recordings; the other sizes were not measured.
"""


class _PrimedTokenizer(Tokenizer):  # type: ignore[misc]
    """Tokenizer that puts the prompt before the start sequence during alignment."""

    before: list[int]

    @property
    def sot_sequence(self) -> list[int]:
        """Return the start sequence with the prompt before it."""
        return [*self.before, *super().sot_sequence]


class CTranslate2Whisper:
    """Recogniser for any Whisper with CTranslate2 weights, 8-bit, on the CPU."""

    def __init__(self, weights: Path, cores: int) -> None:
        self.name = weights.name
        self._model = WhisperModel(
            str(weights), device="cpu", compute_type="int8", cpu_threads=cores
        )
        self._later = _LATER_SECONDS.get(self.name, 0.0)
        self._last: tuple[tuple[int, int, tuple[int, ...], str], Placed] | None = None

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """Encode windows of at most 30 s, one at a time; a batch takes as long, but eight times the
        memory.
        """
        extract = self._model.feature_extractor
        spectra = (pad_or_trim(extract(np.array(part, dtype=np.float32))) for part in audio)
        frames = [np.array(self._model.encode(spectrum[None])) for spectrum in spectra]
        return StorageView.from_array(np.concatenate(frames))

    def frames(self, encoded: Any, index: int) -> FloatArray:
        """Return the encoder output of one window, shape (frames of 20 ms, dimensions)."""
        one: FloatArray = np.array(encoded, copy=False)[index]
        return one

    def read(
        self, encoded: Any, *, language: str, prompt: str = "", sounds: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        """Decode all windows greedily."""
        return self._decode(encoded, language=language, prompt=prompt, sounds=sounds)

    def read_closely(self, encoded: Any, *, language: str, prompt: str) -> tuple[Reading, ...]:
        """Decode all windows with beam search and time stamps."""
        return self._decode(
            encoded, language=language, prompt=prompt, beam_size=BEAM_SIZE, marked=True
        )

    def search(self, encoded: Any, index: int, *, language: str) -> Reading:
        """Decode one window again with beam search."""
        one = _window(encoded, index)
        return self._decode(one, language=language, beam_size=BEAM_SIZE)[0]

    def _decode(
        self,
        encoded: Any,
        *,
        language: str,
        prompt: str = "",
        sounds: Sequence[str] = (),
        beam_size: int = 1,
        marked: bool = False,
    ) -> tuple[Reading, ...]:
        tokenizer = self._tokenizer(language)
        tokens = self._model.get_prompt(
            tokenizer,
            previous_tokens=tokenizer.encode(" " + prompt) if prompt else [],
            without_timestamps=not marked,
        )
        results = self._model.model.generate(
            encoded,
            [list(tokens)] * encoded.shape[0],
            beam_size=beam_size,
            return_scores=True,
            return_no_speech_prob=True,
            return_logits_vocab=bool(sounds),
            suppress_blank=True,
            suppress_tokens=[-1],
        )
        spellings = [_spellings(tokenizer, sound) for sound in sounds]
        return tuple(_reading(tokenizer, result, spellings) for result in results)

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
        """Return the words of a reading, with times relative to its window."""
        return assemble_words(self._placed(encoded, index, reading, language, seconds, prompt))

    def _placed(
        self,
        encoded: Any,
        index: int,
        reading: Reading,
        language: str,
        seconds: float,
        prompt: str = "",
    ) -> Placed:
        """Return (text, start, end, probability) of each piece. The last result is cached."""
        if not reading.tokens:
            return []
        key = (id(encoded), index, reading.tokens, prompt)
        if self._last is None or self._last[0] != key:
            [aligned] = self._model.find_alignment(
                self._tokenizer(language, prompt),
                [list(reading.tokens)],
                _window(encoded, index),
                int(seconds * _FRAMES_PER_SECOND),
            )

            def later(time: float) -> float:
                return min(max(float(time) + self._later, 0.0), seconds)

            found = [
                (part["word"], later(part["start"]), later(part["end"]), float(part["probability"]))
                for part in aligned
            ]
            self._last = (key, found)
        return self._last[1]

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
        """Return slots where the primed reading has the same words and considered a filler."""
        del prompt
        if primed.chances is None or not reading.tokens:
            return ()
        tokenizer = self._tokenizer(language)
        chances = (
            primed.chances * np.r_[OPENING_DISCOUNT, np.ones(len(primed.chances) - 1)][:, None]
        )
        pieces = self._placed(encoded, index, reading, language, seconds)
        slots = []
        for at, row in equal_places(
            [piece[0] for piece in pieces], *_words_of(tokenizer, primed.tokens)
        ):
            chance = float(chances[row].sum())
            start = pieces[at][1] if at < len(pieces) else pieces[-1][2]
            if chance >= LEAST_SLOT_PROBABILITY:
                text = sounds[int(chances[row].argmax())]
                place = round(start, 3)
                slots.append(Word(text=text, start=place, end=place, probability=min(chance, 1.0)))
        return tuple(slots)

    def chances_of_languages(self, audio: FloatArray) -> dict[str, float]:
        """Return the probability of each language in up to 30 s, from one encoder pass and one
        token.
        """
        _, _, chances = self._model.detect_language(np.array(audio, dtype=np.float32))
        return {code: float(probability) for code, probability in chances}

    def _tokenizer(self, language: str, prompt: str = "") -> Tokenizer:
        kind = _PrimedTokenizer if prompt else Tokenizer
        tokenizer = kind(
            self._model.hf_tokenizer,
            multilingual=self._model.model.is_multilingual,
            task="transcribe",
            language=language,
        )
        if isinstance(tokenizer, _PrimedTokenizer):
            tokenizer.before = [tokenizer.sot_prev, *tokenizer.encode(" " + prompt)]
        return tokenizer


def _reading(tokenizer: Tokenizer, result: Any, spellings: Sequence[Sequence[int]]) -> Reading:
    tokens = tuple(token for token in result.sequences_ids[0] if token < tokenizer.eot)
    text = tokenizer.decode(list(tokens)).strip()
    encoded = text.encode()
    return Reading(
        tokens=tokens,
        text=text,
        no_speech_probability=float(result.no_speech_prob),
        average_log_probability=float(result.scores[0]) * len(tokens) / (len(tokens) + 1),
        compression_ratio=len(encoded) / max(len(zlib.compress(encoded)), 1),
        chances=chances_of_sounds(result.logits[0], spellings, len(tokens) + 1)
        if spellings
        else None,
    )


def chances_of_sounds(
    steps: Sequence[Any], spellings: Sequence[Sequence[int]], count: int
) -> NDArray[np.float64]:
    """Return the probability of each sound in place of each token and of the end, shape (count,
    sounds).

    A reading cut off at the token limit never reached its end: 0 there.
    """
    rows: list[list[float]] = []
    for step in steps:
        logits = np.array(step, dtype=np.float64)
        weights = np.exp(logits - logits.max())
        rows.append([float(weights[list(numbers)].sum() / weights.sum()) for numbers in spellings])
    rows += [[0.0] * len(spellings)] * (count - len(rows))
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(spellings))


def _spellings(tokenizer: Tokenizer, sound: str) -> tuple[int, ...]:
    """Return the single tokens that write a sound."""
    written = (
        tokenizer.encode(lead + form) for lead in ("", " ") for form in (sound, sound.capitalize())
    )
    return tuple(sorted({tokens[0] for tokens in written if len(tokens) == 1}))


def _words_of(tokenizer: Tokenizer, tokens: Sequence[int]) -> tuple[list[str], list[int]]:
    """Return the words of a reading, and the index of each one's first token;
    the end comes last.
    """
    words, groups = tokenizer.split_to_word_tokens([*tokens, tokenizer.eot])
    firsts = np.concatenate([[0], np.cumsum([len(group) for group in groups])[:-1]])
    return list(words[:-1]), [int(first) for first in firsts]


def _window(encoded: Any, index: int) -> Any:
    """Return the encoding of one of several windows."""
    return type(encoded).from_array(np.array(encoded, copy=False)[index : index + 1].copy())


@lru_cache(maxsize=3)
def load(weights: Path, cores: int) -> CTranslate2Whisper:
    """Return the engine, cached per process.

    Up to three are needed: one transcribes, the base model identifies the language, and next to a
    larger one the smallest detects fillers.
    """
    return CTranslate2Whisper(weights, cores)
