from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.analysers.pace import Pace
from analysis.ports import Measured
from analysis.results import Quality, Reason, Skipped, Word
from analysis.talk.talk import Talk
from tests.analysis.spoken import filled_pause, sound_of, speech_of, talk_of, words

SENTENCE = "we are going to talk about the open water "


def measured(spoken: list[Word], **given: object) -> Measured:
    return Pace().measure(talk_of(spoken, **given))  # type: ignore[arg-type]


def value(found: Measured, metric: str) -> float:
    return found.measurements[metric].value


def test_words_and_syllables_are_counted_over_the_time_from_first_to_last_word() -> None:
    found = measured(words(SENTENCE * 20, each=0.4))
    assert value(found, "pace.words_per_minute") == pytest.approx(150.0, rel=0.01)
    # 13 syllables in nine words of 0.4 s.
    assert value(found, "pace.speech_rate_syllables_per_second") == pytest.approx(
        13 / 3.6, rel=0.01
    )


def test_speech_of_which_nothing_was_written_is_no_slow_speech() -> None:
    spoken = words(SENTENCE * 30, each=0.4)
    heard = [word for word in spoken if not (20 < word.start < 34 or word.start < 6)]
    whole, partly = measured(spoken), measured(heard, speech=speech_of(spoken))
    for metric in ("pace.words_per_minute", "pace.speech_rate_syllables_per_second"):
        assert value(partly, metric) == pytest.approx(value(whole, metric), rel=0.02)
    assert value(partly, "pace.end_rush_ratio") == pytest.approx(1.0, abs=0.02)
    silent = measured(heard)
    assert value(silent, "pace.words_per_minute") < 0.9 * value(whole, "pace.words_per_minute")


def test_pauses_between_what_was_not_written_are_no_slow_speech_either() -> None:
    spoken = words((SENTENCE + "| ") * 30, each=0.4)
    heard = [word for word in spoken if not 60 < word.start < 85]
    whole, partly = measured(spoken), measured(heard, speech=speech_of(spoken))
    assert value(partly, "pace.words_per_minute") == pytest.approx(
        value(whole, "pace.words_per_minute"), rel=0.03
    )
    assert value(partly, "pace.end_rush_ratio") == pytest.approx(1.0, abs=0.06)


def test_an_ending_of_which_little_was_written_is_not_compared() -> None:
    spoken = words(SENTENCE * 60, each=0.4)
    end = spoken[-1].end
    heard = [word for word in spoken if not end - 42 < word.start < end - 2]
    found = measured(heard, speech=speech_of(spoken))
    assert found.skipped["pace.end_rush_ratio"].code == "unwritten_hides_pace"
    assert found.skipped["pace.end_rush_ratio"].reason is Reason.LOW_COVERAGE
    assert not found.events
    opened = [word for word in spoken if not 1 < word.start < 29]
    found = measured(opened, speech=speech_of(spoken))
    assert found.skipped["pace.opening_ratio"].code == "unwritten_hides_pace"


def test_a_talk_of_which_nearly_nothing_was_written_has_no_pace() -> None:
    spoken = words(SENTENCE * 60, each=0.4)
    found = measured([spoken[0], spoken[1], spoken[-1]], speech=speech_of(spoken))
    assert not found.measurements
    assert {each.code for each in found.skipped.values()} == {"words_missing"}


def test_pauses_lower_the_speech_rate_and_not_the_articulation_rate() -> None:
    fluent = measured(words(SENTENCE * 20, each=0.4))
    halting = measured(words((SENTENCE + "| ") * 20, each=0.4))
    rate, articulation = (
        "pace.speech_rate_syllables_per_second",
        "pace.articulation_rate_syllables_per_second",
    )
    assert value(halting, rate) < 0.85 * value(fluent, rate)
    assert value(halting, articulation) == pytest.approx(value(fluent, articulation), rel=0.02)


def test_speaking_a_quarter_faster_scales_words_per_minute_by_a_quarter() -> None:
    spoken = words((SENTENCE + "| ") * 20, each=0.4)
    faster = [
        word.model_copy(update={"start": word.start / 1.25, "end": word.end / 1.25})
        for word in spoken
    ]
    ratio = value(measured(faster), "pace.words_per_minute") / value(
        measured(spoken), "pace.words_per_minute"
    )
    assert ratio == pytest.approx(1.25, rel=0.005)


def test_filled_pauses_and_restarts_are_not_words() -> None:
    plain = measured(words("so we went home again " * 20))
    with_fillers = words("so um we went we went home again " * 20)
    found = measured(
        with_fillers, fillers=[filled_pause(w.start) for w in with_fillers if w.text == "um"]
    )
    assert (
        found.measurements["pace.words_per_minute"].n
        == plain.measurements["pace.words_per_minute"].n
    )


