"""Comparison of firing between groups, with corrected p-values."""

from __future__ import annotations

import numpy as np
import pytest

from bench.firing_groups import Comparison, GroupedDraft, compared, corrected, p_value


def _draft(language: str, **outcomes: bool) -> GroupedDraft:
    return GroupedDraft("low", language, is_made=False, outcomes=outcomes)


def test_a_rule_is_compared_where_two_groups_could_be_judged_and_it_fired() -> None:
    drafts = [
        *(_draft("en", PAU010=True, LOU001=False) for _ in range(3)),
        *(_draft("fr", PAU010=False) for _ in range(2)),
    ]
    [one] = compared("language", drafts, [draft.language for draft in drafts])
    assert one.rule == "PAU010"
    assert one.counts == {"en": (3, 3), "fr": (0, 2)}
    assert one.p == pytest.approx(0.1)


def test_three_groups_that_differ_have_a_low_p_value() -> None:
    of = np.repeat(["a", "b", "c"], 8)
    assert p_value(of == "a", of) < 0.001
    assert p_value(np.tile([True, False], 12), of) > 0.5


def test_p_values_are_corrected_for_the_number_of_comparisons() -> None:
    found = [Comparison(str(p), "voice", {}, p) for p in (0.04, 0.01, 0.5)]
    assert [one.adjusted for one in corrected(found)] == pytest.approx([0.08, 0.03, 0.5])
