"""What analysers provide and what the catalogue names are the same."""

from __future__ import annotations

from collections import Counter
from typing import get_args, get_type_hints

import numpy as np
import pytest
from django.db.models import TextChoices

from analysis.events import EVENT_FAMILIES, EVENT_KINDS, EVENTS
from analysis.metrics import BY_ID, FAMILIES, METRICS, PROFILE_FAMILIES
from analysis.pipeline.stages import STAGES
from analysis.ports import Options
from analysis.registry import ANALYSERS
from coach.rehearsals import models as talk
from feedback_rules.model import values
from tests.analysis import seen, spoken


def test_each_metric_is_provided_by_exactly_one_analyser() -> None:
    provided = Counter(metric for analyser in ANALYSERS for metric in analyser.provides)
    assert provided == Counter(metric.id for metric in METRICS)


def test_analysers_have_names_of_their_own() -> None:
    names = [analyser.name for analyser in ANALYSERS]
    assert len(names) == len(set(names))


def test_events_belong_to_families_of_the_catalogue() -> None:
    assert len(EVENTS) == len(EVENT_KINDS)
    assert set(EVENT_FAMILIES.values()) <= set(FAMILIES)


def test_an_event_belongs_to_a_family_of_the_analyser_that_found_it() -> None:
    gone = seen.without_face(seen.sight(), 20.0, 40.0)
    gone.pose[(gone.times >= 20.0) & (gone.times < 40.0)] = np.nan
    away = seen.sight(yaw=seen.away_between((30.0, 36.0), angle=50.0))
    said = spoken.talk_of(
        spoken.words("I think | the the lake is very deep " * 8),
        fillers=[spoken.filled_pause(1.0)],
    )
    found = {
        (event.kind, analyser)
        for heard in (seen.talk(gone), seen.talk(away), said)
        for analyser in ANALYSERS
        for event in analyser.measure(heard).events
    }
    assert {kind for kind, _analyser in found} >= {"out_of_view", "look_away", "restart"}
    for kind, analyser in found:
        families = {BY_ID[metric].family for metric in analyser.provides}
        assert EVENT_FAMILIES.get(kind, "") in {"", *families}, kind


def test_each_family_lives_on_a_stage() -> None:
    fed = {family for stage in STAGES for family in stage.families}
    assert fed == set(FAMILIES)


@pytest.mark.parametrize(
    ("offered", "understood"),
    [
        (talk.Aim, values.Aim),
        (talk.Audience, values.Audience),
        (talk.Setting, values.Setting),
        (talk.CameraPosition, values.CameraPosition),
        (talk.Goal, values.Goal),
    ],
)
def test_what_a_form_offers_is_what_the_rules_understand(
    offered: type[TextChoices], understood: object
) -> None:
    assert set(offered.values) == set(get_args(understood))


def test_the_analysis_is_told_of_the_situation_in_the_same_words() -> None:
    options = get_type_hints(Options)
    assert options["setting"] is values.Setting
    assert options["camera_position"] == values.CameraPosition | None


def test_each_profile_switch_turns_off_families_of_the_catalogue() -> None:
    assert {family for families in PROFILE_FAMILIES.values() for family in families} == set(
        FAMILIES
    )
