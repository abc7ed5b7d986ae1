"""Reports that are kept: nothing is analysed twice, and nothing old is taken for new."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from analysis.ports import Options
from bench.judgement import analysed
from bench.judgement.analysed import ReportCache


@pytest.fixture
def silence(tmp_path: Path) -> Path:
    path = tmp_path / "talk.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(2 * 16_000))
    return path


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    real, named = analysed.run_stage, []

    def noted(name: str, **given: object) -> object:
        named.append(name)
        return real(name, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(analysed, "run_stage", noted)
    return named


def test_a_recording_is_known_by_its_recipe_and_not_analysed_again(
    tmp_path: Path, silence: Path, runs: list[str]
) -> None:
    kept = ReportCache(tmp_path / "kept")
    assert kept.report_of("a", Options()) is None
    report = kept.analyse("a", silence, Options())
    count = len(runs)

    assert kept.report_of("a", Options()) == report
    assert kept.report_of("b", Options()) is None
    assert kept.report_of("a", Options(language="fr")) is None
    assert len(runs) == count


def test_only_the_last_stage_runs_again_where_it_has_changed(
    tmp_path: Path, silence: Path, runs: list[str]
) -> None:
    kept = ReportCache(tmp_path / "kept")
    report = kept.analyse("a", silence, Options())
    for each in (tmp_path / "kept/reports").iterdir():
        each.unlink()
    runs.clear()

    again = kept.report_of("a", Options())

    assert runs == ["assemble"]
    assert again is not None
    assert again.measurements == report.measurements
    assert again.media.sha256 == report.media.sha256
