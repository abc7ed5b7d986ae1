"""All stages side by side: one report, whatever happens to one of the processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from analysis.errors import MediaMissing, MediaRefused, MediaTooLong, MediaUnreadable, StageFailed
from analysis.pipeline import analyse, run, work
from analysis.ports import Limits, Options
from analysis.results import Reason, Report
from tests.analysis.recordings import Picture, Tone, record

pytestmark = pytest.mark.slow

SILENT_FILM = Picture(times=[index / 25 for index in range(50)])
EVERYTHING_SPOKEN = frozenset(
    {"pace", "pauses", "fillers", "wording", "structure", "loudness", "pitch", "signal"}
)


def crew() -> list[psutil.Process]:
    """The processes that this one has started to run stages, in the order of their start."""
    return [
        child
        for child in psutil.Process().children()
        if "analysis.pipeline.child" in child.cmdline()
    ]


@pytest.mark.usefixtures("faces")
def test_a_film_without_sound_gives_a_report_and_what_concludes_is_loaded_before_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(work, "warm_up", loaded.append)
    before: dict[str, list[str]] = {}
    news: list[tuple[str, float]] = []

    def told(stage: str, share: float) -> None:
        news.append((stage, share))
        before.setdefault(stage, [*loaded])

    report = analyse(
        record(tmp_path / "talk.mp4", picture=SILENT_FILM), options=Options(), progress=told
    )
    assert report.skipped["pace.words_per_minute"].reason is Reason.NO_AUDIO
    assert {"prepare", "watch", "assemble"} <= set(report.stages)
    assert {stage for stage, share in news if share == 1.0} == {
        "prepare",
        "transcribe",
        "listen",
        "watch",
        "assemble",
    }
    assert crew() == []
    assert before["prepare"] in ([], ["assemble"])
    assert before["assemble"] == ["assemble"]


@pytest.mark.usefixtures("faces")
def test_watching_begins_while_it_is_still_looked_for_where_somebody_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    give = run._Workers.give

    def given(workers: run._Workers, *stages: str, **cores: Any) -> None:
        order.append(f"give {stages}")
        give(workers, *stages, **cores)

    monkeypatch.setattr(run._Workers, "give", given)
    report = analyse(
        record(tmp_path / "talk.mp4", picture=SILENT_FILM, tone=Tone()),
        options=Options(),
        progress=lambda stage, share: order.append(stage) if share == 1.0 else None,
    )
    assert order.index("give ('watch',)") < order.index("prepare")
    assert order.count("watch") == 1
    assert "watch" in report.stages


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"#EXTM3U\n/etc/passwd\n", MediaRefused),
        (b"\x1a\x45\xdf\xa3" + bytes(100), MediaUnreadable),
    ],
)
def test_what_is_wrong_with_the_file_is_told_and_nothing_loaded_to_conclude_on_it(
    tmp_path: Path, content: bytes, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(work, "warm_up", loaded.append)
    path = tmp_path / "talk.mp4"
    path.write_bytes(content)
    before = threading.enumerate()
    with pytest.raises(error) as caught:
        analyse(path, options=Options())
    assert str(tmp_path) not in str(caught.value)
    assert crew() == []
    assert loaded == []
    assert set(threading.enumerate()) <= set(before)


def test_a_missing_file_starts_no_process(tmp_path: Path) -> None:
    with pytest.raises(MediaMissing):
        analyse(tmp_path / "none.mp4", options=Options())


def test_limits_reach_the_process_that_reads(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.mp4", picture=SILENT_FILM)
    with pytest.raises(MediaTooLong):
        analyse(path, options=Options(), limits=Limits(max_seconds=1.0))


def _kill_the_next(place: int) -> threading.Thread:
    """Kill one of the processes as soon as it has started."""

    def kill() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            processes = crew()
            if len(processes) == 3:
                os.kill(processes[place].pid, signal.SIGKILL)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def _analysed_while_killing(tmp_path: Path, place: int) -> Report:
    thread = _kill_the_next(place)
    try:
        return analyse(record(tmp_path / "talk.mp4", picture=SILENT_FILM), options=Options())
    finally:
        thread.join()


def test_a_process_that_dies_costs_only_its_stage(tmp_path: Path) -> None:
    report = _analysed_while_killing(tmp_path, 2)
    assert "prepare" in report.stages
    assert "watch" not in report.stages
    # Without speech some measures name that first; the others say what failed.
    assert report.skipped["gaze.camera_facing_share"].reason in {
        Reason.STAGE_FAILED,
        Reason.NO_AUDIO,
        Reason.NO_SPEECH,
    }


def test_without_prepare_there_is_an_error_and_no_process_left(tmp_path: Path) -> None:
    with pytest.raises(StageFailed):
        _analysed_while_killing(tmp_path, 0)
    assert crew() == []


def test_a_temporary_folder_is_all_that_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    analyse(
        record(tmp_path / "talk.mp4", picture=SILENT_FILM),
        options=Options(skip=EVERYTHING_SPOKEN | {"gaze", "head", "posture", "gesture"}),
    )
    assert list(folder.iterdir()) == []
