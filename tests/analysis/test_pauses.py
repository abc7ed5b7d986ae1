from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.analysers.pauses import BOUNDARY_SHARE, SilentPauses
from analysis.ports import Measured
from analysis.results import Quality, Reason, Skipped
from analysis.talk import spans
from tests.analysis.spoken import sound_of, speech_of, talk_of, words

RUN = "we had seen the boats come in that day"


def measured(text: str, **given: object) -> Measured:
    return SilentPauses().measure(talk_of(words(text), **given))  # type: ignore[arg-type]


def places(found: Measured) -> list[str]:
    return [event.detail["place"] for event in found.events]


def test_a_pause_knows_whether_it_stands_at_a_sentence_a_clause_or_inside_one() -> None:
    found = measured(f"{RUN}. | {RUN}, | {RUN} | and {RUN} and the | {RUN} {RUN}")
    assert places(found) == ["sentence_end", "clause_boundary", "clause_boundary", "mid_clause"]


def test_an_um_beside_a_pause_does_not_hide_its_place() -> None:
    found = measured(f"{RUN} {RUN}. um | {RUN} {RUN}")
    assert places(found) == ["sentence_end"]


def test_a_silence_behind_the_says_so_even_where_the_recogniser_wrote_a_full_stop() -> None:
    found = measured(f"{RUN} the. | {RUN}. | {RUN} boats | we {RUN}")
    assert places(found) == ["mid_clause", "sentence_end", "mid_clause"]
    assert [event.detail.get("after") for event in found.events] == ["open_word", None, None]


def test_a_full_stop_behind_about_is_believed_unless_two_seconds_follow() -> None:
    short = measured(f"{RUN} about. | {RUN} {RUN}")
    long = measured(f"{RUN} about. | | | | | {RUN} {RUN}")
    assert places(short) == ["sentence_end"]
    assert places(long) == ["mid_clause"]
    assert long.events[0].end - long.events[0].start >= 2


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("en", "more respectable than he was."),
        ("en", "that is who we are."),
        ("en", "we would like to do better at that."),
        ("en", "nobody has seen them since."),
        ("fr", "ils sont restés ce qu'ils étaient."),
        ("fr", "la suite dépend de nous."),
    ],
)
def test_a_sentence_that_may_well_end_so_is_believed_to_end_before_any_silence(
    code: str, ending: str
) -> None:
    found = measured(f"{ending} | | | | | | he {RUN}", language=code)
    assert places(found) == ["sentence_end"]
    assert found.events[0].end - found.events[0].start >= 2


def test_pauses_are_counted_per_minute_of_talk_with_an_interval() -> None:
    found = measured(f"{RUN}. | " * 20 + RUN)
    rate = found.measurements["pauses.silent_per_minute"]
    assert rate.n == 20
    assert rate.interval is not None
    assert rate.interval[0] < rate.value < rate.interval[1]


def test_added_silence_raises_the_silent_share_by_what_was_added() -> None:
    spoken = words(f"{RUN}. | " * 10 + RUN)
    before = SilentPauses().measure(talk_of(spoken))
    later = [
        word.model_copy(update={"start": word.start + 5, "end": word.end + 5})
        if word.start > spoken[40].start
        else word
        for word in spoken
    ]
    after = SilentPauses().measure(talk_of(later))
    length = spoken[-1].end
    share = "pauses.silence_share"
    assert after.measurements[share].value * (length + 5) == pytest.approx(
        before.measurements[share].value * length + 5, abs=0.05
    )


def test_a_long_search_for_words_counts_and_a_long_breath_between_sentences_does_not() -> None:
    searching = measured(f"{RUN} {RUN} the | | | boat {RUN} {RUN}. | | | {RUN}")
    rate = searching.measurements["pauses.long_mid_clause_per_minute"]
    assert rate.n == 1


def test_good_pauses_after_sentences_are_a_share_of_sentence_ends() -> None:
    found = measured(f"{RUN}. | " * 6 + f"{RUN}. " * 3 + RUN)
    share = found.measurements["pauses.boundary_pause_share"]
    assert share.n == 9
    assert share.value == pytest.approx(6 / 9, abs=0.001)


def test_runs_between_pauses_are_counted_in_syllables() -> None:
    found = measured(f"{RUN} | " * 10 + RUN)
    assert found.measurements["pauses.mean_length_of_run_syllables"].value == pytest.approx(9.0)


def test_gaps_under_a_quarter_of_a_second_are_no_pauses() -> None:
    spoken = words(RUN * 6, gap=0.2)
    found = SilentPauses().measure(talk_of(spoken))
    assert found.events == ()
    assert found.measurements["pauses.silent_per_minute"].value == 0.0


