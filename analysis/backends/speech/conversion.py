"""Weight conversion: English Whisper to 8-bit CTranslate2, with a check that the result still
reads.

Both have the layout of the Transformer of Radford et al. (2022). CTranslate2 joins queries, keys
and values of self-attention into one matrix, and keys and values of cross-attention into another.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
import whisper
from ctranslate2 import StorageView
from ctranslate2.models import Whisper as Converted
from ctranslate2.specs import WhisperSpec
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from whisper.tokenizer import get_tokenizer

from analysis.errors import ModelUnavailable

_PARTS = ("query", "key", "value")
_SENTENCE = " Thank you, everyone: in 2024 the café's 35% rise wasn't, um, small."
"""Test sentence, unrelated to the sound: both models must give it the same probability and tokens.
"""
_LEAST_LIKENESS, _FARTHEST = 0.99, 0.4
"""Limits of the check. Rounding tiny.en to 8 bits left the encoder's frames a mean similarity
(cosine) of 0.999 and changed log probabilities of tokens by 0.13 on average; wrong matrices gave
-0.09 and 14.
"""

Weights = Mapping[str, NDArray[np.float32]]


def convert(source: Path, folder: Path) -> None:
    """Write `model.bin`, its configuration and its tokenizer. Raises ModelUnavailable if the check
    fails.
    """
    model = whisper.load_model(source.stem, download_root=str(source.parent))
    if model.is_multilingual:
        raise ModelUnavailable("model_multilingual", file=source.name)
    spec = _converted_spec(model)
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    tokenizer = _tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    _verify(model, folder, tokenizer)


def _converted_spec(model: whisper.Whisper) -> WhisperSpec:
    dims = model.dims
    # Copies: CTranslate2 rounds in place, and the model is still needed for the comparison.
    weights = {name: part.float().numpy().copy() for name, part in model.state_dict().items()}
    spec = WhisperSpec(dims.n_audio_layer, dims.n_audio_head, dims.n_text_layer, dims.n_text_head)
    for name in ("conv1", "conv2"):
        _fill(getattr(spec.encoder, name), weights, f"encoder.{name}")
    spec.encoder.position_encodings.encodings = weights["encoder.positional_embedding"]
    _normalise(spec.encoder.layer_norm, weights, "encoder.ln_post")
    for index, layer in enumerate(spec.encoder.layer):
        _layer(layer, weights, f"encoder.blocks.{index}")
    embedding = weights["decoder.token_embedding.weight"]
    spec.decoder.embeddings.weight = spec.decoder.projection.weight = embedding
    spec.decoder.position_encodings.encodings = weights["decoder.positional_embedding"]
    _normalise(spec.decoder.layer_norm, weights, "decoder.ln")
    for index, layer in enumerate(spec.decoder.layer):
        name = f"decoder.blocks.{index}"
        _layer(layer, weights, name)
        _attention(layer.attention, weights, f"{name}.cross_attn", joined=("query",))
    _configure(spec, model)
    return spec


def _layer(layer: Any, weights: Weights, name: str) -> None:
    _attention(layer.self_attention, weights, f"{name}.attn", joined=_PARTS)
    _fill(layer.ffn.linear_0, weights, f"{name}.mlp.0")
    _fill(layer.ffn.linear_1, weights, f"{name}.mlp.2")
    _normalise(layer.ffn.layer_norm, weights, f"{name}.mlp_ln")


def _attention(target: Any, weights: Weights, name: str, *, joined: tuple[str, ...]) -> None:
    """Fill an attention block: `joined` forms the first matrix, the rest a second. Keys have no
    bias.
    """
    rest = tuple(part for part in _PARTS if part not in joined)
    for matrix, parts in zip(target.linear, filter(None, (joined, rest)), strict=False):
        matrix.weight = np.concatenate([weights[f"{name}.{part}.weight"] for part in parts])
        none = np.zeros_like(weights[f"{name}.query.bias"])
        matrix.bias = np.concatenate([weights.get(f"{name}.{part}.bias", none) for part in parts])
    _fill(target.linear[-1], weights, f"{name}.out")
    _normalise(target.layer_norm, weights, f"{name}_ln")


def _fill(target: Any, weights: Weights, name: str) -> None:
    target.weight, target.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]


def _normalise(target: Any, weights: Weights, name: str) -> None:
    target.gamma, target.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]


def _configure(spec: WhisperSpec, model: whisper.Whisper) -> None:
    """Set the vocabulary, the suppressed tokens and the alignment heads."""
    tokenizer = get_tokenizer(multilingual=False)
    spec.register_vocabulary([*_spelt(_ranks()), *_special()])
    never = (tokenizer.transcribe, tokenizer.translate, tokenizer.sot, tokenizer.sot_prev)
    spec.config.suppress_ids = sorted(
        {*tokenizer.non_speech_tokens, *never, tokenizer.sot_lm, tokenizer.no_speech}
    )
    spec.config.suppress_ids_begin = [tokenizer.encode(" ")[0], tokenizer.eot]
    spec.config.lang_ids = []
    spec.config.alignment_heads = model.alignment_heads.indices().T.tolist()


def _ranks() -> list[bytes]:
    """Return the byte pairs of Whisper's English vocabulary, by rank."""
    ranks: dict[bytes, int] = get_tokenizer(multilingual=False).encoding._mergeable_ranks  # noqa: SLF001 - tiktoken has no other door to them
    return sorted(ranks, key=lambda piece: ranks[piece])


