"""The situations that the product must handle as a good coach would, as constructed reports."""

from __future__ import annotations

from typing import Any

from feedback_rules.explain import nothing_found
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, Draft, HeldBackReason, Outcome, wording_problems
from feedback_rules.select import draft
from tests.feedback_rules.reports import a_report, events, spoken

CAMERA = Context(setting="camera")
UMS = events("filled_pause", 30, 80, 140, lasting=0.4, label="um", probability=0.9)
GOOD_PAUSES = {"pauses.boundary_pause_share": {"value": 0.7, "n": 20}}


def _draft(context: Context | None = None, **report: Any) -> Draft:
    return draft(a_report(**report), builtin_rule_set(), context)


def _fillers(value: float, low: float, high: float) -> dict[str, Any]:
    rate = {"value": value, "interval": [low, high], "n": round(value * 3)}
    return {"fillers.filled_pauses_per_minute": rate}


def _outcome(made: Draft, rule: str) -> Outcome:
    return next(f.outcome for f in made.findings if f.rule == rule)


def _fired(made: Draft) -> set[str]:
    return {f.rule for f in made.findings if f.fired}


def _families(made: Draft) -> set[str]:
    return {item.family for item in made.items}


def test_1_a_short_take_gets_no_rate_pace_or_pitch_item() -> None:
    made = _draft(
        duration=25,
        measurements=_fillers(9.6, 4.2, 19.2)
        | {"pitch.variation_quotient": 0.08, "pace.end_rush_ratio": 1.4},
        events=events("filled_pause", 3, 8, 15, 20, lasting=0.4, label="um"),
    )
    assert _fired(made) == set()
    assert _outcome(made, "FIL001") is Outcome.TOO_SHORT
    assert _outcome(made, "PIT001") is Outcome.TOO_SHORT


def test_2_an_undeclared_second_language_gets_no_item_from_native_bands() -> None:
    made = _draft(
        words=[
            w
            for s in range(0, 170, 6)
            for w in spoken("we make the test", start=s, probability=0.5)
        ],
        measurements={
            "pauses.long_mid_clause_per_minute": 1.5,
            "pauses.boundary_pause_share": {"value": 0.1, "n": 20},
            "pauses.mean_length_of_run_syllables": 25,
            "pauses.silence_share": 0.05,
            "pace.words_per_minute": 195,
            "pace.articulation_rate_syllables_per_second": 6.5,
            "wording.long_sentence_share": 0.4,
            "wording.sentence_length_words": 30,
            "wording.verbal_habits_per_minute": 4,
            "fillers.filler_words_per_minute": 3,
            "pitch.monotone_share": 0.4,
            "pitch.range_semitones": 8,
        },
        events=[
            *events("silent_pause", 30, 60, 90, lasting=2.5, detail={"place": "mid_clause"}),
            *events("verbal_habit", 0, 24, 48, 72, 96, lasting=1.3, label="we make"),
            *events("long_sentence", 20, 70, lasting=20),
            *events("monotone_stretch", 60, lasting=40),
        ],
    )
    assert _fired(made) == {"PIT002"}
    assert all(not item.quotes for item in made.items)


def test_3_reading_slides_is_one_merged_item_and_none_for_gaze_where_slides_are_shown() -> None:
    report: dict[str, Any] = {
        "measurements": {
            "gaze.camera_facing_share": {"value": 0.45, "n": 900},
            "head.yaw_degrees": 25,
            "pitch.monotone_share": 0.3,
            "pitch.range_semitones": 8,
            "pitch.variation_quotient": {"value": 0.1, "n": 18, "interval": [0.09, 0.11]},
        },
        "events": [
            *events("look_away", 58, lasting=52, label="side", detail={"direction": "left"}),
            *events("monotone_stretch", 60, lasting=48),
        ],
    }
    made = _draft(CAMERA, **report)
    assert [item.rule for item in made.items] == ["GAZ006"]
    assert set(made.items[0].merged) == {"GAZ004", "PIT001", "PIT002"}
    assert "If you were reading" in made.items[0].text
    assert _outcome(made, "GAZ004") is _outcome(made, "PIT002") is Outcome.MERGED

    with_slides = _draft(CAMERA.model_copy(update={"slides": True}), **report)
    assert _families(with_slides) == {"pitch"}
    assert not any(rule.startswith("GAZ") for rule in _fired(with_slides))


def test_4_the_time_limit_is_compared_with_the_talk_without_its_questions() -> None:
    context = Context(time_limit=300)
    whole = _draft(context, duration=660, measurements={"signal.talk_seconds": 655})
    talk = _draft(context, duration=660, measurements={"signal.talk_seconds": 298})
    assert [item.rule for item in whole.items] == ["TIM001"]
    assert [item.rule for item in talk.items] == ["TIM010"]


