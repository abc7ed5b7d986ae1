"""Situations 2, 4 and 6 as far as measuring goes: spoken by synthetic voices, the real chain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options
from analysis.results import Quality, Reason, Report
from tests.analysis.recordings import analysed, save_sound
from tests.analysis.spoken import QUESTIONS, said
from tests.kept_reports import Kept

TALK = (
    "Good morning, everyone, and thank you for coming today.",
    "I would like to tell you about three things that we found in the lake.",
    "First, the water was warmer than it had been in the last ten years.",
    "Second, the fish moved to the deeper part of the lake in the summer.",
    "And third, the people of the village changed the way they work.",
    "Because the same thing happens in many lakes all over the world.",
)
AGAIN_AND_AGAIN = (
    "But but but it it it was not not not for long.",
    "So so so we we we went ba- ba- back to the the village.",
    "And and and the people were were were very ha- ha- happy.",
)
HALTING = (
    "Good morning",
    "everyone and",
    "thank you for",
    "coming today. I would",
    "like to tell",
    "you about three",
    "things that we",
    "found in the lake. The water",
    "was warmer than",
    "in the last ten years.",
)


def report_of(folder: Path, audio: FloatArray, options: Options | None = None) -> Report:
    folder.mkdir(exist_ok=True)
    return analysed(save_sound(folder / "take.wav", audio), options)


def test_4_and_7_questions_by_another_voice_are_located_and_the_marked_talk_alone_is_measured(
    tmp_path: Path, models: Path, kept: Kept
) -> None:
    talk = said(TALK)
    boundary = len(talk) / SAMPLE_RATE_HZ
    both = np.concatenate([talk, said(QUESTIONS, voice="en-us+f3")])
    whole = kept("whole", lambda: report_of(tmp_path / "whole", both))
    assert whole.skipped["pace.words_per_minute"].reason == Reason.SEVERAL_SPEAKERS
    assert whole.skipped["pauses.silent_per_minute"].reason == Reason.SEVERAL_SPEAKERS
    assert whole.events_of("other_voice")[0].start == pytest.approx(boundary, abs=3.0)

    marked = kept("marked", lambda: report_of(tmp_path / "marked", both, Options(end=boundary)))
    alone = kept("alone", lambda: report_of(tmp_path / "alone", talk))
    assert "pace.words_per_minute" in marked.measurements
    assert marked.words[-1].end <= boundary
    assert all(event.end <= boundary for event in marked.events_of("silent_pause"))
    for metric in ("signal.talk_seconds", "pace.words_per_minute", "pauses.silence_share"):
        value = marked.measurements[metric].value
        assert value == pytest.approx(alone.measurements[metric].value, rel=0.05), metric


def test_6_repeated_onsets_are_neither_fillers_nor_hesitations_and_nothing_is_said_of_the_person(
    tmp_path: Path, models: Path, kept: Kept
) -> None:
    report = kept("again", lambda: report_of(tmp_path, said(AGAIN_AND_AGAIN)))
    skipped = report.skipped["fillers.filled_pauses_per_minute"]
    assert skipped.reason == Reason.OUTSIDE_TESTED_SPEECH
    assert report.skipped["pauses.long_mid_clause_per_minute"].reason == skipped.reason
    counted = {"filled_pause", "filler_word", "filler_burst", "restart"}
    assert not counted & {event.kind for event in report.events}
    assert not any(word in skipped.detail.lower() for word in ("stammer", "stutter", "disorder"))


def test_2_slow_halting_speech_is_measured_and_never_called_good(
    tmp_path: Path, models: Path, kept: Kept
) -> None:
    report = kept("halting", lambda: report_of(tmp_path, said(HALTING, voice="fr", pause=2.0)))
    assert report.measurements["pace.words_per_minute"].quality == Quality.POOR
    assert report.measurements["pauses.silent_per_minute"].quality == Quality.POOR
    places = [event.detail["place"] for event in report.events_of("silent_pause")]
    assert places.count("mid_clause") >= 3
    assert report.events_of("filler_word") == ()
