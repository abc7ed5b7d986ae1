"""Which findings become items, in which order, and what the items say."""

from __future__ import annotations

from typing import Any

import pytest

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, HeldBackReason, RuleSet
from feedback_rules.select import draft
from tests.feedback_rules.drafts import (
    AFTER_SENTENCES,
    CAMERA,
    FILLERS,
    LEVEL,
    PAUSES,
    TURNED,
    UMS,
    drafted,
    held_by,
    rich,
    shown_by,
)
from tests.feedback_rules.reports import events, rule


def test_a_strength_is_shown_first_and_two_improvements_follow() -> None:
    made = draft(rich(), builtin_rule_set(), CAMERA)
    assert [item.tone for item in made.items] == ["strength", "improvement", "improvement"]
    assert [item.rank for item in made.items] == [0, 1, 2]


def test_what_does_not_fit_is_held_back_with_its_whole_card() -> None:
    made = draft(rich(), builtin_rule_set(), CAMERA)
    held = made.held_back[0]
    assert held.why is HeldBackReason.OUTRANKED
    assert held.outranked_by == made.items[-1].rule
    assert held.item.text
    assert held.item.rank is None


def test_the_goal_decides_what_comes_first() -> None:
    goals = {"fluency": "FIL001", "audience_contact": "GAZ001", "vocal_variety": "PIT001"}
    for goal, first in goals.items():
        context = CAMERA.model_copy(update={"goal": goal})
        made = draft(rich(), builtin_rule_set(), context)
        assert made.items[1].rule == first, goal


def test_without_a_strength_only_one_improvement_is_shown() -> None:
    made = drafted(measurements=FILLERS | LEVEL, events=UMS)
    assert len(made.items) == 1
    assert made.held_back[0].why is HeldBackReason.NO_STRENGTH


def test_two_improvements_differ_in_quality_and_modality() -> None:
    made = drafted(
        measurements=PAUSES
        | FILLERS
        | {"fillers.bursts_per_minute": 2.0, "pauses.long_mid_clause_per_minute": 1.0},
        events=[
            *UMS,
            *AFTER_SENTENCES,
            *events("filler_burst", 30, 90, lasting=6),
            *events("silent_pause", 40, 100, lasting=3, detail={"place": "mid_clause"}),
        ],
    )
    assert shown_by(made)[1:] == ["FIL003"]
    assert held_by(made, "FIL001") is HeldBackReason.SAME_QUALITY


PASSAGE = events("fast_passage", 100, lasting=40)
RUSHED = events("end_rush", 144, lasting=35)


def test_a_strength_throws_out_no_improvement() -> None:
    """It was "on time" that kept run-on sentences away, because both are about timing."""
    made = drafted(
        Context(time_limit=180),
        measurements=FILLERS
        | {"pauses.boundary_pause_share": {"value": 0.05, "n": 26}, "pauses.silence_share": 0.08}
        | {"signal.talk_seconds": 170},
        events=UMS,
    )
    assert shown_by(made) == ["FIL001", "TIM010", "PAU002"]


def test_praise_of_the_whole_comes_after_what_to_work_on_first() -> None:
    whole = {"signal.talk_seconds": 170}
    made = drafted(Context(time_limit=180), measurements=FILLERS | whole, events=UMS)
    assert shown_by(made) == ["FIL001", "TIM010"]
    assert [item.rank for item in made.items] == [1, 0]
    assert [item.scope for item in made.items] == ["moments", "talk"]
    with_place = drafted(
        Context(time_limit=180),
        measurements=FILLERS | whole | PAUSES,
        events=[*UMS, *AFTER_SENTENCES],
    )
    assert shown_by(with_place) == ["PAU010", "FIL001"]
    assert held_by(with_place, "TIM010") is HeldBackReason.ONE_STRENGTH


FEW = {"fillers.filled_pauses_per_minute": {"value": 1.5, "interval": [0.8, 3.1], "n": 4}}


def test_praise_and_advice_that_contradict_each_other_never_stand_together() -> None:
    made = drafted(
        duration=240,
        measurements=FEW
        | {"pauses.boundary_pause_share": {"value": 0.05, "n": 26}, "pauses.silence_share": 0.08},
    )
    assert shown_by(made) == ["PAU002"]
    assert held_by(made, "FIL010") is HeldBackReason.CONTRADICTS


