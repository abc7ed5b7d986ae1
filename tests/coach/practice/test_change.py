"""A change is called one only where it is more than measuring error."""

from __future__ import annotations

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from coach.practice.change import Change, Value, Verdict, change_between
from coach.practice.words import change_words, signed


def value(middle: float, half: float) -> Value:
    return Value(value=middle, low=middle - half, high=middle + half)


def test_ranges_that_lie_far_apart_are_a_change() -> None:
    change = change_between(value(8, 1), value(3, 1))
    assert change.verdict is Verdict.LESS
    assert change.difference == -5
    # Two equal half widths of 80%: the root of two of them, widened to 95%.
    assert change.high == pytest.approx(-5 + 2**0.5 * 1.96 / 1.2816)


def test_within_measuring_error_nothing_is_claimed() -> None:
    change = change_between(value(8, 2), value(6, 2))
    assert change.verdict is Verdict.CANNOT_TELL
    assert not change.is_clear


def test_where_one_side_has_no_range_nothing_is_claimed() -> None:
    change = change_between(Value(value=8), value(1, 0.1))
    assert change.verdict is Verdict.NO_ERROR_KNOWN
    assert change.low is None


@given(
    st.tuples(st.floats(0, 50), st.floats(0, 20), st.floats(0, 20)),
    st.tuples(st.floats(0, 50), st.floats(0, 20), st.floats(0, 20)),
)
def test_the_range_holds_the_difference_and_turning_time_round_turns_it_round(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    first, second = (
        Value(value=middle, low=middle - down, high=middle + up)
        for middle, down, up in (one, other)
    )
    there, back = change_between(first, second), change_between(second, first)
    assert there.low is not None
    assert there.high is not None
    assert there.low <= there.difference <= there.high
    assert back.high == pytest.approx(-there.low)


@pytest.mark.parametrize(
    ("change", "lead", "rests_on"),
    [
        (
            Change(difference=-5, low=-8.2, high=-1.5, verdict=Verdict.LESS),
            "It went down by more than the measurement error.",
            "The change is between −8.2 and −1.5 per minute (in 95 of 100 cases).",
        ),
        (
            Change(difference=0.2, low=-0.5, high=0.9, verdict=Verdict.CANNOT_TELL),
            "We cannot tell whether this changed.",
            "could be measurement error",
        ),
        (
            Change(difference=0.2, verdict=Verdict.NO_ERROR_KNOWN),
            "We cannot tell whether this changed.",
            "do not know how exact",
        ),
    ],
)
def test_what_is_said_of_it(change: Change, lead: str, rests_on: str) -> None:
    said, why = change_words(change, "per minute")
    assert said == lead
    assert rests_on in why


def test_shares_differ_by_percentage_points() -> None:
    assert signed(-0.124, "share") == "−12"
    assert signed(0.5, "semitones") == "+0.5"
    assert signed(0.0, "per minute") == "0"


@pytest.mark.parametrize("unit", ["per minute", "semitones", "share", "count"])
@pytest.mark.parametrize("little", [0.002, -0.002])
def test_nothing_has_no_sign(unit: str, little: float) -> None:
    assert signed(little, unit) == "0"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.4, 0.5, "entre −0,4 et +0,5 demi-ton (dans"),
        (-2.4, 0.5, "entre −2,4 et +0,5 demi-tons (dans"),
    ],
)
def test_french_counts_a_change_by_its_larger_end(low: float, high: float, said: str) -> None:
    change = Change(difference=0.1, low=low, high=high, verdict=Verdict.CANNOT_TELL)
    with translation.override("fr"):
        assert said in change_words(change, "semitones")[1]
