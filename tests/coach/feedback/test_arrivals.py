"""Who may still come: those who came lately, twice as fast."""

from __future__ import annotations

import pytest

from coach.feedback.runs.arrivals import once_more


def test_twice_as_many_come_in_the_same_time_the_newest_first() -> None:
    coming = once_more([10.0, 40.0, 80.0], within=100.0)
    assert coming == [
        (5.0, 0, 0),
        (20.0, 0, 1),
        (40.0, 0, 2),
        (55.0, 1, 0),
        (70.0, 1, 1),
        (90.0, 1, 2),
    ]


def test_nobody_is_thought_to_come_after_what_was_looked_at() -> None:
    assert max(when for when, _, _ in once_more([1.0, 3000.0], within=9999.0)) <= 3600.0
    # Of a rush the newest are known; what came before them does not leave a gap.
    ago = [float(second) for second in range(200)]
    again = min(when for when, turn, _ in once_more(ago, within=3000.0) if turn)
    assert again == pytest.approx(99.5)
