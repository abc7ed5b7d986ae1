"""What analysers provide and what the catalogue names are the same."""

from __future__ import annotations

from collections import Counter

from analysis.metrics import EVENT_KINDS, FAMILIES, METRICS, PROFILE_FAMILIES
from analysis.pipeline.assembly import FAMILY_OF_EVENT
from analysis.pipeline.stages import STAGES
from analysis.registry import ANALYSERS


def test_each_metric_is_provided_by_exactly_one_analyser() -> None:
    provided = Counter(metric for analyser in ANALYSERS for metric in analyser.provides)
    assert provided == Counter(metric.id for metric in METRICS)


def test_analysers_have_names_of_their_own() -> None:
    names = [analyser.name for analyser in ANALYSERS]
    assert len(names) == len(set(names))


def test_events_belong_to_families_of_the_catalogue() -> None:
    assert set(FAMILY_OF_EVENT) <= set(EVENT_KINDS)
    assert set(FAMILY_OF_EVENT.values()) <= set(FAMILIES)


def test_each_family_lives_on_a_stage() -> None:
    fed = {family for stage in STAGES for family in stage.families}
    assert fed == set(FAMILIES)


def test_each_profile_switch_turns_off_families_of_the_catalogue() -> None:
    assert {family for families in PROFILE_FAMILIES.values() for family in families} == set(
        FAMILIES
    )