def test_a_rushed_ending_is_an_event_with_its_ratio() -> None:
    calm = words(SENTENCE * 22, each=0.5)
    rushed = words(SENTENCE * 10, start=calm[-1].end, each=0.3)
    found = measured([*calm, *rushed])
    assert value(found, "pace.end_rush_ratio") > 1.3
    [event] = [event for event in found.events if event.kind == "end_rush"]
    assert event.detail["ratio"] == pytest.approx(value(found, "pace.end_rush_ratio"), abs=0.01)
    assert event.end == pytest.approx(rushed[-1].end)


@pytest.mark.parametrize(("rest", "least", "most"), [(0.3, 0.4, 0.7), (0.6, 0.9, 1.1)])
def test_pauses_that_shrink_towards_the_end_are_measured_beside_the_pace(
    rest: float, least: float, most: float
) -> None:
    spoken: list[Word] = []
    at = 0.0
    for index in range(30):
        spoken += words(f"{SENTENCE.strip()}.", start=at, each=0.4)
        at = spoken[-1].end + (0.6 if index < 23 else rest)
    assert least < value(measured(spoken), "pace.end_pause_ratio") < most


def test_too_few_pauses_of_the_ending_are_compared_with_nothing() -> None:
    calm = words((f"{SENTENCE.strip()}. | ") * 25, each=0.4)
    found = measured([*calm, *words(SENTENCE * 12, start=calm[-1].end + 0.5, each=0.3)])
    assert found.skipped["pace.end_pause_ratio"].reason is Reason.TOO_SHORT


def test_a_fast_passage_without_pauses_is_located() -> None:
    calm = words((SENTENCE + "| ") * 14, each=0.4)
    dense = words(SENTENCE * 16, start=calm[-1].end + 0.5, each=0.28)
    rest = words((SENTENCE + "| ") * 14, start=dense[-1].end + 0.5, each=0.4)
    found = measured([*calm, *dense, *rest])
    [event] = [event for event in found.events if event.kind == "fast_passage"]
    assert event.start < dense[-1].end
    assert event.end > dense[0].start
    assert event.detail["ratio"] >= 1.15
    assert event.detail["pause_share"] < 0.1
    talk = rest[-1].end - calm[0].start
    share = (event.end - event.start) / talk
    assert value(found, "pace.fast_passage_share") == pytest.approx(share, abs=0.01)


def test_an_even_pace_has_neither() -> None:
    found = measured(words((SENTENCE + "| ") * 30, each=0.4))
    assert found.events == ()
    assert value(found, "pace.fast_passage_share") == 0.0
    assert value(found, "pace.end_rush_ratio") == pytest.approx(1.0, abs=0.1)


def test_the_track_has_a_value_every_ten_seconds_of_the_windows() -> None:
    track = measured(words(SENTENCE * 40, each=0.4)).tracks["pace.syllables_per_second"]
    assert track.step == 10.0
    assert track.start == 15.0
    assert len(track.values) == 12


def test_a_short_take_has_a_poor_or_no_pace_and_says_what_would_help() -> None:
    found = measured(words("hello and welcome"))
    assert set(found.skipped) == set(Pace.provides)
    assert found.skipped["pace.words_per_minute"].reason is Reason.TOO_SHORT
    assert "90 s" in found.skipped["pace.words_per_minute"].detail
    some = measured(words(SENTENCE * 7, each=0.4))
    assert some.measurements["pace.words_per_minute"].quality is Quality.POOR
    assert some.skipped["pace.end_rush_ratio"].reason is Reason.TOO_SHORT


@pytest.mark.parametrize("key", ["speakers", "text"])
def test_there_is_no_pace_of_several_people_or_of_another_language(key: str) -> None:
    skipped = Skipped.because(Reason.SEVERAL_SPEAKERS, "in_words", words="two")
    found = measured(words(SENTENCE * 20), cautions={key: skipped})
    assert found.skipped == dict.fromkeys(Pace.provides, skipped)


def with_music(spoken: list[Word], start: float, end: float) -> Talk:
    """The same talk with a loud sound that is no speech between two of its words."""
    sound = sound_of(speech_of(spoken), spoken[-1].end + 1.0)
    level = sound.level_db.copy()
    level[round(start * 100) : round(end * 100)] = -18.0
    return talk_of(spoken, sound=replace(sound, level_db=level))


