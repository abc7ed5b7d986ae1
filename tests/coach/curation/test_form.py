"""The form and the document: nothing that nobody touched ever changes."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from django.core.exceptions import SuspiciousOperation
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.curation.editor.adapting import adapted, missing_range, stale_parts
from coach.curation.editor.checking import check
from coach.curation.editor.fields import Field, get, lay_over, shown
from coach.curation.editor.merging import merged
from coach.curation.editor.reading import document_from, with_rows_changed
from coach.curation.editor.sections import fields_of
from feedback_rules.explain import problems_of
from feedback_rules.loader import builtin_rule_set, rule_to_document, rule_to_yaml
from feedback_rules.model import MetricCondition, Rule
from tests.coach.curation.forms import Sent, as_sent

RULES = {rule.id: rule for rule in builtin_rule_set().rules}
WORDS = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=40).filter(
    lambda text: text.strip() == text
)


def document_of(rule: str) -> dict[str, Any]:
    return rule_to_document(RULES[rule])


def sent(document: dict[str, Any]) -> Sent:
    return {"document": [json.dumps(document, ensure_ascii=False)], **as_sent(document)}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_opening_and_saving_without_a_change_gives_the_same_bytes(rule: str) -> None:
    read = document_from(sent(document_of(rule)))
    assert rule_to_yaml(Rule.model_validate(read)) == rule_to_yaml(RULES[rule])
    made = check(read)
    assert made.rule is not None
    assert rule_to_yaml(made.rule) == rule_to_yaml(RULES[rule])
    assert made.count == 0


@settings(max_examples=80)
@given(data=st.data())
def test_changing_one_field_changes_that_field_alone(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(sorted(RULES)))
    document = document_of(rule)
    field = data.draw(st.sampled_from([f for f in fields_of(document) if f.kind != "tick"]))
    form = sent(document)
    form[field.name] = [data.draw(_value_for(field))]
    read = document_from(form)
    for other in fields_of(document):
        before, after = shown(other, document), shown(other, read)
        if other.path == field.path:
            assert after == shown(field, _with(document, field, form[field.name][0]))
        elif not _moves_with(other, field):
            assert after == before


def _value_for(field: Field) -> st.SearchStrategy[str]:
    if field.choices:
        return st.sampled_from([code for code, _words in field.choices if code])
    if field.kind == "number":
        return st.floats(0, 1000, allow_nan=False).map(repr)
    if field.kind == "whole":
        return st.integers(0, 1000).map(str)
    return WORDS


def _with(document: dict[str, Any], field: Field, text: str) -> dict[str, Any]:
    form = as_sent(document)
    form[field.name] = [text]
    return document_from({"document": [json.dumps(document)], **form})


def _moves_with(other: Field, field: Field) -> bool:
    """A band becomes a threshold with its operator; nothing else moves with anything."""
    return field.path[-1] == "op" and other.path[: len(field.path) - 1] == field.path[:-1]


def test_an_operator_that_wants_a_band_gets_one_and_back() -> None:
    document = document_of("FIL001")
    form = sent(document)
    form["when|all|0|op"] = ["between"]
    read = document_from(form)
    assert read["when"]["all"][0]["band"] == [5.0, 5.0]
    form = sent(read)
    form["when|all|0|op"] = ["above"]
    assert document_from(form) == document


def test_what_is_no_number_is_said_beside_its_field() -> None:
    form = sent(document_of("FIL001"))
    form["when|all|0|value"] = ["many"]
    form["message|en|claim"] = [""]
    made = check(document_from(form))
    assert made.rule is None
    assert made.at["when", "all", 0, "value"] == ["Write a number, such as 5 or 0.2."]
    assert made.at["message", "en", "claim"] == ["This is needed."]


def test_a_comma_is_a_decimal_point() -> None:
    form = sent(document_of("FIL001"))
    form["severity|width"] = ["2,5"]
    assert document_from(form)["severity"]["width"] == 2.5


def test_words_that_judge_are_named_beside_their_text() -> None:
    form = sent(document_of("FIL001"))
    form["message|en|why"] = ["You said it too often, which is bad."]
    form["message|fr|why"] = ["Vous en dites trop ?"]
    made = check(document_from(form))
    assert "“too” judges." in made.at["message", "en", "why"]
    assert "“trop” judges." in made.at["message", "fr", "why"]


def test_french_spaces_are_set_by_the_machine() -> None:
    form = sent(document_of("FIL001"))
    form["message|fr|suggestion"] = ["Essayez une respiration : elle suffit."]
    made = check(document_from(form))
    assert made.rule is not None
    assert "respiration\u00a0:" in made.rule.message.fr.suggestion


def test_a_threshold_that_is_moved_with_its_band_past_100_percent_says_so_at_the_width() -> None:
    form = sent(document_of("LOU001"))
    form["severity|edge"], form["severity|width"] = ["0.9"], ["0.3"]
    made = check(document_from(form))
    assert made.at["severity", "width"] == [
        "It would count in full only at 120%, which no share can be: make this 10% or less."
    ]
    form["severity|width"] = ["0.1"]
    assert ("severity", "width") not in check(document_from(form)).at


def test_a_moved_threshold_names_what_stayed_and_moves_it_in_one_go() -> None:
    before = RULES["FIL001"]
    form = sent(document_of("FIL001"))
    form["when|all|0|value"] = ["7"]
    document = document_from(form)
    document["cites_study"] = False
    made = check(document)
    assert made.rule is not None
    speaking = {index for index, case in enumerate(before.cases) if case.fires}
    assert set(made.cases) == speaking
    stale = stale_parts(before, made.rule, frozenset(made.cases))
    assert set(stale.cases) == {*speaking, 2}
    assert stale.edge == 7
    assert any("5 did not lower" in figure.text for figure in stale.figures)
    moved = Rule.model_validate(adapted(document, before, made.rule, stale))
    assert problems_of(moved) == ()
    assert moved.severity.edge == 7
    on_it = next(case for case in moved.cases if case.kind == "threshold")
    interval = on_it.report["measurements"]["fillers.filled_pauses_per_minute"]["interval"]
    assert interval[0] == 7


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        ("TIM001", ["exactly a tenth over"]),
        ("GAZ001", ["exactly half"]),
        ("POS001", ["exactly a quarter"]),
    ],
)
def test_texts_that_spell_the_old_threshold_as_a_fraction_are_named(
    rule: str, named: list[str]
) -> None:
    form = sent(document_of(rule))
    form["when|all|0|value"] = ["0.3"]
    made = check(document_from(form))
    assert made.rule is not None
    stale = stale_parts(RULES[rule], made.rule, frozenset(made.cases))
    texts = " ".join((*stale.texts, *(figure.text for figure in stale.figures)))
    for words in named:
        assert words in texts


def _raisable() -> list[tuple[str, int]]:
    return [
        (rule.id, index)
        for rule in RULES.values()
        for index, condition in enumerate(rule.when.all)
        if isinstance(condition, MetricCondition) and condition.value is not None
    ]


@pytest.mark.parametrize(("rule", "index"), _raisable())
def test_cases_follow_every_threshold_of_the_library(rule: str, index: int) -> None:
    document = document_of(rule)
    row = document["when"]["all"][index]
    step = 1.0 if row["value"] >= 2 else 0.01
    row["value"] = round(row["value"] + step, 6)
    made = check(document)
    assert made.rule is not None
    stale = stale_parts(RULES[rule], made.rule, frozenset(made.cases))
    moved = check(adapted(document, RULES[rule], made.rule, stale))
    assert moved.cases == {}


def test_moments_follow_the_threshold_of_the_longest_of_them() -> None:
    """Else a rule for twelve seconds goes on waiting for moments of thirty, and its cases hold."""
    document = document_of("PAU003")
    document["when"]["all"][0]["value"] = 12.0
    made = check(document)
    assert made.rule is not None
    before = RULES["PAU003"]
    stale = stale_parts(before, made.rule, frozenset(made.cases))
    assert {(each.subject, each.new) for each in stale.lengths} == {("run_on", 12.0)}
    moved = check(adapted(document, before, made.rule, stale))
    assert moved.rule is not None
    conditions = (*moved.rule.when.all, *moved.rule.when.co_signals, *moved.rule.evidence.events)
    lengths = [each.min_seconds for each in conditions if not isinstance(each, MetricCondition)]
    assert lengths == [12, 12, 12]
    # A case that was silent for the length of its moment alone follows once it does not hold.
    again = stale_parts(before, moved.rule, frozenset(moved.cases))
    assert (again.lengths, len(again.cases)) == ((), len(moved.cases))
    last = check(adapted(rule_to_document(moved.rule), before, moved.rule, again))
    assert last.cases == {}
    # A length of its own stays.
    document["when"]["all"][1]["min_seconds"] = 20.0
    rule = check(document).rule
    assert rule is not None
    assert 20.0 not in {each.old for each in stale_parts(before, rule, frozenset()).lengths}


@pytest.mark.parametrize(
    ("rule", "old", "length"),
    [("GES001", 0.0, 0.0), ("TIM001", 1.1, 1.1)],
    ids=["any length", "times the limit"],
)
def test_moments_follow_no_number_that_is_no_length_of_theirs(
    rule: str, old: float, length: float
) -> None:
    document = document_of(rule)
    document["when"]["all"][0]["value"] = old
    for row in (*document["when"]["all"], *document["evidence"]["events"]):
        if "event" in row:
            row["min_seconds"] = length
    before = check(document).rule
    document["when"]["all"][0]["value"] = 2.0
    after = check(document).rule
    assert before is not None
    assert after is not None
    assert stale_parts(before, after, frozenset()).lengths == ()


def test_rows_are_added_copied_and_taken_away() -> None:
    document = document_of("FIL001")
    more = with_rows_changed(document, "add|event|when|co_signals", "")
    assert more["when"]["co_signals"] == [{"event": "filled_pause", "at_least": 1}]
    assert with_rows_changed(more, "remove|when|co_signals|0", "")["when"]["co_signals"] == []
    copied = with_rows_changed(document, "copy|cases|1", "")
    assert copied["cases"][2] == document["cases"][1]
    measured = with_rows_changed(
        document, "add|cases|0|report|measurements", "pace.words_per_minute"
    )
    assert "pace.words_per_minute" in get(measured, ("cases", 0, "report", "measurements"))
    moment = with_rows_changed(document, "add|cases|3|report|events", "")
    assert check(moment).rule is not None
    assert len(get(moment, ("cases", 3, "report", "events"))) == 1
    aim = with_rows_changed(document, "add|message|en|why_for", "celebrate")
    assert "celebrate" in aim["message"]["fr"]["why_for"]
    assert check(aim).rule is not None


@pytest.mark.parametrize("do", ["explode", "remove|nothing|3", "copy|title|0", "add|x|when|all"])
def test_buttons_that_are_not_there_do_nothing(do: str) -> None:
    with pytest.raises(SuspiciousOperation):
        with_rows_changed(document_of("FIL001"), do, "")


@given(st.lists(st.text("a \t\r\n", max_size=9), max_size=6))
def test_lines_and_texts_are_read_without_the_blanks_around_their_breaks(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines, whole = Field(path=("x",), label="", kind="lines"), Field(path=("x",), label="")
    for field, between in ((lines, "\n"), (whole, " ")):
        document: dict[str, Any] = {}
        lay_over(document, [field], {"x": [text]})
        said = re.sub(r"\s*[\r\n]+\s*", between, text).strip()
        told = [each for each in said.split("\n") if each] if field is lines else said
        assert document.get("x", type(told)()) == told


def test_a_text_of_nothing_but_blanks_is_read_at_once() -> None:
    document: dict[str, Any] = {"x": "before"}
    field = Field(path=("x",), label="")
    lay_over(document, [field], {"x": ["\t" * 2_000_000 + "word"]})
    assert document["x"] == "word"


@pytest.mark.parametrize("text", ["", "no", "[]", '{"cases": [1]}', "{" * 5000, '"' * 200_000])
def test_a_form_without_its_document_is_refused(text: str) -> None:
    with pytest.raises(SuspiciousOperation):
        document_from({"document": [text]})


def test_two_edits_come_together_and_where_both_changed_the_same_mine_stands() -> None:
    base = document_of("FIL001")
    mine, theirs = deepcopy(base), deepcopy(base)
    mine["title"], theirs["title"] = "Mine", "Theirs"
    mine["when"]["all"][0]["value"] = 7.0
    theirs["message"]["en"]["why"] = "Theirs."
    theirs["weights"]["aims"]["teach"] = 0.5
    both, clashes = merged(base, mine, theirs)
    assert both["when"]["all"][0]["value"] == 7.0
    assert both["message"]["en"]["why"] == "Theirs."
    assert both["weights"]["aims"]["teach"] == 0.5
    assert (both["title"], clashes) == ("Mine", [("title",)])


def test_a_rule_for_one_setting_asks_each_case_for_its_setting() -> None:
    form = sent(document_of("FIL001"))
    form["applies|settings"] = ["stage"]
    document = document_from(form)
    speaking = {index for index, case in enumerate(RULES["FIL001"].cases) if case.fires}
    assert set(check(document).cases) == speaking
    form = sent(document)
    for index in speaking:
        form[f"cases|{index}|context|setting"] = ["stage"]
    made = check(document_from(form))
    assert made.cases == {}
    assert made.rule is not None
    assert made.rule.cases[0].context.setting == "stage"


def test_the_words_of_a_case_are_read_and_written_one_a_line() -> None:
    document = document_of("WRD003")
    name = "cases|0|report|words"
    form = sent(document)
    lines = form[name][0].split("\r\n")
    assert len(lines) == len(get(document, ("cases", 0, "report", "words")))
    form[name] = ["\r\n".join((*lines, "100 100.5 0,9 bonjour à tous"))]
    word = get(document_from(form), ("cases", 0, "report", "words"))[-1]
    assert word == {"text": "bonjour à tous", "start": 100, "end": 100.5, "probability": 0.9}
    form[name] = ["bonjour"]
    made = check(document_from(form))
    assert "Write second, second, how sure, the word: 12.5 12.9 0.9 and" in " ".join(
        problem for problems in made.at.values() for problem in problems
    )
    form[name] = [""]
    assert "words" not in get(document_from(form), ("cases", 0, "report"))


def test_a_case_may_say_what_was_not_measured_and_why() -> None:
    metric = "gaze.look_downs_per_minute"
    form = sent(with_rows_changed(document_of("FIL001"), "add|cases|3|report|skipped", metric))
    form[f"cases|3|report|skipped|{metric}"] = ["no_face"]
    made = check(document_from(form))
    assert made.count == 0
    assert made.rule is not None
    assert made.rule.cases[3].report["skipped"] == {metric: "no_face"}
    gone = with_rows_changed(document_from(form), f"remove|cases|3|report|skipped|{metric}", "")
    assert not gone["cases"][3]["report"]["skipped"]


def test_a_case_may_be_in_another_language_and_sound_alone() -> None:
    form = sent(document_of("FIL001"))
    form["cases|0|report|language"] = ["fr"]
    form["cases|0|report|audio_only"] = ["on"]
    made = check(document_from(form))
    assert made.rule is not None
    assert made.rule.cases[0].report["language"] == "fr"
    assert made.rule.cases[0].report["audio_only"] is True
    form["cases|0|report|language"] = ["French"]
    assert check(document_from(form)).rule is None


def test_a_suggestion_and_its_behaviour_are_changed_in_the_form() -> None:
    form = sent(document_of("FIL001"))
    form["suggestions|1|en"] = ["Most came inside sentences: breathe, then go on."]
    form["suggestions|1|behaviour|kind"] = ["plan_ahead"]
    form["suggestions|1|when|0|at_least"] = ["0.7"]
    form["behaviour|where"] = ["opening", "ending"]
    made = check(document_from(form))
    assert made.rule is not None
    assert made.count == 0
    second = made.rule.suggestions[1]
    assert second.en == "Most came inside sentences: breathe, then go on."
    assert second.behaviour.kind == "plan_ahead"
    assert set(made.rule.behaviour.where if made.rule.behaviour else ()) == {"opening", "ending"}


def test_a_suggestion_is_added_and_taken_away() -> None:
    document = document_of("PAU002")
    more = with_rows_changed(document, "add|suggestions", "")
    made = check(more)
    assert made.rule is not None
    assert [each.name for each in made.rule.suggestions] == ["another"]
    # No case chooses it yet.
    assert made.count == 1
    fewer = check(with_rows_changed(more, "remove|suggestions|0", "")).rule
    assert fewer is not None
    assert fewer.suggestions == ()


def test_a_case_that_chooses_another_suggestion_is_said_to() -> None:
    form = sent(document_of("FIL001"))
    form["cases|0|suggests"] = ["before_numbers"]
    assert "suggests “usual”" in check(document_from(form)).cases[0]


def test_setting_cases_to_the_new_threshold_is_done_once() -> None:
    """Pressed again and again, it moved the case further each time."""
    before = RULES["PAU010"]
    document = document_of("PAU010")
    document["when"]["all"][0] |= {"use": "low", "value": 0.5}
    for case in document["cases"]:
        for measured in case["report"].get("measurements", {}).values():
            if isinstance(measured, dict):
                measured.pop("interval", None)
    seen = []
    for _press in range(3):
        made = check(document)
        assert made.rule is not None
        stale = stale_parts(before, made.rule, frozenset(made.cases))
        document = adapted(document, before, made.rule, stale)
        seen.append(document)
    assert seen[0] == seen[1] == seen[2]
    assert not stale.cases
    # What is left is no matter of the threshold: the case has no range to look at.
    for index in made.cases:
        button, measure = missing_range(document, index)
        assert measure == "Pauses after sentences (share)", made.cases[index]
        document = with_rows_changed(document, button, "")
        found = document["cases"][index]["report"]["measurements"]["pauses.boundary_pause_share"]
        assert found["interval"] == [found["value"], found["value"]]
    assert check(document).cases == {}
