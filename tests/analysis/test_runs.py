"""The longest stretch without a rest, a silence that stands, a fast opening, melody over time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.analysers.melody_over_time import PitchTrend
from analysis.analysers.pace import Pace
from analysis.analysers.runs import Runs
from analysis.ports import Measured, Options
from analysis.results import Quality, Reason, Skipped, Word
from analysis.talk.statistics import difference_interval
from analysis.talk.talk import Talk
from tests.analysis.spoken import STEP, filled_pause, sound_of, speech_of, talk_of, words

SENTENCE = "We had seen the boats come in. "
RUN, AT_BOUNDARY = "pauses.longest_run_seconds", "pauses.longest_at_boundary_seconds"
OPENING, TREND = "pace.opening_ratio", "pitch.trend_semitones"


def spoken_with(*pauses: float) -> list[Word]:
    """A sentence before each pause and one after the last."""
    found: list[Word] = []
    at = 0.0
    for pause in (*pauses, 0.0):
        said = words(SENTENCE, start=at)
        found += said
        at = said[-1].end + pause
    return found


def measured(spoken: list[Word], **given: object) -> Measured:
    return Runs().measure(talk_of(spoken, **given))  # type: ignore[arg-type]


def standing(found: Measured) -> list[str]:
    return [event.label for event in found.events if event.kind == "standing_silence"]


# --- lengths of phrases


def test_phrases_of_one_length_do_not_vary_and_others_do() -> None:
    name = "pauses.phrase_length_variation"
    even = measured(spoken_with(*[0.5] * 12)).measurements[name]
    assert even.n == 13
    assert even.value == pytest.approx(0, abs=0.02)
    # Every second phrase is two sentences long: lengths of about 1 and 2.
    uneven = measured(spoken_with(*[0.5, 0.5, 0.02] * 8)).measurements[name]
    assert uneven.value == pytest.approx(0.34, abs=0.06)
    low, high = uneven.interval or (0, 0)
    assert low < uneven.value < high


def test_few_phrases_give_no_variation() -> None:
    found = measured(spoken_with(*[0.5] * 5)).skipped["pauses.phrase_length_variation"]
    assert found.reason is Reason.TOO_SHORT


# --- without a rest


def test_the_longest_time_without_half_a_second_of_silence_is_measured() -> None:
    found = measured(spoken_with(1.0, *[0.4] * 8, 1.0, 0.4))
    # Nine sentences of 2.1 s with eight gaps of 0.4 s.
    assert found.measurements[RUN].value == pytest.approx(9 * 2.1 + 8 * 0.4, abs=0.05)
    assert found.measurements[RUN].n == 3
    (run,) = (event for event in found.events if event.kind == "run_on")
    assert run.end - run.start == pytest.approx(found.measurements[RUN].value, abs=0.001)


def test_a_break_of_minutes_is_neither_the_longest_silence_nor_part_of_a_run() -> None:
    found = measured(spoken_with(1.0, *[0.4] * 8, 180.0, *[0.4] * 8, 1.0, 0.4))
    assert found.measurements[RUN].value == pytest.approx(9 * 2.1 + 8 * 0.4, abs=0.05)
    assert found.measurements[AT_BOUNDARY].value == pytest.approx(1.0, abs=0.05)


def test_a_rest_after_every_sentence_leaves_no_run() -> None:
    found = measured(spoken_with(*[0.7] * 10))
    assert found.measurements[RUN].value == pytest.approx(2.1, abs=0.01)
    assert found.events == ()


def test_noise_that_hides_silences_makes_the_run_an_estimate() -> None:
    noisy = Skipped(reason=Reason.POOR_SIGNAL)
    found = measured(spoken_with(*[0.7] * 10), cautions={"signal": noisy})
    assert found.measurements[RUN].quality is Quality.POOR


def test_a_part_that_is_left_out_ends_a_run() -> None:
    talk = talk_of(spoken_with(*[0.2] * 10))
    parts = replace(talk, options=Options(left_out=((10.0, 12.0),)))
    whole = Runs().measure(talk).measurements[RUN].value
    assert Runs().measure(parts).measurements[RUN].value < whole - 2.0


def test_runs_need_no_words() -> None:
    talk = talk_of([], seconds=60.0, speech=((1.0, 20.0), (22.0, 58.0)))
    found = Runs().measure(talk)
    assert found.measurements[RUN].value == pytest.approx(36.0)
    assert found.skipped[AT_BOUNDARY].reason is Reason.NO_SPEECH


# --- a silence that stands


def test_a_silence_much_longer_than_usual_stands_out_with_the_words_after_it() -> None:
    found = measured(spoken_with(0.5, 0.6, 1.8, 0.5, 0.6))
    assert standing(found) == ["we had seen"]
    (event,) = (event for event in found.events if event.kind == "standing_silence")
    assert event.detail["seconds"] == pytest.approx(1.8, abs=0.02)
    assert found.measurements[AT_BOUNDARY].value == pytest.approx(1.8, abs=0.02)


@pytest.mark.parametrize(
    "pauses",
    [(2.6,) * 8, (0.5,) * 8, (0.5, 0.6, 6.0, 0.5, 0.6), (0.4, 2.0) * 9],
    ids=["always long", "always short", "lost", "every second one"],
)
def test_silences_like_the_others_do_not_stand_out(pauses: tuple[float, ...]) -> None:
    assert standing(measured(spoken_with(*pauses))) == []


def test_an_um_beside_the_silence_makes_it_a_search() -> None:
    spoken = spoken_with(0.5, 0.6, 1.8, 0.5, 0.6)
    at = spoken[20].end + 1.9
    assert standing(measured(spoken, fillers=[filled_pause(at)])) == []


def test_a_silence_inside_a_sentence_does_not_stand() -> None:
    text = (SENTENCE + "| ") * 2 + "We had | | | seen the boats. " + SENTENCE * 4
    assert standing(measured(words(text))) == []


# --- the opening


def test_a_faster_opening_is_a_ratio_over_the_rest_with_its_place() -> None:
    fast = words(SENTENCE * 20, each=0.25)
    slow = words(SENTENCE * 30, start=fast[-1].end, each=0.35)
    found = Pace().measure(talk_of([*fast, *slow]))
    ratio = found.measurements[OPENING]
    assert ratio.value == pytest.approx(0.35 / 0.25, rel=0.05)
    assert ratio.interval is not None
    assert ratio.interval[0] <= ratio.value <= ratio.interval[1]
    (rush,) = (event for event in found.events if event.kind == "opening_rush")
    assert (rush.start, rush.end) == (0.0, 30.0)


def test_an_even_pace_and_a_short_talk_have_no_fast_opening() -> None:
    even = Pace().measure(talk_of(words(SENTENCE * 50)))
    assert even.measurements[OPENING].value == pytest.approx(1.0, abs=0.05)
    assert [event for event in even.events if event.kind == "opening_rush"] == []
    short = Pace().measure(talk_of(words(SENTENCE * 30)))
    assert short.skipped[OPENING].reason is Reason.TOO_SHORT


# --- melody over time


def moving(*, first: float, last: float, seconds: float = 120.0) -> Talk:
    """A voice that swings by so many semitones to either side at the start and at the end."""
    spoken = words(SENTENCE * round(seconds / 2.1))
    at = np.arange(int(seconds * 100) + 200) * STEP
    width = np.interp(at, (seconds / 3, 2 * seconds / 3), (first, last))
    tune = (width * np.sin(2 * np.pi * at / 1.7)).astype(np.float32)
    length = spoken[-1].end + 1.0
    return talk_of(spoken, sound=sound_of(speech_of(spoken), length, semitones=tune))


def test_a_voice_that_moves_less_at_the_end_has_a_negative_trend_and_a_place() -> None:
    found = PitchTrend().measure(moving(first=4.0, last=1.0))
    trend = found.measurements[TREND]
    assert trend.value == pytest.approx(-3 / np.sqrt(2), abs=0.15)
    assert trend.interval is not None
    assert trend.interval[1] < 0
    (event,) = found.events
    assert event.kind == "narrower_ending"
    assert event.end - event.start == pytest.approx(40.0, abs=1.0)


@pytest.mark.parametrize(("first", "last"), [(3.0, 3.0), (1.0, 4.0)])
def test_a_voice_that_moves_as_much_or_more_has_no_narrower_ending(
    first: float, last: float
) -> None:
    found = PitchTrend().measure(moving(first=first, last=last))
    assert found.measurements[TREND].value == pytest.approx((last - first) / np.sqrt(2), abs=0.15)
    assert found.events == ()


def test_a_short_talk_and_several_voices_have_no_trend() -> None:
    short = PitchTrend().measure(moving(first=3.0, last=1.0, seconds=60.0))
    assert short.skipped[TREND].reason is Reason.TOO_SHORT
    two = replace(
        moving(first=3.0, last=1.0),
        cautions={"speakers": Skipped(reason=Reason.SEVERAL_SPEAKERS)},
    )
    assert PitchTrend().measure(two).skipped[TREND].reason is Reason.SEVERAL_SPEAKERS
    parts = replace(moving(first=3.0, last=1.0), options=Options(left_out=((20.0, 40.0),)))
    assert PitchTrend().measure(parts).skipped[TREND].reason is Reason.SEVERAL_SPEAKERS


@example(last=[0.0, 0.0, 0.0], first=[0.0, 0.0, 3.9e-84])
@given(
    st.lists(st.floats(0, 10), min_size=3, max_size=20),
    st.lists(st.floats(0, 10), min_size=3, max_size=20),
)
def test_the_interval_of_a_difference_holds_the_difference(
    last: list[float], first: list[float]
) -> None:
    interval = difference_interval(last, first)
    assert interval is not None
    low, high = interval
    assert low - 1e-9 <= np.mean(last) - np.mean(first) <= high + 1e-9


@settings(max_examples=100)
@given(st.lists(st.sampled_from([0.0, 0.3, 0.6, 1.2, 1.9, 3.0]), min_size=6, max_size=30))
def test_runs_and_silences_lie_inside_the_talk(pauses: list[float]) -> None:
    spoken = spoken_with(*pauses)
    found = measured(spoken)
    end = spoken[-1].end
    for event in found.events:
        assert 0 <= event.start < event.end <= end
    assert found.measurements[RUN].value <= end
    assert len(standing(found)) <= 3
