"""What open-source coaches get wrong about speech, each as a case that we must get right.

Read in their code in 2026; where a defect is about a picture, its case stands with the watching.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.fillers import Fillers
from analysis.analysers.loudness import Loudness
from analysis.analysers.pace import Pace
from analysis.analysers.pauses import SilentPauses
from analysis.analysers.pitch import Pitch
from analysis.analysers.wording import WordChoice
from analysis.backends.sound.listening import listen
from analysis.metrics import METRICS
from analysis.registry import ANALYSERS, Analyser
from analysis.results import Event, Reason, Skipped, Word
from analysis.talk.talk import Talk
from tests.analysis.spoken import (
    filled_pause,
    silence,
    sound_of,
    speech_of,
    talk_of,
    voice,
    words,
)

SECONDS = 60.0


def measured(analyser: Analyser, talk: Talk, metric: str) -> float:
    return analyser.measure(talk).measurements[metric].value


def labels(talk: Talk, kind: str) -> list[str]:
    return [event.label for event in Fillers().measure(talk).events if event.kind == kind]


def test_um_inside_number_is_no_filler_as_counting_letters_would_have_it() -> None:
    talk = talk_of(words("The number of albums in the museum summed up her error. " * 8))
    assert labels(talk, "filler_word") == []
    assert measured(Fillers(), talk, "fillers.filled_pauses_per_minute") == 0.0


def test_you_know_is_found_though_it_is_two_words() -> None:
    talk = talk_of(words("We went there, you know, and came back home again. " * 8))
    assert labels(talk, "filler_word") == ["you know"] * 8


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "So we left. Well done, so it works well. "),
        ("fr", "Donc on part. Alors il est donc là. "),
    ],
)
def test_so_well_donc_and_alors_are_words_and_not_fillers_wherever_they_stand(
    language: str, text: str
) -> None:
    assert labels(talk_of(words(text * 8), language=language), "filler_word") == []


def test_a_filler_that_the_transcript_left_out_counts_all_the_same() -> None:
    spoken = words("We measured the water for two years. " * 12)
    talk = talk_of(spoken, fillers=[filled_pause(10.0), filled_pause(20.0)])
    assert not any(word.text == "um" for word in talk.words)
    assert measured(Fillers(), talk, "fillers.filled_pauses_per_minute") > 0


def test_a_filler_has_the_time_of_its_sound_and_not_of_its_letters() -> None:
    """A long word, spoken fast, before it: counting characters would put it seconds later."""
    spoken = [
        Word(text="Internationalisation", start=0.0, end=0.9, probability=0.9),
        Word(text="is,", start=5.0, end=5.2, probability=0.9),
        Word(text="like,", start=5.4, end=5.6, probability=0.9),
        *words("a big and rather long word to say at once here.", start=6.0, each=0.5),
        *words("And it goes on for quite a while after that.", start=12.0, each=0.5),
    ]
    [event] = [
        one for one in Fillers().measure(talk_of(spoken)).events if one.kind == "filler_word"
    ]
    assert (event.start, event.end) == (5.4, 5.6)


def test_a_pause_inside_one_segment_of_the_transcript_is_a_pause() -> None:
    """Where only gaps between segments count, a silence inside one does not exist."""
    spoken = words("One two three four five | six seven eight nine ten. " * 4)
    pauses = [e for e in SilentPauses().measure(talk_of(spoken)).events if e.kind == "silent_pause"]
    assert len(pauses) == 4


def test_gaps_between_words_that_are_filled_with_voice_are_no_pauses() -> None:
    """A gap in the text is no silence: the speech itself decides."""
    spoken = words("One two three four five | six seven eight nine ten. " * 4)
    whole = ((spoken[0].start, spoken[-1].end),)
    assert SilentPauses().measure(talk_of(spoken, speech=whole)).events == ()


def test_pitch_variation_is_the_same_for_a_high_and_a_low_voice() -> None:
    """A spread in Hz makes a high voice twice as lively as a low one with the same melody."""
    spoken = words("We measured the water for two years and more. " * 22)
    tune = 2.0 * np.sin(np.arange(int(SECONDS * 100) + 3000) / 40.0)
    spreads = [
        measured(
            Pitch(),
            talk_of(spoken, sound=sound_of(speech_of(spoken), spoken[-1].end, semitones=shifted)),
            "pitch.sd_semitones",
        )
        for shifted in (tune.astype(np.float32), (tune + 12.0).astype(np.float32))
    ]
    assert spreads[0] == pytest.approx(spreads[1], rel=0.01)


def test_the_pitch_is_that_of_the_voice_and_not_of_its_overtones() -> None:
    """Peaks of a spectrum taken together spread over its overtones, however level the voice is."""
    audio = voice(3.0, hz=180.0)
    f0 = listen(audio, speech=((0.0, 3.0),), progress=lambda _: None).f0_hz
    voiced = f0[np.isfinite(f0)]
    assert len(voiced) > 250
    assert float(np.std(12 * np.log2(voiced / 180.0))) < 0.1


def test_a_louder_microphone_changes_nothing_about_loudness() -> None:
    """Limits in absolute decibels judge the microphone."""
    spoken = words("We measured the water for two years and more. " * 22)
    level = (-20 + 6 * np.sin(np.arange(9000) / 30.0)).astype(np.float32)
    found = []
    for gain in (0.0, -15.0):
        sound = sound_of(
            speech_of(spoken),
            spoken[-1].end,
            level_db=level + np.float32(gain),
            floor_db=-70 + gain,
        )
        found.append(Loudness().measure(talk_of(spoken, sound=sound)).measurements)
    assert found[0] == found[1]


def test_the_track_of_pace_holds_syllables_and_not_loudness() -> None:
    spoken = words("We measured the water for two years and more. " * 30)
    quiet = sound_of(speech_of(spoken), spoken[-1].end, level_db=np.full(10_000, -45, np.float32))
    loud = talk_of(spoken)
    [first] = Pace().measure(loud).tracks.values()
    [second] = Pace().measure(talk_of(spoken, sound=quiet)).tracks.values()
    assert first == second
    assert first.unit == "syllables per second"


def test_words_a_minute_are_counted_and_not_guessed_from_syllables() -> None:
    """Syllables over 1.66 make long words count twice."""
    short, long = (words(text * 40) for text in ("He ran to it. ", "International organisations. "))
    for spoken in (short, long):
        minutes = spoken[-1].end / 60
        value = measured(Pace(), talk_of(spoken), "pace.words_per_minute")
        assert value == pytest.approx(len(spoken) / minutes, rel=0.02)


def test_nothing_is_filled_in_where_nothing_was_measured() -> None:
    """Fixed scores and invented lengths shown as results: here every gap has its reason."""
    no_audio = Skipped.because(Reason.NO_AUDIO, "in_words", words="There is no sound in this file.")
    talk = talk_of([], seconds=SECONDS, speech=(), absent={"audio": no_audio})
    for analyser in ANALYSERS:
        found = analyser.measure(talk)
        heard = [m for m in found.measurements if m.split(".")[0] not in ("gaze", "head")]
        assert heard == []
        assert set(analyser.provides) == set(found.skipped)


def test_good_pauses_lower_nothing_that_is_called_fluent() -> None:
    """A talk with a second of silence after each sentence keeps its articulation rate."""
    sentences = "We measured the water for two years. "
    flowing = talk_of(words(sentences * 20))
    paused = talk_of(words((sentences + "| ") * 20))
    metric = "pace.articulation_rate_syllables_per_second"
    assert measured(Pace(), paused, metric) == pytest.approx(
        measured(Pace(), flowing, metric), rel=0.02
    )
    assert measured(SilentPauses(), paused, "pauses.boundary_pause_share") == 1.0


def test_saying_something_again_on_purpose_is_not_a_restart() -> None:
    """Counting equal words calls rhetoric a defect."""
    text = (
        "We will fight for it. We will work for it. We will win with it. It is a long way to go. "
    )
    found = WordChoice().measure(talk_of(words(text * 3, gap=0.05)))
    kinds = {event.kind for event in found.events}
    assert "anaphora" in kinds
    assert "restart" not in kinds


def test_silence_has_no_pitch_and_no_fillers() -> None:
    audio = silence(5.0)
    sound = listen(audio, speech=(), progress=lambda _: None)
    assert not np.isfinite(sound.f0_hz).any()


def test_no_measure_is_a_score_of_a_person() -> None:
    """Confidence indices, energy, charisma: none of it can be heard."""
    forbidden = ("score", "confiden", "energy", "charisma", "nervous", "engag", "emotion")
    for metric in METRICS:
        text = f"{metric.id} {metric.label} {metric.definition}".lower()
        assert not any(word in text for word in forbidden), metric.id


def test_a_burst_knows_how_many_fillers_it_holds() -> None:
    """A total hides where they crowd together."""
    spoken = words("We measured the water for two years. " * 20)
    fillers: list[Event] = [filled_pause(at) for at in (3.0, 6.0, 9.0, 40.0)]
    found = Fillers().measure(talk_of(spoken, fillers=fillers)).events
    [burst] = [event for event in found if event.kind == "filler_burst"]
    assert (burst.start, burst.detail["count"]) == (3.0, 3)
