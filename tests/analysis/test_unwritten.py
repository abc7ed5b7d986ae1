"""Speech without words stands in the report with why, and takes what rests on words along."""

from __future__ import annotations

import pytest

from analysis.analysers.fillers import Fillers
from analysis.analysers.pace import Pace
from analysis.analysers.wording import WordChoice
from analysis.ports import Doubt, Segment, Span
from analysis.results import Reason, Word
from analysis.talk.untranscribed_speech import untranscribed_passages
from tests.analysis.spoken import speech_of, talk_of, words

SPEECH = ((0.0, 4.0), (4.5, 10.0), (10.5, 14.0))


def said(*spans: Span) -> list[Word]:
    return [Word(text="word", start=start, end=end, probability=0.9) for start, end in spans]


def dropped(window: Span, doubt: Doubt) -> Segment:
    return Segment(
        start=window[0],
        end=window[1],
        text="so so so",
        no_speech_probability=0.1,
        average_log_probability=-0.2,
        compression_ratio=3.0,
        words=(),
        doubt=doubt,
    )


@pytest.mark.parametrize(
    ("window", "doubt", "code"),
    [
        ((4.2, 10.2), "repeats", "unwritten_repeats"),
        ((4.2, 10.2), "unsure", "unwritten_unsure"),
        ((30.0, 33.0), "unsure", "unwritten_silent"),
    ],
)
def test_a_hole_says_why_it_is_there(window: Span, doubt: Doubt, code: str) -> None:
    around = said((0.0, 4.0), (10.5, 14.0))
    [passage] = untranscribed_passages(around, SPEECH, [dropped(window, doubt)])
    assert (passage.start, passage.end, passage.note.code) == (4.5, 10.0, code)
    assert passage.note.detail


def test_a_short_sentence_whose_words_were_left_out_is_a_hole_too() -> None:
    around = said((0.0, 4.0), (6.5, 10.0), (10.5, 14.0))
    assert untranscribed_passages(around, SPEECH, []) == ()
    [passage] = untranscribed_passages(around, SPEECH, [dropped((4.2, 6.5), "repeats")])
    assert (passage.start, passage.end) == (4.5, 6.5)


def test_where_every_word_stands_there_is_no_hole() -> None:
    everything = said((0.0, 4.0), (4.5, 10.0), (10.5, 14.0))
    assert untranscribed_passages(everything, SPEECH, [dropped((4.2, 10.2), "repeats")]) == ()


@pytest.mark.parametrize("analyser", [Pace(), WordChoice(), Fillers()], ids=lambda each: each.name)
def test_what_rests_on_words_is_withheld_where_most_of_them_are_missing(
    analyser: Pace | WordChoice | Fillers,
) -> None:
    whole = words("we are going to talk about the open water " * 20, each=0.4)
    third = whole[: len(whole) // 3]
    found = analyser.measure(talk_of(third, speech=speech_of(whole)))
    assert {each.code for each in found.skipped.values()} == {"words_missing"}
    assert {each.reason for each in found.skipped.values()} == {Reason.LOW_COVERAGE}
    assert not found.measurements
    most = talk_of(whole[: 2 * len(whole) // 3], speech=speech_of(whole))
    assert analyser.measure(most).measurements
