from __future__ import annotations

import pytest

from analysis.analysers.wording import WordChoice
from analysis.ports import Measured
from analysis.results import Quality, Reason, Skipped
from tests.analysis.spoken import talk_of, words

PLAIN = "we had seen the boats come in that day. | "


def measured(text: str, **given: object) -> Measured:
    return WordChoice().measure(talk_of(words(text), **given))  # type: ignore[arg-type]


def labels(found: Measured, kind: str) -> list[str]:
    return [event.label for event in found.events if event.kind == kind]


def test_hedges_are_counted_per_hundred_words_and_located() -> None:
    found = measured(PLAIN * 9 + "maybe we are kind of late today though. | ")
    assert labels(found, "hedge") == ["maybe", "kind of"]
    assert found.measurements["wording.hedges_per_100_words"].value == pytest.approx(
        200 / 89, abs=0.1
    )


def test_words_said_again_at_once_are_restarts_and_rhetoric_is_not() -> None:
    again = measured(PLAIN * 6 + "and then we we went to the to the har- harbour. | ")
    assert labels(again, "restart") == ["we", "to the", "har"]
    rhetoric = measured("We will row. | We will sail. | We will win. | " + PLAIN * 6)
    assert labels(rhetoric, "restart") == []
    assert labels(rhetoric, "anaphora")[0] == "we will"


def test_the_same_words_after_a_pause_are_no_restart() -> None:
    assert labels(measured(PLAIN * 6 + "we went | | went home. | "), "restart") == []


@pytest.mark.parametrize("pair", ["had had", "that that", "very very", "no no"])
def test_words_that_are_rightly_doubled_are_no_restart(pair: str) -> None:
    assert labels(measured(PLAIN * 6 + f"it {pair} much. | "), "restart") == []


def test_a_run_of_equal_openings_is_one_anaphora_with_its_count() -> None:
    found = measured(PLAIN * 5 + "I have a dream today. | I have a plan. | I have you. | ")
    [first, second] = [event for event in found.events if event.kind == "anaphora"]
    assert (first.label, first.detail["count"]) == ("we had", 5)
    assert (second.label, second.detail["count"]) == ("i have", 3)
    assert found.measurements["wording.anaphora_count"].value == 2


@pytest.mark.parametrize(
    "said",
    ["never, never, never give up", "we tried again and again and again", "dial nine nine nine"],
)
def test_what_is_said_again_on_purpose_is_no_restart(said: str) -> None:
    assert labels(measured(PLAIN * 6 + f"{said}. | "), "restart") == []


@pytest.mark.parametrize(
    "said",
    [
        *("he works for the B B C in town", "it takes an A A A battery", "on w w w dot home"),
        *("a triple rating, a A from them", "with two letters, S, S, at its end"),
        *("he lives in New York, New York", "from New York, New York to Rome"),
        *("they spent May on Bora Bora again", "he called out, Martha, Martha, you worry"),
    ],
)
def test_letters_that_are_spelled_and_names_said_twice_are_no_restart(said: str) -> None:
    assert labels(measured(PLAIN * 6 + f"{said}. | "), "restart") == []


@pytest.mark.parametrize(
    ("said", "label"),
    [
        *(("then Peter, Peter opened it", "peter"), ("we b b built a boat", "b")),
        *(("and I, I think so", "i"), ("it was a, a long day", "a")),
        *(("we take vitamin C. I, I think so", "i"), ("it is plan B, I I think", "i")),
        ("We, we went home", "we"),
    ],
)
def test_a_name_letter_or_pronoun_that_somebody_begins_with_again_is_a_restart(
    said: str, label: str
) -> None:
    assert labels(measured(PLAIN * 6 + f"{said}. | "), "restart") == [label]


@pytest.mark.parametrize(
    ("said", "label"), [("we we we went home", "we"), ("and he and he went home", "and he")]
)
def test_small_words_said_again_are_restarts_however_often(said: str, label: str) -> None:
    assert set(labels(measured(PLAIN * 6 + f"{said}. | "), "restart")) == {label}


def test_what_the_recogniser_doubts_is_neither_anaphora_nor_restart_nor_habit() -> None:
    text = (
        "I have a plan. | I have you. | we went went home late. | "
        "it was really it, really big, really nice and really new and really good. | "
        "but nobody saw rain fall over hills, rivers, old towers, quiet lanes, farms, "
        "markets, bridges, trains or ships. | then somebody sang an old song until it grew dark. | "
    )
    doubted = [word.model_copy(update={"probability": 0.3}) for word in words(text)]
    for spoken, expected in ((words(text), True), (doubted, False)):
        events = WordChoice().measure(talk_of(spoken)).events
        kinds = {event.kind for event in events} - {"sentence"}
        assert ({"anaphora", "restart", "verbal_habit"} <= kinds) is expected
        assert bool(kinds) is expected


def test_a_habit_is_a_phrase_far_above_the_usual_and_never_the_subject() -> None:
    habit = "the boats basically came in and the tide was basically low. | "
    found = measured(habit * 8)
    assert set(labels(found, "verbal_habit")) == {"basically"}
    topic = measured("the harbour boats leave the harbour at night. | " * 8)
    assert labels(topic, "verbal_habit") == []


def test_sentence_length_counts_only_ends_that_a_pause_confirms() -> None:
    found = measured(PLAIN * 8).measurements["wording.sentence_length_words"]
    assert found.value == pytest.approx(9.0)
    unconfirmed = measured("we had seen the boats come in that day. " * 8)
    assert unconfirmed.skipped["wording.sentence_length_words"].reason is Reason.LOW_COVERAGE


def test_a_long_sentence_is_located() -> None:
    long_one = "and " + "the boats came in " * 10 + "at last. | "
    found = measured(PLAIN * 4 + long_one)
    [event] = [event for event in found.events if event.kind == "long_sentence"]
    assert event.detail["words"] == 43
    assert found.measurements["wording.long_sentence_share"].value == pytest.approx(0.2)


def test_every_sentence_is_an_event() -> None:
    found = measured(PLAIN * 7)
    assert len([event for event in found.events if event.kind == "sentence"]) == 7


def test_few_words_decide_nothing() -> None:
    found = measured("maybe we went home.")
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.TOO_SHORT}


def test_restarts_are_left_out_in_speech_that_was_not_tested() -> None:
    unlike = Skipped.because(Reason.OUTSIDE_TESTED_SPEECH, "in_words", words="left out")
    found = measured(PLAIN * 6 + "we we went home. | ", cautions={"fluency": unlike})
    assert found.skipped["wording.restarts_per_100_words"] == unlike
    assert labels(found, "restart") == []


def test_words_that_the_recogniser_doubts_make_a_poor_measure() -> None:
    doubted = [word.model_copy(update={"probability": 0.4}) for word in words(PLAIN * 40)]
    found = WordChoice().measure(talk_of(doubted)).measurements
    assert {measurement.quality for measurement in found.values()} == {Quality.POOR}