def _special() -> list[str]:
    special: dict[str, int] = get_tokenizer(multilingual=False).special_tokens
    return sorted(special, key=lambda token: special[token])


@cache
def _byte_characters() -> dict[int, str]:
    """Return the character for each byte (GPT-2's table); printable bytes represent themselves."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {
        byte: chr(256 + place) for place, byte in enumerate(others)
    }


def _spelt(pieces: Iterable[bytes]) -> list[str]:
    letters = _byte_characters()
    return ["".join(letters[byte] for byte in piece) for piece in pieces]


def _tokenizer() -> Tokenizer:
    """Return the same vocabulary as a `tokenizer.json`; tiktoken's ranks are
    the order of merges.
    """
    pieces = _ranks()
    ranks = {piece: rank for rank, piece in enumerate(pieces)}
    spelt = _spelt(pieces)
    tokenizer = Tokenizer(
        models.BPE(
            vocab={text: rank for rank, text in enumerate(spelt)},
            merges=[_merge(piece, ranks) for piece in pieces if len(piece) > 1],
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in _special()])
    return tokenizer


def _merge(piece: bytes, ranks: Mapping[bytes, int]) -> tuple[str, str]:
    """Return the two pieces that were merged into a longer one, by replaying the earlier merges."""
    parts = [piece[at : at + 1] for at in range(len(piece))]
    while len(parts) > 2:
        pairs = [left + right for left, right in itertools.pairwise(parts)]
        at = min(range(len(pairs)), key=lambda at: ranks.get(pairs[at], len(ranks)))
        parts[at : at + 2] = [pairs[at]]
    first, second = _spelt(parts)
    return first, second


def _verify(model: whisper.Whisper, folder: Path, tokenizer: Tokenizer) -> None:
    """Check that both models encode a synthetic vowel alike and score a sentence alike. Raises
    ModelUnavailable.
    """
    known = get_tokenizer(multilingual=False)
    tokens = known.encode(_SENTENCE)
    again = tokenizer.encode(_SENTENCE, add_special_tokens=False).ids
    if again != tokens or tokenizer.decode(tokens) != _SENTENCE:
        raise ModelUnavailable("tokenizer_differs", file=folder.name)
    mel = _vowel_spectrogram(model.dims.n_mels)
    opening = [*known.sot_sequence]
    sequence = torch.tensor([[*opening, known.no_timestamps, *tokens]])
    with torch.inference_mode():
        heard: Tensor = model.encoder(mel)
        logits = model.decoder(sequence, heard)[0, len(opening) : -1, : known.eot]
        wanted = logits.log_softmax(-1)[torch.arange(len(tokens)), tokens].numpy()
    converted = Converted(str(folder), device="cpu", compute_type="int8", intra_threads=1)
    encoded = converted.encode(StorageView.from_array(mel.numpy()))
    likeness = torch.cosine_similarity(torch.from_numpy(np.array(encoded)), heard, dim=-1)
    [aligned] = converted.align(encoded, opening, [tokens], heard.shape[1])
    chances = np.log(np.maximum(aligned.text_token_probs[: len(tokens)], 1e-9))
    farthest = float(np.abs(chances - np.maximum(wanted, np.log(1e-9))).mean())
    if float(likeness.mean()) < _LEAST_LIKENESS or farthest > _FARTHEST:
        raise ModelUnavailable(
            "conversion_differs",
            file=folder.name,
            likeness=float(likeness.mean()),
            apart=float(farthest),
        )


def _vowel_spectrogram(bands: int) -> Tensor:
    """Return the spectrogram of three seconds of a gliding, vowel-like sound."""
    time = np.arange(3 * whisper.audio.SAMPLE_RATE) / whisper.audio.SAMPLE_RATE
    phase = 2 * np.pi * np.cumsum(120 + 30 * np.sin(2 * np.pi * 1.5 * time)) / 16_000
    shape = [1.0, 0.8, 0.9, 0.6, 0.7, 0.9, 0.5, 0.3, 0.3, 0.4, 0.2, 0.1]
    sound = sum(part * np.sin((n + 1) * phase) for n, part in enumerate(shape))
    level = 0.05 * (1 + np.sin(2 * np.pi * 3 * time))
    mel = whisper.log_mel_spectrogram((level * sound).astype(np.float32), bands)
    padded: Tensor = whisper.pad_or_trim(mel, whisper.audio.N_FRAMES)[None]
    return padded
