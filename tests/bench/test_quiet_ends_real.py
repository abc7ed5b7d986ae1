"""Planted falls in real recordings: which ends are judged, and that the measures see them."""

from __future__ import annotations

import numpy as np

from analysis.results import Word
from bench.judgement.planting import RATE_HZ
from bench.judgement.quiet_ends_real import (
    below_the_second_before,
    ends_of,
    shipped,
    without_its_end,
)


def test_a_fall_at_each_pause_is_seen_by_each_measure() -> None:
    words, at = [], 0.0
    for index in range(24):
        ends = index % 8 == 7
        words.append(Word(text="so." if ends else "so", start=at, end=at + 0.3, probability=0.9))
        at += 0.8 if ends else 0.3
    time = np.arange(round(at * RATE_HZ)) / RATE_HZ
    sound = (0.1 * np.sin(2 * np.pi * 150 * time)).astype(np.float32)

    found = list(ends_of("a", sound, words))

    assert len(found) == 3
    for one in found:
        for measure in (shipped, without_its_end, below_the_second_before):
            assert measure(one.planted, *one.span) > measure(one.unchanged, *one.span) + 5
