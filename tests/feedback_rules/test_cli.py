"""`python -m feedback_rules`: output, exit codes, and the last line on stderr."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.results import Report
from feedback_rules.cli import main
from feedback_rules.loader import RULES_FOLDER, rule_to_yaml
from tests.feedback_rules.reports import a_report, events, rule

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def report() -> Report:
    return a_report(
        measurements={
            "fillers.filled_pauses_per_minute": {"value": 8, "interval": [6, 10.3], "n": 24}
        },
        events=events("filled_pause", 65, 120, lasting=0.4, label="um"),
    )


@pytest.fixture
def stored(tmp_path: Path, report: Report) -> Path:
    file = tmp_path / "report.json"
    file.write_text(report.as_json(), encoding="utf-8")
    return file


def _last(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.strip().splitlines()[-1]


def test_a_report_alone_is_an_alias_of_run(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(stored)]) == 0
    alone = capsys.readouterr()
    assert main(["run", str(stored)]) == 0
    assert capsys.readouterr().out == alone.out
    assert "missing_context" in alone.err
    document = json.loads(alone.out)
    assert set(document) == {"rule_set", "items", "held_back", "findings"}
    assert [item["rule"] for item in document["items"]] == ["FIL001"]


def test_a_report_may_come_through_standard_input(
    report: Report, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(report.as_json().encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["run", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["items"]


def test_a_context_is_read_and_the_language_of_the_cards_can_be_chosen(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = tmp_path / "context.json"
    context.write_text('{"aim": "pitch", "setting": "camera"}', encoding="utf-8")
    assert main(["run", str(stored), "--context", str(context), "--words", "fr"]) == 0
    printed = capsys.readouterr()
    assert "votre offre" in printed.out
    assert printed.err == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"aim": "impress"}', "aim:"),
        ('{"mood": "fine"}', "mood:"),
        ('{"disabled_families": ["eyebrows"]}', "Unknown family"),
        ('{"baseline": {"x.y": {"value": 1, "takes": 3}}}', "Unknown metric"),
        ('{"time_limit": 0}', "time_limit:"),
        ("not json", "document:"),
    ],
)
def test_a_context_with_a_mistake_is_named(
    stored: Path,
    tmp_path: Path,
    content: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    context = tmp_path / "context.json"
    context.write_text(content, encoding="utf-8")
    assert main(["run", str(stored), "--context", str(context)]) == 1
    last = _last(capsys)
    assert last.startswith("E312 context.json: ")
    assert sentence in last


@pytest.mark.parametrize("content", ["", "[]", '{"schema_version": 2}', "\x00", "{"])
def test_what_is_no_report_is_refused(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    file.write_text(content, encoding="utf-8")
    assert main([str(file)]) == 1
    assert _last(capsys).startswith("E310 report.json: ")


def test_a_missing_report_and_a_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (tmp_path / "absent.json", tmp_path):
        assert main([str(name)]) == 1
        assert _last(capsys).startswith("E311 ")


@pytest.mark.parametrize(
    "arguments",
    [[], ["run"], ["run", "a", "b"], ["run", "a", "--speed"], ["a", "--words", "de"], ["backtest"]],
)
def test_wrong_arguments_end_with_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert _last(capsys).startswith("E300 ")


def test_rules_from_another_folder_decide(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rules" / "fluency"
    folder.mkdir(parents=True)
    raised = rule("FIL001").model_copy(update={"status": "retired"})
    (folder / "FIL001_um.yml").write_text(rule_to_yaml(raised), encoding="utf-8")
    assert main(["run", str(stored), "--rules", str(tmp_path / "rules")]) == 0
    assert json.loads(capsys.readouterr().out)["items"] == []
    assert main(["backtest", str(stored), "--rules", str(tmp_path / "rules")]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["reports"] == 1
    assert counted["rules"]["FIL001"] == {
        "fired": 1,
        "shown": 1,
        "silent": {},
        "waits_for_coach": 0,
    }
    assert counted["compared"] == {"changed": 1, "gained": {}, "lost": {"FIL001": 1}}


def test_a_backtest_of_nothing_or_of_a_broken_report_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backtest", str(tmp_path)]) == 1
    assert _last(capsys).startswith("E313 ")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert main(["backtest", str(tmp_path)]) == 1
    assert _last(capsys).startswith("E310 broken.json: ")


def test_lint_passes_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 0
    assert "51 improvements, 23 strengths" in capsys.readouterr().out


_SOURCE = "source: Laske & DiGennaro Reed 2024; no rate between 5 and 12 was tested"


def _copy(tmp_path: Path, changed: tuple[str, str]) -> Path:
    source = next(RULES_FOLDER.rglob("FIL001_*.yml"))
    folder = tmp_path / "fluency"
    folder.mkdir()
    text = source.read_text(encoding="utf-8").replace(*changed, 1)
    (folder / source.name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (("When one wants to come", "You should try a short silence"), "“You should” prescribes"),
        (("When one wants to come", "Try too short a silence"), "“too” judges"),
        (("When one wants to come", "Pause {deeply}, a silence"), "Unknown placeholder {deeply}."),
        (("When one wants to come", "Pause {, a silence"), "A placeholder is not closed"),
        (("kind: threshold", "kind: fail"), "There is no case exactly on the threshold."),
        (("value: 5\n      use: low", "value: 7\n      use: low"), "should fire"),
        (("status: stable", "status:   stable"), "Not in canonical form"),
        ((_SOURCE, "source: somebody"), "source: Name a source"),
        (("op: above", "op: over"), "when.all.0.op"),
    ],
)
def test_lint_names_what_is_wrong(
    tmp_path: Path, changed: tuple[str, str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(_copy(tmp_path, changed))]) == 1
    printed = capsys.readouterr()
    assert problem in printed.out
    assert re.match(r"E301 fluency/FIL001_filled_pauses\.yml:\d+: ", printed.out)
    assert printed.err.startswith("E302 ")


def test_lint_writes_the_canonical_form_with_french_spaces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _copy(tmp_path, ("«\u00a0euh\u00a0»", "« euh »"))
    assert main(["lint", str(folder)]) == 1
    assert main(["lint", str(folder), "--fix"]) == 0
    file = next(folder.rglob("FIL001_*.yml"))
    assert file.read_bytes() == next(RULES_FOLDER.rglob("FIL001_*.yml")).read_bytes()
    assert "1 rules" in capsys.readouterr().out


def test_a_word_that_judges_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _copy(tmp_path, ("When one wants to come", "Try too short a silence"))
    lines = next(folder.rglob("*.yml")).read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "too short" in line)
    main(["lint", str(folder)])
    assert f".yml:{number}: message.en.suggestion: “too” judges" in capsys.readouterr().out


def test_one_file_alone_is_linted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = next(_copy(tmp_path, ("", "")).rglob("*.yml"))
    assert main(["lint", str(file)]) == 0
    assert capsys.readouterr().out == "1 rules: 1 improvements, 0 strengths.\n"


def test_a_folder_that_is_not_there_is_said_not_to_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(tmp_path / "nowhere")]) == 1
    assert "no file or folder of rules named nowhere" in capsys.readouterr().err


def test_line_ends_of_another_system_are_not_canonical(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = next(_copy(tmp_path, ("", "")).rglob("*.yml"))
    canonical = file.read_bytes()
    file.write_bytes(canonical.replace(b"\n", b"\r\n"))
    assert main(["lint", str(tmp_path)]) == 1
    assert "yml:1: Not in canonical form" in capsys.readouterr().out
    assert main(["lint", str(tmp_path), "--fix"]) == 0
    assert file.read_bytes() == canonical


def test_the_schema_is_that_of_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["title"] == "Rule"
    assert {"id", "when", "severity", "evidence", "message"} <= set(schema["required"])
    assert schema["additionalProperties"] is False


def test_it_runs_as_a_program_and_ends_without_a_traceback(stored: Path) -> None:
    command = [sys.executable, "-m", "feedback_rules"]
    done = subprocess.run([*command, str(stored)], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["items"]
    wrong = subprocess.run([*command, "absent"], cwd=ROOT, capture_output=True, check=False)
    assert wrong.returncode == 1
    assert wrong.stderr.decode().strip() == "E311 absent cannot be read: No such file or directory."


def test_who_reads_the_first_line_only_hears_no_complaint(tmp_path: Path) -> None:
    """More than a pipe holds is written to somebody who has left."""
    command = [sys.executable, "-m", "feedback_rules", "schema"]
    complaints = tmp_path / "complaints"
    with complaints.open("wb") as file:
        talking = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=file)
        assert talking.stdout is not None
        talking.stdout.close()
        assert talking.wait(timeout=60) == 0
    assert complaints.read_bytes() == b""
