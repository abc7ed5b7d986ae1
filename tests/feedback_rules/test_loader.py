"""Reading and writing rule documents."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from feedback_rules.loader import (
    RULES_FOLDER,
    load_rules,
    rule_from_document,
    rule_from_yaml,
    rule_to_document,
    rule_to_yaml,
)
from feedback_rules.model import Rule, RuleError
from tests.feedback_rules.reports import rule

FILE = next(RULES_FOLDER.rglob("FIL001_*.yml"))
TEXT = FILE.read_text(encoding="utf-8")


def _refused(text: str) -> str:
    with pytest.raises(RuleError) as caught:
        rule_from_yaml(text, name="fluency/FIL001_x.yml")
    return str(caught.value)


def test_writing_and_reading_gives_the_same_rule() -> None:
    assert rule_from_yaml(rule_to_yaml(rule("FIL001")), name="x") == rule("FIL001")


def test_a_stored_json_document_gives_the_same_rule() -> None:
    document = rule_to_document(rule("GAZ006"))
    assert rule_from_document(document, name="GAZ006") == rule("GAZ006")


def test_the_canonical_form_is_stable() -> None:
    again = rule_to_yaml(rule_from_yaml(TEXT, name="x"))
    assert again == TEXT


def test_an_unknown_metric_is_refused_with_file_and_line() -> None:
    wrong = TEXT.replace("metric: fillers.filled_pauses_per_minute", "metric: fillers.uhs", 1)
    line = wrong[: wrong.index("fillers.uhs")].count("\n") + 1
    assert _refused(wrong).startswith(f"fluency/FIL001_x.yml:{line}: ")
    assert "Unknown metric fillers.uhs" in _refused(wrong)


def test_an_unknown_operator_is_refused_with_file_and_line() -> None:
    wrong = TEXT.replace("op: above", "op: exceeds", 1)
    line = wrong[: wrong.index("op: exceeds")].count("\n") + 1
    assert f":{line}: when.all.0.op:" in _refused(wrong)


def test_an_unknown_key_is_refused_with_file_and_line() -> None:
    wrong = TEXT.replace("status: stable", "status: stable\nurgency: high", 1)
    line = wrong[: wrong.index("urgency")].count("\n") + 1
    assert f":{line}: urgency: " in _refused(wrong)


def test_an_unknown_event_is_refused() -> None:
    assert "Unknown event" in _refused(TEXT.replace("event: filled_pause", "event: sneeze", 1))


def test_a_key_that_stands_twice_is_refused() -> None:
    assert "“status” appears twice" in _refused(TEXT + "status: draft\n")


@pytest.mark.parametrize(
    "text", ["", "- a list", "a: [", "just words", "a: &x 1\nb: *x", "a: !!python/object:os.x {}"]
)
def test_what_is_no_rule_is_refused_with_a_sentence(text: str) -> None:
    assert _refused(text).startswith("fluency/FIL001_x.yml")


@pytest.mark.parametrize(
    "text",
    [
        "? [a, b]\n: c",
        "? {a: 1}\n: c",
        "? !!set {a}\n: 1",
        "id: !!bool nonsense",
        "id: !!int ''",
        "id: !!timestamp soon",
        "id: !!float much",
    ],
)
def test_a_tag_that_its_value_belies_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(RuleError, match=r"^a.yml(:1)?: "):
        rule_from_yaml(text, name="a.yml")


def test_a_number_of_base_sixty_without_end_is_refused_with_a_sentence() -> None:
    with pytest.raises(RuleError, match="A value cannot be read"):
        rule_from_yaml("id: " + "9:" * 400 + "9.5", name="a.yml")


def test_an_enormous_document_is_refused() -> None:
    assert "longer than a rule" in _refused("a" * 200_000)


def test_a_condition_needs_what_its_operator_compares_with() -> None:
    assert "needs both ends of a band, and no threshold" in _refused(
        TEXT.replace("op: above", "op: between", 1)
    )


def test_a_condition_names_one_kind_of_thing() -> None:
    wrong = TEXT.replace("      op: above", "      event: filled_pause\n      op: above", 1)
    assert "exactly one of metric, event, skipped" in _refused(wrong)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (("duration: 25", "duration: soon"), "report.duration: Input should be a valid number"),
        (("duration: 25", "duration: -5"), "report.duration: Input should be greater than 0"),
        (("n: 26", "n: many"), "measurements.fillers.filled_pauses_per_minute.n: "),
        (("quality: good", "quality: superb"), "filled_pauses_per_minute.quality: "),
        (("start: 65", "start: [1]"), "report.events.0.start: "),
        (("end: 65.4", "end: 6"), "report.events.0.end: It ends before it starts"),
        (("kind: filled_pause", "kind: []"), "report.events.0.kind: "),
        (("duration: 25", "colour: red"), "report.colour: Extra inputs are not permitted"),
        (("duration: 25", "words: 5"), "report.words: "),
        (("duration: 25", "skipped: 5"), "report.skipped: "),
        (("duration: 25", "skipped: {x.y: no_audio}"), "Unknown metric x.y"),
    ],
)
def test_a_mistake_in_a_case_is_named_with_its_line(changed: tuple[str, str], problem: str) -> None:
    rich = TEXT.replace("n: 26\n", "n: 26\n          quality: good\n")
    wrong = rich.replace(*changed, 1)
    assert wrong != TEXT
    refused = _refused(wrong)
    assert problem in refused
    line = wrong.splitlines()[int(refused.split(":")[1]) - 1]
    assert changed[1].partition(":")[0] in line or "- kind" in line


def test_a_case_stays_as_it_was_written() -> None:
    wanted = rule_from_yaml(TEXT, name="x").model_dump(mode="json")["cases"][1]["report"]
    assert wanted == yaml.safe_load(TEXT)["cases"][1]["report"]


def test_a_rule_without_exercise_is_refused() -> None:
    document = rule_to_document(rule("FIL001"))
    del document["message"]["fr"]["exercise"]
    with pytest.raises(RuleError, match=r"message.fr.exercise: Field required"):
        rule_from_document(document, name="FIL001")


def _folder(tmp_path: Path, name: str, text: str = TEXT) -> Path:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder_of_rules_is_read_by_id(tmp_path: Path) -> None:
    loaded = load_rules(_folder(tmp_path, "fluency/FIL001_um.yml"))
    assert [r.id for r in loaded] == ["FIL001"]


@pytest.mark.parametrize("name", ["fluency/um.yml", "clarity/FIL001_um.yml"])
def test_a_file_in_the_wrong_place_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuleError, match=name):
        load_rules(_folder(tmp_path, name))


def test_an_id_is_used_once(tmp_path: Path) -> None:
    _folder(tmp_path, "fluency/FIL001_um.yml")
    with pytest.raises(RuleError, match="already used"):
        load_rules(_folder(tmp_path, "fluency/FIL001_uh.yml"))


def test_a_missing_folder_and_an_empty_one_are_named(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no folder"):
        load_rules(tmp_path / "absent")
    with pytest.raises(RuleError, match="no rules"):
        load_rules(tmp_path)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "FIL001_x.yml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RuleError, match="UTF-8"):
        load_rules(tmp_path)


def test_a_rule_cannot_be_changed_after_reading() -> None:
    found: Rule = rule("FIL001")
    with pytest.raises(ValueError, match="frozen"):
        found.status = "retired"  # type: ignore[misc]


@pytest.mark.parametrize("text", ["[" * 45_000, "a: " + "[" * 45_000 + "]" * 45_000])
def test_what_is_nested_by_the_thousand_is_refused_before_it_can_crash(text: str) -> None:
    with pytest.raises(RuleError, match="nested far deeper"):
        rule_from_yaml(text, name="deep.yml")
