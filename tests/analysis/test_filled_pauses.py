from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.ports import Sound
from analysis.results import Word
from analysis.talk.filled_pauses import Candidate, find_filled_pauses, probability_of
from analysis.talk.languages import language_data
from tests.analysis.spoken import sound_of

ENGLISH = language_data("en")
SPEECH = ((0.0, 4.0), (4.5, 8.0))


def still(sound: Sound, start: float, end: float) -> Sound:
    """The same sound with a stretch in which the mouth stands still."""
    flux = sound.flux.copy()
    flux[round(start / sound.step) : round(end / sound.step)] = 0.6
    return replace(sound, flux=flux)


def word(text: str, start: float, end: float, probability: float = 0.9) -> Word:
    return Word(text=text, start=start, end=end, probability=probability)


WORDS = [word(f"word{index}", 0.4 * index, 0.4 * index + 0.4) for index in range(10)]
SOUND = sound_of(SPEECH, 9.0)
HEARD = [word("um,", 4.6, 4.8)]


def test_an_um_that_was_heard_where_the_voice_stands_still_is_found_at_its_place() -> None:
    sound = still(SOUND, 4.55, 5.0)
    [event] = find_filled_pauses(WORDS, HEARD, speech=SPEECH, sound=sound, data=ENGLISH)
    assert event.kind == "filled_pause"
    assert event.label == "um"
    assert abs(event.start - 4.5) < 0.1
    assert abs(event.end - 5.0) < 0.1
    assert event.probability is not None
    assert event.probability > 0.9
    assert event.detail == {"source": "second_reading"}


def test_words_in_running_speech_are_no_fillers() -> None:
    assert find_filled_pauses(WORDS, [], speech=SPEECH, sound=SOUND, data=ENGLISH) == ()


def test_a_lengthened_word_that_the_transcript_covers_is_no_filler() -> None:
    drawl = [*WORDS[:5], word("so", 2.0, 2.32), *WORDS[6:]]
    sound = still(SOUND, 2.05, 2.3)
    assert find_filled_pauses(drawl, [], speech=SPEECH, sound=sound, data=ENGLISH) == ()


def test_what_a_reading_heard_far_from_any_voice_that_stands_still_is_doubtful() -> None:
    events = find_filled_pauses(WORDS, HEARD, speech=SPEECH, sound=SOUND, data=ENGLISH)
    assert all((event.probability or 0) < 0.9 for event in events)


def candidate(**changes: object) -> Candidate:
    usual = Candidate(
        start=1.0, end=1.4, heard=0.8, text="um", uncovered=1.0, is_after_pause=True, flux=0.7,
        slope=-2.0,
    )  # fmt: skip
    return replace(usual, **changes)  # type: ignore[arg-type]


def test_each_piece_of_evidence_moves_the_probability_its_way() -> None:
    full = probability_of(candidate())
    assert full > 0.9
    for weaker in (
        candidate(heard=0.0, text=""),
        candidate(uncovered=0.0),
        candidate(end=1.15),
        candidate(flux=1.2),
        candidate(slope=20.0),
        candidate(is_after_pause=False),
    ):
        assert probability_of(weaker) < full


def test_probabilities_stay_between_zero_and_one() -> None:
    assert 0 <= probability_of(candidate(flux=1e6, slope=-1e6)) <= 1


def test_a_recording_without_voice_has_no_fillers() -> None:
    mute = replace(SOUND, f0_hz=np.full(len(SOUND.f0_hz), np.nan, dtype=np.float32))
    assert find_filled_pauses([], [], speech=(), sound=mute, data=ENGLISH) == ()
