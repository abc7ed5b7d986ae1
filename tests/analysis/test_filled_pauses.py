from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from analysis.ports import Sound
from analysis.results import Event, Word
from analysis.talk.filled_pauses import (
    Candidate,
    DetectorInput,
    find_filled_pauses,
    probability_of,
    probability_of_named,
)
from analysis.talk.filler_readings import filler_gaps
from analysis.talk.filler_stretches import slope_of, stable_stretches
from analysis.talk.languages import language_data
from tests.analysis.spoken import sound_of

ENGLISH = language_data("en")
SPEECH = ((0.0, 4.0), (4.5, 8.0))


def still(sound: Sound, start: float, end: float) -> Sound:
    """The same sound with a stretch in which the mouth stands still."""
    flux = sound.flux.copy()
    flux[round(start / sound.step) : round(end / sound.step)] = 0.6
    return replace(sound, flux=flux)


def word(text: str, start: float, end: float, probability: float = 0.95) -> Word:
    return Word(text=text, start=start, end=end, probability=probability)


WORDS = [
    *(word(f"word{index}", 0.4 * index, 0.4 * index + 0.4) for index in range(10)),
    *(word(f"again{index}", 5.2 + 0.4 * index, 5.6 + 0.4 * index) for index in range(7)),
]
SOUND = sound_of(SPEECH, 9.0)
UM_LATE = word("um,", 5.2, 5.25)
READING = [*WORDS[:10], UM_LATE, *WORDS[10:]]


def found(
    sound: Sound,
    *,
    words: Sequence[Word] = WORDS,
    readings: Sequence[Sequence[Word]] = (),
    slots: Sequence[Word] = (),
) -> tuple[Event, ...]:
    return find_filled_pauses(
        DetectorInput(
            words=words, readings=readings, slots=slots, speech=SPEECH, sound=sound, data=ENGLISH
        )
    )


def test_an_um_that_a_reading_wrote_is_found_where_the_voice_stands_still() -> None:
    [event] = found(still(SOUND, 4.55, 5.0), readings=[READING])
    assert event.kind == "filled_pause"
    assert event.label == "um"
    assert event.start == pytest.approx(4.5, abs=0.1), "not at 5.2, where attention came late"
    assert event.end == pytest.approx(5.0, abs=0.1)
    assert event.probability is not None
    assert event.probability > 0.9
    assert event.detail == {"source": "second_reading"}


def test_of_two_still_stretches_between_the_words_the_first_is_the_um() -> None:
    both = still(still(SOUND, 4.55, 4.8), 4.95, 5.2)
    [event] = found(both, readings=[READING])
    assert event.start == pytest.approx(4.5, abs=0.1)


def test_several_fillers_in_one_room_get_a_stretch_each() -> None:
    both = still(still(SOUND, 4.55, 4.8), 4.95, 5.2)
    reading = [*WORDS[:10], UM_LATE, word("uh,", 5.2, 5.22), *WORDS[10:]]
    events = found(both, readings=[reading])
    assert [event.label for event in events] == ["um", "uh"]
    assert events[0].end <= events[1].start


def test_an_um_inside_the_span_of_the_word_before_it_is_found_there() -> None:
    drawn = [*WORDS[:9], word("by", 3.2, 4.0), *WORDS[10:]]
    reading = [*drawn[:10], word("uh,", 3.9, 4.0), *drawn[10:]]
    [event] = found(still(SOUND, 3.5, 3.95), words=drawn, readings=[reading])
    assert 3.4 <= event.start <= 3.6


def test_an_um_that_no_voice_answers_to_is_doubted() -> None:
    doubted = [*WORDS[:10], word("um,", 5.2, 5.25, 0.7), *WORDS[10:]]
    assert found(SOUND, readings=[doubted]) == ()


def test_an_um_that_primed_readings_like_to_begin_with_is_doubted() -> None:
    opening = [word("uh,", 0.0, 0.1, 0.7), *WORDS]
    assert found(SOUND, readings=[opening]) == ()


def test_a_reading_that_differs_in_words_still_says_where() -> None:
    misheard = [*WORDS[:9], word("wart", 3.6, 4.0), UM_LATE, word("egg", 5.25, 5.6), *WORDS[11:]]
    [event] = found(still(SOUND, 4.55, 5.0), readings=[misheard])
    assert event.start == pytest.approx(4.5, abs=0.1)


def test_rooms_leave_the_words_around_their_usual_length() -> None:
    [room] = filler_gaps(READING, WORDS, ENGLISH)
    assert 3.9 < room.start <= 4.0
    assert 5.2 <= room.end < 5.3
    assert not room.is_opening


def test_with_no_reading_sound_alone_finds_an_um_after_a_pause() -> None:
    [event] = found(still(SOUND, 4.5, 5.1), slots=[word("uh", 5.2, 5.2, 0.05)])
    assert event.detail == {"source": "sound"}
    assert event.start == pytest.approx(4.5, abs=0.1)


def test_a_sound_held_longer_than_any_filler_is_none() -> None:
    sung = sound_of(((0.0, 4.0),), 5.0)
    assert found(still(sung, 0.5, 3.0), words=[]) == ()


def test_words_in_running_speech_are_no_fillers() -> None:
    assert found(SOUND) == ()


def test_a_lengthened_word_that_the_transcript_covers_is_no_filler() -> None:
    drawl = [*WORDS[:5], word("so", 2.0, 2.32), *WORDS[6:]]
    assert found(still(SOUND, 2.05, 2.3), words=drawl) == ()


def test_breath_is_no_voice_and_creak_is() -> None:
    mute = replace(SOUND, f0_hz=np.full(len(SOUND.f0_hz), np.nan, dtype=np.float32))
    quiet = still(replace(mute, level_db=mute.level_db - 30.0), 4.55, 5.0)
    assert stable_stretches(SPEECH, quiet) == ()
    assert stable_stretches(SPEECH, still(mute, 4.55, 5.0)) != ()


def test_an_octave_jump_of_the_tracker_is_no_slope() -> None:
    f0 = np.full(100, 110.0, dtype=np.float32)
    f0[45:50] = 220.0
    sound = replace(sound_of(((0.0, 1.0),), 1.0), f0_hz=f0)
    assert slope_of((0.0, 1.0), sound) == pytest.approx(0.0, abs=0.5)


def candidate(**changes: object) -> Candidate:
    usual = Candidate(
        start=1.0,
        end=1.4,
        heard=0.8,
        text="um",
        uncovered=1.0,
        is_after_pause=True,
        flux=0.7,
        slope=-2.0,
    )
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


def test_what_a_reading_wrote_is_weighed_with_the_sound() -> None:
    full = probability_of_named(0.95, candidate())
    assert full > 0.9
    assert probability_of_named(0.5, candidate()) < full
    assert probability_of_named(0.95, candidate(flux=1.1)) < full
    assert probability_of_named(0.95, candidate(uncovered=0.0)) < full


@pytest.mark.parametrize("written", [0.0, 1.0])
def test_probabilities_stay_between_zero_and_one(written: float) -> None:
    wild = candidate(flux=1e6, slope=-1e6)
    assert 0 <= probability_of(wild) <= 1
    assert 0 <= probability_of_named(written, wild) <= 1


def test_a_recording_without_voice_has_no_fillers() -> None:
    mute = replace(SOUND, f0_hz=np.full(len(SOUND.f0_hz), np.nan, dtype=np.float32))
    none = DetectorInput(words=(), readings=(), slots=(), speech=(), sound=mute, data=ENGLISH)
    assert find_filled_pauses(none) == ()
