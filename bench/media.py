"""Shared recordings for benchmarks; they are not part of the project."""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_MANIFEST = "MANIFEST.csv"


def media_folder() -> Path:
    """Return ROSTRUM_BENCH_MEDIA, or the folder next to the project."""
    return Path(os.environ.get("ROSTRUM_BENCH_MEDIA", str(ROOT.parent / "shared/media")))


def ask_for_media(parser: argparse.ArgumentParser) -> None:
    """Add the option for another directory."""
    parser.add_argument("--media", type=Path, default=media_folder())


def is_there(media: Path) -> bool:
    """Return whether this directory has labelled recordings; print a line if not."""
    if (media / _MANIFEST).is_file():
        return True
    print(f"There are no labelled recordings (no {_MANIFEST}) in {media}; name them with --media.")
    return False


def manifest(media: Path) -> list[dict[str, str]]:
    """Return the rows of the manifest."""
    with (media / _MANIFEST).open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))