def test_5_automatic_gain_gets_no_item_on_ends_and_no_praise_for_few_fillers() -> None:
    made = _draft(
        duration=300,
        measurements=_fillers(1.5, 0.9, 2.5)
        | {"loudness.sentence_end_drop_share": {"value": 0.7, "n": 20}, "signal.snr_db": 30},
        events=[*UMS, *events("quiet_sentence_end", 10, 60, 100, 290)],
        skipped={"loudness.range_db": "automatic_gain", "loudness.trend_db": "automatic_gain"},
    )
    assert made.items == made.held_back == ()
    assert _outcome(made, "LOU001") is Outcome.UNRELIABLE_HERE
    assert _outcome(made, "FIL010") is Outcome.UNRELIABLE_HERE


def test_6_an_undeclared_stammer_has_no_fluency_item_without_a_coach() -> None:
    made = _draft(
        measurements={
            "pauses.long_mid_clause_per_minute": 1.5,
            "wording.restarts_per_100_words": 9,
        },
        events=[
            *events("silent_pause", 30, 60, 90, lasting=2.5, detail={"place": "mid_clause"}),
            *events("restart", 10, 40, 70, 100, label="the the"),
        ],
        skipped={
            "fillers.filled_pauses_per_minute": "outside_tested_speech",
            "fillers.bursts_per_minute": "outside_tested_speech",
        },
    )
    assert made.items == ()
    assert [(held.rule, held.why) for held in made.held_back] == [
        ("PAU001", HeldBackReason.WAITS_FOR_COACH)
    ]
    assert _outcome(made, "FIL001") is Outcome.UNRELIABLE_HERE
    assert _outcome(made, "WRD002") is Outcome.UNRELIABLE_HERE


def test_7_two_presenters_get_no_praise_for_melody_and_no_pace_or_gaze_item() -> None:
    made = _draft(
        CAMERA,
        measurements={
            "pitch.range_semitones": 12,
            "pitch.monotone_share": 0.0,
            "pace.fast_passage_share": 0.3,
            "gaze.camera_facing_share": {"value": 0.3, "n": 900},
        },
        events=[
            *events("lively_stretch", 20, lasting=40),
            *events("fast_passage", 100, lasting=40),
            *events("look_away", 2, 60, 90, lasting=5, label="down"),
        ],
        skipped={"pitch.variation_quotient": "several_speakers"},
    )
    assert made.items == made.held_back == ()
    assert _outcome(made, "PIT011") is Outcome.UNRELIABLE_HERE


def test_8_a_far_camera_leaves_its_slots_free() -> None:
    made = _draft(
        Context(setting="camera"),
        measurements={
            "posture.shoulder_tilt_degrees": {"value": 15, "n": 900},
            "posture.sway_shoulder_widths": {"value": 0.3, "n": 900},
            "posture.arms_crossed_share": {"value": 0.6, "n": 900},
        },
        events=events("arms_crossed", 20, lasting=100),
        skipped={
            "gaze.camera_facing_share": "face_too_small",
            "gesture.movement_share": "framing",
            "gesture.hands_visible_share": "framing",
        },
    )
    assert made.items == ()
    assert {held.why for held in made.held_back} == {HeldBackReason.WAITS_FOR_COACH}
    assert {held.rule for held in made.held_back} == {"POS001", "POS003"}


def test_9_a_low_phone_is_not_a_look_down_and_no_side_is_named() -> None:
    low = CAMERA.model_copy(update={"camera_position": "below"})
    report: dict[str, Any] = {
        "measurements": {
            "gaze.camera_facing_share": {"value": 0.3, "n": 900},
            "gaze.look_downs_per_minute": 8,
            "gaze.opening_facing_share": 0.2,
        },
        "events": events("look_away", 2, 30, 60, 90, 120, lasting=4, label="down"),
        "skipped": {"gesture.hands_visible_share": "framing"},
    }
    assert _draft(low, **report).items == ()
    side = _draft(
        CAMERA,
        measurements={"gaze.camera_facing_share": {"value": 0.4, "n": 900}},
        events=events("look_away", 60, lasting=40, label="side", detail={"direction": "right"}),
    )
    assert "to one side" in side.items[0].text
    assert wording_problems(side.items[0].text, "en") == ()


def test_10_another_language_than_chosen_is_never_quoted_but_pauses_and_pitch_stay() -> None:
    made = _draft(
        CAMERA.model_copy(update={"language": "en"}),
        words=spoken("the quick brown fox jumps", start=30),
        measurements={
            "pitch.monotone_share": 0.4,
            "pitch.range_semitones": 8,
            "wording.verbal_habits_per_minute": 5,
            "fillers.filler_words_per_minute": 4,
        },
        events=[
            *events("monotone_stretch", 60, lasting=40),
            *events("verbal_habit", 30, 31, 32, 33, 34, label="the quick"),
        ],
        skipped={"pace.words_per_minute": "language_mismatch"},
    )
    assert [item.rule for item in made.items] == ["PIT002"]
    assert _outcome(made, "WRD003") is Outcome.UNRELIABLE_HERE
    assert all(not held.item.quotes for held in made.held_back)


