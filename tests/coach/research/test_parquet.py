"""Tracks as Parquet: of sound and of picture, each with its own consent, always the same bytes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.results import Track
from coach.feedback.models import StoredReport
from coach.research.exports.bundle_forms import ExportForm
from coach.research.exports.formats.parquet import can_write_parquet, write_tracks
from coach.research.studies.models import Scope, Study
from tests.coach.research.conftest import included_in, lay_out
from tests.coach.research.making import agree

TRACKS = {
    "pitch.semitones": Track(start=0.5, step=0.01, unit="semitones", values=(1.0, None, 2.5)),
    "head.yaw": Track(start=0.0, step=0.2, unit="degrees", values=(3.0,)),
}


@pytest.fixture
def tracked(study: Study) -> Study:
    """Ana's take has two tracks."""
    report = StoredReport.objects.get(pk=included_in(study).takes[0].run.pk)
    report.document["tracks"] = {name: t.model_dump(mode="json") for name, t in TRACKS.items()}
    report.save()
    return study


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def test_consent_to_measurements_alone_gives_no_track(tracked: Study, tmp_path: Path) -> None:
    lay_out(tracked, tmp_path, "parquet")
    assert files(tmp_path) == []


def test_tracks_of_sound_leave_with_consent_to_sound(tracked: Study, tmp_path: Path) -> None:
    parquet = pytest.importorskip(
        "pyarrow.parquet", reason="pyarrow is not installed (pip install pyarrow)"
    )
    agree(tracked.participants.get(group="trainee"), Scope.AUDIO)
    lay_out(tracked, tmp_path, "parquet")
    [path] = files(tmp_path)
    assert parquet.read_table(path).to_pylist() == [
        {"track": "pitch.semitones", "unit": "semitones", "at_ms": at, "value": value}
        for at, value in ((500, 1.0), (510, None), (520, 2.5))
    ]


def test_the_same_tracks_give_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (pip install pyarrow)")
    for name in ("a", "b"):
        write_tracks(TRACKS, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_where_pyarrow_is_not_installed_it_is_said(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = "coach.research.management.commands.export_study.can_write_parquet"
    monkeypatch.setattr(place, lambda: False)
    with pytest.raises(CommandError, match="pyarrow"):
        call_command(
            "export_study",
            study.slug,
            "--out",
            str(tmp_path / "x.zip"),
            "--format",
            "parquet",
            stdout=StringIO(),
        )
    offered = dict(ExportForm().fields["formats"].choices)  # type: ignore[attr-defined]
    assert ("parquet" in offered) == can_write_parquet()