def test_a_microphone_that_was_off_for_a_while_changes_no_pace() -> None:
    sentence = f"{SENTENCE.strip()}. | "
    first = words(sentence * 20)
    spoken = [*first, *words(sentence * 20, start=first[-1].end + 20.0)]
    sound = sound_of(speech_of(spoken), spoken[-1].end + 1)
    level = sound.level_db.copy()
    level[round(100 * first[-1].end) : round(100 * first[-1].end) + 2000] = -120.0
    plainly = measured(words(sentence * 40))
    found = measured(spoken, sound=replace(sound, level_db=level))
    for metric in ("words_per_minute", "opening_ratio", "end_rush_ratio"):
        whole = value(plainly, f"pace.{metric}")
        assert value(found, f"pace.{metric}") == pytest.approx(whole, rel=0.05)


def test_a_break_of_minutes_changes_no_pace_and_has_none() -> None:
    sentence = f"{SENTENCE.strip()}. | "
    first = words(sentence * 20)
    spoken = [*first, *words(sentence * 20, start=first[-1].end + 180.0)]
    plainly, found = measured(words(sentence * 40)), measured(spoken)
    for metric in ("words_per_minute", "opening_ratio", "end_rush_ratio"):
        whole = value(plainly, f"pace.{metric}")
        assert value(found, f"pace.{metric}") == pytest.approx(whole, rel=0.05)
    assert not found.events
    rates = found.tracks["pace.syllables_per_second"].values
    assert None in rates
    assert min(rate for rate in rates if rate is not None) > 2


@pytest.mark.parametrize("times", [5, 30])
def test_where_noise_hides_silences_the_words_a_minute_stay(times: int) -> None:
    hidden = Skipped.because(Reason.AUTOMATIC_GAIN, "pauses_hidden")
    spoken = words(f"{SENTENCE.strip()}. | " * times)
    plainly, found = measured(spoken), measured(spoken, cautions={"silences": hidden})
    words_a_minute = "pace.words_per_minute"
    assert found.measurements[words_a_minute] == plainly.measurements[words_a_minute]
    for metric in ("articulation_rate_syllables_per_second", "fast_passage_share"):
        assert found.skipped[f"pace.{metric}"] == hidden


def test_where_most_of_a_recording_is_without_words_no_passage_is_fast() -> None:
    spoken = [*words(SENTENCE * 10), *words(SENTENCE * 10, start=500.0)]
    sound = sound_of(speech_of(spoken), spoken[-1].end + 2, floor_db=-18.0)
    found = measured(spoken, sound=sound)
    assert [event for event in found.events if event.kind == "fast_passage"] == []


def test_among_other_voices_no_change_of_pace_is_told() -> None:
    crowd = Skipped.because(Reason.POOR_SIGNAL, "voices_near_voice", within=3)
    slow = words(f"{SENTENCE} | " * 30)
    spoken = [*slow, *words(SENTENCE * 20, start=slow[-1].end, each=0.15)]
    found = Pace().measure(talk_of(spoken, cautions={"crowd": crowd, "silences": crowd}))
    assert set(found.measurements) == {
        "pace.words_per_minute",
        "pace.speech_rate_syllables_per_second",
    }
    assert found.events == ()


def test_pauses_in_the_noise_of_a_fan_are_time_in_which_somebody_could_speak() -> None:
    spoken = words(f"{SENTENCE.strip()}. | " * 12 + SENTENCE)
    fan = sound_of(speech_of(spoken), spoken[-1].end + 2, floor_db=-23.0)
    in_a_quiet_room, beside_a_fan = measured(spoken), measured(spoken, sound=fan)
    for metric in ("pace.words_per_minute", "pace.speech_rate_syllables_per_second"):
        assert value(beside_a_fan, metric) == pytest.approx(value(in_a_quiet_room, metric))


def test_music_in_the_middle_changes_no_pace() -> None:
    sentence = "we had seen the boats come in that day. | "
    first = words(sentence * 20)
    second = words(sentence * 20, start=first[-1].end + 12.0)
    plainly = Pace().measure(talk_of(words(sentence * 40)))
    talk = with_music([*first, *second], first[-1].end + 0.1, first[-1].end + 11.9)
    found = Pace().measure(talk)
    for metric, one in plainly.measurements.items():
        assert found.measurements[metric].value == pytest.approx(one.value, rel=0.05, abs=0.02)
    assert {event.kind for event in found.events} == {event.kind for event in plainly.events}
    rates = [rate for rate in found.tracks["pace.syllables_per_second"].values if rate is not None]
    assert min(rates) > 0.8 * max(rates)
