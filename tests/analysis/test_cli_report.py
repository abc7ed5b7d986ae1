"""`python -m analysis`: one report on stdout, or one sentence at the end of stderr."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis import __version__
from analysis.cli import main
from analysis.metrics import METRICS, PROFILE_FAMILIES
from analysis.results import SCHEMA_VERSION, load_report
from demo import libraries
from tests.analysis.recordings import Picture, Tone, record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = re.compile(r"E\d{3} [A-Z].*\.")


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "analysis", *map(str, arguments)]


def run(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def last_line(stderr: str) -> str:
    return stderr.strip().splitlines()[-1]


@pytest.mark.usefixtures("models")
def test_it_prints_one_report_and_its_progress(tmp_path: Path) -> None:
    path = record(tmp_path / "-мой talk.mp4", picture=Picture())
    done = run(
        "--mirrored",
        "--calibration",
        "0.5",
        "--skip",
        "pace",
        "hands",
        "--",
        path.name,
        cwd=tmp_path,
    )
    assert done.returncode == 0
    report = load_report(done.stdout)
    assert report.media.duration == pytest.approx(2.0, abs=0.1)
    assert len(report.measurements) + len(report.skipped) == len(METRICS)
    assert report.skipped["pace.words_per_minute"].reason == "disabled_by_profile"
    assert report.stages["assemble"].options["mirrored"] is True
    assert report.stages["assemble"].options["calibration"] == [0.0, 0.5]
    assert report.gaze_zero is None
    assert all(re.fullmatch(r"\w+ \d+%", line) for line in done.stderr.splitlines())
    assert json.loads(done.stdout)["schema_version"] == SCHEMA_VERSION
    assert report.rostrum == __version__


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere none is needed")
@pytest.mark.usefixtures("models")
def test_without_the_system_libraries_faces_are_skipped_and_the_rest_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty file is found first under the name of each, and nothing can be loaded."""
    for library in libraries.NEEDED:
        (tmp_path / library).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run(record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone(level=0.0)))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    report = load_report(done.stdout)
    for metric in ("gaze.camera_facing_share", "posture.lean_degrees"):
        assert report.skipped[metric].reason == "model_missing"
        assert "libegl1" in report.skipped[metric].detail


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "E102"), (b"text", "E103"), (b"#EXTM3U\n", "E104"), (None, "E101")],
)
def test_what_is_wrong_with_the_file_ends_in_one_sentence(
    tmp_path: Path, content: bytes | None, code: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.mp4"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert last_line(err).startswith(f"{code} ")
    assert SENTENCE.fullmatch(last_line(err))


WRONG = [
    [],
    ["talk.mp4", "other.mp4"],
    ["--no-such-flag", "talk.mp4"],
    ["-talk.mp4"],
    ["--language", "de", "talk.mp4"],
    ["--engine", "none", "talk.mp4"],
    ["--setting", "moon", "talk.mp4"],
    ["--camera-position", "nowhere", "talk.mp4"],
    ["--skip", "happiness", "talk.mp4"],
    ["--skip"],
    ["--from", "soon", "talk.mp4"],
    ["--from", "-3", "talk.mp4"],
    ["--from=nan", "talk.mp4"],
    ["--from", "1:99", "talk.mp4"],
    ["--to", "1e3", "talk.mp4"],
    ["--to", ":30", "talk.mp4"],
    ["--engine", "faster-whisper", "--size", "base.en", "talk.mp4"],
    ["--language", "fr", "--size", "tiny.en", "talk.mp4"],
    ["--from", "1:00", "--to", "0:30", "talk.mp4"],
    ["--to", "0", "talk.mp4"],
    ["--calibration", "0", "talk.mp4"],
    ["--calibration", "1:00", "talk.mp4"],
    ["--calibration", "3", "--from", "1:00", "--to", "1:02", "talk.mp4"],
    ["frame"],
    ["check"],
    ["check", "a.mp4", "b.mp4"],
    ["models", "please"],
]


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_arguments_end_in_two(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert last_line(err).startswith("E200 ")
    assert SENTENCE.fullmatch(last_line(err))


def test_a_time_that_cannot_be_read_is_shown_with_how_to_write_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    main(["--from", "3s", "talk.mp4"])
    assert last_line(capfd.readouterr().err) == (
        "E200 Argument --from: '3s' is not a time; write seconds (90 or 90.5) or minutes and "
        "seconds (1:30)."
    )


def test_a_folder_is_called_a_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert "This is a folder" in last_line(capfd.readouterr().err)


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert "--camera-position" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("--skip", *PROFILE_FAMILIES, "--"), ("check",)], ids=["report", "a few lines"]
)
def test_a_pipe_that_closes_early_is_no_error(words: tuple[str, ...], tmp_path: Path) -> None:
    path = record(tmp_path / "talk.wav", tone=Tone(codec="pcm_s16le", level=0.0))
    with subprocess.Popen(
        command(*words, path),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_stops_quietly_and_at_once(tmp_path: Path, stop: signal.Signals, code: int) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())
    with subprocess.Popen(
        command(path),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A suite that runs in the background hands SIGINT on ignored.
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(stop)
        started = time.monotonic()
        errors = process.stderr.read()
    assert process.returncode == code
    assert time.monotonic() - started < 20
    assert "Traceback" not in errors
    assert not list(tmp_path.glob("rostrum-*"))
