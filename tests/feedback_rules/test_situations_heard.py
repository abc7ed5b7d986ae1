"""Situations as recordings: a synthetic voice, the real analysis of its sound, the real rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from analysis.pipeline import load_stage_report, run_stage
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options
from analysis.results import Reason, Report
from bench.listening import noises
from bench.listening.synthetic_voice import say
from feedback_rules.explain import nothing_found
from feedback_rules.model import Outcome
from tests.feedback_rules.reports import drafted, every_card, outcome
from tests.kept_reports import Kept

pytestmark = pytest.mark.usefixtures("models")

ENGLISH = (
    "Good morning, and thank you for coming.",
    "Today I will talk about three things that matter to us.",
    "First, we measured the temperature of the water for two years.",
    "Then the children counted the birds in the park.",
    "Finally, I will show you what we learned.",
)
FRENCH = (
    "Bonjour à tous, et merci d'être venus ce matin.",
    "Je voudrais vous parler de trois choses importantes.",
    "D'abord, nous avons mesuré la température de l'eau pendant deux ans.",
    "Ensuite, les élèves de l'école ont compté les oiseaux dans le parc.",
)
RATES = {"fillers", "pace", "pitch"}


def english(
    phrases: tuple[str, ...] = ENGLISH, *, voice: str = "en-us", pause: float = 0.6
) -> FloatArray:
    return say(phrases, voice=voice, pause=pause).audio


def heard(audio: FloatArray, folder: Path) -> Report:
    """The report of a sound file that was said to be English."""
    path = folder / "talk.wav"
    wavfile.write(path, SAMPLE_RATE_HZ, (0.8 * 32767 * np.clip(audio, -1, 1)).astype(np.int16))
    for stage in ("prepare", "listen", "transcribe", "watch", "assemble"):
        run_stage(stage, media_path=path, workdir=folder / "work", options=Options(language="en"))
    return load_stage_report(folder / "work")


def test_1_and_11_twenty_seconds_with_four_ums_get_no_rate_and_nothing_is_invented(
    tmp_path: Path, kept: Kept
) -> None:
    with_ums = tuple(part for phrase in ENGLISH[:4] for part in (phrase, "um")) + ENGLISH[4:]
    report = kept("four_ums", lambda: heard(english(with_ums, pause=0.5), tmp_path))
    assert len(report.events_of("filled_pause")) == 4
    made = drafted(report)
    assert not {item.family for item in every_card(made)} & RATES
    assert made.items == ()
    # Clearly heard, and short: nobody is sent to look for a better microphone.
    silent = {outcome(made, rule) for rule in ("FIL001", "PAU001", "PIT001")}
    assert silent == {Outcome.TOO_SHORT}
    assert "record it again" in nothing_found("en")
    assert "A take of 90 s allows it." in report.skipped["pace.fast_passage_share"].detail


def pumped(audio: FloatArray) -> FloatArray:
    """Room noise, and a gain that falls at once where somebody speaks and rises in each pause."""
    noise = np.random.default_rng(1).standard_normal(len(audio))
    sound = audio + 0.002 * noise
    step = SAMPLE_RATE_HZ // 100
    blocks = np.abs(sound[: len(sound) // step * step]).reshape(-1, step).max(axis=1)
    gains, level = [], 0.1
    for loudest in blocks:
        level = max(loudest, level + 0.04 * (loudest - level), 0.004)
        gains.append(0.2 / level)
    gain = np.interp(np.arange(len(sound)), np.arange(len(gains)) * step, gains)
    return (sound * gain).astype(np.float32)


def test_5_a_gain_that_adjusts_itself_silences_loudness_and_praise_for_few_fillers(
    tmp_path: Path, kept: Kept
) -> None:
    report = kept("pumped", lambda: heard(pumped(english(ENGLISH * 2, pause=1.2)), tmp_path))
    assert report.skipped["loudness.range_db"].reason is Reason.AUTOMATIC_GAIN
    made = drafted(report)
    assert not any(item.family == "loudness" for item in every_card(made))
    assert outcome(made, "LOU001") is Outcome.UNRELIABLE_HERE
    assert outcome(made, "FIL010") is not Outcome.FIRED


def test_7_two_presenters_get_no_praise_for_melody_and_nothing_on_pace(
    tmp_path: Path, kept: Kept
) -> None:
    report = kept(
        "two_presenters",
        lambda: heard(np.concatenate([english(), english(voice="en+f3")]), tmp_path),
    )
    assert report.skipped["pitch.variation_quotient"].reason is Reason.SEVERAL_SPEAKERS
    made = drafted(report)
    assert not {item.family for item in every_card(made)} & {"pitch", "pace", "gaze"}
    assert outcome(made, "PAC001") is Outcome.UNRELIABLE_HERE


def test_10_french_under_an_english_model_is_never_quoted_and_keeps_its_pauses(
    tmp_path: Path, kept: Kept
) -> None:
    report = kept("french", lambda: heard(say(FRENCH, voice="fr", pause=1.2).audio, tmp_path))
    assert report.skipped["pace.words_per_minute"].reason is Reason.LANGUAGE_MISMATCH
    assert "pauses.silent_per_minute" in report.measurements
    made = drafted(report)
    assert all(not item.quotes for item in every_card(made))
    assert not {item.family for item in every_card(made)} & {"wording", "fillers", "pace"}


def test_14_applause_music_and_a_telephone_are_neither_speech_nor_pauses_nor_fillers(
    tmp_path: Path, kept: Kept
) -> None:
    parts, spans, at = [english()], [], 0.0
    for sound in (noises.applause, noises.strings, noises.ringtone):
        made_up = sound(6.0)
        parts += [(0.3 * made_up / np.abs(made_up).max()).astype(np.float32), english(ENGLISH[:2])]
    for number, part in enumerate(parts):
        length = len(part) / SAMPLE_RATE_HZ
        if number % 2:
            spans.append((at + 0.3, at + length - 0.3))
        at += length
    report = kept("other_sounds", lambda: heard(np.concatenate(parts), tmp_path))
    for start, end in spans:
        assert not [word for word in report.words if word.start < end and word.end > start]
        assert not [region for region in report.speech if region[0] < end and region[1] > start]
        assert not [
            event
            for event in report.events
            if event.kind in {"silent_pause", "filled_pause", "filler_word"}
            and event.start < end
            and event.end > start
        ]
    assert report.measurements["pauses.silent_per_minute"].coverage < 0.85
    assert "FIL001" not in {item.rule for item in every_card(drafted(report))}
