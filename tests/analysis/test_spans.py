from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.talk import spans

Spans = list[tuple[float, float]]


@st.composite
def some_spans(draw: st.DrawFn) -> Spans:
    edges = sorted(draw(st.lists(st.integers(0, 1000), min_size=0, max_size=20, unique=True)))
    return [(a / 10, b / 10) for a, b in zip(edges[::2], edges[1::2], strict=False)]


@given(some_spans())
def test_speech_and_gaps_add_up_to_the_whole(some: Spans) -> None:
    if some:
        whole = some[-1][1] - some[0][0]
        assert spans.total(some) + spans.total(spans.gaps(some)) == pytest.approx(whole)


@given(some_spans(), some_spans())
def test_what_is_cut_out_and_what_is_left_add_up(some: Spans, holes: Spans) -> None:
    left = spans.without(some, holes)
    cut = sum(spans.overlap(span, holes) for span in some)
    assert spans.total(left) + cut == pytest.approx(spans.total(some))


@given(some_spans(), some_spans())
def test_merged_spans_never_overlap(some: Spans, others: Spans) -> None:
    joined = spans.merged([*some, *others])
    assert all(left[1] < right[0] for left, right in itertools.pairwise(joined))


@given(some_spans())
def test_frames_and_spans_are_the_same_thing(some: Spans) -> None:
    mask = spans.frames_inside(some, step=0.1, count=1001)
    assert spans.total(spans.spans_of(mask, step=0.1)) == pytest.approx(spans.total(some))


def test_close_spans_are_joined_on_request() -> None:
    assert spans.merged([(0, 1), (1.05, 2)], closer_than=0.1) == ((0, 2),)
    assert spans.merged([(0, 1), (1.2, 2)], closer_than=0.1) == ((0, 1), (1.2, 2))


def test_a_short_gap_is_no_gap() -> None:
    assert spans.gaps([(0, 1), (1.2, 2), (2.5, 3)], at_least=0.25) == ((2, 2.5),)


def test_no_spans_make_an_empty_mask() -> None:
    assert not spans.frames_inside([], step=0.01, count=5).any()
    assert spans.spans_of(np.zeros(5, dtype=np.bool_), step=0.01) == ()
