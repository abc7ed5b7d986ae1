"""The shared recordings that benches measure on; they are no part of the project."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def media_folder() -> Path:
    """ROSTRUM_BENCH_MEDIA, else beside the project."""
    return Path(os.environ.get("ROSTRUM_BENCH_MEDIA", str(ROOT.parent / "shared/media")))


def ask_for_media(parser: argparse.ArgumentParser) -> None:
    """Let the command line name another folder."""
    parser.add_argument("--media", type=Path, default=media_folder())


def is_there(media: Path) -> bool:
    """Whether labelled recordings are in this folder; says so where they are not."""
    if (media / "MANIFEST.csv").is_file():
        return True
    print(f"The labelled recordings are not there: {media} (name them with --media).")
    return False