def test_11_nothing_strong_and_nothing_wrong_invents_nothing() -> None:
    made = _draft(
        CAMERA,
        measurements={
            "pace.words_per_minute": 190,
            "pace.articulation_rate_syllables_per_second": 5.0,
            "pauses.silence_share": 0.2,
            "pitch.variation_quotient": {"value": 0.135, "n": 18},
            "gaze.camera_facing_share": {"value": 0.6, "n": 900},
            "pauses.boundary_pause_share": {"value": 0.4, "n": 20},
        }
        | _fillers(4.5, 3, 6.5),
        events=UMS,
    )
    assert made.items == made.held_back == ()
    for language in ("en", "fr"):
        assert wording_problems(nothing_found(language), language) == ()


def test_12_without_a_strength_at_most_one_improvement_is_shown() -> None:
    report: dict[str, Any] = {
        "measurements": _fillers(9, 7, 11.4) | {"pace.fast_passage_share": 0.3},
        "events": [*UMS, *events("fast_passage", 100, lasting=40)],
    }
    assert [item.tone for item in _draft(**report).items] == ["improvement"]
    report["measurements"] |= GOOD_PAUSES | {
        "pitch.range_semitones": 8,
        "pitch.monotone_share": 0,
        "pitch.variation_quotient": 0.2,
    }
    report["events"] += events("lively_stretch", 20, lasting=30)
    assert [i.tone for i in _draft(**report).items] == ["strength", "improvement", "improvement"]


def _take(takes_shown: int, value: float = 6) -> Draft:
    previous = {"rule": "FIL001", "value": 8, "takes_shown": takes_shown, "tone": "improvement"}
    usual = {"fillers.filled_pauses_per_minute": {"value": 7, "takes": 3}}
    return _draft(
        Context.model_validate({"previous_items": [previous], "baseline": usual}),
        measurements=_fillers(value, value * 0.72, value * 1.35) | {"pace.fast_passage_share": 0.4},
        events=[*UMS, *events("fast_passage", 100, lasting=40)],
    )


def test_13_a_focus_still_out_of_band_stays_the_focus_and_is_worded_as_change() -> None:
    made = _take(1)
    first = made.items[0]
    assert (first.rule, first.rank, first.held_focus, first.previous_value) == (
        "FIL001",
        1,
        True,
        8,
    )
    assert first.figure == "Last time this was about 8 a minute, now about 6 (range 4–8)."
    assert first.figure in first.text
    # One's own usual beside it would be a third figure of one's own on one card.
    assert first.comparison.startswith("In one English study, 5 did not")
    assert _take(2).items[0].rule == "FIL001"


def test_13_what_did_not_change_is_not_worded_as_change() -> None:
    assert _take(1, value=8.1).items[0].figure.startswith("As last time, this was about 8 a minute")


def test_13_a_focus_is_let_go_in_band_or_after_three_takes() -> None:
    assert [item.rule for item in _take(1, value=4.9).items] == ["PAC001"]
    assert [item.rule for item in _take(3).items] == ["PAC001"]


def test_13_a_focus_shown_for_three_takes_may_return_but_makes_room() -> None:
    made = _take(3, value=9)
    assert [item.rule for item in made.items] == ["PAC001"]
    assert made.held_back[0].rule == "FIL001"
    assert not made.held_back[0].item.held_focus


def test_14_music_and_other_voices_lower_coverage_and_keep_rules_silent() -> None:
    thin = {"value": 8, "interval": [6, 10.3], "n": 24, "coverage": 0.3}
    made = _draft(measurements={"fillers.filled_pauses_per_minute": thin}, events=UMS)
    assert made.items == ()
    finding = next(f for f in made.findings if f.rule == "FIL001")
    assert finding.outcome is Outcome.LOW_COVERAGE
    assert finding.detail == "0.30 of 0.50"


def test_15_slides_that_are_read_aloud_are_named_with_a_quote_if_they_were_timed() -> None:
    said = "the roof and the windows lose most of the heat in every winter"
    read = [
        {"detail": {"slide": number, "share": 0.8, "words": 16}, **each}
        for number, each in enumerate(events("slide_read_aloud", 30, 90, lasting=5), start=2)
    ]
    measured = {"structure.most_read_slide_share": {"value": 0.8, "n": 4}}
    words = [*spoken(said, start=30), *spoken(said, start=90)]
    made = _draft(measurements=measured, events=read, words=words)
    [card] = made.items
    assert card.rule == "SLD001"
    assert card.quotes[0].text.startswith("the roof and the windows")
    assert _fired(_draft(words=words)) == set()
    assert _outcome(_draft(words=words), "SLD001") is Outcome.NOT_MEASURED


def test_15_one_sign_about_slides_alone_waits_for_a_coach() -> None:
    measured = {"structure.longest_slide_ratio": {"value": 5, "n": 6}}
    long = events("long_slide", 60, lasting=100)
    made = _draft(duration=300, measurements=measured, events=long)
    assert made.items == ()
    held = {each.item.rule: each.needs_coach for each in made.held_back}
    assert held == {"SLD002": True}
    unmarked = [*long, *events("unmarked_stretch", 60, lasting=90)]
    assert _draft(duration=300, measurements=measured, events=unmarked).items[0].rule == "SLD002"
