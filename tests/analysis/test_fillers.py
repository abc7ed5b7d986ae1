from __future__ import annotations

import pytest

from analysis.analysers.fillers import Fillers
from analysis.ports import Measured
from analysis.results import Quality, Reason, Skipped, Word
from tests.analysis.spoken import filled_pause, talk_of, words

RATE = "fillers.filled_pauses_per_minute"


def three_minutes(count: int, *, probability: float = 0.95) -> Measured:
    spoken = words("we had seen boats " * 150)
    gap = 180 / max(count, 1)
    fillers = [filled_pause(index * gap + 1, probability=probability) for index in range(count)]
    return Fillers().measure(talk_of(spoken, fillers=fillers))


def test_the_rate_is_the_sum_of_probabilities_per_minute_of_talk() -> None:
    found = three_minutes(12, probability=0.75).measurements[RATE]
    assert found.value == pytest.approx(12 * 0.75 / 3, rel=0.01)
    assert found.n == 12


def test_twenty_seven_clear_ones_in_three_minutes_are_clearly_more_than_five() -> None:
    interval = three_minutes(27).measurements[RATE].interval
    assert interval is not None
    assert interval[0] > 5.0


def test_four_in_twenty_five_seconds_are_not_and_the_value_is_called_poor() -> None:
    spoken = words("we had seen boats " * 21)
    found = (
        Fillers()
        .measure(talk_of(spoken, fillers=[filled_pause(at) for at in (3, 8, 14, 20)]))
        .measurements[RATE]
    )
    assert found.interval is not None
    assert found.interval[0] < 5.0
    assert found.quality is Quality.POOR


def test_the_events_stay_in_a_take_that_is_too_short_for_a_rate() -> None:
    found = Fillers().measure(talk_of(words("we um went"), fillers=[filled_pause(0.3)]))
    assert found.skipped[RATE].reason is Reason.TOO_SHORT
    assert [event.kind for event in found.events] == ["filled_pause"]
    assert found.events[0].probability == 0.95


def test_filler_words_are_located_with_their_phrase() -> None:
    spoken = words("we went there, you know, and came back again " * 8)
    found = Fillers().measure(talk_of(spoken))
    labels = {event.label for event in found.events if event.kind == "filler_word"}
    assert labels == {"you know"}
    assert found.measurements["fillers.filler_words_per_minute"].n == 8


def test_three_within_ten_seconds_are_a_burst() -> None:
    spoken = words("we had seen boats " * 100)
    at = [5.0, 8.0, 12.0, 13.0, 60.0, 75.0, 90.0]
    found = Fillers().measure(talk_of(spoken, fillers=[filled_pause(start) for start in at]))
    [burst] = [event for event in found.events if event.kind == "filler_burst"]
    assert (burst.start, burst.end) == (5.0, 13.4)
    assert burst.detail["count"] == 4


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("speakers", Reason.SEVERAL_SPEAKERS),
        ("fluency", Reason.OUTSIDE_TESTED_SPEECH),
        ("text", Reason.LANGUAGE_MISMATCH),
    ],
)
def test_nothing_is_counted_where_it_would_mean_something_else(key: str, reason: Reason) -> None:
    spoken = words("we had seen boats " * 50)
    found = Fillers().measure(
        talk_of(
            spoken,
            fillers=[filled_pause(3.0)],
            cautions={key: Skipped.because(reason, "in_words", words="left out")},
        )
    )
    assert {skipped.reason for skipped in found.skipped.values()} == {reason}
    assert found.events == ()


@pytest.mark.parametrize("key", ["gain", "gate"])
def test_through_gain_or_gate_few_fillers_are_no_good_news(key: str) -> None:
    gain = Skipped.because(Reason.AUTOMATIC_GAIN, "in_words", words="swells")
    spoken = words("we had seen boats " * 120)
    found = Fillers().measure(talk_of(spoken, cautions={key: gain}))
    assert found.measurements[RATE].quality is Quality.POOR


def test_german_is_not_measured() -> None:
    spoken: list[Word] = words("wir gehen um das Haus " * 30)
    found = Fillers().measure(talk_of(spoken, language="de"))
    assert found.skipped[RATE].reason is Reason.LANGUAGE_UNSUPPORTED
