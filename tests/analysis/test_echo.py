"""Rooms that carry words on: how fast the level falls into the pauses tells for how long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.analysers.loudness import Loudness
from analysis.ports import Sound
from analysis.talk import spans
from analysis.talk.languages import language_data
from analysis.talk.reverberation import reverberation_time
from analysis.talk.unmeasurable import find_cautions
from tests.analysis.spoken import sound_of, speech_of, talk_of, words

SAID = words("the boat lay in the harbour all winter long. | " * 12 + "and then it was gone.")
SPEECH = speech_of(SAID)


def in_a_room(fades_in: float, *, floor_db: float = -80.0) -> Sound:
    """Behind each stretch of speech the level falls by 60 dB in so many seconds."""
    sound = sound_of(SPEECH, SAID[-1].end + 2, floor_db=floor_db)
    level = sound.level_db.copy()
    for start, end in spans.gaps(SPEECH):
        first, last = round(start * 100), round(end * 100)
        fall = -20.0 - 60 / fades_in * np.arange(last - first) * sound.step
        level[first:last] = 10 * np.log10(10 ** (fall / 10) + 10 ** (floor_db / 10))
    return replace(sound, level_db=level)


@pytest.mark.parametrize("seconds", [0.3, 0.6, 1.0, 1.5, 2.5])
def test_the_time_in_which_a_room_fades_is_read_off_the_pauses(seconds: float) -> None:
    assert reverberation_time(SPEECH, in_a_room(seconds)) == pytest.approx(seconds, rel=0.15)


def test_noise_near_the_voice_hides_it() -> None:
    assert reverberation_time(SPEECH, in_a_room(1.5, floor_db=-35.0)) is None


def test_few_pauses_do_not_tell_it() -> None:
    assert reverberation_time(SPEECH[:4], in_a_room(1.5)) is None


def test_people_behind_who_fall_silent_at_any_speed_are_no_echo() -> None:
    random = np.random.default_rng(2)
    sound = in_a_room(0.3)
    level = sound.level_db.copy()
    for start, end in spans.gaps(SPEECH):
        room = in_a_room(float(random.uniform(0.3, 3.0))).level_db
        level[round(start * 100) : round(end * 100)] = room[round(start * 100) : round(end * 100)]
    assert reverberation_time(SPEECH, replace(sound, level_db=level)) is None


@pytest.mark.parametrize(("seconds", "is_left_out"), [(0.5, False), (1.2, True)])
def test_in_an_echoing_room_range_and_sentence_ends_are_left_out(
    seconds: float, *, is_left_out: bool
) -> None:
    sound = in_a_room(seconds)
    cautions = find_cautions(
        transcript=None, words=SAID, speech=SPEECH, sound=sound, data=language_data("en")
    )
    found = Loudness().measure(talk_of(SAID, sound=sound, cautions=cautions))
    codes = {name: skipped.code for name, skipped in found.skipped.items()}
    for metric in ("loudness.range_db", "loudness.sentence_end_drop_share"):
        assert (codes.get(metric) == "room_echoes") is is_left_out
    assert codes.get("loudness.trend_db") != "room_echoes"
