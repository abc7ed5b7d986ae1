from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.loudness import Loudness
from analysis.ports import FloatArray, Measured
from analysis.results import Reason, Skipped
from tests.analysis.spoken import sound_of, speech_of, talk_of, words

SENTENCE = "we had seen the boats come in that day. | "
SPOKEN = words(SENTENCE * 25)
SPEECH = speech_of(SPOKEN)
SECONDS = SPOKEN[-1].end + 1
FRAMES = int(SECONDS * 100) + 1


def level(*, swing: float = 6.0) -> FloatArray:
    time = np.arange(FRAMES) * 0.01
    return (-22 + swing * np.sin(2 * np.pi * 1.3 * time)).astype(np.float32)


def measured(levels: FloatArray, **given: object) -> Measured:
    sound = sound_of(SPEECH, SECONDS, level_db=levels)
    return Loudness().measure(
        talk_of(SPOKEN, sound=sound, **given)  # type: ignore[arg-type]
    )


def test_gain_leaves_every_value_unchanged() -> None:
    soft, loud = measured(level()), measured(level() + np.float32(9.0))
    for metric in Loudness.provides:
        assert loud.measurements[metric].value == pytest.approx(
            soft.measurements[metric].value, abs=1e-3
        )


def test_the_range_is_that_of_the_voice_and_not_of_the_pauses() -> None:
    found = measured(level(swing=6.0)).measurements["loudness.range_db"]
    assert found.value == pytest.approx(11.4, abs=0.4)


def fall(levels: FloatArray, end: float, decibels: float, seconds: float = 0.8) -> None:
    """Evenly softer towards the end of a sentence."""
    last = slice(round((end - seconds) * 100), round(end * 100))
    levels[last] -= np.linspace(0, decibels, last.stop - last.start).astype(np.float32)


def test_sentences_that_fade_at_the_end_are_located() -> None:
    levels = level(swing=0.5)
    for index, (_start, end) in enumerate(SPEECH):
        fall(levels, end, 18 if index % 2 else 5)
    found = measured(levels)
    share = found.measurements["loudness.sentence_end_drop_share"]
    assert share.value == pytest.approx(12 / 25, abs=0.01)
    events = [event for event in found.events if event.kind == "quiet_sentence_end"]
    assert len(events) == 12
    assert 8 <= float(events[0].detail["drop_db"]) <= 14
    assert events[0].end == pytest.approx(SPEECH[1][1], abs=0.01)


def test_an_end_too_soft_for_pitch_is_a_quiet_end_and_a_soft_consonant_is_none() -> None:
    levels = level(swing=0.5)
    sound = sound_of(SPEECH, SECONDS, level_db=levels)
    for index, (_start, end) in enumerate(SPEECH):
        # Every other sentence swallows its last word; the rest end in a soft consonant.
        length = 0.6 if index % 2 else 0.15
        last = slice(round((end - length) * 100), round(end * 100) + 1)
        sound.level_db[last] -= 20
        sound.f0_hz[last] = np.nan
    found = Loudness().measure(talk_of(SPOKEN, sound=sound))
    share = found.measurements["loudness.sentence_end_drop_share"]
    assert share.value == pytest.approx(12 / 25, abs=0.01)


def test_a_fading_talk_has_a_negative_trend() -> None:
    fading = level() - np.linspace(0, 9, FRAMES).astype(np.float32)
    assert measured(fading).measurements["loudness.trend_db"].value == pytest.approx(-6, abs=0.5)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("gain", Reason.AUTOMATIC_GAIN),
        ("signal", Reason.POOR_SIGNAL),
        ("speakers", Reason.SEVERAL_SPEAKERS),
    ],
)
def test_loudness_is_not_read_from_a_level_that_others_moved(key: str, reason: Reason) -> None:
    found = measured(level(), cautions={key: Skipped.because(reason, "in_words", words="left out")})
    assert {skipped.reason for skipped in found.skipped.values()} == {reason}
    assert found.events == ()


def test_quiet_sentence_ends_are_not_judged_where_a_gate_may_have_taken_them() -> None:
    gate = Skipped.because(Reason.AUTOMATIC_GAIN, "in_words", words="no sound in the pauses")
    spoken = words("we had seen the boats come in that day. | " * 10)
    found = Loudness().measure(talk_of(spoken, cautions={"gate": gate}))
    assert found.skipped["loudness.sentence_end_drop_share"] == gate
    assert "loudness.range_db" in found.measurements


def test_no_absolute_level_is_reported() -> None:
    found = measured(level())
    values = [value for value in found.tracks["loudness.relative_db"].values if value is not None]
    assert abs(float(np.median(values))) < 1.0
