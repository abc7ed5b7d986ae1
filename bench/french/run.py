"""Benchmark `french`: French text measures against two labelled corpora of speech."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.document import publish
from bench.french import corpora, filled_pauses, filler_words, restarts, syllables


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and with `--write` update the tables of docs/lab/french.md."""
    parser = argparse.ArgumentParser(prog="python -m bench french", description=__doc__)
    parser.add_argument("--corpora", type=Path, default=corpora.folder())
    parser.add_argument("--write", action="store_true", help="update docs/lab/french.md")
    chosen = parser.parse_args(arguments)
    if not corpora.is_there(chosen.corpora):
        print(f"The two French corpora are not in {chosen.corpora}; name them with --corpora.")
        return 1
    blocks = {
        "french syllables": syllables.lines,
        "french words": filler_words.lines,
        "french restarts": restarts.lines,
        "french euh": filled_pauses.lines,
    }
    for name, lines in blocks.items():
        publish(name, lines(chosen.corpora), is_written=chosen.write)
    return 0
