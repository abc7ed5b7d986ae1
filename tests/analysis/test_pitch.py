from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.analysers.pitch import Pitch
from analysis.ports import FloatArray, Measured, Sound
from analysis.results import Quality, Reason, Skipped
from tests.analysis.spoken import sound_of, talk_of, words

SECONDS = 120.0
SPOKEN = words("we had seen boats " * 100)
SPEECH = ((0.0, SECONDS),)


def tune(swing: float, *, seconds: float = SECONDS) -> FloatArray:
    """A pitch that swings so many semitones up and down, every 2 s."""
    time = np.arange(int(seconds / 0.01)) * 0.01
    return (swing * np.sin(np.pi * time)).astype(np.float32)


def measured(semitones: FloatArray, **changes: object) -> Measured:
    sound = sound_of(SPEECH, SECONDS, semitones=semitones)
    return Pitch().measure(
        talk_of(SPOKEN, speech=SPEECH, sound=replace(sound, **changes))  # type: ignore[arg-type]
    )


def test_spread_and_range_are_in_semitones_about_the_own_median() -> None:
    found = measured(tune(3.0)).measurements
    assert found["pitch.sd_semitones"].value == pytest.approx(3 / np.sqrt(2), abs=0.05)
    assert found["pitch.range_semitones"].value == pytest.approx(5.93, abs=0.1)
    # 17.3 times the quotient is about the spread in semitones.
    assert 17.3 * found["pitch.variation_quotient"].value == pytest.approx(2.12, abs=0.1)


def test_a_voice_four_semitones_higher_has_the_same_values() -> None:
    low, high = measured(tune(3.0)), measured(tune(3.0) + np.float32(4.0))
    for metric in Pitch.provides:
        assert high.measurements[metric].value == pytest.approx(
            low.measurements[metric].value, abs=1e-3
        )


def test_a_level_stretch_of_thirty_seconds_is_located() -> None:
    semitones = tune(4.0)
    semitones[4000:8500] *= 0.1
    found = measured(semitones)
    [event] = [event for event in found.events if event.kind == "monotone_stretch"]
    assert 38.0 < event.start < 46.0
    assert 80.0 < event.end <= 86.0
    assert event.detail["range_semitones"] < 3.0 < event.detail["usual_semitones"]
    assert 0.2 < found.measurements["pitch.monotone_share"].value < 0.45


def test_a_level_voice_that_still_spans_four_semitones_is_level() -> None:
    """As every level voice of a person does: under 3 semitones lay none of 110 real windows."""
    semitones = tune(4.0)
    semitones[4000:8500] *= 0.4
    found = measured(semitones)
    [event] = [event for event in found.events if event.kind == "monotone_stretch"]
    assert 3.0 < event.detail["range_semitones"] < 5.5
    assert found.measurements["pitch.monotone_share"].value > 0.2


def test_twenty_level_seconds_are_no_event() -> None:
    semitones = tune(4.0)
    semitones[4000:6000] *= 0.1
    assert not [event for event in measured(semitones).events if event.kind == "monotone_stretch"]


def test_a_lively_stretch_is_located() -> None:
    semitones = tune(1.5)
    semitones[3000:6000] *= 3.0
    [event] = [event for event in measured(semitones).events if event.kind == "lively_stretch"]
    assert 25.0 <= event.start <= 32.0
    assert event.detail["range_semitones"] > event.detail["usual_semitones"]


def test_octave_errors_do_not_count_as_melody() -> None:
    clean = measured(tune(2.0)).measurements["pitch.sd_semitones"].value
    sound = sound_of(SPEECH, SECONDS, semitones=tune(2.0))
    wrong = sound.f0_hz.copy()
    wrong[::50] *= 3
    found = measured(tune(2.0), f0_hz=wrong).measurements["pitch.sd_semitones"].value
    assert found == pytest.approx(clean, abs=0.05)


def test_tracks_are_regular_and_empty_where_unvoiced() -> None:
    sound = sound_of(((0.0, 60.0), (70.0, SECONDS)), SECONDS, semitones=tune(2.0))
    found = Pitch().measure(talk_of(SPOKEN, speech=((0.0, 60.0), (70.0, SECONDS)), sound=sound))
    track = found.tracks["pitch.semitones"]
    assert (track.step, len(track.values)) == (0.1, 1200)
    assert track.values[650] is None
    assert track.values[100] is not None


def test_too_little_voice_is_skipped_and_a_short_one_is_not_called_good() -> None:
    brief = Pitch().measure(
        talk_of(SPOKEN, speech=((0.0, 6.0),), sound=sound_of(((0.0, 6.0),), SECONDS))
    )
    assert {skipped.reason for skipped in brief.skipped.values()} == {Reason.TOO_SHORT}
    some = Pitch().measure(
        talk_of(SPOKEN, speech=((0.0, 40.0),), sound=sound_of(((0.0, 40.0),), SECONDS))
    )
    assert some.measurements["pitch.sd_semitones"].quality is Quality.FAIR


def test_voice_thinly_spread_has_no_melody_and_stops_no_analysis() -> None:
    """As in a song full of instruments: twelve seconds of voice, one in every ten."""
    semitones = np.full(int(SECONDS / 0.01), np.nan, dtype=np.float32)
    for second in range(5, int(SECONDS), 10):
        semitones[second * 100 : second * 100 + 100] = 1.0
    found = measured(semitones)
    assert not found.measurements
    assert {each.reason for each in found.skipped.values()} == {Reason.LOW_COVERAGE}


def test_two_voices_have_no_common_melody() -> None:
    several = Skipped.because(Reason.SEVERAL_SPEAKERS, "in_words", words="two")
    sound: Sound = sound_of(SPEECH, SECONDS)
    found = Pitch().measure(
        talk_of(SPOKEN, speech=SPEECH, sound=sound, cautions={"speakers": several})
    )
    assert set(found.skipped.values()) == {several}


def test_pitch_stays_when_the_words_cannot_be_trusted() -> None:
    mismatch = Skipped.because(Reason.LANGUAGE_MISMATCH, "in_words", words="sounds like French")
    found = Pitch().measure(
        talk_of(
            [],
            seconds=SECONDS,
            speech=SPEECH,
            sound=sound_of(SPEECH, SECONDS),
            absent={"words": mismatch},
        )
    )
    assert set(found.measurements) == set(Pitch.provides)
