"""The faster-whisper engine: the multilingual base model on CTranslate2, and language detection."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer

from analysis.backends.speech.alignment import assemble_words
from analysis.backends.speech.reading import BEAM_SIZE, Reading
from analysis.ports import FloatArray
from analysis.results import Word

_THREADS = 2
_FRAMES_PER_SECOND = 100
_LEAD_SECONDS = 0.05
"""Attention of this model runs ahead of the sound: the median over three labelled recordings."""


class _PrimedTokenizer(Tokenizer):  # type: ignore[misc]
    """Aligning asks the tokenizer what stands before the words: here, text said before it."""

    before: list[int]

    @property
    def sot_sequence(self) -> list[int]:
        """The usual opening after that text."""
        return [*self.before, *super().sot_sequence]


class FasterWhisper:
    """The multilingual base model, 8-bit, on the processor."""

    name = "whisper-base"

    def __init__(self, weights: Path) -> None:
        self._model = WhisperModel(
            str(weights), device="cpu", compute_type="int8", cpu_threads=_THREADS
        )

    def encode(self, audio: Sequence[FloatArray]) -> Any:
        """Windows of at most 30 s; the encodings of all of them."""
        extract = self._model.feature_extractor
        spectra = [pad_or_trim(extract(np.array(part, dtype=np.float32))) for part in audio]
        return self._model.encode(np.stack(spectra))

    def read(self, encoded: Any, *, language: str, prompt: str = "") -> tuple[Reading, ...]:
        """Greedy decoding of all windows together."""
        return self._decode(encoded, language=language, prompt=prompt, beam_size=1)

    def search(self, encoded: Any, index: int, *, language: str) -> Reading:
        """One window again, several readings side by side."""
        one = _window(encoded, index)
        return self._decode(one, language=language, prompt="", beam_size=BEAM_SIZE)[0]

    def _decode(
        self, encoded: Any, *, language: str, prompt: str, beam_size: int
    ) -> tuple[Reading, ...]:
        tokenizer = self._tokenizer(language)
        tokens = self._model.get_prompt(
            tokenizer,
            previous_tokens=tokenizer.encode(" " + prompt) if prompt else [],
            without_timestamps=True,
        )
        results = self._model.model.generate(
            encoded,
            [list(tokens)] * encoded.shape[0],
            beam_size=beam_size,
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=[-1],
        )
        return tuple(self._reading(tokenizer, result) for result in results)

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
        """The words of one reading with times relative to its window."""
        if not reading.tokens:
            return ()
        one = _window(encoded, index)
        [aligned] = self._model.find_alignment(
            self._tokenizer(language, prompt),
            [list(reading.tokens)],
            one,
            int(seconds * _FRAMES_PER_SECOND),
        )
        return assemble_words(
            [
                (
                    part["word"],
                    min(float(part["start"]) + _LEAD_SECONDS, seconds),
                    min(float(part["end"]) + _LEAD_SECONDS, seconds),
                    float(part["probability"]),
                )
                for part in aligned
            ]
        )

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
        """CTranslate2 shows no probabilities of words that were not chosen, so there are none."""
        del encoded, index, reading, prompt, sounds, seconds
        return ()

    def chances_of_languages(self, audio: FloatArray) -> dict[str, float]:
        """Probability of each language in up to 30 s: one pass of the encoder and one token."""
        _, _, chances = self._model.detect_language(np.array(audio, dtype=np.float32))
        return {code: float(probability) for code, probability in chances}

    def _tokenizer(self, language: str, prompt: str = "") -> Tokenizer:
        kind = _PrimedTokenizer if prompt else Tokenizer
        tokenizer = kind(
            self._model.hf_tokenizer, multilingual=True, task="transcribe", language=language
        )
        if isinstance(tokenizer, _PrimedTokenizer):
            tokenizer.before = [tokenizer.sot_prev, *tokenizer.encode(" " + prompt)]
        return tokenizer

    def _reading(self, tokenizer: Tokenizer, result: Any) -> Reading:
        tokens = tuple(token for token in result.sequences_ids[0] if token < tokenizer.eot)
        text = tokenizer.decode(list(tokens)).strip()
        encoded = text.encode()
        return Reading(
            tokens=tokens,
            text=text,
            no_speech_probability=float(result.no_speech_prob),
            average_log_probability=float(result.scores[0]) * len(tokens) / (len(tokens) + 1),
            compression_ratio=len(encoded) / max(len(zlib.compress(encoded)), 1),
        )


def _window(encoded: Any, index: int) -> Any:
    """The encoding of one of several windows."""
    return type(encoded).from_array(np.array(encoded, copy=False)[index : index + 1].copy())


@lru_cache(maxsize=1)
def load(weights: Path) -> FasterWhisper:
    """Loaded once a process: it reads French and tells the language of everything else."""
    return FasterWhisper(weights)