def test_a_telephone_that_rings_on_and_off_between_speech_is_no_pause() -> None:
    spoken = [*words(RUN * 3), *words(RUN * 3, start=36.0)]
    sound = sound_of(speech_of(spoken), 60.0)
    level = sound.level_db.copy()
    for ring in range(15, 34, 4):
        level[100 * ring : 100 * ring + 100] = -20.0
    found = SilentPauses().measure(talk_of(spoken, sound=replace(sound, level_db=level)))
    assert [event for event in found.events if event.end - event.start > 2] == []
    silent = SilentPauses().measure(talk_of(spoken))
    assert len([event for event in silent.events if event.end - event.start > 2]) == 1


def test_music_between_speech_is_no_pause_and_coverage_says_so() -> None:
    spoken = words(f"{RUN} {RUN} | | | | {RUN} {RUN} | {RUN}")
    speech = speech_of(spoken)
    sound = sound_of(speech, 30.0)
    level = sound.level_db.copy()
    first, last = round(speech[0][1] * 100), round(speech[1][0] * 100)
    level[first:last] = -18.0
    object.__setattr__(sound, "level_db", level)
    found = SilentPauses().measure(talk_of(spoken, sound=sound))
    assert len(found.events) == 1
    assert found.measurements["pauses.silent_per_minute"].coverage < 0.85


@pytest.mark.parametrize("under_the_voice", [3.0, 5.0, 8.0])
def test_a_fan_that_never_stops_is_the_room_and_hides_no_pause(under_the_voice: float) -> None:
    spoken = words(f"{RUN}. | " * 8 + RUN)
    quiet = SilentPauses().measure(talk_of(spoken))
    fan = sound_of(speech_of(spoken), spoken[-1].end + 2, floor_db=-20.0 - under_the_voice)
    found = SilentPauses().measure(talk_of(spoken, sound=fan))
    assert found.events == quiet.events
    assert found.measurements["pauses.boundary_pause_share"].value == 1.0
    assert found.measurements["pauses.silence_share"].coverage == 1.0


def test_a_telephone_that_is_louder_than_the_fan_is_no_pause_either() -> None:
    spoken = words(f"{RUN}. | {RUN}. | | | | {RUN}. | {RUN}")
    fan = sound_of(speech_of(spoken), spoken[-1].end + 2, floor_db=-24.0)
    ringing = max(spans.gaps(speech_of(spoken)), key=lambda gap: gap[1] - gap[0])
    level = fan.level_db.copy()
    level[round(ringing[0] * 100) : round(ringing[1] * 100)] = -14.0
    found = SilentPauses().measure(talk_of(spoken, sound=replace(fan, level_db=level)))
    assert ringing not in [(event.start, event.end) for event in found.events]
    assert len(found.events) == 2


def test_people_at_the_next_table_who_fill_most_silences_are_the_room() -> None:
    spoken = words(f"{RUN}. | " * 10 + RUN)
    sound = sound_of(speech_of(spoken), spoken[-1].end + 2)
    level = sound.level_db.copy()
    for index, (start, end) in enumerate(spans.gaps(speech_of(spoken))):
        level[round(start * 100) : round(end * 100)] = -24.0 + index % 3
    found = SilentPauses().measure(talk_of(spoken, sound=replace(sound, level_db=level)))
    assert len(found.events) == 10
    assert found.measurements["pauses.silence_share"].coverage == 1.0


def test_a_sentence_end_with_another_sound_behind_it_is_not_judged() -> None:
    spoken = words(f"{RUN}. | " * 8 + RUN)
    sound = sound_of(speech_of(spoken), spoken[-1].end + 2)
    level = sound.level_db.copy()
    for start, end in spans.gaps(speech_of(spoken))[:3]:
        level[round(start * 100) : round(end * 100)] = -18.0
    found = SilentPauses().measure(talk_of(spoken, sound=replace(sound, level_db=level)))
    share = found.measurements["pauses.boundary_pause_share"]
    assert (share.value, share.n) == (1.0, 5)


@pytest.mark.parametrize("key", ["signal", "echo"])
def test_what_rests_on_silences_is_as_unsure_as_they_are(key: str) -> None:
    poor = Skipped.because(Reason.POOR_SIGNAL, "room_echoes", seconds=1.2)
    spoken = words(f"{RUN}. | " * 20 + RUN)
    found = SilentPauses().measure(talk_of(spoken, cautions={key: poor}))
    assert {each.quality for each in found.measurements.values()} == {Quality.POOR}


