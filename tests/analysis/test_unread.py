"""Where somebody speaks for long and nothing was read is told, and nowhere else."""

from __future__ import annotations

import pytest

from analysis.pipeline.words import unread
from analysis.ports import Span
from analysis.results import Word


def words(*spans: Span) -> list[Word]:
    return [Word(text="w", start=start, end=end, probability=0.9) for start, end in spans]


@pytest.mark.parametrize(
    ("read", "speech", "missed"),
    [
        # The last sentences, the first ones, and some in the middle, with the breaths between.
        ([(0.0, 1.0)], [(0.0, 1.0), (2.5, 4.0), (4.5, 6.5)], [(2.5, 6.5)]),
        ([(9.0, 9.5)], [(1.0, 5.0), (9.0, 9.5)], [(1.0, 5.0)]),
        ([(0.0, 1.0), (8.0, 9.0)], [(0.0, 6.0), (8.0, 9.0)], [(1.0, 6.0)]),
        # A silence, a laugh, and a voice of which every word is there.
        ([(0.0, 1.0), (8.0, 9.0)], [(0.0, 1.0), (8.0, 9.0)], []),
        ([(0.0, 1.0), (8.0, 9.0)], [(0.0, 1.0), (3.0, 5.5), (8.0, 9.0)], []),
        ([(0.0, 4.0), (4.0, 8.0)], [(0.0, 8.0)], []),
        ([], [], []),
    ],
)
def test_a_voice_without_words_is_found(
    read: list[Span], speech: list[Span], missed: list[Span]
) -> None:
    assert list(unread(words(*read), speech)) == missed