def test_praise_stays_away_from_what_only_waits_for_a_coach_too() -> None:
    made = drafted(
        duration=240,
        measurements=FEW | {"fillers.bursts_per_minute": 0.8},
        events=events("filler_burst", 30, 90, lasting=6),
    )
    assert held_by(made, "FIL003") is HeldBackReason.WAITS_FOR_COACH
    assert held_by(made, "FIL010") is HeldBackReason.CONTRADICTS


def test_the_whole_comes_before_its_part() -> None:
    made = drafted(
        CAMERA,
        measurements=TURNED
        | {"gaze.closing_facing_share": 0.1, "gaze.opening_facing_share": 0.2}
        | {"gaze.look_downs_per_minute": 8},
        events=events("look_away", 2, 30, 60, 90, 173, lasting=5, label="down"),
    )
    assert [item.rule for item in made.items] == ["GAZ001"]
    assert set(made.items[0].merged) == {"GAZ002", "GAZ003", "GAZ005"}


def test_a_passage_that_is_the_ending_is_told_once() -> None:
    rates = {"pace.end_rush_ratio": 1.3, "pace.fast_passage_share": 0.2}
    ending = events("fast_passage", 150, lasting=28)
    assert shown_by(drafted(measurements=rates, events=[*RUSHED, *ending])) == ["PAC002"]
    both = drafted(measurements=rates, events=[*RUSHED, *ending, *events("fast_passage", 40)])
    assert {*shown_by(both), *(held.rule for held in both.held_back)} == {"PAC002"}
    apart = drafted(
        measurements=rates, events=[*RUSHED, *ending, *events("fast_passage", 40, lasting=30)]
    )
    assert "PAC001" in {*shown_by(apart), *(held.rule for held in apart.held_back)}


def test_the_recording_takes_no_place_of_the_three() -> None:
    made = drafted(
        measurements=FILLERS | {"signal.snr_db": 4, "signal.clipping_share": 0.05},
        events=UMS,
        skipped={"loudness.range_db": "poor_signal"},
    )
    assert shown_by(made) == ["FIL001"]
    assert held_by(made, "SIG001") is held_by(made, "SIG002") is HeldBackReason.ABOUT_RECORDING


def test_without_a_strength_a_second_improvement_stands_only_beside_a_known_focus() -> None:
    report: dict[str, Any] = {
        "measurements": FILLERS | {"pace.fast_passage_share": 0.4},
        "events": [*UMS, *PASSAGE],
    }
    assert len(drafted(**report).items) == 1
    again = Context.model_validate({"previous_items": [{"rule": "PAC001", "value": 0.5}]})
    assert shown_by(drafted(again, **report)) == ["PAC001", "FIL001"]
    other = Context.model_validate({"previous_items": [{"rule": "TIM001", "value": 200}]})
    assert len(drafted(other, **report).items) == 1


def test_where_nothing_stands_out_one_thing_worth_trying_is_offered() -> None:
    quiet = {
        "fillers.filled_pauses_per_minute": {"value": 4.3, "interval": [3.2, 6.1], "n": 13},
        "pitch.variation_quotient": {"value": 0.18, "interval": [0.17, 0.19], "n": 18},
    }
    made = drafted(measurements=quiet)
    assert made.items == ()
    assert made.worth_trying is not None
    assert made.worth_trying.rule == "FIL001"
    assert "worth trying" in made.worth_trying.lead
    assert made.worth_trying.exercise.text
    wished = drafted(Context(goal="vocal_variety"), measurements=quiet)
    assert wished.worth_trying is not None
    assert wished.worth_trying.rule == "PIT001"
    french = drafted(Context(language="fr"), measurements=quiet)
    assert french.worth_trying is not None
    assert french.worth_trying.language == "fr"


def test_no_exercise_is_offered_against_what_never_happened() -> None:
    without = {
        "fillers.filled_pauses_per_minute": {"value": 0.0, "interval": [0.0, 0.4], "n": 0},
        "pitch.variation_quotient": {"value": 0.18, "interval": [0.17, 0.19], "n": 18},
    }
    made = drafted(measurements=without)
    assert made.worth_trying is not None
    assert made.worth_trying.rule == "PIT001"
    only_ums = {"fillers.filled_pauses_per_minute": without["fillers.filled_pauses_per_minute"]}
    assert drafted(measurements=only_ums).worth_trying is None


