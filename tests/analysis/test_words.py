from __future__ import annotations

import itertools

from analysis.ports import Segment, Transcript
from analysis.results import Language, Word
from analysis.talk.words import align_to_speech, believed_words, in_order


def word(text: str, start: float, end: float) -> Word:
    return Word(text=text, start=start, end=end, probability=0.9)


def transcript(*words: Word) -> Transcript:
    segment = Segment(
        start=0.0,
        end=10.0,
        text="",
        no_speech_probability=0.0,
        average_log_probability=-0.1,
        compression_ratio=1.2,
        words=words,
    )
    return Transcript(
        language=Language(code="en", source="given"), segments=(segment,), model="fake"
    )


def test_a_word_where_nobody_speaks_is_not_believed() -> None:
    said, invented = word("hello", 1.0, 1.4), word("thanks", 5.0, 5.6)
    assert believed_words(transcript(said, invented), ((0.9, 1.5),)) == (said,)


def test_a_word_that_whisper_stretched_over_a_pause_starts_after_it() -> None:
    speech = ((1.0, 1.5), (2.5, 3.0))
    found = align_to_speech([word("cares.", 1.0, 1.3), word("This", 1.3, 2.9)], speech, "en")
    assert (found[0].start, found[0].end) == (1.0, 1.5)
    assert (found[1].start, found[1].end) == (2.5, 3.0)


def test_a_long_last_word_keeps_its_end_before_the_pause() -> None:
    speech = ((1.0, 1.9), (3.0, 3.4))
    found = align_to_speech([word("slow", 1.0, 1.6), word("and", 1.7, 3.3)], speech, "en")
    assert found[0].end == 1.9
    assert found[1].start == 3.0


def test_speech_left_over_before_a_word_is_not_given_to_it() -> None:
    found = align_to_speech([word("this", 1.8, 2.1)], ((1.0, 2.1),), "en")
    assert found[0].start == 1.8


def test_words_never_run_backwards() -> None:
    found = in_order([word("a", 1.0, 1.5), word("b", 1.2, 1.3), word("c", 1.3, 1.9)])
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))
    assert all(one.start <= one.end for one in found)


def test_no_words_and_no_speech_are_fine() -> None:
    assert align_to_speech([], ((0.0, 1.0),), "en") == ()
    assert align_to_speech([word("a", 0.0, 1.0)], (), "en")[0].text == "a"
