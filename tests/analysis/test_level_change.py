"""Takes at two levels in one file, and microphones that are turned: no voice that fades."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.analysers.loudness import Loudness
from analysis.ports import Sound
from analysis.sentences import say
from analysis.talk.languages import language_data
from analysis.talk.level_change import find_level_change
from analysis.talk.unmeasurable import find_cautions
from tests.analysis.spoken import sound_of, speech_of, talk_of, words

SAID = words("the boat lay in the harbour all winter long. | " * 30 + "and then it was gone.")
SPEECH = speech_of(SAID)
SECONDS = SAID[-1].end + 1


def changed(*, voice_db: float, room_db: float, at: float = 0.5) -> Sound:
    """From a share of the talk on, voice and room are so much louder."""
    sound = sound_of(SPEECH, SECONDS)
    behind = np.arange(len(sound.level_db)) >= at * len(sound.level_db)
    voiced = np.isfinite(sound.f0_hz)
    more = np.where(voiced, voice_db, room_db) * behind
    level = sound.level_db + np.random.default_rng(4).normal(0, 2, len(more)) + more
    return replace(sound, level_db=level.astype(np.float32))


@pytest.mark.parametrize(
    ("voice_db", "room_db"), [(-18.0, -18.0), (-18.0, -6.0), (-18.0, 6.0), (12.0, 12.0), (6.0, 6.0)]
)
@pytest.mark.parametrize("at", [0.3, 0.5, 0.8])
def test_a_voice_that_changes_with_its_room_is_another_recording(
    voice_db: float, room_db: float, at: float
) -> None:
    found = find_level_change(SPEECH, changed(voice_db=voice_db, room_db=room_db, at=at))
    assert found is not None
    assert found.at == pytest.approx(at * SECONDS, abs=3)
    assert found.voice_db == pytest.approx(voice_db, abs=1.5)


@pytest.mark.parametrize(("voice_db", "room_db"), [(-5.0, 0.0), (0.0, 10.0)])
def test_a_voice_that_changes_a_little_in_the_same_room_is_a_voice(
    voice_db: float, room_db: float
) -> None:
    assert find_level_change(SPEECH, changed(voice_db=voice_db, room_db=room_db)) is None


@pytest.mark.parametrize("voice_db", [-18.0, -8.0, 12.0])
def test_a_voice_that_changes_at_once_for_good_stands_elsewhere(voice_db: float) -> None:
    found = find_level_change(SPEECH, changed(voice_db=voice_db, room_db=0.0))
    assert found is not None
    assert not found.with_room
    assert found.at == pytest.approx(SECONDS / 2, abs=3)
    assert found.voice_db == pytest.approx(voice_db, abs=1.5)


@pytest.mark.parametrize("by_db", [-9.0, -18.0])
def test_a_voice_that_fades_little_by_little_is_a_voice(by_db: float) -> None:
    sound = changed(voice_db=0.0, room_db=0.0)
    fading = np.linspace(0, by_db, len(sound.level_db)) * np.isfinite(sound.f0_hz)
    level = (sound.level_db + fading).astype(np.float32)
    assert find_level_change(SPEECH, replace(sound, level_db=level)) is None


def test_a_voice_that_fades_little_by_little_is_a_voice_though_a_fan_is_switched_off() -> None:
    sound = changed(voice_db=0.0, room_db=-10.0)
    fading = np.linspace(0, -9, len(sound.level_db)) * np.isfinite(sound.f0_hz)
    level = (sound.level_db + fading).astype(np.float32)
    assert find_level_change(SPEECH, replace(sound, level_db=level)) is None


def test_one_long_sentence_tells_nothing() -> None:
    assert find_level_change(SPEECH[:1], changed(voice_db=-18.0, room_db=-18.0)) is None


def test_of_a_level_that_changed_sentence_ends_are_told_and_neither_range_nor_trend() -> None:
    sound = changed(voice_db=-18.0, room_db=-18.0)
    cautions = find_cautions(
        transcript=None, words=SAID, speech=SPEECH, sound=sound, data=language_data("en")
    )
    found = Loudness().measure(talk_of(SAID, seconds=SECONDS, sound=sound, cautions=cautions))
    assert set(found.measurements) == {"loudness.sentence_end_drop_share"}
    reason = found.skipped["loudness.trend_db"]
    assert reason == found.skipped["loudness.range_db"]
    assert say(reason.code, reason.values).startswith("At 0:55 the voice changes by 18 dB and")


def test_of_a_voice_that_changes_alone_it_is_said_that_it_does_so_at_once() -> None:
    sound = changed(voice_db=-18.0, room_db=0.0)
    cautions = find_cautions(
        transcript=None, words=SAID, speech=SPEECH, sound=sound, data=language_data("en")
    )
    said = say(cautions["level"].code, cautions["level"].values)
    assert said.startswith("At 0:55 the voice changes by 18 dB from one sentence to the next")
