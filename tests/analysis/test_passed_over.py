"""What a reading passes over is read once more: recognisers stop early at times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.backends.speech import transcription
from analysis.backends.speech.deletion_recovery import find_deletions, with_plausible_ends
from analysis.backends.speech.reading import Reading
from analysis.ports import SAMPLE_RATE_HZ, Span
from analysis.results import Word
from tests.analysis.recognisers import FakeRecogniser, reading


def word(text: str, start: float, end: float) -> Word:
    return Word(text=text, start=start, end=end, probability=0.9)


def read(speech: tuple[Span, ...], *readings: Reading) -> tuple[Any, list[float]]:
    recogniser = FakeRecogniser(readings)
    found = transcription.SpeechReader(recogniser).transcribe(
        np.zeros(round((speech[-1][1] + 1) * SAMPLE_RATE_HZ), dtype=np.float32),
        speech=speech,
        language="en",
        progress=lambda _: None,
    )
    return found, [round(length, 1) for length in recogniser.windows]


@pytest.fixture(autouse=True)
def deaf_to_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {"en": 1.0})


def test_what_follows_a_pause_is_read_where_a_reading_stopped_there() -> None:
    speech = ((1.0, 1.2), (3.5, 9.0))
    found, windows = read(speech, reading("good morning"), reading("we begin"))
    assert [(each.text, round(each.start, 1)) for each in found.words] == [
        ("good", 0.6),
        ("morning", 0.9),
        ("we", 3.1),
        ("begin", 3.4),
    ]
    assert windows == [8.8, 5.9]
    [segment] = found.segments
    assert (segment.text, segment.start, segment.end) == ("good morning we begin", 0.6, 3.7)


@pytest.mark.parametrize(
    "again",
    [reading("Thank you.", sure=-1.3), reading("la la la la la", compression=5.0), reading("")],
    ids=["unsure", "stuck", "empty"],
)
def test_what_is_read_there_is_believed_no_easier_than_elsewhere(again: Reading) -> None:
    found, _windows = read(((1.0, 2.0), (3.5, 9.0)), reading("good morning"), again)
    assert [each.text for each in found.words] == ["good", "morning"]


@pytest.mark.parametrize(
    ("speech", "first", "kept"),
    [
        (((1.0, 2.0), (3.5, 5.0)), reading("good morning"), "good morning"),
        (((1.0, 2.0), (3.5, 9.0)), reading(""), ""),
        (((1.0, 7.0),), reading("good morning", sure=-1.5), ""),
    ],
    ids=["hardly anything is missing", "nothing was read", "what was read is not believed"],
)
def test_nothing_is_read_once_more_in_vain(
    speech: tuple[Span, ...], first: Reading, kept: str
) -> None:
    found, windows = read(speech, first)
    assert len(windows) == 1
    assert " ".join(word.text for word in found.words) == kept


def test_a_passage_ends_at_the_words_beside_it() -> None:
    words = [word("so", 0.2, 0.5), word("then", 8.0, 8.3)]
    assert find_deletions(words, [(0.1, 0.6), (0.8, 7.9)]) == ((0.5, 8.0),)


def test_a_passage_longer_than_a_window_is_read_in_several() -> None:
    windows = find_deletions([word("so", 0.2, 0.5)], [(0.1, 0.6), (1.0, 20.0), (21.0, 45.0)])
    assert [round(end - start) for start, end in windows] == [20, 24]


def test_a_word_that_was_given_all_the_rest_ends_where_its_stretch_of_speech_does() -> None:
    speech = [(0.0, 1.3), (3.0, 12.0)]
    words = [word("good", 0.5, 0.9), word("morning", 0.9, 12.0)]
    assert [each.end for each in with_plausible_ends(words, speech)] == [0.9, 1.3]
    assert find_deletions(with_plausible_ends(words, speech), speech) == ((2.6, 12.0),)


def test_a_word_that_was_given_all_the_rest_is_no_longer_than_words_are() -> None:
    [put_right] = with_plausible_ends([word("of", 9.0, 28.0)], [(0.0, 28.0)])
    assert put_right.end == 9.6


def test_a_drawled_word_keeps_its_length() -> None:
    words = (word("so", 1.0, 3.5),)
    assert with_plausible_ends(words, [(0.0, 9.0)]) == words
