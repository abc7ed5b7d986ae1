"""A read talk with the ums of other voices before and after its phrases, or alone in silences of
seconds: heard, and not praised.

Two synthetic sources of ours: the demonstration's talk and `ums_of_others.flac` (Kokoro voices).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from analysis.backends.speech.voice_activity import find_speech
from analysis.pipeline import load_stage_report, run_stage
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options, Span
from analysis.results import Report
from feedback_rules.loader import builtin_rule_set
from feedback_rules.select import draft
from tests.analysis.spoken import PIECES, UMS, cut, decoded, in_a_room

ROOT = Path(__file__).resolve().parents[2]
FILLED = "fillers.filled_pauses_per_minute"
HOST_SECONDS = 24.0
OWN = 6
"""Fillers that the host says there."""
REST_SECONDS, SOFT = 3.0, 0.08
"""So far from other speech, and so soft, that the voice detector hears next to none of them."""


def spliced(
    host: FloatArray, ums: list[FloatArray], rest: float, level: float
) -> tuple[FloatArray, list[Span]]:
    """The host with one um at each gap between phrases, `rest` seconds of silence around it, and
    when they are said. `level`: of their peak, of that of the host."""
    quiet = np.zeros(round(rest * SAMPLE_RATE_HZ), dtype=np.float32)
    speech = find_speech(host, progress=lambda _share: None)
    places = [(left[1] + right[0]) / 2 for left, right in itertools.pairwise(speech)][: len(ums)]
    parts: list[FloatArray] = []
    times: list[Span] = []
    last, at = 0.0, 0.0
    for place, um in zip(places, ums, strict=False):
        gain = level * float(np.abs(host).max()) / float(np.abs(um).max())
        parts += [cut(host, (last, place)), quiet, (gain * um).astype(np.float32), quiet]
        at += place - last + rest
        times.append((at, at + len(um) / SAMPLE_RATE_HZ))
        at, last = times[-1][1] + rest, place
    parts.append(cut(host, (last, len(host) / SAMPLE_RATE_HZ)))
    return np.concatenate(parts), times


def report_of(work: Path, rest: float, level: float) -> tuple[Report, list[Span]]:
    host = decoded(ROOT / "demo/talks/library.ogg", work)[: int(HOST_SECONDS * 16_000)]
    whole = decoded(UMS, work)
    sound, times = spliced(host, [cut(whole, piece) for piece in PIECES], rest, level)
    path = work / "read.wav"
    wavfile.write(path, SAMPLE_RATE_HZ, (np.clip(in_a_room(sound), -1, 1) * 32767).astype(np.int16))
    for stage in ("prepare", "listen", "transcribe", "assemble"):
        run_stage(stage, media_path=path, workdir=work, options=Options())
    return load_stage_report(work), times


@pytest.fixture(scope="module")
def analysed(models: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[Span]]:
    return report_of(tmp_path_factory.mktemp("read"), 0.0, 0.7)


def heard(report: Report, times: Sequence[Span]) -> int:
    """How many of them were."""
    found = report.events_of("filled_pause")
    return sum(
        any(event.start < end + 0.25 and event.end > start - 0.25 for event in found)
        for start, end in times
    )


def test_most_ums_of_another_voice_in_read_speech_are_heard(
    analysed: tuple[Report, list[Span]],
) -> None:
    report, times = analysed
    assert len(times) >= 5
    assert heard(report, times) >= 0.7 * len(times)


def test_ums_alone_in_silences_of_seconds_are_heard_and_part_them(
    models: Path, tmp_path: Path
) -> None:
    report, times = report_of(tmp_path, REST_SECONDS, SOFT)
    assert len(times) >= 5
    assert heard(report, times) >= 0.7 * len(times)
    assert len(report.events_of("filled_pause")) <= len(times) + OWN
    pauses = report.events_of("silent_pause")
    assert max(event.end - event.start for event in pauses) < 2 * REST_SECONDS


def test_the_interval_contains_what_was_said_and_nothing_is_praised(
    analysed: tuple[Report, list[Span]],
) -> None:
    report, times = analysed
    interval = report.measurements[FILLED].interval
    assert interval is not None
    minutes = report.measurements["signal.talk_seconds"].value / 60
    assert interval[0] <= (len(times) + OWN) / minutes <= interval[1]
    made = draft(report, builtin_rule_set(), None)
    few = next(one for one in made.findings if one.rule == "FIL010")
    assert few.fired is False
