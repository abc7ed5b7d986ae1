"""Converted weights: made locally from downloaded weights, once, checked and atomically."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis import models
from analysis.errors import ModelUnavailable

RECIPE = "1"
"""Version of the conversion; another version makes existing weights outdated."""

Make = Callable[[Path, Path], None]
"""Converter, called with the input and an empty directory. Raises if its result does not work."""

_SUFFIX = "-int8"
_MANIFEST = "conversion.json"
"""Manifest, written last: the SHA-256 of the input and of every file made."""


def name_of(size: str) -> str:
    """Return the name of the 8-bit weights of a Whisper size."""
    return f"{size}{_SUFFIX}"


def is_converted(name: str) -> bool:
    """Return whether weights of that name are made by conversion."""
    return name.endswith(_SUFFIX)


def path_of(size: str) -> Path:
    """Return the checked directory. Raises ModelUnavailable if it is
    missing, damaged or outdated.
    """
    folder = models.models_dir() / name_of(size)
    if _valid_manifest(folder, size) is None:
        raise ModelUnavailable("conversion_missing", file=folder.name)
    return folder


def sha256_of(name: str) -> str:
    """Return the SHA-256 of the converted model, as used in reports. Raises ModelUnavailable."""
    files: Mapping[str, str] = _read_manifest(path_of(name.removesuffix(_SUFFIX)))["files"]
    return files["model.bin"]


def convert_once(size: str, make: Make) -> Path:
    """Convert the weights of a size unless they exist. Safe with concurrent processes.

    Everything is made in a temporary directory and moved in one step; remains of killed attempts
    are deleted.
    """
    cache = models.models_dir()
    source = models.path_of(f"{size}.pt")
    place = cache / name_of(size)
    with models.file_lock(cache / ".making"):
        for abandoned in cache.glob(".made-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        if _valid_manifest(place, size) is None:
            with tempfile.TemporaryDirectory(dir=cache, prefix=".made-") as work:
                made = Path(work) / place.name
                made.mkdir()
                make(source, made)
                _write_manifest(made, size)
                if place.exists():
                    place.rename(Path(work) / "before")
                made.rename(place)
    return place


def _write_manifest(folder: Path, size: str) -> None:
    files = {path.name: models.sha256_of_file(path) for path in sorted(folder.iterdir())}
    sealed = {"recipe": RECIPE, "source": models.sha256_of(f"{size}.pt"), "files": files}
    (folder / _MANIFEST).write_text(json.dumps(sealed, indent=2) + "\n", encoding="utf-8")


def _valid_manifest(folder: Path, size: str) -> Mapping[str, Any] | None:
    """Return the manifest of an intact conversion of the right weights, otherwise None."""
    try:
        sealed = _read_manifest(folder)
        files = {name: models.sha256_of_file(folder / name) for name in sealed["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    expected = (RECIPE, models.sha256_of(f"{size}.pt"), files)
    is_right = (sealed.get("recipe"), sealed.get("source"), sealed["files"]) == expected
    return sealed if is_right else None


def _read_manifest(folder: Path) -> Mapping[str, Any]:
    sealed: Mapping[str, Any] = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    return sealed