def test_pauses_stay_when_the_words_cannot_be_trusted() -> None:
    mismatch = Skipped.because(Reason.LANGUAGE_MISMATCH, "in_words", words="sounds like French")
    found = measured(f"{RUN}. | " * 10 + RUN, absent={"words": mismatch})
    assert "pauses.silent_per_minute" in found.measurements
    assert found.skipped["pauses.boundary_pause_share"] == mismatch


def test_hesitations_are_not_judged_in_speech_that_was_not_tested() -> None:
    unlike = Skipped.because(Reason.OUTSIDE_TESTED_SPEECH, "in_words", words="left out")
    found = measured(f"{RUN} the | | | boat {RUN}. " * 4, cautions={"fluency": unlike})
    assert found.skipped["pauses.long_mid_clause_per_minute"] == unlike


@pytest.mark.parametrize(
    ("seconds", "floor_db", "is_pause"),
    [(20.0, -60.0, False), (2.0, -60.0, True), (20.0, -120.0, True)],
)
def test_a_microphone_that_was_off_is_no_pause_unless_a_gate_empties_them_all(
    seconds: float, floor_db: float, is_pause: bool
) -> None:
    first = words(f"{RUN}. | " * 6 + RUN)
    spoken = [*first, *words(f"{RUN}. | " * 6 + RUN, start=first[-1].end + seconds)]
    sound = sound_of(speech_of(spoken), spoken[-1].end + 1, floor_db=floor_db)
    level = sound.level_db.copy()
    level[round(100 * first[-1].end) + 3 : round(100 * (first[-1].end + seconds)) - 3] = -120.0
    found = SilentPauses().measure(talk_of(spoken, sound=replace(sound, level_db=level)))
    assert len(found.events) == 12 + is_pause
    share = found.measurements["pauses.silence_share"]
    assert (share.coverage == 1.0) == is_pause


@pytest.mark.parametrize(("seconds", "is_pause"), [(25.0, True), (180.0, False)])
def test_a_break_of_minutes_is_no_pause(seconds: float, is_pause: bool) -> None:
    first = words(f"{RUN}. | " * 20 + RUN)
    spoken = [*first, *words(f"{RUN}. | " * 20 + RUN, start=first[-1].end + seconds)]
    found = SilentPauses().measure(talk_of(spoken))
    whole = SilentPauses().measure(talk_of(words(f"{RUN}. | " * 41 + RUN)))
    assert len(found.events) == 40 + is_pause
    assert found.measurements["pauses.mean_length_of_run_syllables"].n == 42
    for metric in ("pauses.silence_share", "pauses.silent_per_minute"):
        is_as_without = found.measurements[metric].value == pytest.approx(
            whole.measurements[metric].value, rel=0.02
        )
        assert is_as_without != is_pause


def test_silences_that_noise_hides_are_not_counted_as_none() -> None:
    hidden = Skipped.because(Reason.AUTOMATIC_GAIN, "pauses_hidden")
    found = measured(f"{RUN}. " * 20, cautions={"silences": hidden})
    assert set(found.skipped) == set(SilentPauses.provides)
    assert set(found.skipped.values()) == {hidden}
    assert not found.events


def test_no_speech_is_no_pause() -> None:
    found = SilentPauses().measure(talk_of([], seconds=20.0))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.NO_SPEECH}
    assert found.events == ()


def test_a_sentence_followed_by_a_door_is_not_counted_as_one_without_a_pause() -> None:
    spoken = words(f"{RUN}. | " * 8 + RUN)
    ends = [word.end for word in spoken if word.text.endswith(".")]
    doors = [(end + 0.35, end + 0.65) for end in ends[::2]]
    speech = tuple(sorted([*speech_of(spoken), *doors]))
    share = SilentPauses().measure(talk_of(spoken, speech=speech)).measurements[BOUNDARY_SHARE]
    assert (share.value, share.n) == (1.0, 4)


def test_a_click_between_sentences_leaves_the_pause_to_be_judged() -> None:
    spoken = words(f"{RUN}. | " * 8 + RUN)
    ends = [word.end for word in spoken if word.text.endswith(".")]
    clicks = [(end + 0.48, end + 0.53) for end in ends]
    speech = tuple(sorted([*speech_of(spoken), *clicks]))
    share = SilentPauses().measure(talk_of(spoken, speech=speech)).measurements[BOUNDARY_SHARE]
    assert (share.value, share.n) == (0.0, 8)