@pytest.mark.parametrize(("ratio", "offered"), [(0.9, None), (1.1, "PAC002")])
def test_whose_ending_is_the_slower_part_is_offered_nothing_against_rushing_it(
    ratio: float, offered: str | None
) -> None:
    made = drafted(measurements={"pace.end_rush_ratio": ratio})
    assert (made.worth_trying and made.worth_trying.rule) == offered


@pytest.mark.parametrize(
    ("praised", "measurements", "given"),
    [
        (
            "FIL010",
            {"fillers.filled_pauses_per_minute": {"value": 2.2, "interval": [1.4, 3.4], "n": 7}},
            [],
        ),
        (
            "PIT010",
            {"pitch.variation_quotient": {"value": 0.28, "interval": [0.27, 0.29], "n": 18}},
            [],
        ),
        (
            "SGP010",
            {
                "structure.signposts_per_minute": {"value": 1.3, "n": 4},
                "structure.longest_unmarked_seconds": 70,
            },
            events("signpost", 10, 60, 110, 160, label="first"),
        ),
    ],
)
def test_nobody_is_offered_an_exercise_against_what_they_are_praised_for(
    praised: str, measurements: dict[str, Any], given: list[Any]
) -> None:
    quoted = [
        {"text": each["label"], "start": each["start"], "end": each["end"], "probability": 0.9}
        for each in given
    ]
    made = drafted(Context(aim="inform"), measurements=measurements, events=given, words=quoted)
    assert [item.rule for item in made.items] == [praised]
    assert made.worth_trying is None


def test_nothing_is_offered_beside_an_improvement_nor_where_nothing_was_measured() -> None:
    assert drafted(measurements=FILLERS, events=UMS).worth_trying is None
    assert drafted().worth_trying is None


def test_what_was_silent_because_it_meant_something_else_is_not_offered() -> None:
    """Who leaves two and a half seconds after each sentence is not told to pause."""
    made = drafted(
        measurements={
            "pauses.boundary_pause_share": {"value": 0.1, "n": 26},
            "pauses.silence_share": 0.3,
        },
        events=events(
            "silent_pause", *range(10, 170, 10), lasting=2.6, detail={"place": "sentence_end"}
        ),
    )
    assert made.items == made.held_back == ()
    assert made.worth_trying is None


def test_what_can_be_played_ranks_before_what_cannot() -> None:
    heard = drafted(measurements=LEVEL, events=events("monotone_stretch", 60, lasting=40))
    unheard = drafted(measurements=LEVEL)
    assert heard.items[0].factors.evidence == 1
    assert unheard.items[0].clips == ()
    assert unheard.items[0].factors.evidence < 1
    assert unheard.items[0].factors.score < heard.items[0].factors.score


def test_the_strength_says_something_else_than_the_first_improvement_where_it_can() -> None:
    made = drafted(
        measurements=PAUSES
        | {"pace.fast_passage_share": 0.4, "pitch.range_semitones": 5}
        | {"pitch.monotone_share": 0.05, "pitch.variation_quotient": 0.2},
        events=[
            *AFTER_SENTENCES,
            *events("fast_passage", 100, lasting=40),
            *events("lively_stretch", 20, lasting=30),
        ],
    )
    assert shown_by(made) == ["PIT011", "PAC001"]
    assert held_by(made, "PAU010") is HeldBackReason.VARIETY


def test_the_only_strength_is_shown_even_beside_an_improvement_of_its_quality() -> None:
    made = drafted(
        measurements=PAUSES | {"pace.fast_passage_share": 0.4},
        events=[*AFTER_SENTENCES, *events("fast_passage", 100, lasting=40)],
    )
    assert shown_by(made) == ["PAU010", "PAC001"]


def test_what_waits_for_a_coach_is_never_an_item() -> None:
    made = drafted(
        CAMERA,
        measurements={"posture.sway_shoulder_widths": {"value": 0.3, "n": 900}},
    )
    assert made.items == ()
    assert held_by(made, "POS003") is HeldBackReason.WAITS_FOR_COACH
    assert made.held_back[0].needs_coach


def test_a_finding_of_next_to_no_weight_is_held_back() -> None:
    made = drafted(
        Context.model_validate(
            {"previous_items": [{"rule": "LOU002", "value": -4.1, "takes_shown": 3}]}
        ),
        measurements={
            "loudness.trend_db": {"value": -4.05, "n": 90, "quality": "fair", "coverage": 0.5},
            "pitch.monotone_share": 0.3,
            "signal.snr_db": 25,
        },
    )
    assert held_by(made, "LOU002") is HeldBackReason.SLIGHT


