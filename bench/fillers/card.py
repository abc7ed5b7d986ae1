"""Model card of the filler heads: training data, size, licences, seed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from bench.fillers.heads import LANGUAGES, HeadTrainer
from bench.fillers.lessons import SEED, voices_of
from bench.fillers.recordings import lessons, recordings
from bench.fillers.train import HEADS


def lines(media: Path) -> Iterator[str]:
    """Yield the table of the heads, and the speakers of their training data."""
    yield "| head | talks, hours | seconds of fillers | synthetic voices | file |"
    yield "| --- | --- | --- | --- | --- |"
    for encoder, languages in LANGUAGES.items():
        count, hours, frames = HeadTrainer(media, encoder).numbers()
        voices = ", ".join(f"{len(voices_of(one))} {one}" for one in languages)
        size = (HEADS / f"{encoder}.npz").stat().st_size / 1000
        talks = f"{count}, {hours:.1f} | {frames * 0.02:.0f}"
        yield f"| {encoder} | {talks} | {voices} | {size:.0f} kB |"
    taught = sorted(
        {(one.licence, one.speaker) for one in recordings(media) if next(lessons(one), None)}
    )
    by_licence = itertools.groupby(taught, key=lambda pair: pair[0])
    said = "; ".join(f"{name}: {', '.join(who for _, who in some)}" for name, some in by_licence)
    yield from ("", f"People in the English lessons, by licence. {said}.")
    yield from ("", f"Seed {SEED}. Made by `python -m bench train_fillers`.")
