"""openai-whisper engine: encodes a window once, reads it as often as needed, aligns words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import whisper
from numpy.typing import NDArray
from torch import Tensor
from whisper.audio import N_FRAMES, log_mel_spectrogram, pad_or_trim
from whisper.model import disable_sdpa
from whisper.timing import median_filter
from whisper.tokenizer import Tokenizer, get_tokenizer

from analysis.backends.speech.alignment import (
    SECONDS_PER_FRAME,
    assemble_words,
    first_frames,
)
from analysis.backends.speech.reading import (
    BEAM_SIZE,
    LEAST_SLOT_PROBABILITY,
    OPENING_DISCOUNT,
    Reading,
)
from analysis.ports import FloatArray, SpeechSize
from analysis.results import Word

_SMOOTHING_FRAMES = 7
_LAG_SECONDS = {"tiny.en": 0.07}
"""Correction in seconds: attention of this size is late, by the median over three labelled
recordings. The others were not measured; where speech begins after a pause, their words are
corrected anyway.
"""
_Placed = tuple[NDArray[np.float64], NDArray[np.float32]]


class OpenAIWhisper:
    """Recogniser for English only: `.en` sizes silently accept other languages, so they are never
    used for them.
    """

    def __init__(self, weights: Path, size: SpeechSize) -> None:
        self.name: str = size
        self._model = whisper.load_model(self.name, download_root=str(weights.parent))
        self._tokenizer: Tokenizer = get_tokenizer(multilingual=False)
        self._last: tuple[tuple[int, int, tuple[int, ...], str], _Placed] | None = None

    def encode(self, audio: Sequence[FloatArray]) -> Tensor:
        """Return the encodings of windows of at most 30 s."""
        spectra = [
            pad_or_trim(log_mel_spectrogram(torch.from_numpy(np.array(part))), N_FRAMES)
            for part in audio
        ]
        with torch.inference_mode():
            encoded: Tensor = torch.cat([self._model.encoder(mel[None]) for mel in spectra])
        return encoded

    def frames(self, encoded: Tensor, index: int) -> FloatArray:
        """Return the encoder output of one window, shape (frames of 20 ms, dimensions)."""
        one: FloatArray = encoded[index].numpy()
        return one

    def read(
        self, encoded: Tensor, *, language: str, prompt: str = "", sounds: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        """Decode all windows greedily; the probabilities of sounds are computed later."""
        del sounds
        return self._decode(encoded, _options(language, prompt=prompt or None))

    def read_closely(self, encoded: Tensor, *, language: str, prompt: str) -> tuple[Reading, ...]:
        """Decode all windows with beam search and time stamps."""
        options = _options(language, prompt=prompt, beam_size=BEAM_SIZE)
        return self._decode(encoded, replace(options, without_timestamps=False))

    def search(self, encoded: Tensor, index: int, *, language: str) -> Reading:
        """Decode one window again with beam search."""
        options = _options(language, beam_size=BEAM_SIZE)
        return self._decode(encoded[index : index + 1], options)[0]

    def _decode(self, encoded: Tensor, options: whisper.DecodingOptions) -> tuple[Reading, ...]:
        with torch.inference_mode():
            results = whisper.decode(self._model, encoded, options)
        return tuple(
            Reading(
                tokens=tuple(token for token in result.tokens if token < self._tokenizer.eot),
                text=result.text,
                no_speech_probability=float(result.no_speech_prob),
                average_log_probability=float(result.avg_logprob),
                compression_ratio=float(result.compression_ratio),
            )
            for result in results
        )

    def align(
        self,
        encoded: Tensor,
        index: int,
        reading: Reading,
        *,
        language: str,
        seconds: float,
        prompt: str = "",
    ) -> tuple[Word, ...]:
        """Return the words of a reading, with times relative to its window."""
        del language  # this model has only one
        tokens = self._spoken(reading)
        if not tokens:
            return ()
        starts, probabilities = self._placed(encoded, index, tokens, seconds, prompt)
        return self._words(list(tokens), starts, probabilities)

    def filler_slots(
        self,
        encoded: Tensor,
        index: int,
        reading: Reading,
        *,
        language: str,
        primed: Reading,
        prompt: str,
        sounds: Sequence[str],
        seconds: float,
    ) -> tuple[Word, ...]:
        """Return slots between words where a filler is plausible when the model is primed with
        fillers.

        Each is a word of zero length; its probability is that of any filler there.
        """
        del language, primed  # every word is scored again
        tokens = self._spoken(reading)
        if not tokens:
            return ()
        starts, _ = self._placed(encoded, index, tokens, seconds, "")
        _, groups = self._tokenizer.split_to_word_tokens([*tokens, self._tokenizer.eot])
        edges = np.concatenate([[0], np.cumsum([len(group) for group in groups])[:-1]])
        chances = self._filler_chances(encoded[index : index + 1], list(tokens), prompt, sounds)
        chances[0] *= OPENING_DISCOUNT
        return tuple(
            Word(
                text=sounds[int(chances[edge].argmax())],
                start=round(float(starts[edge]), 3),
                end=round(float(starts[edge]), 3),
                probability=min(float(chances[edge].sum()), 1.0),
            )
            for edge in edges
            if chances[edge].sum() >= LEAST_SLOT_PROBABILITY
        )

    def _filler_chances(
        self, encoded: Tensor, tokens: list[int], prompt: str, sounds: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return the probability of each sound in place of the next token, shape (tokens + 1,
        sounds).
        """
        tokenizer = self._tokenizer
        sequence = [*self._opening(prompt), tokenizer.no_timestamps, *tokens]
        with torch.inference_mode():
            logits = self._model.decoder(torch.tensor([sequence]), encoded)[0]
        chances = logits[-len(tokens) - 1 :].softmax(dim=-1)
        columns = []
        for sound in sounds:
            spellings = {
                tokenizer.encode(lead + form)[0]
                for lead in ("", " ")
                for form in (sound, sound.capitalize())
                if len(tokenizer.encode(lead + form)) == 1
            }
            columns.append(chances[:, sorted(spellings)].sum(dim=-1).double().numpy())
        return np.stack(columns, axis=1)

    def _spoken(self, reading: Reading) -> tuple[int, ...]:
        return tuple(token for token in reading.tokens if token < self._tokenizer.eot)

    def _placed(
        self, encoded: Tensor, index: int, tokens: tuple[int, ...], seconds: float, prompt: str
    ) -> _Placed:
        """Return the start of each token in seconds, and its probability. The last result is
        cached.
        """
        key = (id(encoded), index, tokens, prompt)
        if self._last is None or self._last[0] != key:
            opening = self._opening(prompt)
            one = encoded[index : index + 1]
            attention, probabilities = self._attend(one, list(tokens), opening)
            frames = max(int(seconds / SECONDS_PER_FRAME), 1)
            matrix = _alignment_matrix(attention, frames=frames)[len(opening) : -1]
            late = first_frames(-matrix).astype(np.float64) * SECONDS_PER_FRAME
            self._last = (
                key,
                (np.maximum(late - _LAG_SECONDS.get(self.name, 0.0), 0.0), probabilities),
            )
        return self._last[1]

    def _opening(self, prompt: str) -> tuple[int, ...]:
        """Return the start sequence, preceded by the prompt."""
        tokenizer = self._tokenizer
        before = (tokenizer.sot_prev, *tokenizer.encode(" " + prompt)) if prompt else ()
        return (*before, *tokenizer.sot_sequence)

    def _attend(
        self, encoded: Tensor, tokens: list[int], opening: tuple[int, ...]
    ) -> tuple[Tensor, NDArray[np.float32]]:
        """Return attention of the alignment heads (heads, tokens, frames) and the probability of
        each token.
        """
        tokenizer = self._tokenizer
        sequence = [*opening, tokenizer.no_timestamps, *tokens, tokenizer.eot]
        seen: dict[int, Tensor] = {}
        hooks = [
            block.cross_attn.register_forward_hook(
                lambda _, __, output, layer=layer: seen.__setitem__(layer, output[-1][0])
            )
            for layer, block in enumerate(self._model.decoder.blocks)
        ]
        try:
            with torch.inference_mode(), disable_sdpa():
                logits = self._model.decoder(torch.tensor([sequence]), encoded)[0]
        finally:
            for hook in hooks:
                hook.remove()
        heads = self._model.alignment_heads.indices().T.tolist()
        chosen = logits[len(opening) : -2, : tokenizer.eot].softmax(dim=-1)
        probability = chosen[torch.arange(len(tokens)), torch.tensor(tokens)]
        return torch.stack([seen[layer][head] for layer, head in heads]), probability.numpy()

    def _words(
        self, tokens: list[int], starts: NDArray[np.float64], probabilities: NDArray[np.float32]
    ) -> tuple[Word, ...]:
        texts, groups = self._tokenizer.split_to_word_tokens([*tokens, self._tokenizer.eot])
        edges = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
        pieces = [
            (
                text,
                float(starts[first]),
                float(starts[min(last, len(starts) - 1)]),
                float(probabilities[first:last].mean()),
            )
            for text, first, last in zip(texts, edges[:-1], edges[1:], strict=True)
            if last <= len(tokens)
        ]
        return assemble_words(pieces)


def _options(language: str, **further: Any) -> whisper.DecodingOptions:
    return whisper.DecodingOptions(
        language=language, fp16=False, without_timestamps=True, **further
    )


def _alignment_matrix(attention: Tensor, *, frames: int) -> NDArray[np.float64]:
    """Return attention standardised over tokens and smoothed, as openai-whisper does it."""
    weights = attention[:, :, :frames].softmax(dim=-1)
    deviation, mean = torch.std_mean(weights, dim=-2, keepdim=True, unbiased=False)
    smoothed = median_filter((weights - mean) / (deviation + 1e-9), _SMOOTHING_FRAMES)
    matrix: NDArray[np.float64] = smoothed.mean(dim=0).double().numpy()
    return matrix
