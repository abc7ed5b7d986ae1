"""Published accuracy figures, compared with their last accepted values."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bench.__main__ import BENCHMARKS
from bench.accuracy_gate import FIGURES, GatedFigure, accept, figures


@pytest.mark.parametrize("figure", figures(), ids=lambda one: one.name)
def test_no_published_figure_has_become_worse(figure: GatedFigure) -> None:
    assert not figure.is_worse(figure.published())
    assert figure.command in BENCHMARKS


def test_a_figure_beyond_its_tolerance_is_worse_and_a_better_one_is_not() -> None:
    share, error = (
        next(one for one in figures() if one.is_error is kind) for kind in (False, True)
    )
    for one, sign in ((share, -1), (error, 1)):
        assert one.is_worse(one.last + sign * (one.tolerance + 0.01))
        assert not one.is_worse(one.last + sign * one.tolerance)
        assert not one.is_worse(one.last - sign)


def test_a_figure_that_is_gone_is_an_error() -> None:
    with pytest.raises(ValueError, match="no figure"):
        replace(figures()[0], after="| no such row |").published()


def test_what_is_published_can_be_accepted(tmp_path: Path) -> None:
    place = Path(shutil.copy(FIGURES, tmp_path))
    place.write_text(place.read_text().replace("last = 0.09", "last = 0.02"))
    before = figures(place)[0]
    assert before.is_worse(before.published())
    accept(figures(place), place)
    assert figures(place) == figures()
