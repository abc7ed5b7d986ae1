"""A recording changed by a known factor changes its measures by that factor: the real chain."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import librosa
import numpy as np
import pytest
from scipy.io import wavfile

from analysis.pipeline import load_stage_report, run_stage
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options
from analysis.results import Report
from bench.listening.synthetic_voice import say
from tests.kept_reports import Kept

TEXT = (
    "Good morning, everyone, and thank you for coming today.",
    "I would like to tell you about three things that we found in the lake.",
    "First, the water was warmer than it had been in the last ten years.",
    "Second, the fish moved to the deeper part of the lake in the summer.",
    "And third, the people of the village changed the way they work.",
    "Why does this matter to you and to your children?",
    "Because the same thing happens in many lakes all over the world.",
)
PAUSE = 0.7
WITHOUT_WORDS = ("prepare", "listen", "assemble")
WITH_WORDS = ("prepare", "listen", "transcribe", "assemble")


@dataclass(frozen=True)
class WorkDirectory:
    """Analyses changed copies of one recording."""

    folder: Path
    audio: FloatArray
    kept: Kept

    def report(self, name: str, audio: FloatArray, stages: tuple[str, ...]) -> Report:
        return self.kept(name, lambda: self._made(name, audio, stages))

    def _made(self, name: str, audio: FloatArray, stages: tuple[str, ...]) -> Report:
        path = self.folder / f"{name}.wav"
        wavfile.write(path, SAMPLE_RATE_HZ, (audio * 32767).astype(np.int16))
        for stage in stages:
            run_stage(stage, media_path=path, workdir=self.folder / name, options=Options())
        return load_stage_report(self.folder / name)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, models: Path, kept: Kept) -> WorkDirectory:
    said = say(TEXT, voice="en-us", pause=PAUSE, words_a_minute=120).audio
    room = 0.0005 * np.random.default_rng(1).standard_normal(len(said))
    audio = (0.5 * said + room).astype(np.float32)
    return WorkDirectory(tmp_path_factory.mktemp("changes"), audio, kept)


@pytest.fixture(scope="module")
def plain(bench: WorkDirectory) -> Report:
    return bench.report("plain", bench.audio, WITH_WORDS)


def value(report: Report, metric: str) -> float:
    return report.measurements[metric].value


def test_a_tempo_of_1_25_scales_words_a_minute_by_1_25(bench: WorkDirectory, plain: Report) -> None:
    faster = librosa.effects.time_stretch(bench.audio, rate=1.25, n_fft=1024).astype(np.float32)
    report = bench.report("faster", faster, WITH_WORDS)
    for metric, tolerance in (
        ("pace.words_per_minute", 0.02),
        ("pace.speech_rate_syllables_per_second", 0.02),
        # Gaps that fall under 250 ms are no pauses any more, and the synthetic voice never says
        # a sentence twice in quite the same way.
        ("pace.articulation_rate_syllables_per_second", 0.08),
    ):
        ratio = value(report, metric) / value(plain, metric)
        assert ratio == pytest.approx(1.25, rel=tolerance), metric


def test_a_voice_four_semitones_higher_has_the_same_spread_of_pitch(
    bench: WorkDirectory, plain: Report
) -> None:
    higher = librosa.effects.pitch_shift(bench.audio, sr=SAMPLE_RATE_HZ, n_steps=4.0)
    report = bench.report("higher", higher.astype(np.float32), WITHOUT_WORDS)
    assert value(report, "pitch.sd_semitones") == pytest.approx(
        value(plain, "pitch.sd_semitones"), abs=0.25
    )


def test_gain_leaves_the_range_of_loudness_unchanged(bench: WorkDirectory, plain: Report) -> None:
    report = bench.report("softer", (bench.audio * 0.25).astype(np.float32), WITHOUT_WORDS)
    assert value(report, "loudness.range_db") == pytest.approx(
        value(plain, "loudness.range_db"), abs=0.3
    )


def test_added_silence_raises_the_silent_share_by_exactly_what_was_added(
    bench: WorkDirectory, plain: Report
) -> None:
    gap = max(
        ((left[1], right[0]) for left, right in zip(plain.speech, plain.speech[1:], strict=False)),
        key=lambda gap: gap[1] - gap[0],
    )
    at = round(sum(gap) / 2 * SAMPLE_RATE_HZ)
    added = 3.0
    quiet = 0.0005 * np.random.default_rng(2).standard_normal(round(added * SAMPLE_RATE_HZ))
    longer = np.concatenate([bench.audio[:at], quiet.astype(np.float32), bench.audio[at:]])
    report = bench.report("longer", longer, WITHOUT_WORDS)
    seconds = value(plain, "signal.talk_seconds")
    silent = value(plain, "pauses.silence_share") * seconds
    assert value(report, "signal.talk_seconds") == pytest.approx(seconds + added, abs=0.05)
    assert value(report, "pauses.silence_share") == pytest.approx(
        (silent + added) / (seconds + added), abs=0.01
    )
