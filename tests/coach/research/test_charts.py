"""Charts of the glance as they are drawn, and the intervals in them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from coach.lib.words.shares import share_of
from coach.research.dashboard.drawing import draw
from coach.research.dashboard.feedback import intervals_of
from coach.research.dashboard.intervals import mean_interval, ratio_interval
from coach.research.dashboard.spec import DashboardChart, Series


@pytest.mark.parametrize("kind", ["bars", "counts", "dots", "columns", "heat"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_is_text_in_any_script_and_the_same_each_time(kind: str, theme: str) -> None:
    labels = ("pauses: $x$ <b>", "التوقّف", "👩🏽‍🏫 aside")
    series = tuple(
        Series(name=name, values=(0.2, None, 0.9), low=(0.1, None, None), high=(0.4, None, None))
        for name in ("A", "B & C")
    )
    if kind == "heat":
        series = tuple(Series(name=name, values=(0.0, 0.5, None)) for name in labels)
    chart = DashboardChart(kind=kind, labels=labels, series=series, axis="share", is_share=True)  # type: ignore[arg-type]
    image = draw(chart, theme=theme, is_narrow=True)
    assert draw(chart, theme=theme, is_narrow=True) == image
    said = " ".join(text or "" for text in ET.fromstring(image).itertext())  # noqa: S314  # ours
    assert "share" in said
    if kind not in ("columns",):
        assert all(part in said for part in ("التوقّف", "$x$ <b>"))


def test_intervals_are_drawn_over_people_and_always_the_same() -> None:
    low, high = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert low is not None
    assert high is not None
    assert 1.0 < low < 3.0 < high < 5.0
    assert mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == (low, high)
    assert mean_interval([1.0]) == (None, None)
    low, high = ratio_interval([(2, 2), (2, 2)])
    assert low is not None
    assert low < 0.6
    assert high == 1.0


def test_the_intervals_of_many_rules_are_those_of_each_alone() -> None:
    dice = np.random.default_rng(1)
    sizes = (40, 7, 300, 0, 40, 2, 1, 300)
    tables = [
        [(int(dice.binomial(cases, 0.6)), int(cases)) for cases in dice.integers(1, 6, size)]
        for size in sizes
    ]
    expected: list[tuple[float | None, float | None]] = []
    for pairs in tables:
        if len(pairs) < 2:
            expected.append((None, None))
            continue
        draws = np.random.default_rng(0).multinomial(
            len(pairs), np.full(len(pairs), 1 / len(pairs)), size=1_000
        )
        hits, cases = (draws @ np.array(pairs)).T
        low, high = np.percentile(hits / cases, (2.5, 97.5))
        whole = share_of(*(sum(each) for each in zip(*pairs, strict=True)))
        assert whole is not None
        expected.append((min(low, whole.interval[0]), max(high, whole.interval[1])))
    assert intervals_of(tables) == expected
    assert intervals_of(iter(tables)) == expected
