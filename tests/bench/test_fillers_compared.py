"""Two systems on the same recordings: what is hard for both is no difference between them."""

from __future__ import annotations

import pytest

from bench.counts import Count
from bench.fillers.judge import ConditionRow, interval_of_less, less, table
from bench.intervals import resampled

# An easy recording and three hard ones.
OURS = [Count(9, 0, 1), Count(2, 3, 3), Count(1, 4, 4), Count(2, 3, 3)]


def test_a_system_is_no_better_than_itself_however_hard_its_recordings_are() -> None:
    assert less(OURS, OURS) == 0
    assert interval_of_less(OURS, OURS) == (0, 0)


def test_a_difference_on_each_recording_is_surer_than_either_figure() -> None:
    others = [Count(each.hits - 1, each.false + 1, each.missed + 1) for each in OURS]
    apart = interval_of_less(OURS, others)
    alone = resampled(OURS, lambda counts: less(counts, [Count(0, 1, 1)] * len(counts)))
    assert apart is not None
    assert alone is not None
    assert apart[0] > 0
    assert apart[1] - apart[0] < alone[1] - alone[0]


@pytest.mark.parametrize("systems", [("ours",), ("ours", "plain", "prompted")])
def test_every_line_of_the_table_has_as_many_cells(systems: tuple[str, ...]) -> None:
    row = ConditionRow("clean", dict.fromkeys(systems, OURS), 1.0)
    assert len({line.count("|") for line in table([row], systems)}) == 1


def test_recordings_without_a_filler_compare_nothing() -> None:
    silent = [Count(0, 1, 0), Count(0, 0, 0), Count(0, 2, 0)]
    assert less(silent, [Count(0, 0, 0)] * 3) is None
    assert interval_of_less(silent, [Count(0, 0, 0)] * 3) is None
