"""Syllables counted from words, against those that Rhapsodie marks by ear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from analysis.talk.syllables import syllables_of
from bench.french.corpora import GROUPS, Tier, group_of, is_filled_pause, prosody
from bench.intervals import resampled

_LEAST_SYLLABLES = 80


def lines(corpora: Path) -> Iterator[str]:
    """Yield the table: error of the syllable count by group of talks."""
    errors = {
        name: error for name, tiers in prosody(corpora) if (error := error_of(tiers)) is not None
    }
    yield "| talks | n | median error (95% range) | tenth to ninetieth percentile | within 5% |"
    yield "| --- | --- | --- | --- | --- |"
    yield _row("all", list(errors.values()))
    for group, title in GROUPS.items():
        yield _row(title, [error for name, error in errors.items() if group_of(name) == group])


def error_of(tiers: Mapping[str, Tier]) -> float | None:
    """Return by how much the count is above the marked syllables, filled pauses left out; None for
    short talks.
    """
    filled = [one for one in tiers["word"].pieces if is_filled_pause(one[2])]
    spoken = [
        one
        for one in tiers["syllabe"].pieces
        if not any(start <= (one[0] + one[1]) / 2 <= end for start, end, _ in filled)
    ]
    if len(spoken) <= _LEAST_SYLLABLES:
        return None
    said = [text for _, _, text in tiers["word"].pieces if not is_filled_pause(text)]
    return sum(syllables_of(text, "fr") for text in said) / len(spoken) - 1


def _row(title: str, errors: Sequence[float]) -> str:
    near = resampled(errors, _median)
    reach = f" ({100 * near[0]:+.1f} to {100 * near[1]:+.1f})" if near else ""
    low, high = np.percentile(errors, [10, 90])
    close = sum(abs(error) <= 0.05 for error in errors)
    return (
        f"| {title} | {len(errors)} | {100 * _median(errors):+.1f}%{reach} | "
        f"{100 * low:+.1f} to {100 * high:+.1f}% | {close} of {len(errors)} |"
    )


def _median(errors: Sequence[float]) -> float:
    return float(np.median(errors))
