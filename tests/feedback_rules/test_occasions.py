"""Occasions and people as a coach meets them: what is praised, asked and left out fits them.

Each is the ordinary talk of the twelve speakers with what makes the occasion. Nobody was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, Draft, HeldBackReason, Outcome
from feedback_rules.select import draft
from tests.feedback_rules.drafts import held_by, shown_by
from tests.feedback_rules.ordinary import ORDINARY, SENTENCES
from tests.feedback_rules.reports import a_report, events

IN_FRONT = {"setting": "camera", "camera_position": "level", "slides": False, "aim": "inform"}
TAKE: dict[str, Any] = {"duration": 240, "language": "en"}


def occasion(
    changed: dict[str, Any] | None = None,
    *happened: list[dict[str, Any]],
    take: dict[str, Any] | None = None,
    **context: Any,
) -> Draft:
    """What is drafted for the ordinary talk, changed."""
    report = a_report(
        **TAKE | (take or {}),
        measurements=ORDINARY | (changed or {}),
        events=[*SENTENCES, *(event for some in happened for event in some)],
    )
    given = Context.model_validate(IN_FRONT | {"language": "en"} | context)
    return draft(report, builtin_rule_set(), given)


LIVELY = {"pitch.variation_quotient": {"value": 0.24, "n": 24, "interval": [0.22, 0.26]}}
SHORT = {
    "wording.sentence_length_words": {"value": 19, "n": 40, "interval": [18, 19.8]},
    "wording.long_sentence_share": {"value": 0.01, "n": 40},
}
STEADY = {"pace.end_rush_ratio": 1.0, "pauses.boundary_pause_share": {"value": 0.45, "n": 40}}
FREE_HANDS = {"gesture.movement_share": 0.3, "gesture.strokes_per_minute": 12}
PRAISED_AND_TOLD: dict[tuple[str, str], Callable[[], Draft]] = {
    ("PIT010", "PIT004"): lambda: occasion(
        LIVELY | {"pitch.trend_semitones": -1.6, "loudness.trend_db": -2.5},
        events("narrower_ending", 160, lasting=76),
    ),
    ("PAC010", "PAC005"): lambda: occasion(
        STEADY | {"pace.opening_ratio": 1.35},
        events("opening_rush", 1, lasting=30),
    ),
    ("PAC010", "TIM001"): lambda: occasion(STEADY, time_limit=180),
    ("WRD011", "RDG001"): lambda: occasion(
        SHORT
        | {
            "fillers.filled_pauses_per_minute": {"value": 1, "n": 4, "interval": [0.5, 2]},
            "pitch.variation_quotient": {"value": 0.125, "n": 24, "interval": [0.121, 0.129]},
            "wording.restarts_per_100_words": 0.5,
        },
        events("sentence", 30, lasting=8, detail={"words": 24}),
    ),
}


@pytest.mark.parametrize("pair", PRAISED_AND_TOLD, ids="-".join)
def test_praise_that_the_next_card_would_deny_is_left_out(pair: tuple[str, str]) -> None:
    made, (praise, told) = PRAISED_AND_TOLD[pair](), pair
    assert told in {*shown_by(made), *(held.rule for held in made.held_back)}
    assert praise not in shown_by(made)
    assert held_by(made, praise) is HeldBackReason.CONTRADICTS


def test_nobody_whose_hands_take_part_is_offered_an_exercise_against_still_hands() -> None:
    moving = events("hands_moving", *range(5, 230, 9), lasting=3)
    assert _offered(occasion(goal="presence")) == "GES001"
    assert _offered(occasion(FREE_HANDS, moving, goal="presence")) != "GES001"


def _offered(made: Draft) -> str:
    return made.worth_trying.rule if made.worth_trying else ""


RUSHED = {"pace.end_rush_ratio": {"value": 1.3, "interval": [1.2, 1.4]}}


def test_who_is_over_time_and_rushes_the_end_is_told_to_leave_something_out() -> None:
    """A defence, 15% over: “a breath before each sentence” would make it longer still."""
    made = occasion(RUSHED, events("end_rush", 192, lasting=46), time_limit=206, aim="report")
    assert shown_by(made) == ["TIM001"]
    assert made.items[0].merged == ("PAC002",)
    in_time = occasion(RUSHED, events("end_rush", 192, lasting=46), time_limit=240, aim="report")
    assert shown_by(in_time) == ["PAC002"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_at_a_celebration_nobody_is_stopped_and_a_short_speech_is_no_fault(language: str) -> None:
    for limit, elsewhere in ((180, "report"), (500, "inform")):
        toast, talk = (
            occasion(time_limit=limit, aim=aim, language=language).items[0]
            for aim in ("celebrate", elsewhere)
        )
        assert toast.rule == talk.rule
        assert toast.why != talk.why
    assert toast.factors.context < talk.factors.context


def test_one_minute_is_no_plural_in_french() -> None:
    made = occasion({"signal.talk_seconds": 87}, time_limit=60, language="fr")
    assert made.items[0].figure == "Vous avez parlé pendant 1:27, pour une durée prévue de 1:00."


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_lively_conclusion_is_not_told_to_lend_its_freedom_to_the_conclusion(
    language: str,
) -> None:
    made = occasion(LIVELY, events("lively_stretch", 190, lasting=45), language=language)
    assert made.items[0].rule == "PIT011"
    assert "conclusion" not in made.items[0].suggestion


def test_of_sound_alone_no_card_tells_of_viewers_or_asks_for_a_look_into_the_lens() -> None:
    heard = [rule for rule in builtin_rule_set().rules if "video" not in rule.applies.media]
    for rule in heard:
        for message in (rule.message.en, rule.message.fr):
            said = " ".join((message.claim, message.why, message.suggestion))
            asked = message.exercise.text
            assert "viewer" not in said.casefold(), rule.id
            is_lens = "the lens" in asked or "l’objectif" in asked
            assert not is_lens or " or at " in asked or " ou " in asked, rule.id


def test_a_breath_is_asked_for_where_there_is_something_to_take_in() -> None:
    """A comic passage holds no numbers and no terms, and its speed is often meant."""
    fast = {"pace.fast_passage_share": 0.15, "wording.restarts_per_100_words": 1}
    toast, lesson = (
        occasion(fast, events("fast_passage", 100, lasting=40), aim=aim)
        for aim in ("celebrate", "teach")
    )
    assert shown_by(toast) == shown_by(lesson) == ["PAC001"]
    assert "new thought" in toast.items[0].suggestion
    assert toast.items[0].factors.context < lesson.items[0].factors.context


UNLIKE = {"skipped": {"fillers.filled_pauses_per_minute": "outside_tested_speech"}}
BLOCKED = events(
    "silent_pause", *range(8, 200, 9), lasting=1.2, detail={"place": "sentence_end"}, label="long"
)


def test_where_speech_was_never_tested_no_silence_is_praised_and_no_pace_is_told() -> None:
    """A block before a sentence is a silence after the one before, and slows what holds it."""
    paused = RUSHED | {"pauses.boundary_pause_share": {"value": 0.7, "n": 40}}
    happened = (BLOCKED, events("end_rush", 192, lasting=46))
    fluent = occasion(paused | {"pace.end_pause_ratio": 0.8}, *happened)
    assert shown_by(fluent) == ["PAU010", "PAC002"]
    halting = occasion(paused | {"pace.end_pause_ratio": 0.8}, *happened, take=UNLIKE)
    for each in ("PAU010", "PAC002", "PAC001", "PRG013", "QUE010"):
        outcome = next(found.outcome for found in halting.findings if found.rule == each)
        assert outcome in {Outcome.UNRELIABLE_HERE, Outcome.MISSING_CONTEXT}, each
    assert not {"PAU010", "PAC002"} & {held.rule for held in halting.held_back}


def test_beside_a_signing_interpreter_nobody_knows_whose_hands_were_still() -> None:
    still = {"gesture.longest_still_seconds": 130, "gesture.movement_share": 0.1}
    at_rest = events("hands_still", 60, lasting=130)
    alone = occasion(still, at_rest, aim="teach")
    assert not shown_by(alone)
    assert held_by(alone, "GES001") is HeldBackReason.WAITS_FOR_COACH
    beside = {"skipped": {"gaze.camera_facing_share": "several_faces"}}
    made = occasion(still | FREE_HANDS, at_rest, take=beside, aim="teach", goal="presence")
    about_bodies = {"GES001", "GES010", "POS001", "POS003", "POS004", "POS005"}
    assert not about_bodies & {*shown_by(made), *(held.rule for held in made.held_back)}
    assert _offered(made) != "GES001"


FEWER = {"fillers.filled_pauses_per_minute": {"value": 5.3, "n": 20, "interval": [4.0, 7.4]}}
MANY = {"fillers.filled_pauses_per_minute": {"value": 11, "n": 42, "interval": [8.9, 14]}}
SAID = events("filled_pause", 30, 90, 150, 200, lasting=0.4, label="um", probability=0.9)
FOCUS: dict[str, Any] = {
    "previous_items": [{"rule": "FIL001", "value": 11}, {"rule": "FIL004", "value": 11}],
    "baseline": {"fillers.filled_pauses_per_minute": {"value": 11, "takes": 3}},
}


@pytest.mark.parametrize(
    ("language", "rule", "often", "still"),
    [("en", "FIL001", "often", "still"), ("fr", "FIL004", "souvent", "encore")],
)
def test_who_has_halved_their_ums_is_not_told_that_they_often_said_um(
    language: str, rule: str, often: str, still: str
) -> None:
    """Praise of the change stands beside what is left, and neither denies the other."""
    halved = occasion(FEWER, SAID, language=language, **FOCUS)
    assert shown_by(halved) == ["FIL011", rule]
    left = halved.items[1].claim
    assert often not in left
    assert still in left
    same = occasion(MANY, SAID, language=language, **FOCUS)
    assert often in same.items[0].claim


def test_every_claim_that_says_often_has_words_for_a_focus_that_is_nearly_done() -> None:
    much = re.compile(r"\b(often|mostly followed|moved little)\b")
    for rule in builtin_rule_set().rules:
        speaks_alone = rule.tone == "improvement" and rule.decided_by != "coach"
        if rule.status != "retired" and speaks_alone and much.search(rule.message.en.claim):
            near = (rule.message.en.claim_near, rule.message.fr.claim_near)
            assert all(near), rule.id
            assert not much.search(near[0]), rule.id


def test_praise_of_what_somebody_chose_to_work_on_comes_before_praise_of_something_else() -> None:
    paused = {"pauses.boundary_pause_share": {"value": 0.7, "n": 40}}
    rests = events("silent_pause", *range(8, 220, 9), lasting=0.8, detail={"place": "sentence_end"})
    unset = occasion(LIVELY | paused, rests)
    assert shown_by(unset) == ["PAU010"]
    assert held_by(unset, "PIT010") is HeldBackReason.ONE_STRENGTH
    chosen = occasion(LIVELY | paused, rests, goal="vocal_variety")
    assert shown_by(chosen) == ["PIT010"]
    assert held_by(chosen, "PAU010") is HeldBackReason.OUTRANKED
