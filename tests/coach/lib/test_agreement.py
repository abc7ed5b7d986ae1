"""Agreement against published examples and libraries that others wrote."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

import pytest
from sklearn.metrics import cohen_kappa_score

from coach.lib.agreement import (
    CodedUnit,
    Level,
    Undefined,
    cohen_kappa,
    krippendorff_alpha,
    positive_agreement,
    two_by_two,
)

GAP = None


def units_of(*raters: Sequence[Hashable | None], cluster: int = 1) -> list[CodedUnit]:
    """One row of values a rater; ``None`` is a gap; ``cluster`` units hang together."""
    return [
        CodedUnit(
            {f"rater {n}": value for n, value in enumerate(column) if value is not GAP},
            cluster=str(place // cluster),
        )
        for place, column in enumerate(zip(*raters, strict=True))
    ]


# Krippendorff (2011), section C: four observers, twelve units, values missing.
PUBLISHED = units_of(
    (1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3),
    (GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP),
)


@pytest.mark.parametrize(
    ("level", "published"),
    [(Level.NOMINAL, 0.743), (Level.ORDINAL, 0.815), (Level.INTERVAL, 0.849)],
)
def test_alpha_is_what_krippendorff_published(level: Level, published: float) -> None:
    assert krippendorff_alpha(PUBLISHED, level).value == pytest.approx(published, abs=0.0006)


def test_alpha_of_two_observers_and_two_values_is_what_krippendorff_published() -> None:
    units = units_of((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0))
    assert krippendorff_alpha(units, Level.NOMINAL).value == pytest.approx(0.095, abs=0.0006)


def test_kappa_is_what_another_library_says() -> None:
    chance = random.Random(4)  # noqa: S311
    for _ in range(20):
        first = [chance.choice("abc") for _ in range(30)]
        second = [value if chance.random() < 0.6 else chance.choice("abc") for value in first]
        ours = cohen_kappa(units_of(first, second), "rater 0", "rater 1").value
        assert ours == pytest.approx(cohen_kappa_score(first, second))


def test_alpha_of_two_raters_without_gaps_comes_close_to_kappa_as_units_grow() -> None:
    chance = random.Random(1)  # noqa: S311
    first = [chance.random() < 0.4 for _ in range(4000)]
    second = [value if chance.random() < 0.8 else not value for value in first]
    units = units_of(first, second)
    alpha = krippendorff_alpha(units, Level.NOMINAL).value
    assert alpha == pytest.approx(cohen_kappa(units, "rater 0", "rater 1").value, abs=0.01)


def test_counts_percent_and_positive_agreement() -> None:
    units = units_of((1, 1, 1, 0, 0, 0, 0, GAP), (1, 1, 0, 1, 0, 0, 0, 1))
    table = two_by_two(units, "rater 0", "rater 1", present=1)
    assert (table.both, table.first_only, table.second_only, table.neither) == (2, 1, 1, 3)
    assert table.percent == pytest.approx(5 / 7)
    assert table.positive == pytest.approx(4 / 6)


def test_where_nobody_used_a_code_there_is_no_coefficient_but_a_reason() -> None:
    units = units_of((0, 0, 0), (0, 0, 0))
    assert cohen_kappa(units, "rater 0", "rater 1").undefined is Undefined.NO_VARIATION
    alpha = krippendorff_alpha(units, Level.NOMINAL)
    assert (alpha.value, alpha.undefined) == (None, Undefined.NO_VARIATION)
    assert two_by_two(units, "rater 0", "rater 1", present=1).positive is None


def test_one_rater_or_nothing_in_common_is_said() -> None:
    assert krippendorff_alpha(units_of((1, 2)), Level.NOMINAL).undefined is Undefined.ONE_CODER
    apart = units_of((1, GAP), (GAP, 1))
    assert krippendorff_alpha(apart, Level.NOMINAL).undefined is Undefined.TOO_FEW_UNITS
    assert cohen_kappa(apart, "rater 0", "rater 1").undefined is Undefined.TOO_FEW_UNITS
    assert krippendorff_alpha([], Level.NOMINAL).undefined is Undefined.TOO_FEW_UNITS


def test_the_interval_holds_the_value_and_is_the_same_each_time() -> None:
    chance = random.Random(2)  # noqa: S311
    first = [chance.randint(1, 5) for _ in range(80)]
    second = [min(5, max(1, value + chance.choice((-1, 0, 0, 1)))) for value in first]
    units = units_of(first, second, cluster=4)
    once = krippendorff_alpha(units, Level.ORDINAL)
    assert once == krippendorff_alpha(units, Level.ORDINAL)
    assert once.value is not None
    assert once.low is not None
    assert once.high is not None
    assert once.low < once.value < once.high


def test_what_hangs_together_makes_the_interval_wider() -> None:
    chance = random.Random(3)  # noqa: S311
    first, second = [], []
    for _ in range(12):
        careful = chance.random() < 0.5  # A whole interview is judged alike, or all askew.
        for _ in range(10):
            value = chance.random() < 0.5
            first.append(value)
            second.append(value if careful else not value)
    alone = krippendorff_alpha(units_of(first, second), Level.NOMINAL)
    together = krippendorff_alpha(units_of(first, second, cluster=10), Level.NOMINAL)
    assert together.high is not None
    assert alone.high is not None
    assert together.low is not None
    assert alone.low is not None
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_one_cluster_alone_has_no_interval() -> None:
    lone = krippendorff_alpha(units_of((1, 2, 1), (1, 2, 2), cluster=3), Level.NOMINAL)
    assert lone.value is not None
    assert (lone.low, lone.high) == (None, None)


def test_kappa_and_positive_agreement_have_an_interval_over_clusters() -> None:
    said = [("keep", "keep")] * 30 + [("reject", "reject")] * 10 + [("keep", "reject")] * 8
    units = [
        CodedUnit(values={"a": first, "b": second}, cluster=str(number // 2))
        for number, (first, second) in enumerate(said)
    ]
    for found in (
        cohen_kappa(units, "a", "b", seed=1),
        positive_agreement(units, "a", "b", "reject", seed=1),
    ):
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.value < found.high
    assert positive_agreement(units, "a", "b", "reject").value == pytest.approx(20 / 28)
    assert cohen_kappa(units, "a", "b", seed=1) == cohen_kappa(units, "a", "b", seed=1)


def test_positive_agreement_does_not_exist_where_nobody_marked_anything() -> None:
    units = [CodedUnit(values={"a": "keep", "b": "keep"}, cluster=str(each)) for each in range(9)]
    assert positive_agreement(units, "a", "b", "reject").undefined == Undefined.NO_VARIATION
    assert positive_agreement([], "a", "b", "reject").undefined == Undefined.TOO_FEW_UNITS
