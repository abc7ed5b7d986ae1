"""A report that is kept is the one that would be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.results import Report
from tests import kept_reports
from tests.feedback_rules.reports import a_report
from tests.kept_reports import kept_report


def test_a_report_is_made_again_where_what_it_is_made_from_has_changed_and_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    maker = tmp_path / "maker.py"
    report = a_report()

    def asked() -> Report:
        def make() -> Report:
            made.append("")
            return report

        return kept_report(tmp_path, maker, "talk", make)

    monkeypatch.setenv("CI", "")
    maker.write_text("one")
    assert asked() == asked() == report
    assert len(made) == 1
    maker.write_text("another")
    assert asked() == report
    assert len(made) == 2
    monkeypatch.setattr(kept_reports, "_surroundings", lambda: b"another library")
    assert asked() == asked() == report
    assert len(made) == 3
    monkeypatch.setenv("CI", "true")
    assert asked() == report
    assert len(made) == 4


def test_the_code_and_the_weights_of_the_analysis_are_a_part_of_the_name() -> None:
    named = "\n".join(kept_reports._all_that_counts())
    for part in ("analysis/weights.py", "filler_weights.json", "synthetic_voice.py", "ctranslate2"):
        assert part in named
    assert "/test_" not in named
