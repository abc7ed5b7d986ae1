"""Who introduces the speaker or asks the last question is told from the speaker, surely or not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.analysers.callbacks import Callbacks
from analysis.analysers.edge_words import EdgeWords
from analysis.analysers.pace import Pace
from analysis.analysers.pitch import Pitch
from analysis.analysers.signal import Signal
from analysis.ports import FloatArray, Options, Prepared, Segment, Sound, Transcript
from analysis.results import Language
from analysis.sentences import say
from analysis.talk.build import build_talk
from analysis.talk.edge_voice import end_of_first_voice, start_of_last_voice
from analysis.talk.talk import Talk
from tests.analysis.spoken import media, sound_of, speech_of, words

SAID = words("the boat lay in the harbour all winter long. | " * 40 + "and then it was gone.")
SPEECH = speech_of(SAID)
SECONDS = SAID[-1].end + 1
FIRST = SPEECH[4][0] - 0.5
LAST = SPEECH[-5][0] - 0.5


def voices(
    *, first: float = 0.0, last: float = SECONDS, apart: float = 1.0, semitones: float = 0.0
) -> Sound:
    """One voice, that moves; before `first` and behind `last` another one."""
    random = np.random.default_rng(6)
    sound = sound_of(SPEECH, SECONDS)
    clock = np.arange(len(sound.level_db)) * sound.step
    is_other = (clock < first) | (clock >= last)
    slowly = np.interp(
        clock, np.arange(0, SECONDS + 3, 3), random.normal(0, 1, int(SECONDS / 3) + 2)
    )
    timbre = random.normal(0, 1, sound.timbre.shape) + 0.3 * slowly[:, None]
    timbre += apart * is_other[:, None] * np.where(np.arange(13) % 2, 1.0, -1.0)
    up = 2 ** ((slowly + semitones * is_other) / 12)
    return replace(
        sound,
        timbre=timbre.astype(np.float32),
        f0_hz=(sound.f0_hz * up).astype(np.float32),
    )


@pytest.mark.parametrize(("apart", "semitones"), [(1.0, 0.0), (0.8, 2.0), (0.3, 9.0), (0.9, -7.0)])
def test_another_voice_first_or_last_is_told_with_its_time(apart: float, semitones: float) -> None:
    first = voices(first=FIRST, apart=apart, semitones=semitones)
    last = voices(last=LAST, apart=apart, semitones=semitones)
    assert end_of_first_voice(SPEECH, first) == pytest.approx(FIRST, abs=2)
    assert start_of_last_voice(SPEECH, first) is None
    assert start_of_last_voice(SPEECH, last) == pytest.approx(LAST, abs=2)
    assert end_of_first_voice(SPEECH, last) is None


@pytest.mark.parametrize(("apart", "semitones"), [(0.0, 0.0), (0.2, 1.0), (0.3, 2.0)])
def test_a_speaker_who_begins_somewhat_otherwise_is_the_same(
    apart: float, semitones: float
) -> None:
    sound = voices(first=FIRST, apart=apart, semitones=semitones)
    assert end_of_first_voice(SPEECH, sound) is None


def test_a_voice_that_changes_as_much_elsewhere_is_one_voice() -> None:
    sound = voices(first=FIRST)
    middle = slice(round(SPEECH[20][0] * 100), round(SPEECH[24][0] * 100))
    sound.timbre[middle] += np.where(np.arange(13) % 2, 1.0, -1.0)
    assert end_of_first_voice(SPEECH, sound) is None


def test_of_little_speech_and_without_a_gap_nothing_is_told() -> None:
    sound = voices(first=FIRST)
    assert end_of_first_voice(SPEECH[:8], sound) is None
    assert end_of_first_voice(((SPEECH[0][0], SPEECH[-1][1]),), sound) is None


def _talk(sound: Sound) -> Talk:
    segment = Segment(
        start=0.0,
        end=SAID[-1].end,
        text="",
        no_speech_probability=0.0,
        average_log_probability=-0.1,
        compression_ratio=1.2,
        words=tuple(SAID),
    )
    return build_talk(
        prepared=Prepared(media=media(SECONDS), audio_path=None, speech=SPEECH),
        transcript=Transcript(
            language=Language(code="en", source="given"), segments=(segment,), model="tiny.en"
        ),
        sound=sound,
        sight=None,
        options=Options(),
        absent={},
    )


def _spread(talk: Talk) -> float:
    return Pitch().measure(talk).measurements["pitch.sd_semitones"].value


def test_melody_is_the_speakers_whoever_speaks_first() -> None:
    alone = _spread(_talk(voices()))
    first = _talk(voices(first=FIRST, semitones=9.0))
    assert _spread(first) == pytest.approx(alone, rel=0.1)
    assert _spread(_talk(voices(last=LAST, semitones=9.0))) == pytest.approx(alone, rel=0.1)
    assert _pitched(first.sound, 0.0, FIRST - 1) == 0


def _pitched(sound: Sound | None, start: float, end: float) -> int:
    assert sound is not None
    part: FloatArray = sound.f0_hz[round(start * 100) : round(end * 100)]
    return int(np.isfinite(part).sum())


def test_words_and_pace_of_another_are_no_opening_and_no_ending() -> None:
    talk = _talk(voices(first=FIRST))
    skipped = {**EdgeWords().measure(talk).skipped, **Pace().measure(talk).skipped}
    assert {name for name, each in skipped.items() if each.code == "another_speaks_first"} == {
        "structure.opening_housekeeping",
        "structure.opening_questions_and_numbers",
        "pace.opening_ratio",
    }
    assert {each.code for each in Callbacks().measure(talk).skipped.values()} == {
        "another_speaks_first"
    }
    why = skipped["pace.opening_ratio"]
    assert "at the beginning, until 0:14." in say(why.code, why.values)


def test_words_and_pace_of_who_speaks_last_are_no_ending() -> None:
    talk = _talk(voices(last=LAST))
    words_skipped, pace = EdgeWords().measure(talk), Pace().measure(talk)
    assert set(words_skipped.skipped) == {"structure.closing_formulas"}
    assert {name for name, each in pace.skipped.items() if each.code == "another_speaks_last"} == {
        "pace.end_rush_ratio",
        "pace.end_pause_ratio",
    }


def test_where_another_is_heard_is_told_so_that_the_own_part_can_be_offered() -> None:
    first = Signal().measure(_talk(voices(first=FIRST))).events
    last = Signal().measure(_talk(voices(last=LAST))).events
    told = [
        time
        for each in (*first, *last)
        if each.kind == "other_voice"
        for time in (each.start, each.end)
    ]
    assert told == pytest.approx([SPEECH[0][0], FIRST, LAST, SPEECH[-1][1]], abs=2)
    alone = Signal().measure(_talk(voices())).events
    assert "other_voice" not in {each.kind for each in alone}
