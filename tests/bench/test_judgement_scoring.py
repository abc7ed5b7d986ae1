"""Feedback held against what was planted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bench.intervals import share_in_words, wilson
from bench.judgement import faults
from bench.judgement.rehearsal import ConstructedTalk, rehearsals
from bench.judgement.scoring import FaultResult, judged, tally
from feedback_rules.loader import builtin_rule_set

VOICES = {"en": ("a", "b", "c", "d"), "fr": ("e", "f", "g", "h")}


def _rehearsal(*planted: str) -> ConstructedTalk:
    name = faults.TWO if len(planted) == 2 else (planted or (faults.CLEAN,))[0]
    return ConstructedTalk(name=name, faults=planted, strength=1, voice="a", language="en", talk=0)


def _draft(*improvements: str, praised: str | None = None, fired: tuple[str, ...] = ()) -> Any:
    items = [
        SimpleNamespace(rule=rule, tone="improvement", rank=rank)
        for rank, rule in enumerate(improvements, 1)
    ]
    if praised:
        items.insert(0, SimpleNamespace(rule=praised, tone="strength", rank=0))
    every = {*improvements, *fired, *((praised,) if praised else ())}
    findings = [SimpleNamespace(rule=rule, fired=True) for rule in every]
    return SimpleNamespace(items=items, findings=findings)


def _judged(planted: tuple[str, ...], draft: Any) -> FaultResult:
    return judged(_rehearsal(*planted), draft)


def test_the_first_improvement_decides_and_not_the_strength_before_it() -> None:
    right = _judged(("fillers",), _draft("FIL001", "PAC002", praised="PAU010"))
    second = _judged(("fillers",), _draft("PAC002", "FIL001", praised="PAU010"))

    assert right.is_named_first
    assert not second.is_named_first
    assert second.is_named


def test_praise_of_what_was_taken_away_is_the_opposite() -> None:
    assert _judged(("fillers",), _draft("PAC002", praised="FIL010")).is_opposite
    assert not _judged(("rushed end",), _draft("PAC002", praised="FIL010")).is_opposite


def test_a_rule_that_fired_without_being_shown_is_told_of_and_does_not_count() -> None:
    each = _judged(("quiet sentence ends",), _draft("SGP001", fired=("LOU001",)))

    assert not each.is_named_first
    assert each.others_named == ("LOU001",)


def test_of_two_faults_either_may_come_first_and_both_must_be_named() -> None:
    planted = ("fillers", "rushed end")

    assert _judged(planted, _draft("PAC002")).is_named_first
    assert not _judged(planted, _draft("SGP001")).is_named_first
    assert not _judged(planted, _draft("SGP001", "PAC002")).is_named
    assert _judged(planted, _draft("SGP001", praised="PAC010")).is_opposite


def test_a_missing_face_is_named_by_what_could_not_be_measured() -> None:
    assert _judged(("no face",), _draft("FIL001", fired=("SIG003",))).is_named_first
    assert not _judged(("no face",), _draft("FIL001")).is_named_first


def test_a_clean_talk_is_right_where_it_draws_nothing() -> None:
    silent, spoken = _judged((), _draft(praised="PIT010")), _judged((), _draft("PAC002"))

    made = tally([silent, spoken])

    assert (made.talks, made.improved, made.missed) == (2, 1, [spoken])


def test_intervals_are_those_of_wilson() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 8)[0] == 0.0
    assert share_in_words(7, 9) == "7 of 9 (0.45-0.94)"


def test_every_rule_of_the_table_exists_and_has_the_tone_that_it_is_there_for() -> None:
    tones = {rule.id: rule.tone for rule in builtin_rule_set().rules}

    for fault in faults.SINGLE:
        assert {tones[rule] for rule in fault.named_by} == {"improvement"}, fault.name
        assert {tones.get(rule) for rule in fault.opposite} <= {"strength"}, fault.name


def test_any_first_part_of_the_sample_is_balanced() -> None:
    order = list(rehearsals(VOICES))
    first = order[: len(faults.NAMES) * 3]

    assert len(order) == len(set(order))
    assert {each.name for each in first} == set(faults.NAMES)
    assert all(sum(each.name == name for each in first) == 3 for name in faults.NAMES)
    assert {each.voice for each in first} == set("abcdefgh")
    assert order == list(rehearsals(VOICES))
    for fault in faults.SINGLE:
        spoken = {each.voice for each in order if each.name == fault.name}
        assert spoken == set("abcdefgh"), fault.name


def test_clean_talks_are_not_counted_twice() -> None:
    clean = [each for each in rehearsals(VOICES) if each.name == faults.CLEAN]

    assert sorted(each.voice for each in clean) == list("abcdefgh")