def test_ties_go_by_id() -> None:
    twin = rule("FIL001").model_copy(update={"id": "FIL000"})
    rules = RuleSet(number=7, rules=(rule("FIL001"), twin))
    made = drafted(rule_set=rules, measurements=FILLERS, events=UMS)
    assert shown_by(made) == ["FIL000"]
    assert made.rule_set.number == 7


TWO_NEAR = {
    "fillers.filled_pauses_per_minute": {"value": 4.3, "interval": [3.2, 6.1], "n": 13},
    "pitch.variation_quotient": {"value": 0.18, "interval": [0.17, 0.19], "n": 18},
}
"""Ums come nearest to their line, then the melody."""


def offered_after(*offers: dict[str, Any], **more: Any) -> tuple[str, str]:
    """Which rule's exercise is offered, and under which lead; empty where none is."""
    given = Context.model_validate({"previous_offers": offers, **more})
    made = drafted(given, measurements=TWO_NEAR).worth_trying
    return (made.rule, made.lead) if made else ("", "")


def test_an_exercise_that_was_offered_stays_and_makes_room_after_three_takes() -> None:
    melody = {"rule": "PIT001", "takes": 1, "ago": 1}
    assert offered_after(melody)[0] == "PIT001"
    assert offered_after({**melody, "takes": 2})[0] == "PIT001"
    rule, lead = offered_after({**melody, "takes": 3})
    assert rule == "FIL001"
    assert lead.startswith("Something else worth trying, after three takes")
    assert offered_after({**melody, "takes": 3}, language="fr")[1].startswith("Autre chose à")


def test_the_goal_is_met_before_the_exercise_of_the_last_take() -> None:
    ums = {"rule": "FIL001", "takes": 1, "ago": 1}
    assert offered_after(ums, goal="vocal_variety")[0] == "PIT001"


def test_where_everything_near_has_had_its_takes_nothing_is_offered_until_it_has_rested() -> None:
    both = ({"rule": "FIL001", "takes": 3, "ago": 1}, {"rule": "PIT001", "takes": 3, "ago": 3})
    assert offered_after(*both) == ("", "")
    rested = (both[0], {**both[1], "ago": 4})
    assert offered_after(*rested)[0] == "PIT001"


def test_what_was_to_work_on_last_time_is_not_offered_as_something_to_try() -> None:
    focus = {"rule": "FIL001", "value": 6, "takes_shown": 1}
    assert offered_after(previous_items=[focus])[0] == "PIT001"


def test_a_focus_that_is_in_its_band_is_named_with_what_it_was_and_is() -> None:
    def former(now: dict[str, Any], language: str = "en", **item: Any) -> list[tuple[str, str]]:
        before = {"rule": "FIL001", "value": 8, **item}
        given = Context.model_validate({"previous_items": [before], "language": language})
        made = drafted(given, measurements=now, events=UMS).reached
        return [(each.text, each.change) for each in made]

    change = "Last time this was about 8 a minute, now about 4 (range 3–6)."
    text = "What you worked on (um and uh): nothing to raise this time."
    assert former(TWO_NEAR) == [(text, change)]
    assert former(TWO_NEAR, value=None) == [(text, "")]  # recorded otherwise: not compared
    french, changed = former(TWO_NEAR, "fr", rule="FIL004")[0]
    assert french == "Ce que vous travailliez (euh)\u00a0: rien à relever cette fois."
    assert changed.startswith("La dernière fois, c’était environ 8 par minute, maintenant environ")
    assert former(TWO_NEAR, tone="strength") == []
    assert former(FILLERS) == []  # still out of its band: a card
    # Past its line, with a range that reaches back over it: silent, and not done.
    past = {"fillers.filled_pauses_per_minute": {"value": 6, "interval": [4.5, 7.8], "n": 18}}
    assert former(past, takes_shown=3) == []
    # Seconds of what, only the claim of the card would say.
    longest = {"pauses.longest_run_seconds": 14, "signal.snr_db": 28}
    rested = "What you worked on (rest for listeners): nothing to raise this time."
    assert former(longest, rule="PAU003", value=45) == [(rested, "")]
    # That it is done, a coach says of what a coach alone raises.
    assert former({"posture.sway_shoulder_widths": 0.05}, rule="POS003", value=0.3) == []
    assert "reached" not in drafted(measurements=TWO_NEAR).as_document()
