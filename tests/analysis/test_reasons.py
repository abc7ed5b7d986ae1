"""Whatever about speech is not measured says what was heard and what would help."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.analysers.loudness import Loudness
from analysis.analysers.pace import Pace
from analysis.analysers.pitch import Pitch
from analysis.pipeline.work import no_speech
from analysis.ports import Options, Prepared, Span
from analysis.registry import ANALYSERS
from analysis.results import Reason
from analysis.talk.talk import Talk
from tests.analysis.spoken import media, sound_of, speech_of, talk_of, words

HEARD = ("pace", "pauses", "fillers", "pitch", "loudness", "wording", "structure", "signal")
HELP = re.compile(
    r"take|record|mark|closer|quieter|pause|analyse|switch|only so far|whispering", re.IGNORECASE
)
SENTENCE = "We had seen the boats come in that day. "


def without_pitch(talk: Talk) -> Talk:
    assert talk.sound is not None
    f0 = np.full(len(talk.sound.f0_hz), np.nan, dtype=np.float32)
    return replace(talk, sound=replace(talk.sound, f0_hz=f0))


TALKS = {
    "half a minute": talk_of(words((SENTENCE + "| ") * 8)),
    "few words": talk_of(words(SENTENCE * 2)),
    "one breath": talk_of(words("we had seen the boats " * 40)),
    "no words": talk_of([], seconds=60.0, speech=((1.0, 20.0), (22.0, 58.0))),
    "whispered": without_pitch(talk_of(words(SENTENCE * 20))),
    "German": talk_of(words(SENTENCE * 20), language="de"),
    "silent": talk_of([], seconds=60.0, speech=()),
}


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_every_gap_says_what_would_help(talk: Talk) -> None:
    for analyser in ANALYSERS:
        for metric, skipped in analyser.measure(talk).skipped.items():
            if metric.split(".")[0] in HEARD and analyser.name != "visibility":
                assert skipped.detail.endswith("."), metric
                assert HELP.search(skipped.detail), (metric, skipped.detail)


def test_a_whisper_is_told_that_it_has_no_pitch_and_not_to_go_on_for_longer() -> None:
    talk = TALKS["whispered"]
    for analyser, metric in ((Pitch(), "pitch.sd_semitones"), (Loudness(), "loudness.range_db")):
        skipped = analyser.measure(talk).skipped[metric]
        assert skipped.reason is Reason.LOW_COVERAGE
        assert "Whispering" in skipped.detail


def test_what_was_heard_is_never_rounded_up_to_what_is_needed() -> None:
    spoken = words("one two three four ", each=2.45)
    skipped = Pace().measure(talk_of(spoken)).skipped["pace.words_per_minute"]
    assert skipped.detail.startswith("We heard 9 s of speech; a pace needs at least 10 s.")
    sound = sound_of(speech_of(spoken), 20.0)
    pitch = Pitch().measure(talk_of(spoken, sound=sound)).skipped["pitch.sd_semitones"]
    assert pitch.detail.startswith("We heard 9 s of voiced speech; 10 s are needed.")


@pytest.mark.parametrize(
    ("options", "speech", "said"),
    [
        (Options(start=70.0), ((1.0, 50.0),), "only 60 s long. Mark an earlier one."),
        (Options(start=52.0), ((1.0, 50.0),), "Mark the part in which you speak."),
        (Options(), (), "Check that the microphone was on."),
    ],
)
def test_a_part_without_speech_says_whether_it_lies_beyond_the_end(
    options: Options, speech: tuple[Span, ...], said: str
) -> None:
    prepared = Prepared(media=media(60.0), audio_path=Path("audio.f32"), speech=speech)
    skipped = no_speech(prepared, options)
    assert skipped is not None
    assert (skipped.reason, said in skipped.detail) == (Reason.NO_SPEECH, True)
