"""What people put right is measured as if it had been heard or seen right from the start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.answers import with_camera_answer
from analysis.corrections import Correction, replacement_words, with_corrections
from analysis.results import Reason, Report, Skipped, Word
from analysis.talk.languages import language_data
from tests.analysis import seen
from tests.analysis.spoken import filled_pause, report_of, talk_of, words

RATE = "fillers.filled_pauses_per_minute"
WORDS, HEDGES = "fillers.filler_words_per_minute", "wording.hedges_per_100_words"
SHARE, AWAYS, DOWNS = (
    "gaze.camera_facing_share",
    "gaze.look_aways_per_minute",
    "gaze.look_downs_per_minute",
)
SPOKEN = words(
    "we had seen boats, you know, and then we maybe went home again. | firstly the lake is cold. | "
    * 12,
    gap=0.02,
)


def with_word(index: int, text: str) -> list[Word]:
    """The same talk with another word at this place."""
    changed = list(SPOKEN)
    changed[index : index + 1] = replacement_words(SPOKEN[index], text, language_data("en"))
    return changed


def instead(index: int, text: str) -> Correction:
    word = SPOKEN[index]
    return Correction(kind="word", start=word.start, end=word.end, before=word.text, after=text)


def same(left: Report, right: Report) -> None:
    """Everything that rests on words is the same; melody at sentence ends is not carried on."""
    assert left.words == right.words
    kinds = {event.kind for event in (*left.events, *right.events)} - {"quiet_sentence_end"}
    for kind in sorted(kinds):
        assert left.events_of(kind) == right.events_of(kind), kind
    for family in ("fillers", "wording", "pace", "pauses", "structure"):
        for name in sorted({*left.measurements, *right.measurements}):
            if name.startswith(f"{family}."):
                assert left.measurements.get(name) == right.measurements.get(name), name


def test_a_struck_um_is_as_if_it_had_never_been_heard() -> None:
    ums = [filled_pause(at) for at in (4.0, 7.0, 9.0, 31.0)]
    before = report_of(talk_of(SPOKEN, fillers=ums))
    strike = Correction(kind="not_a_filler", event="filled_pause", start=7.0, end=7.4)
    after = with_corrections(before, [strike])
    assert after.measurements[RATE].n == 3
    same(after, report_of(talk_of(SPOKEN, fillers=[ums[0], ums[2], ums[3]])))


def test_a_filler_word_can_be_a_word_that_means_something() -> None:
    before = report_of(talk_of(SPOKEN))
    wrong = before.events_of("filler_word")[3]
    strike = Correction(kind="not_a_filler", event="filler_word", start=wrong.start, end=wrong.end)
    after = with_corrections(before, [strike])
    assert after.events_of("filler_word") == tuple(
        event for event in before.events_of("filler_word") if event != wrong
    )
    assert after.measurements[WORDS].n == before.measurements[WORDS].n - 1
    assert after.words == before.words


def test_another_word_is_counted_as_if_it_had_been_read() -> None:
    index = next(i for i, word in enumerate(SPOKEN) if word.text == "maybe")
    before = report_of(talk_of(SPOKEN))
    after = with_corrections(before, [instead(index, "all of us")])
    assert after.measurements[HEDGES].n == before.measurements[HEDGES].n - 1
    same(after, report_of(talk_of(with_word(index, "all of us"), speech=before.speech)))


def test_a_word_that_was_an_um_counts_among_the_ums_and_an_um_that_was_a_word_does_not() -> None:
    before = report_of(talk_of(SPOKEN))
    um = with_corrections(before, [instead(2, "um")])
    assert um.measurements[RATE].n == 1
    assert um.events_of("filled_pause")[0].probability == 1.0
    heard = list(um.words)
    back = Correction(
        kind="word", start=heard[2].start, end=heard[2].end, before="um", after="seen"
    )
    assert with_corrections(um, [back]).measurements[RATE].n == 0


def test_full_stops_stay_and_nothing_said_is_nothing() -> None:
    (word,) = replacement_words(
        Word(text="home.", start=1.0, end=1.6, probability=0.3), "hope", language_data("en")
    )
    assert (word.text, word.start, word.end, word.probability) == ("hope.", 1.0, 1.6, 1.0)
    before = report_of(talk_of(SPOKEN))
    assert len(with_corrections(before, [instead(0, "")]).words) == len(before.words) - 1


def test_what_was_forbidden_stays_so_and_what_is_not_found_changes_nothing() -> None:
    why = Skipped.because(Reason.OUTSIDE_TESTED_SPEECH, "in_words", words="Unlike tested speech.")
    ums = [filled_pause(at) for at in (4.0, 7.0)]
    before = report_of(talk_of(SPOKEN, fillers=ums, cautions={"fluency": why}))
    strike = Correction(kind="not_a_filler", event="filled_pause", start=7.0, end=7.4)
    assert RATE in with_corrections(before, [strike]).skipped
    plain = report_of(talk_of(SPOKEN, fillers=ums))
    nowhere = replace(strike, start=50.0, end=51.0)
    assert with_corrections(plain, [nowhere]) == plain
    assert with_corrections(plain, []) is plain


def test_the_interval_of_a_noisy_recording_stays_as_wide() -> None:
    noisy = Skipped.because(Reason.POOR_SIGNAL, "in_words", words="Noise.")
    ums = [filled_pause(4.0 + 6 * index) for index in range(12)]
    before = report_of(talk_of(SPOKEN, fillers=ums, cautions={"signal": noisy}))
    strike = Correction(kind="not_a_filler", event="filled_pause", start=10.0, end=10.4)
    found = with_corrections(before, [strike]).measurements[RATE]
    fresh = report_of(
        talk_of(SPOKEN, fillers=[*ums[:1], *ums[2:]], cautions={"signal": noisy})
    ).measurements[RATE]
    assert found.quality is before.measurements[RATE].quality
    assert (found.value, found.n) == (fresh.value, fresh.n)
    assert found.interval == pytest.approx(fresh.interval, rel=0.1)


def test_a_look_away_that_was_none_counts_as_facing() -> None:
    down = seen.away_between((20.0, 26.0), (40.0, 43.0), angle=-30.0)
    before = report_of(seen.talk(seen.sight(60.0, pitch=down)))
    first, second = before.events_of("look_away")
    wrong = Correction(kind="not_a_look_away", start=first.start, end=first.end)
    after = with_corrections(before, [wrong])
    fresh = report_of(
        seen.talk(seen.sight(60.0, pitch=seen.away_between((40.0, 43.0), angle=-30.0)))
    )
    assert after.events_of("look_away") == (second,)
    for name in (AWAYS, DOWNS):
        assert after.measurements[name].n == 1
        assert after.measurements[name].value == pytest.approx(
            fresh.measurements[name].value, rel=0.02
        )
    assert after.measurements[SHARE].value == pytest.approx(
        fresh.measurements[SHARE].value, abs=0.02
    )
    assert after.tracks["gaze.camera_facing"].values[22] == 1.0


def test_the_answer_about_the_camera_keeps_what_was_put_right() -> None:
    aside = seen.away_between((10.0, 14.0), angle=55.0, else_=20.0)
    before = report_of(seen.talk(seen.sight(60.0, yaw=aside)))
    assert before.camera_question is not None
    elsewhere = with_camera_answer(before, "elsewhere")
    (away,) = elsewhere.events_of("look_away")
    wrong = Correction(kind="not_a_look_away", start=away.start, end=away.end)
    after = with_corrections(elsewhere, [wrong])
    assert after.events_of("look_away") == ()
    there_and_back = with_camera_answer(with_camera_answer(after, "in_front"), "elsewhere")
    assert there_and_back.events_of("look_away") == ()


def test_a_missed_um_counts_and_is_read_where_it_was_said() -> None:
    before = report_of(talk_of(SPOKEN, fillers=[filled_pause(31.0)]))
    at = SPOKEN[4].end
    missed = Correction(
        kind="missed_filler", event="filled_pause", start=at, end=at + 0.3, after="um"
    )
    after = with_corrections(before, [missed])
    assert after.measurements[RATE].n == before.measurements[RATE].n + 1
    assert [word.text for word in after.words][5] == "um"
    assert len(after.events_of("filled_pause")) == 2


def test_a_pause_that_was_meant_is_no_search_for_words() -> None:
    searching = "pauses.long_mid_clause_per_minute"
    spoken = words("we had seen the | | | small boats and then we went home again. " * 8, gap=0.02)
    before = report_of(talk_of(spoken))
    (first, *others) = [
        event for event in before.events_of("silent_pause") if event.end - event.start > 2
    ]
    assert others
    assert first.detail["place"] == "mid_clause"
    meant = Correction(kind="meant_pause", event="silent_pause", start=first.start, end=first.end)
    after = with_corrections(before, [meant])
    assert after.measurements[searching].n == before.measurements[searching].n - 1
    assert after.measurements[searching].value < before.measurements[searching].value
    kept = next(each for each in after.events_of("silent_pause") if each.start == first.start)
    assert kept.detail["place"] == "meant"
    assert len(after.events_of("silent_pause")) == len(before.events_of("silent_pause"))
