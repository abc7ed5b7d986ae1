"""What makes a rule speak, and what keeps it silent."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.results import Reason, Report
from feedback_rules.evaluate import case_report, evaluate, failing_cases
from feedback_rules.explain import why_silent
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Case, Context, Finding, Outcome, Rule, RuleError
from tests.feedback_rules.reports import a_report, events, rule, spoken

FILLERS = {"fillers.filled_pauses_per_minute": {"value": 8, "interval": [6, 10.3], "n": 24}}
UMS = events("filled_pause", 65, 120, 170, lasting=0.4, label="um", probability=0.9)


def _finding(report: Report, rule_id: str, context: Context | None = None) -> Finding:
    return next(f for f in evaluate(report, builtin_rule_set().rules, context) if f.rule == rule_id)


def _outcome(rule_id: str, context: Context | None = None, **fragment: Any) -> Outcome:
    return _finding(a_report(**fragment), rule_id, context).outcome


def test_every_rule_gets_a_finding_in_the_order_of_ids() -> None:
    findings = evaluate(a_report(), builtin_rule_set().rules, None)
    assert [f.rule for f in findings] == sorted(r.id for r in builtin_rule_set().rules)


def test_filled_pauses_need_the_whole_range_above_five() -> None:
    assert _outcome("FIL001", measurements=FILLERS, events=UMS) is Outcome.FIRED
    wide = {"fillers.filled_pauses_per_minute": {"value": 8, "interval": [4.9, 12], "n": 9}}
    held = _finding(a_report(measurements=wide, events=UMS), "FIL001")
    assert held.outcome is Outcome.IN_BAND
    assert why_silent(held, "en").startswith("Measured, with too wide a range")
    wide["fillers.filled_pauses_per_minute"] |= {"value": 5, "interval": [3, 8]}
    few = _finding(a_report(measurements=wide, events=UMS), "FIL001")
    assert why_silent(few, "en") == "Measured, and nothing that we would raise."


@pytest.mark.parametrize(
    ("value", "told"), [(0.3, "with too wide a range"), (0.4, "and nothing that we would raise")]
)
def test_a_wide_range_is_no_reason_where_a_narrow_one_would_not_help(
    value: float, told: str
) -> None:
    """The pitch moves well from 0.2 to 0.35: beyond it a longer take changes nothing."""
    pitch = {"pitch.variation_quotient": {"value": value, "interval": [0.18, 0.5], "n": 200}}
    found = _finding(a_report(measurements=pitch), "PIT010")
    assert (found.outcome, found.metric) == (Outcome.IN_BAND, "pitch.variation_quotient")
    assert told in why_silent(found, "en")


def test_without_an_interval_nothing_is_claimed_about_filled_pauses() -> None:
    bare = {"fillers.filled_pauses_per_minute": {"value": 20, "n": 60}}
    assert _outcome("FIL001", measurements=bare, events=UMS) is Outcome.NO_INTERVAL


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        ({"quality": "poor"}, Outcome.LOW_QUALITY),
        ({"coverage": 0.3}, Outcome.LOW_COVERAGE),
    ],
)
def test_a_measurement_has_to_be_good_enough(changed: dict[str, Any], outcome: Outcome) -> None:
    measurement = FILLERS["fillers.filled_pauses_per_minute"] | changed
    found = _outcome(
        "FIL001", measurements={"fillers.filled_pauses_per_minute": measurement}, events=UMS
    )
    assert found is outcome


def test_what_was_skipped_is_named_with_its_reason() -> None:
    report = a_report(skipped={"fillers.filled_pauses_per_minute": "no_audio"})
    finding = _finding(report, "FIL001")
    assert finding.outcome is Outcome.NOT_MEASURED
    assert finding.reason is Reason.NO_AUDIO


def test_an_old_report_without_the_metric_is_not_measured() -> None:
    finding = _finding(a_report(), "FIL001")
    assert finding.reason is Reason.NOT_MEASURED_BY_THIS_VERSION


def test_a_short_take_says_so() -> None:
    found = _outcome("FIL001", duration=40, measurements=FILLERS, events=UMS)
    assert found is Outcome.TOO_SHORT


def test_a_family_switched_off_in_the_profile_leaves_no_finding() -> None:
    context = Context(disabled_families=("fluency",))
    found = _outcome("FIL001", context, measurements=FILLERS, events=UMS)
    assert found is Outcome.DISABLED_BY_PROFILE


@pytest.mark.parametrize("family", ["hands", "gesture", "posture"])
def test_who_switches_hands_or_posture_off_hears_nothing_of_hidden_hands(family: str) -> None:
    seen: dict[str, Any] = {
        "measurements": {"posture.hands_hidden_share": {"value": 0.8, "n": 900}},
        "events": events("hands_hidden", 10, 80, lasting=60),
    }
    off = Context(setting="stage", disabled_families=(family,))
    assert _outcome("POS006", Context(setting="stage"), **seen) is Outcome.FIRED
    assert _outcome("POS006", off, **seen) is Outcome.DISABLED_BY_PROFILE


def test_a_rule_that_only_looks_at_a_disabled_family_on_the_side_is_off_as_well() -> None:
    context = Context(disabled_families=("pauses",))
    report = a_report(measurements={"pace.end_rush_ratio": 1.4})
    assert _finding(report, "PAC002", context).outcome is Outcome.DISABLED_BY_PROFILE


def test_without_a_context_rules_that_depend_on_it_are_off_and_say_so() -> None:
    report = a_report(measurements={"gaze.camera_facing_share": 0.2, "signal.talk_seconds": 400})
    gaze, time = _finding(report, "GAZ001"), _finding(report, "TIM001")
    assert (gaze.outcome, gaze.detail) == (Outcome.MISSING_CONTEXT, "setting")
    assert (time.outcome, time.detail) == (Outcome.MISSING_CONTEXT, "time_limit")


def test_a_usual_value_counts_after_three_takes() -> None:
    measurements = {"pitch.sd_semitones": 2.0}
    for takes, outcome in ((2, Outcome.MISSING_CONTEXT), (3, Outcome.FIRED)):
        baseline = {"pitch.sd_semitones": {"value": 3, "takes": takes}}
        context = Context.model_validate({"baseline": baseline})
        assert _outcome("PIT003", context, measurements=measurements) is outcome


def test_an_aim_that_a_rule_is_not_for_keeps_it_silent() -> None:
    context = Context(aim="report")
    found = _outcome("WRD010", context, measurements={"wording.anaphora_count": 2})
    assert found is Outcome.OTHER_CONTEXT


def test_a_language_that_a_band_was_not_tested_in_keeps_it_silent() -> None:
    measurements = {"pitch.variation_quotient": 0.08}
    assert _outcome("PIT001", measurements=measurements) is Outcome.FIRED
    assert _outcome("PIT001", language="fr", measurements=measurements) is Outcome.OTHER_LANGUAGE


def test_where_nobody_is_heard_no_language_is_what_keeps_it_silent() -> None:
    skipped = ("pitch.variation_quotient", "signal.speech_seconds")
    report = a_report(language="fr", skipped=dict.fromkeys(skipped, "no_audio"))
    media = report.media.model_copy(update={"audio": None})
    language = report.language.model_copy(update={"code": "auto"})
    silent = report.model_copy(update={"media": media, "language": language})
    assert _finding(silent, "PIT001").reason is Reason.NO_AUDIO
    unheard = a_report(language="fr", skipped=dict.fromkeys(skipped, "no_speech"))
    assert _finding(unheard, "PIT001").reason is Reason.NO_SPEECH


def test_sound_alone_has_no_gaze() -> None:
    context = Context(setting="camera")
    found = _outcome(
        "GAZ011", context, audio_only=True, measurements={"gaze.camera_facing_share": 0.9}
    )
    assert found is Outcome.NO_MEDIA


def test_a_convention_without_a_second_sign_waits_for_a_coach() -> None:
    measurements = {"loudness.trend_db": -6, "signal.snr_db": 25}
    assert _finding(a_report(measurements=measurements), "LOU002").needs_coach
    both = measurements | {"pitch.monotone_share": 0.3}
    assert not _finding(a_report(measurements=both), "LOU002").needs_coach


def test_a_needed_second_sign_that_is_absent_is_named() -> None:
    found = _outcome(
        "GAZ001", Context(setting="camera"), measurements={"gaze.camera_facing_share": 0.3}
    )
    assert found is Outcome.NO_CO_SIGNAL


def test_loudness_needs_a_clear_recording() -> None:
    found = _outcome("LOU003", measurements={"loudness.range_db": 4, "signal.snr_db": 9})
    assert found is Outcome.SIGNAL_GATE


def test_three_small_looks_away_in_the_opening_count_only_when_long() -> None:
    context = Context(setting="camera")
    measurements = {"gaze.camera_facing_share": 0.3}
    side = events("look_away", 1, 5, lasting=3, label="side")
    down = events("look_away", 90, lasting=3, label="down")
    found = _outcome("GAZ001", context, measurements=measurements, events=side + down)
    assert found is Outcome.FIRED
    far = events("look_away", 80, 100, lasting=3, label="side")
    found = _outcome("GAZ001", context, measurements=measurements, events=far + down)
    assert found is Outcome.NO_CO_SIGNAL


def test_evidence_that_lies_outside_the_recording_drops_the_finding() -> None:
    late = events("filled_pause", 500, 600, label="um")
    assert _outcome("FIL001", measurements=FILLERS, events=late) is Outcome.OUTSIDE_MEDIA


def test_opening_and_closing_are_found_without_their_events() -> None:
    context = Context(setting="camera")
    away = events("look_away", 172, lasting=4, label="side")
    finding = _finding(
        a_report(measurements={"gaze.closing_facing_share": 0.2}, events=away), "GAZ003", context
    )
    assert finding.fired
    assert finding.moments[0].start == 172


def test_more_severe_is_more_severe_and_the_edge_is_the_floor() -> None:
    found = [
        _finding(
            a_report(measurements={"pace.fast_passage_share": share}, events=passage), "PAC001"
        )
        for share in (0.051, 0.2, 0.35, 0.9)
        for passage in [events("fast_passage", 60, lasting=30)]
    ]
    severities = [f.severity for f in found if f.severity is not None]
    assert severities == sorted(severities)
    assert 0.2 <= severities[0] < 0.21
    assert severities[-1] == 1.0


def test_a_retired_rule_is_silent() -> None:
    retired = rule("FIL001").model_copy(update={"status": "retired"})
    report = a_report(measurements=FILLERS, events=UMS)
    assert evaluate(report, [retired], None)[0].outcome is Outcome.NOT_ACTIVE


def test_doubtful_words_silence_what_rests_on_native_bands() -> None:
    measurements = {"pauses.boundary_pause_share": 0.1}
    sure = a_report(measurements=measurements, words=spoken("we begin here", probability=0.9))
    doubtful = a_report(measurements=measurements, words=spoken("we begin here", probability=0.5))
    assert _finding(sure, "PAU002").fired
    assert _finding(doubtful, "PAU002").outcome is Outcome.UNSURE_WORDS


def _with_cases(*cases: dict[str, Any]) -> Rule:
    proof = tuple(Case.model_validate(case) for case in cases)
    return rule("FIL001").model_copy(update={"cases": proof})


def test_a_rule_without_cases_fails_its_proof() -> None:
    problems = failing_cases(_with_cases())
    assert [each.code for each in problems] == ["no_pass_case", "no_fail_case", "no_threshold_case"]
    assert str(problems[0]) == "cases: There is no case in which the rule fires."


@pytest.mark.parametrize(
    ("report", "problem"),
    [
        ({"measurements": {"x.y": 1}}, "Unknown metric"),
        ({"events": [{"kind": "sneeze", "start": 1, "end": 2}]}, "Unknown event"),
        ({"weather": "fine"}, "weather: Extra inputs are not permitted"),
        ({"words": [{"text": "a"}]}, "words.0.start: Field required"),
    ],
)
def test_a_case_that_is_no_report_is_refused(report: dict[str, Any], problem: str) -> None:
    with pytest.raises(RuleError, match=problem):
        case_report(report)


def test_a_case_that_does_not_hold_is_explained() -> None:
    broken = _with_cases({"name": "x", "kind": "pass", "fires": True, "report": {}})
    assert any(
        "should fire, but: not_measured" in found.sentence for found in failing_cases(broken)
    )


def test_a_case_says_one_thing() -> None:
    with pytest.raises(ValueError, match="has to let it speak"):
        Case(name="x", kind="pass", fires=False)
