"""What holds for any report: a thousand random ones, the same every time."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.events import EVENT_FAMILIES
from analysis.metrics import PROFILE_FAMILIES
from analysis.results import Event, Measurement, Report
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.derived import derived
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import (
    Context,
    Draft,
    DraftItem,
    RuleSet,
    card_problems,
    with_french_spaces,
)
from feedback_rules.model.moments import DERIVED_FAMILIES, DERIVED_KINDS
from feedback_rules.select import draft
from feedback_rules.select.evidence import token, words_within
from feedback_rules.select.numbers import clock, in_words
from tests.feedback_rules.reports import random_context, random_report, rule

pytestmark = pytest.mark.slow

SEEDS = range(1000)


@cache
def _made() -> tuple[tuple[Report, Context, Draft], ...]:
    rules = builtin_rule_set()
    inputs = ((random_report(seed), random_context(seed)) for seed in SEEDS)
    return tuple((report, context, draft(report, rules, context)) for report, context in inputs)


def _cards() -> list[tuple[Report, DraftItem]]:
    return [
        (report, item)
        for report, _, made in _made()
        for item in (*made.items, *(held.item for held in made.held_back))
    ]


def test_the_random_reports_reach_most_of_the_library() -> None:
    shown = {item.rule for _, _, made in _made() for item in made.items}
    fired = {item.rule for _, item in _cards()}
    assert len(shown) >= 32
    assert len(fired) >= 44


def test_there_are_never_more_than_three_items_and_their_mix_is_kept() -> None:
    for _, _, made in _made():
        strengths = [item for item in made.items if item.tone == "strength"]
        improvements = [item for item in made.items if item.tone == "improvement"]
        assert len(strengths) <= 1
        known = any(item.held_focus for item in improvements)
        assert len(improvements) <= (2 if strengths or known else 1)
        total = [item for item in strengths if item.scope == "talk" and not item.is_progress]
        first, *second = improvements or [None]
        in_order = [first, *total, *second] if total and first else [*strengths, *improvements]
        assert list(made.items) == in_order
        assert [item.rank for item in improvements] == [1, 2][: len(improvements)]
        assert all(item.rank == 0 for item in strengths)


def test_improvements_never_share_a_quality_or_a_modality() -> None:
    for _, _, made in _made():
        improvements = [item for item in made.items if item.tone == "improvement"]
        assert len({item.quality for item in improvements}) == len(improvements)
        assert len({item.modality for item in improvements}) == len(improvements)


def test_what_waits_for_a_coach_is_never_shown() -> None:
    for _, _, made in _made():
        assert not any(item.needs_coach for item in made.items)
        assert all(held.needs_coach == held.item.needs_coach for held in made.held_back)


def test_no_convention_is_shown_without_its_second_sign() -> None:
    for _, _, made in _made():
        for item in made.items:
            assert item.decided_by != "coach"
            assert item.grade != "C" or rule(item.rule).when.co_signals


def test_filled_pauses_are_never_raised_unless_the_range_clears_five() -> None:
    for _, context, made in _made():
        earlier = {item.rule for item in context.previous_items}
        for item in made.items:
            if item.rule == "FIL001" and item.rule not in earlier:
                assert item.interval is not None
                assert item.interval[0] > 5


def test_a_switched_off_family_never_appears_anywhere() -> None:
    for _, context, made in _made():
        off = {f for name in context.disabled_families for f in PROFILE_FAMILIES[name]}
        for item in (*made.items, *(held.item for held in made.held_back)):
            assert item.family not in off
            assert not {metric.split(".")[0] for metric in item.inputs} & off
            families = EVENT_FAMILIES | DERIVED_FAMILIES
            assert not {families.get(kind) for kind in item.evidence_events} & off


def test_every_card_speaks_as_it_should() -> None:
    for _, item in _cards():
        assert card_problems(item.text, item.language) == (), item.text


def test_every_card_can_be_played_or_is_about_the_whole_talk() -> None:
    totals = 0
    for report, item in _cards():
        assert len(item.clips) <= 3
        assert item.clips or item.scope == "talk"
        totals += not item.clips
        for clip in item.clips:
            assert 0 <= clip.start < clip.end <= report.media.duration
    assert totals > 50


def _named_events(report: Report, context: Context, item: DraftItem) -> list[Event]:
    """Everything in the report of the kinds that the rule of a card names as its evidence."""
    facts = Facts.of(report, context)
    found: list[Event] = []
    for wanted in rule(item.rule).evidence.events:
        is_derived = wanted.event in DERIVED_KINDS
        found += derived(wanted.event, facts) if is_derived else report.events_of(wanted.event)
    return found


def _edges_of(report: Report, context: Context, item: DraftItem) -> set[float]:
    """Where the stretch begins that a card on the opening or the closing alone tells of."""
    windows = Facts.of(report, context).windows
    within = {wanted.within for wanted in rule(item.rule).evidence.events}
    return {windows[name][0] for name in ("opening", "closing") if (name,) in within}


def test_every_clip_of_every_card_shows_an_event_that_its_rule_names() -> None:
    played = 0
    for report, context, made in _made():
        for item in (*made.items, *(held.item for held in made.held_back)):
            events = _named_events(report, context, item)
            starts = {event.start for event in events} | _edges_of(report, context, item)
            for clip in item.clips:
                assert any(e.start < clip.end and clip.start < e.end for e in events), item.rule
                assert any(abs(start - (clip.at or 0)) < 0.01 for start in starts), item.rule
                played += 1
    assert played > 2000


def test_a_card_names_as_many_times_as_it_plays() -> None:
    for _, item in _cards():
        times = set(re.findall(r"\d+:\d\d", item.claim))
        if "{times}" in rule(item.rule).message.en.claim:
            assert times == {clock(clip.at or clip.start) for clip in item.clips}, item.claim
        elif item.scope == "talk":
            assert times <= {clock(180), clock(60), clock(300)}, item.claim


def test_a_stretch_facing_the_camera_shows_no_look_away() -> None:
    played = 0
    for report, item in _cards():
        if item.rule != "GAZ011":
            continue
        away = [*report.events_of("look_away"), *report.events_of("out_of_view")]
        for clip in item.clips:
            assert not any(e.start < clip.end - 0.01 and clip.start + 0.01 < e.end for e in away)
            played += 1
    assert played > 10


def test_praise_never_stands_beside_what_it_contradicts() -> None:
    for _, _, made in _made():
        fired = {finding.rule for finding in made.findings if finding.fired}
        for item in made.items:
            assert not fired & set(rule(item.rule).never_with)


def test_every_quote_stands_in_the_transcript_at_its_time() -> None:
    quoted = 0
    for report, item in _cards():
        for quote in item.quotes:
            spoken = [token(w.text) for w in words_within(report, quote.start, quote.end)]
            wanted = [token(part) for part in quote.text.split()]
            assert any(spoken[i : i + len(wanted)] == wanted for i in range(len(spoken)))
            quoted += 1
    assert quoted > 50


def test_every_rule_gets_exactly_one_finding_and_what_fired_is_shown_or_held_back() -> None:
    ids = sorted(r.id for r in builtin_rule_set().rules)
    for _, _, made in _made():
        assert [finding.rule for finding in made.findings] == ids
        fired = {finding.rule for finding in made.findings if finding.fired}
        shown = [item.rule for item in made.items] + [held.rule for held in made.held_back]
        assert sorted(shown) == sorted(fired)


def test_the_same_input_gives_the_same_bytes() -> None:
    rules = builtin_rule_set()
    for report, context, made in _made()[::4]:
        stored = Report.model_validate_json(report.as_json())
        assert draft(stored, rules, context).as_json() == made.as_json()


def test_a_draft_holds_no_number_that_json_does_not_know() -> None:
    for _, _, made in _made():
        json.loads(made.as_json(), parse_constant=pytest.fail)


def test_goals_change_what_comes_first() -> None:
    rules, changed = builtin_rule_set(), 0
    for report, context, made in _made():
        improvements = [item for item in made.items if item.tone == "improvement"]
        if len(improvements) < 2 or any(item.held_focus for item in improvements):
            continue
        wished = context.model_copy(update={"goal": improvements[1].quality})
        again = draft(report, rules, wished)
        first = next(item for item in again.items if item.rank == 1)
        candidates = [*again.items, *(held.item for held in again.held_back)]
        for other in candidates:
            about_person = other.modality != "recording" and not other.needs_coach
            if other.tone == "improvement" and about_person:
                assert first.factors.score >= other.factors.score
        changed += first.quality == wished.goal != improvements[0].quality
    assert changed >= 30


def _worse(report: Report, item: DraftItem, share: float) -> Report:
    """The same report with the leading value of an item further out of its band."""
    severity = rule(item.rule).severity
    step = share * severity.width * (1 if severity.direction == "above" else -1)
    old = report.measurements[severity.metric]
    moved: Measurement = old.model_copy(
        update={
            "value": old.value + step,
            "interval": (old.interval[0] + step, old.interval[1] + step) if old.interval else None,
        }
    )
    return report.model_copy(
        update={"measurements": {**report.measurements, severity.metric: moved}}
    )


@cache
def _only_this_reads_its_metric(rule_id: str) -> RuleSet:
    """All else equal: nothing else depends on the value that changes."""
    metric = rule(rule_id).severity.metric
    kept = [r for r in builtin_rule_set().rules if r.id == rule_id or metric not in r.metrics]
    return RuleSet(number=2, rules=tuple(kept))


def test_more_severe_never_ranks_lower() -> None:
    compared = 0
    for report, context, made in _made()[::3]:
        for item in made.items:
            relative = rule(item.rule).severity.relative_to
            if item.tone != "improvement" or relative == "time_limit":
                continue
            rules = _only_this_reads_its_metric(item.rule)
            before = [i.rule for i in draft(report, rules, context).items]
            after = [i.rule for i in draft(_worse(report, item, 0.3), rules, context).items]
            if item.rule in before:
                assert item.rule in after
                assert after.index(item.rule) <= before.index(item.rule) + (
                    len(after) > len(before)
                )
                compared += 1
    assert compared > 170


def test_facts_are_the_same_whoever_asks() -> None:
    report, context = random_report(1), random_context(1)
    assert Facts.of(report, context) == Facts.of(report, context)


@given(st.floats(0, 1e6), st.sampled_from(["rate", "percent", "fine_percent", "faster", "whole"]))
@settings(max_examples=300)
def test_numbers_in_words_never_show_a_decimal(value: float, value_format: str) -> None:
    for language in ("en", "fr"):
        words = in_words(value, value_format, language)
        assert words
        assert "." not in words


@given(st.text(alphabet="ab :;?!«»%1\u00a0\u202f", max_size=40))
@settings(max_examples=300)
def test_putting_french_spaces_in_order_twice_changes_nothing_more(text: str) -> None:
    once = with_french_spaces(text)
    assert with_french_spaces(once) == once
