"""Benchmark `run [FILE]`: seconds per stage, peak memory, and the plain whisper command for
comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import psutil

from analysis import models
from coach.lib import embedded
from demo.recording import build

ROOT = Path(__file__).resolve().parents[1]
SAMPLE_SECONDS = 0.05
MIB = 1024 * 1024


@dataclass(slots=True)
class CommandRun:
    """Command that was monitored until it ended."""

    seconds: float
    output: bytes
    processor_seconds: float = 0.0
    """User and system time of the command and its children, independent of the machine's load."""
    peaks: dict[str, int] = field(default_factory=dict)
    """Highest resident memory in bytes of each process, by its role."""
    peak_together: int = 0


def main(arguments: Sequence[str]) -> int:
    """Analyse a file, run whisper on it, and print both."""
    parser = argparse.ArgumentParser(prog="python -m bench run", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", help="default: the demonstration recording")
    parser.add_argument("--no-whisper", action="store_true", help="without the comparison")
    chosen = parser.parse_args(arguments)
    path = chosen.file or build(embedded.data_dir() / "demo", say=print)
    with tempfile.TemporaryDirectory() as folder:
        ours = _watch([sys.executable, "-m", "analysis", str(path)], os.environ)
        plain = None if chosen.no_whisper else _whisper(path, Path(folder))
    report = json.loads(ours.output)
    figures = _figures(path, report, ours, plain)
    print("\n".join(_lines(figures)))
    return 0


def _watch(command: Sequence[str], environment: Mapping[str, str]) -> CommandRun:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began, spent = time.perf_counter(), _processor_seconds()
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, env=dict(environment), cwd=ROOT
        )
        ran = CommandRun(seconds=0.0, output=b"")
        root = psutil.Process(process.pid)
        while process.poll() is None:
            _sample(root, ran)
            time.sleep(SAMPLE_SECONDS)
        ran.seconds = time.perf_counter() - began
        ran.processor_seconds = _processor_seconds() - spent
        output.seek(0)
        ran.output = output.read()
        if process.returncode:
            errors.seek(0)
            told = errors.read().decode(errors="replace").strip().splitlines()
            raise SystemExit(f"{command[0]} failed: {told[-1] if told else process.returncode}")
    return ran


def _processor_seconds() -> float:
    """Return the CPU time of all finished child processes, with their children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _sample(root: psutil.Process, ran: CommandRun) -> None:
    together = 0
    with suppress(psutil.Error):
        family = sorted([root, *root.children(recursive=True)], key=lambda p: p.create_time())
        for number, process in enumerate(family):
            with suppress(psutil.Error):
                resident = process.memory_info().rss
                name = "main" if number == 0 else f"child {number}"
                ran.peaks[name] = max(ran.peaks.get(name, 0), resident)
                together += resident
    ran.peak_together = max(ran.peak_together, together)


def _whisper(path: Path, folder: Path) -> CommandRun:
    """Run the command as users do, with word times; it needs a program called ffmpeg."""
    (folder / "ffmpeg").symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    command = [
        *(sys.executable, "-m", "whisper", str(path), "--model", "tiny.en"),
        *("--model_dir", str(models.models_dir()), "--word_timestamps", "True"),
        *("--fp16", "False", "--device", "cpu", "--verbose", "False"),
        *("--output_dir", str(folder), "--output_format", "json"),
    ]
    return _watch(command, environment)


def _figures(
    path: Path, report: dict[str, Any], ours: CommandRun, plain: CommandRun | None
) -> dict[str, Any]:
    length = float(report["media"]["duration"])
    figures: dict[str, Any] = {
        "file": path.name,
        "media_seconds": round(length, 1),
        "processors": os.cpu_count(),
        "load_before": round(os.getloadavg()[2], 1),
        "stages": {name: round(stage["seconds"], 2) for name, stage in report["stages"].items()},
        "whole_seconds": round(ours.seconds, 2),
        "whole_to_media": round(ours.seconds / length, 3),
        "whole_processor_seconds": round(ours.processor_seconds, 2),
        "peak_mib": {name: round(peak / MIB) for name, peak in ours.peaks.items()},
        "peak_together_mib": round(ours.peak_together / MIB),
    }
    if plain:
        figures["whisper_seconds"] = round(plain.seconds, 2)
        figures["whisper_to_media"] = round(plain.seconds / length, 3)
        figures["whisper_peak_mib"] = round(plain.peak_together / MIB)
        figures["whisper_processor_seconds"] = round(plain.processor_seconds, 2)
        figures["whole_to_whisper"] = round(ours.seconds / plain.seconds, 2)
    return figures


def _lines(figures: Mapping[str, Any]) -> list[str]:
    length = figures["media_seconds"]
    lines = [
        f"{figures['file']}: {length} s of media, {figures['processors']} processors",
        "",
        f"{'stage':<14}{'seconds':>9}{'x media':>9}",
    ]
    for name, seconds in figures["stages"].items():
        lines.append(f"{name:<14}{seconds:>9.2f}{seconds / length:>9.3f}")
    whole = figures["whole_seconds"]
    lines.append(f"{'whole run':<14}{whole:>9.2f}{whole / length:>9.3f}   start and end included")
    if "whisper_seconds" in figures:
        plain = figures["whisper_seconds"]
        lines.append(
            f"{'whisper alone':<14}{plain:>9.2f}{plain / length:>9.3f}   the plain command"
        )
        lines.append(f"whole run beside whisper alone: {figures['whole_to_whisper']:.2f} x")
        ours, alone = figures["whole_processor_seconds"], figures["whisper_processor_seconds"]
        lines.append(f"processor seconds: {ours:.1f}, whisper alone {alone:.1f}")
    lines.append("")
    peaks = ", ".join(f"{name} {mib} MiB" for name, mib in figures["peak_mib"].items())
    lines.append(f"peak memory: {peaks}; together {figures['peak_together_mib']} MiB")
    if "whisper_peak_mib" in figures:
        lines.append(f"peak memory of whisper alone: {figures['whisper_peak_mib']} MiB")
    return lines
