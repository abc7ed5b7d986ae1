"""A crowd behind the speaker: it sounds like speech, has pitch, and goes on through the pauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.analysers.pauses import SilentPauses
from analysis.analysers.pitch import Pitch
from analysis.analysers.runs import Runs
from analysis.ports import FillerSound, Options, Prepared, Segment, Sound, Span, Transcript
from analysis.results import Language, Reason, Word
from analysis.sentences import say
from analysis.talk import spans
from analysis.talk.background_voices import find_background_voices
from analysis.talk.build import build_talk
from analysis.talk.talk import Talk
from tests.analysis.spoken import media, sound_of, speech_of, words

SAID = words("the boat lay in the harbour all winter long. | " * 12 + "and then it was gone.")
EVERYWHERE = ((0.0, SAID[-1].end),)
PAUSES = spans.gaps(speech_of(SAID), at_least=0.5)


def crowd(under_db: float, *, moves_db: float = 0.0) -> Sound:
    """Voices behind, from the first word to the last, which rise and fall twice a second."""
    sound = sound_of(speech_of(SAID), SAID[-1].end + 2)
    clock = np.arange(len(sound.level_db)) * sound.step
    inside = spans.frames_inside(speech_of(SAID), step=sound.step, count=len(clock))
    behind = -20.0 - under_db + moves_db * np.sin(2 * np.pi * 2 * clock)
    pitch = 180.0 * 2 ** (np.sin(2 * np.pi * 1.3 * clock) / 2)
    return replace(
        sound,
        level_db=np.where(inside, sound.level_db, behind).astype(np.float32),
        f0_hz=np.where(inside, sound.f0_hz, pitch).astype(np.float32),
    )


def heard(
    sound: Sound,
    *,
    said: Sequence[Word] = SAID,
    speech: Sequence[tuple[float, float]] = EVERYWHERE,
    fillers: tuple[FillerSound, ...] = (),
    left_out: tuple[Span, ...] = (),
    spoke_alone: bool = False,
) -> Talk:
    segment = Segment(
        start=0.0,
        end=said[-1].end,
        text="",
        no_speech_probability=0.0,
        average_log_probability=-0.1,
        compression_ratio=1.2,
        words=tuple(said),
    )
    transcript = Transcript(
        language=Language(code="en", source="given"),
        segments=(segment,),
        model="tiny.en",
        filler_sounds=fillers,
    )
    return build_talk(
        prepared=Prepared(media=media(said[-1].end + 2), audio_path=None, speech=tuple(speech)),
        transcript=transcript,
        sound=sound,
        sight=None,
        options=Options(left_out=left_out, spoke_alone=spoke_alone),
        absent={},
    )


@pytest.mark.parametrize(("under", "moves"), [(20.0, 3.0), (12.0, 3.0), (8.0, 2.0)])
def test_pauses_among_a_crowd_are_pauses(under: float, moves: float) -> None:
    talk = heard(crowd(under, moves_db=moves))
    found = SilentPauses().measure(talk)
    assert found.measurements["pauses.boundary_pause_share"].value == 1.0
    assert found.measurements["pauses.boundary_pause_share"].n == len(PAUSES)
    assert Runs().measure(talk).measurements["pauses.longest_run_seconds"].value < 4


def neighbour(under_db: float, *, talks: float, voiced: bool = True) -> tuple[Sound, list[Span]]:
    """Somebody who talks through this share of the pauses, in a quiet room; and what is spoken."""
    sound = sound_of(speech_of(SAID), SAID[-1].end + 2)
    at = [PAUSES[index] for index in range(len(PAUSES)) if index % 10 < 10 * talks]
    inside = spans.frames_inside(at, step=sound.step, count=len(sound.level_db))
    level = np.where(inside, -20.0 - under_db, sound.level_db)
    f0 = np.where(inside & voiced, 180.0, sound.f0_hz)
    spoken = spans.merged([*speech_of(SAID), *at])
    heard = replace(sound, level_db=level.astype(np.float32), f0_hz=f0.astype(np.float32))
    return heard, list(spoken)


@pytest.mark.parametrize(("under", "talks"), [(15.0, 1.0), (15.0, 0.6), (25.0, 1.0), (25.0, 0.4)])
def test_pauses_in_which_one_neighbour_talks_are_pauses(under: float, talks: float) -> None:
    sound, spoken = neighbour(under, talks=talks)
    found = SilentPauses().measure(heard(sound, speech=spoken)).measurements
    assert found["pauses.boundary_pause_share"].value == 1.0
    assert found["pauses.boundary_pause_share"].n == len(PAUSES)


@pytest.mark.parametrize(("softer_db", "is_said"), [(0.0, True), (7.0, True), (12.0, False)])
def test_an_um_is_of_the_speaker_or_of_a_neighbour_whoever_is_as_loud(
    softer_db: float, *, is_said: bool
) -> None:
    sound, spoken = neighbour(18.0, talks=0.6)
    middle = sum(PAUSES[2]) / 2
    um = FillerSound(start=middle - 0.2, end=middle + 0.2, log_odds=6.0)
    inside = slice(round(um.start * 100), round(um.end * 100))
    sound.level_db[inside], sound.f0_hz[inside] = -20.0 - softer_db, 120.0
    assert len(heard(sound, speech=spoken, fillers=(um,)).filled_pauses) == int(is_said)


@pytest.mark.parametrize(("talks", "voiced"), [(0.1, True), (0.6, False)])
def test_what_is_heard_in_few_pauses_or_has_no_voice_is_no_neighbour(
    talks: float, *, voiced: bool
) -> None:
    sound, spoken = neighbour(18.0, talks=talks, voiced=voiced)
    assert find_background_voices(spoken, SAID, sound).stretches == ()


def test_the_pitch_of_the_crowd_is_not_the_speakers() -> None:
    sound = crowd(12.0)
    pitched = heard(sound).sound
    assert pitched is not None
    kept = [spans.overlap(pause, spans.spans_of(_pitched(pitched), step=0.01)) for pause in PAUSES]
    assert max(kept) < 0.15
    assert np.array_equal(pitched.f0_hz[:100], sound.f0_hz[:100])


def _pitched(sound: Sound) -> NDArray[np.bool_]:
    return np.isfinite(sound.f0_hz)


def test_a_voice_of_the_crowd_that_sounds_like_an_um_is_none() -> None:
    middle = sum(PAUSES[2]) / 2
    um = FillerSound(start=middle - 0.2, end=middle + 0.2, log_odds=6.0)
    assert heard(crowd(12.0), fillers=(um,)).filled_pauses == ()


@pytest.mark.parametrize(("softer_db", "is_said"), [(0.0, True), (8.0, True), (14.0, False)])
def test_a_soft_um_of_the_speaker_is_heard_among_a_crowd(
    softer_db: float, *, is_said: bool
) -> None:
    sound = crowd(16.0, moves_db=3.0)
    middle = sum(PAUSES[2]) / 2
    um = FillerSound(start=middle - 0.2, end=middle + 0.2, log_odds=6.0)
    inside = slice(round(um.start * 100), round(um.end * 100))
    sound.level_db[inside], sound.f0_hz[inside] = -20.0 - softer_db, 120.0
    talk = heard(sound, fillers=(um,))
    assert len(talk.filled_pauses) == int(is_said)
    assert (spans.overlap((um.start, um.end), talk.speech) > 0.35) is is_said


def test_what_is_hardly_an_um_opens_no_hole_in_the_room() -> None:
    sound = crowd(16.0)
    middle = sum(PAUSES[2]) / 2
    sound.level_db[round((middle - 0.2) * 100) : round((middle + 0.2) * 100)] = -28.0
    doubtful = FillerSound(start=middle - 0.2, end=middle + 0.2, log_odds=-2.0)
    assert heard(sound, fillers=(doubtful,)).speech == heard(sound).speech


def test_ums_that_nobody_wrote_are_no_crowd() -> None:
    """In steady noise, where the detector takes nothing between the words for speech but them."""
    sound = crowd(8.0)
    ums = [(start + 0.1, end - 0.1) for start, end in PAUSES]
    heard_ums = tuple(FillerSound(start=start, end=end, log_odds=6.0) for start, end in ums)
    speech = spans.merged([*speech_of(SAID), *ums])
    assert len(heard(sound, speech=speech, fillers=heard_ums).filled_pauses) == len(PAUSES)


def test_what_is_as_loud_as_the_words_stays_speech_though_nothing_was_written() -> None:
    sound = crowd(12.0)
    laugh = (PAUSES[3][0] + 0.3, PAUSES[3][0] + 0.8)
    level = sound.level_db.copy()
    level[round(laugh[0] * 100) : round(laugh[1] * 100)] = -21.0
    talk = heard(replace(sound, level_db=level))
    assert spans.overlap(laugh, talk.speech) > 0.35


def test_words_of_people_in_the_room_are_not_the_speakers() -> None:
    sound = crowd(9.0)
    start = PAUSES[4][0]
    theirs = words("have you seen", start=start + 0.1, each=0.25)
    said = sorted([*SAID, *theirs], key=lambda word: word.start)
    written = [word.text for word in heard(sound, said=said).words]
    assert "seen" not in written
    assert len(written) == len(SAID)


def test_a_soft_end_of_a_sentence_stays() -> None:
    sound = crowd(18.0)
    level = sound.level_db.copy()
    for start, _end in PAUSES:
        level[round((start - 0.6) * 100) : round(start * 100)] = -31.0
    talk = heard(replace(sound, level_db=level))
    assert len(talk.words) == len(SAID)
    assert spans.overlap((PAUSES[0][0] - 0.55, PAUSES[0][0] - 0.05), talk.speech) > 0.45


def test_a_part_that_is_left_out_changes_nothing_about_the_others() -> None:
    others = (SAID[18].start, SAID[45].end)
    said = [word for word in SAID if word.end <= others[0] or word.start >= others[1]]
    talk = heard(crowd(12.0, moves_db=3.0), said=said, left_out=(others,))
    share = SilentPauses().measure(talk).measurements["pauses.boundary_pause_share"]
    assert share.value >= 0.85


@pytest.mark.parametrize("louder_db", [0.0, 4.0, 12.0])
def test_people_who_talk_in_a_break_hide_nothing_of_the_talk_beside_it(louder_db: float) -> None:
    begins = SAID[-1].end + 120
    said = [*SAID, *words("the boat lay in the harbour all winter long. | " * 13, start=begins)]
    sound = sound_of(speech_of(said), said[-1].end + 2)
    clock = np.arange(len(sound.level_db)) * sound.step
    inside = spans.frames_inside(speech_of(said), step=sound.step, count=len(clock))
    in_break = (clock > SAID[-1].end + 1) & (clock < begins - 1)
    behind = -32.0 + 3 * np.sin(2 * np.pi * 2 * clock)
    behind += in_break * (louder_db + 3 * np.sin(2 * np.pi * 0.3 * clock))
    talk = heard(
        replace(
            sound,
            level_db=np.where(inside, sound.level_db, behind).astype(np.float32),
            f0_hz=np.where(inside, sound.f0_hz, 180.0).astype(np.float32),
        ),
        said=said,
        speech=((0.0, said[-1].end),),
    )
    assert "crowd" not in talk.cautions
    assert SilentPauses().measure(talk).measurements["pauses.boundary_pause_share"].value == 1.0
    assert spans.overlap((SAID[-1].end, begins), talk.speech) < 0.5


@pytest.mark.parametrize("under", [20.0, 12.0, 8.0])
def test_ums_in_many_pauses_do_not_bring_the_crowd_nearer(under: float) -> None:
    sound = crowd(under, moves_db=2.0)
    level, pitch = sound.level_db.copy(), sound.f0_hz.copy()
    ums = [(start + 0.3, start + 0.65) for start, _end in PAUSES[::2]]
    for start, end in ums:
        level[round(start * 100) : round(end * 100)] = -21.0
        pitch[round(start * 100) : round(end * 100)] = 120.0
    talk = heard(
        replace(sound, level_db=level, f0_hz=pitch),
        fillers=tuple(FillerSound(start=start, end=end, log_odds=6.0) for start, end in ums),
    )
    assert len(talk.filled_pauses) == len(ums)
    assert "crowd" not in talk.cautions
    assert len(SilentPauses().measure(talk).events) >= len(PAUSES)


def beside_a_fan(*, ends_db: float = -30.0) -> Sound:
    """One voice 13 dB over steady noise that drops at the ends of its sentences."""
    sound = crowd(13.0)
    level, pitch = sound.level_db.copy(), sound.f0_hz.copy()
    spoken = spans.frames_inside(speech_of(SAID), step=sound.step, count=len(pitch))
    pitch[~spoken] = np.nan
    for start, _end in PAUSES:
        level[round((start - 1.2) * 100) : round(start * 100)] = ends_db
    return replace(sound, level_db=level, f0_hz=pitch)


@pytest.mark.parametrize("softer_db", [0.0, 4.0, 8.0])
def test_soft_ums_that_fill_their_pauses_are_no_crowd(softer_db: float) -> None:
    """Somebody alone beside a fan who says um at nearly every sentence end: a real recording."""
    sound = beside_a_fan()
    level, pitch = sound.level_db, sound.f0_hz
    ums = [(start + 0.05, end - 0.05) for start, end in PAUSES[:-2]]
    for start, end in ums:
        level[round(start * 100) : round(end * 100)] = -20.0 - softer_db
        pitch[round(start * 100) : round(end * 100)] = 120.0
    talk = heard(
        sound,
        speech=spans.merged([*speech_of(SAID), *ums]),
        fillers=tuple(FillerSound(start=start, end=end, log_odds=6.0) for start, end in ums),
    )
    assert "crowd" not in talk.cautions
    assert len(talk.words) == len(SAID) + len(ums)
    assert len(talk.filled_pauses) == len(ums)


def test_a_cough_and_a_laugh_are_no_crowd() -> None:
    """As loud as the voice in every third pause, and nothing in the others."""
    sound = beside_a_fan()
    level, pitch = sound.level_db, sound.f0_hz
    coughs = PAUSES[::3]
    for start, end in coughs:
        level[round((start + 0.2) * 100) : round(end * 100)] = -19.0
        pitch[round((start + 0.2) * 100) : round(end * 100)] = 150.0
    speech = spans.merged([*speech_of(SAID), *coughs])
    talk = heard(sound, speech=speech)
    assert "crowd" not in talk.cautions
    assert len(talk.words) == len(SAID)


@pytest.mark.parametrize("times", [1, 2, 4])
def test_a_talk_that_is_joined_with_itself_has_no_other_people_in_it(times: int) -> None:
    """A seam is a silence, and a line that is said again is the same voice."""
    alone = sound_of(speech_of(SAID), SAID[-1].end + 1)
    length = len(alone.level_db) * alone.step
    said = [
        word.model_copy(update={"start": word.start + n * length, "end": word.end + n * length})
        for n in range(times)
        for word in SAID
    ]
    joined = replace(
        alone,
        level_db=np.tile(alone.level_db, times),
        f0_hz=np.tile(alone.f0_hz, times),
        clipped=np.tile(alone.clipped, times),
        flux=np.tile(alone.flux, times),
        timbre=np.tile(alone.timbre, (times, 1)),
    )
    speech = speech_of(said)
    assert set(heard(joined, said=said, speech=speech).cautions) == set(
        heard(alone, speech=speech_of(SAID)).cautions
    )


def test_who_says_that_they_were_alone_is_heard_as_one_voice() -> None:
    talk = heard(crowd(2.0), spoke_alone=True)
    assert not {"crowd", "speakers", "first_voice", "last_voice"} & set(talk.cautions)
    assert Pitch().measure(talk).measurements


def test_in_a_quiet_room_nothing_is_taken_away() -> None:
    assert find_background_voices(EVERYWHERE, SAID, crowd(40.0)).stretches == ()


@pytest.mark.parametrize("under", [1.0, 2.0, 4.0])
def test_voices_as_near_hide_pauses_and_melody_and_the_reason_says_so(under: float) -> None:
    talk = heard(crowd(under))
    for analyser in (SilentPauses(), Runs(), Pitch()):
        found = analyser.measure(talk)
        assert not found.measurements
        assert {each.reason for each in found.skipped.values()} == {Reason.POOR_SIGNAL}
        skipped = found.skipped[analyser.provides[0]]
        assert f"within {under:.0f} dB of your voice" in say(skipped.code, skipped.values)


def test_wind_or_applause_as_near_is_not_called_other_people() -> None:
    sound = crowd(2.0)
    spoken = spans.frames_inside(speech_of(SAID), step=sound.step, count=len(sound.f0_hz))
    talk = heard(replace(sound, f0_hz=np.where(spoken, sound.f0_hz, np.nan).astype(np.float32)))
    for analyser, code in ((SilentPauses(), "pauses_hidden"), (Pitch(), "voice_near_noise")):
        found = analyser.measure(talk)
        assert not found.measurements
        assert {each.code for each in found.skipped.values()} == {code}


def test_a_fan_as_near_is_told_from_speech_and_hides_nothing() -> None:
    sound = sound_of(speech_of(SAID), SAID[-1].end + 2, floor_db=-23.0)
    found = SilentPauses().measure(heard(sound, speech=speech_of(SAID)))
    assert found.measurements["pauses.boundary_pause_share"].value == 1.0
