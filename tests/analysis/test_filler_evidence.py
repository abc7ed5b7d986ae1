"""Sound and readings are evidence: each moves the probability, none rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from analysis.ports import FillerSound
from analysis.results import Event, Word
from analysis.talk.filled_pauses import DetectorInput, find_filled_pauses
from analysis.talk.filler_evidence import FEATURES, FillerCandidate, probability, weights_of
from analysis.talk.languages import language_data
from tests.analysis.spoken import sound_of

SPEECH = ((0.0, 4.0), (4.5, 8.0))
SOUND = sound_of(SPEECH, 9.0)


def word(text: str, start: float, end: float, probability_: float = 0.95) -> Word:
    return Word(text=text, start=start, end=end, probability=probability_)


WORDS = [
    *(word(f"word{index}", 0.4 * index, 0.4 * index + 0.4) for index in range(10)),
    *(word(f"again{index}", 5.2 + 0.4 * index, 5.6 + 0.4 * index) for index in range(7)),
]
READING = [*WORDS[:10], word("um,", 5.2, 5.25), *WORDS[10:]]


def heard(start: float, end: float, log_odds: float) -> FillerSound:
    return FillerSound(start=start, end=end, log_odds=log_odds)


def found(
    sounds: Sequence[FillerSound],
    *,
    readings: Sequence[Sequence[Word]] = (),
    reader: str = "tiny.en",
    language: str = "en",
    plainly: Sequence[Word] = (),
    witnesses: Sequence[Sequence[Word]] = (),
) -> tuple[Event, ...]:
    return find_filled_pauses(
        DetectorInput(
            words=WORDS,
            readings=readings,
            slots=(),
            speech=SPEECH,
            sound=SOUND,
            data=language_data(language),
            sounds=sounds,
            reader=reader,
            plainly=plainly,
            witnesses=witnesses,
        )
    )


@pytest.mark.parametrize("reader", ["tiny.en", "tiny.en-int8", "whisper-base"])
def test_a_clear_sound_is_enough_where_no_reading_wrote_anything(reader: str) -> None:
    [event] = found([heard(4.5, 5.0, 5.0)], reader=reader)
    assert (event.start, event.end) == (4.5, 5.0)
    assert event.detail == {"source": "sound"}


def test_a_reading_lifts_a_sound_that_alone_would_not_do() -> None:
    faint = [heard(4.55, 4.9, 1.0)]
    assert found(faint) == ()
    [event] = found(faint, readings=[READING])
    assert event.detail == {"source": "second_reading"}
    assert event.start == pytest.approx(4.5, abs=0.1), "where it sounds, not where it was written"


def test_a_doubtful_one_is_neither_shown_nor_counted() -> None:
    assert found([heard(4.55, 4.9, 0.0)], readings=[READING]) == ()


def test_what_a_reading_wrote_without_any_sound_is_doubted() -> None:
    silent = found([], readings=[[*WORDS[:10], word("um,", 5.2, 5.25, 0.4), *WORDS[10:]]])
    assert silent == ()


def test_two_written_in_one_place_get_a_sound_each() -> None:
    reading = [*WORDS[:10], word("um,", 5.2, 5.25), word("uh,", 5.2, 5.22), *WORDS[10:]]
    events = found([heard(4.5, 4.8, 3.0), heard(4.95, 5.2, 3.0)], readings=[reading])
    assert [event.label for event in events] == ["um", "uh"]


def test_what_both_readings_wrote_is_one_and_takes_one_sound() -> None:
    sounds = [heard(4.5, 4.8, 3.0), heard(4.95, 5.2, -1.5)]
    both = found(sounds, readings=[READING], plainly=READING)
    assert both == found(sounds, readings=[READING])
    assert len(both) == 1


@pytest.mark.parametrize("surer", ["primed", "plain"])
def test_what_both_wrote_is_as_probable_as_the_surer_has_it(surer: str) -> None:
    doubted = [*WORDS[:10], word("um,", 5.2, 5.25, 0.2), *WORDS[10:]]
    readings = {"primed": READING, "plain": doubted}
    if surer == "plain":
        readings = {"primed": doubted, "plain": READING}
    faint = [heard(4.55, 4.9, 1.0)]
    events = found(faint, readings=[readings["primed"]], plainly=readings["plain"])
    assert events == found(faint, readings=[READING])
    assert len(events) == 1


def test_what_the_plain_reading_alone_wrote_counts_as_well() -> None:
    [event] = found([heard(4.55, 4.9, 1.0)], plainly=READING)
    assert event.label == "um"


def test_voice_that_nobody_called_speech_is_heard_as_well() -> None:
    assert len(found([heard(8.3, 8.8, 6.0)])) == 1
    assert found([heard(8.3, 8.8, -2.5)]) == ()


def test_a_sound_nearly_ruled_out_is_no_filler() -> None:
    assert found([heard(4.5, 5.0, -2.9)]) == ()


EUH = word("euh,", 5.2, 5.4)


def test_what_a_third_reading_alone_wrote_counts_with_the_share_of_such_that_are_true() -> None:
    [event] = found([], witnesses=[[*WORDS[:10], EUH, *WORDS[10:]]], language="fr")
    assert (event.start, event.end, event.label) == (5.2, 5.4, "euh")
    assert event.probability == 0.5
    assert event.detail == {"source": "third_reading"}


def test_what_was_found_is_not_found_again_by_a_third_reading() -> None:
    late = word("euh,", 5.1, 5.2)  # attention comes late: by more than what counts as beside
    reading = [*WORDS[:10], late, *WORDS[10:]]
    [event] = found([heard(4.5, 4.8, 5.0)], witnesses=[reading], language="fr")
    assert event.detail == {"source": "sound"}


@pytest.mark.parametrize(
    "reading",
    [[EUH, *WORDS[10:]], [*WORDS, word("euh", 8.3, 8.6)], WORDS],
    ids=["opens with it", "where nobody speaks", "wrote none"],
)
def test_a_third_reading_is_not_believed_everything(reading: Sequence[Word]) -> None:
    assert found([], witnesses=[reading], language="fr") == ()


def test_in_french_it_is_called_euh() -> None:
    [event] = found([heard(4.5, 5.0, 5.0)], reader="whisper-base", language="fr")
    assert event.label == "euh"


@pytest.mark.parametrize("reader", ["tiny.en", "whisper-base"])
def test_more_of_what_speaks_for_one_makes_it_more_probable(reader: str) -> None:
    _, weights = weights_of(reader)
    named = dict(zip(FEATURES, weights, strict=True))
    assert named["sound"] > 0
    assert named["written"] + named["is_written"] > 0
    plain = FillerCandidate(
        start=1.0, end=1.4, text="um", is_written=False, evidence=(0.0,) * len(FEATURES)
    )
    louder = replace(plain, evidence=(1.0, *plain.evidence[1:]))
    assert probability(louder, reader) > probability(plain, reader)
