"""What a card plays, and what it only says of the whole talk."""

from __future__ import annotations

from analysis.results import Report, Track
from feedback_rules.evaluate import Facts, evaluate
from feedback_rules.evaluate.derived import LEAD_IN_SECONDS, derived
from feedback_rules.loader import builtin_rule_set, rule_from_document, rule_to_document
from feedback_rules.model import Context, Evidence, Finding, Outcome, RuleSet
from feedback_rules.select import draft
from tests.feedback_rules.reports import a_report, events, rule


def _finding(rule_id: str, report: Report, context: Context) -> Finding:
    return next(f for f in evaluate(report, builtin_rule_set().rules, context) if f.rule == rule_id)


def test_an_older_rule_that_sampled_the_talk_is_read_and_plays_nothing() -> None:
    """Frozen in a release before evidence had a scope, with times in its words."""
    few = rule("FIL010")
    document = rule_to_document(few)
    document["evidence"] = {"fallback": "talk"}
    document["message"]["en"]["claim"] = "You kept “um” to a few ({times} and elsewhere)."
    document.pop("never_with")
    older = rule_from_document(document, name="FIL010.yml")
    report = a_report(
        duration=240,
        measurements={
            "fillers.filled_pauses_per_minute": {"value": 1, "interval": [0.4, 2.2], "n": 4}
        },
    )
    made = draft(report, RuleSet(number=3, rules=(older,)), None)
    [item] = made.items
    assert item.clips == ()
    assert item.claim == "You kept “um” to a few."
    assert item.scope == "talk"
    once = draft(report, RuleSet(number=3, rules=(older,)), None).as_json()
    assert once == made.as_json()


def test_an_older_rule_keeps_the_window_that_it_names() -> None:
    opening = rule("GAZ002").model_copy(
        update={"evidence": Evidence(fallback="opening"), "grade": "B"}
    )
    report = a_report(measurements={"gaze.opening_facing_share": 0.2})
    context = Context(setting="camera")
    [item] = draft(report, RuleSet(number=3, rules=(opening,)), context).items
    assert [clip.at for clip in item.clips] == [0.5]


def test_the_machine_then_a_coach_waits_for_one_until_it_is_the_focus() -> None:
    """What a coach let through once need not be asked for again while it lasts."""
    report = a_report(
        measurements={"wording.restarts_per_100_words": 6, "pauses.long_mid_clause_per_minute": 1},
        events=events("restart", 10, 40, 70, 100, 130, label="the the"),
    )
    first = _finding("WRD002", report, Context())
    assert first.fired
    assert first.needs_coach
    again = Context.model_validate({"previous_items": [{"rule": "WRD002", "value": 7}]})
    assert not _finding("WRD002", report, again).needs_coach


def test_a_share_between_nothing_and_everything_is_no_number() -> None:
    share = {"value": 0.2, "n": 900, "interval": [0.01, 0.98]}
    looks = events("look_away", 2, 60, 100, lasting=5, label="down")
    report = a_report(measurements={"gaze.camera_facing_share": share}, events=looks)
    found = _finding("GAZ001", report, Context(setting="camera"))
    assert (found.outcome, found.detail) == (Outcome.LOW_QUALITY, "open")
    sure = {**share, "interval": [0.1, 0.3]}
    report = a_report(measurements={"gaze.camera_facing_share": sure}, events=looks)
    assert _finding("GAZ001", report, Context(setting="camera")).fired


def test_a_card_on_the_first_ten_seconds_plays_no_more_than_those_with_their_lead_out() -> None:
    away = events("look_away", 0, lasting=90, label="side")
    late = events("look_away", 100, lasting=80, label="side")
    report = a_report(
        measurements={"gaze.opening_facing_share": 0.05, "gaze.closing_facing_share": 0.05},
        events=[*away, *late],
    )
    context = Context(setting="camera")
    start, end = Facts.of(report, context).windows["opening"]
    [moment] = _finding("GAZ002", report, context).moments
    assert (moment.start, moment.end) == (start, end)
    begin, last = Facts.of(report, context).windows["closing"]
    [moment] = _finding("GAZ003", report, context).moments
    assert (moment.start, moment.end) == (begin, last)
    opening = RuleSet(number=3, rules=(rule("GAZ002"),))
    [item] = draft(report, opening, context).items
    [clip] = item.clips
    assert (clip.start, clip.end) == (0, end + LEAD_IN_SECONDS)


def test_sentences_that_run_on_are_played_where_no_silence_parts_them() -> None:
    run = events("sentence", 40, 45, 50, 55, lasting=4.9, detail={"words": 15})
    parted = events("sentence", 100, 106, 112, lasting=4.5, detail={"words": 14})
    silences = events("silent_pause", 104.6, 110.6, lasting=1, detail={"place": "sentence_end"})
    facts = Facts.of(a_report(events=[*run, *parted, *silences]), None)
    assert [(e.start, e.end) for e in derived("run_of_sentences", facts)] == [(43, 56.9)]


def test_what_is_played_as_facing_lies_between_the_looks_away() -> None:
    looks = events("look_away", 20, 60, 100, lasting=10, label="side")
    facts = Facts.of(a_report(events=looks), None)
    found = [(e.start, e.end) for e in derived("facing_camera", facts)]
    assert found == [(3.5, 17), (33, 57), (73, 97), (113, 176.5)]


def test_level_windows_are_those_of_the_track() -> None:
    report = a_report()
    track = Track(start=5, step=10, unit="ratio", values=(0.2, 0.11, None, 0.12, 0.05))
    facts = Facts.of(
        report.model_copy(update={"tracks": {"pitch.variation_quotient": track}}), None
    )
    assert [(e.start, e.end) for e in derived("level_window", facts)] == [(10, 20), (40, 50)]


def test_the_most_usual_sentences_show_what_is_usual() -> None:
    """The longest one of the talk was played as a sentence for the ear."""
    lengths = (12, 14, 34, 13, 15, 3, 14)
    told = [
        event
        for index, length in enumerate(lengths)
        for event in events("sentence", 10 + 20 * index, lasting=5, detail={"words": length})
    ]
    report = a_report(
        measurements={
            "wording.sentence_length_words": {"value": 15, "n": 24},
            "wording.long_sentence_share": {"value": 0, "n": 24},
        },
        events=told,
    )
    found = _finding("WRD011", report, Context())
    assert {moment.start for moment in found.moments} == {30, 70, 130}
