from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.ports import Sound, Transcript
from analysis.results import Language, Reason
from analysis.talk.background_voices import BackgroundVoices
from analysis.talk.languages import language_data
from analysis.talk.speakers import find_second_voice
from analysis.talk.unmeasurable import find_cautions, signal_over_noise_db
from tests.analysis.spoken import sound_of, words

SECONDS = 60.0
SPEECH = tuple((2.0 * index, 2.0 * index + 1.5) for index in range(30))


def found(
    sound: Sound | None = None,
    text: str = "",
    heard: Language | None = None,
    chance: float | None = None,
) -> object:
    transcript = Transcript(
        language=Language(code="en", source="given"),
        segments=(),
        model="fake",
        spoken_language=heard,
        chance_of_language=chance,
    )
    return {
        key: skipped.reason
        for key, skipped in find_cautions(
            transcript=transcript,
            words=words(text),
            speech=SPEECH,
            sound=sound,
            data=language_data("en"),
        ).items()
    }


def two_voices(share: float, *, apart: float) -> Sound:
    """The second voice lies so many semitones higher and has another timbre."""
    one = sound_of(SPEECH, SECONDS)
    random = np.random.default_rng(3)
    count = len(one.f0_hz)
    is_second = np.arange(count) < share * count
    wobble = random.normal(0, 0.8, count)
    f0 = one.f0_hz * 2 ** ((wobble + apart * is_second) / 12)
    timbre = random.normal(0, 0.3, (count, 13)) + 2.0 * is_second[:, None] * (apart > 0)
    return replace(one, f0_hz=f0.astype(np.float32), timbre=timbre.astype(np.float32))


@pytest.mark.parametrize(
    ("heard", "name", "help_offered"),
    [
        ("fr", "French", "Analyse it as French"),
        ("de", "German", "need English or French"),
        ("haw", "another language (haw)", "need English or French"),
    ],
)
def test_another_language_is_named_and_what_can_be_done_is_said(
    heard: str, name: str, help_offered: str
) -> None:
    transcript = Transcript(
        language=Language(code="en", source="given"),
        segments=(),
        model="fake",
        spoken_language=Language(code=heard, source="detected", probability=0.97),
        chance_of_language=0.01,
    )
    skipped = find_cautions(
        transcript=transcript, words=[], speech=SPEECH, sound=None, data=language_data("en")
    )["text"]
    assert f"sounds like {name}." in skipped.detail
    assert help_offered in skipped.detail


def test_a_clean_recording_of_one_voice_raises_nothing() -> None:
    assert found(two_voices(0.0, apart=0.0)) == {}


@pytest.mark.parametrize("share", [0.25, 0.5, 0.7])
def test_two_voices_of_a_fifth_each_are_noticed(share: float) -> None:
    assert found(two_voices(share, apart=9.0)) == {"speakers": Reason.SEVERAL_SPEAKERS}


def test_a_short_question_from_the_audience_is_no_second_speaker() -> None:
    assert find_second_voice(SPEECH, two_voices(0.1, apart=9.0)) is None


def test_where_the_rarer_voice_speaks_is_known_to_a_few_seconds() -> None:
    second = find_second_voice(SPEECH, two_voices(0.3, apart=9.0))
    assert second is not None
    [(start, end)] = second.stretches
    assert start == pytest.approx(0.0, abs=3.0)
    assert end == pytest.approx(0.3 * SECONDS, abs=3.0)


def test_a_lively_voice_is_one_voice() -> None:
    one = two_voices(0.0, apart=0.0)
    swing = 4.0 * np.sin(np.arange(len(one.f0_hz)) * 2 * np.pi / 1700)
    lively = replace(one, f0_hz=(one.f0_hz * 2 ** (swing / 12)).astype(np.float32))
    assert find_second_voice(SPEECH, lively) is None


def test_among_a_crowd_no_second_voice_is_told_but_the_crowd() -> None:
    sound = two_voices(0.4, apart=8.0)
    cautions = find_cautions(
        transcript=None,
        words=(),
        speech=SPEECH,
        sound=sound,
        data=language_data("en"),
        room=BackgroundVoices(stretches=((1.5, 2.0),), loudest_db=-2.0),
    )
    assert set(cautions) == {"crowd", "silences"}
    assert cautions["crowd"].values == {"within": 2}


def test_noise_close_under_the_voice_is_a_poor_signal() -> None:
    assert found(sound_of(SPEECH, SECONDS, floor_db=-28.0)) == {"signal": Reason.POOR_SIGNAL}


def test_applause_in_one_gap_is_no_noise_under_the_voice() -> None:
    sound = sound_of(SPEECH, SECONDS)
    speech = (*SPEECH[:15], *((start + 30.0, end + 30.0) for start, end in SPEECH[15:]))
    longer = sound_of(speech, SECONDS + 30.0)
    level = longer.level_db.copy()
    level[2960:5990] = -20.0
    quiet = signal_over_noise_db(SPEECH, sound)
    assert signal_over_noise_db(speech, replace(longer, level_db=level)) == quiet


def test_clipping_is_a_poor_signal() -> None:
    clipped = replace(sound_of(SPEECH, SECONDS), clipped=np.full(6000, 0.02, dtype=np.float32))
    assert found(clipped) == {"signal": Reason.POOR_SIGNAL}


def test_noise_that_swells_in_every_pause_is_automatic_gain() -> None:
    sound = sound_of(SPEECH, SECONDS)
    level = sound.level_db.copy()
    for index in range(30):
        first = 200 * index + 150
        level[first : first + 50] = np.linspace(-60, -42, 50)[: len(level[first : first + 50])]
    assert found(replace(sound, level_db=level)) == {"gain": Reason.AUTOMATIC_GAIN}


def test_a_breath_before_every_word_is_no_automatic_gain() -> None:
    sound = sound_of(SPEECH, SECONDS)
    level = sound.level_db.copy()
    for index in range(29):
        onset = 200 * (index + 1)
        level[onset - 45 : onset - 6] = -36.0
    assert found(replace(sound, level_db=level)) == {}


def in_loud_pauses(*, hidden: int, floor_db: float) -> Sound:
    """Half of each two seconds is voice; of so many of the pauses in it noise passes for speech."""
    sound = sound_of(SPEECH, SECONDS, floor_db=floor_db)
    f0 = sound.f0_hz.copy()
    for start, _end in SPEECH[:hidden]:
        f0[round(100 * start) + 40 : round(100 * start) + 100] = np.nan
    return replace(sound, f0_hz=f0)


@pytest.mark.parametrize(
    ("hidden", "floor_db", "is_told"),
    [(20, -28.0, True), (3, -28.0, False), (9, -28.0, False), (20, -60.0, False)],
)
def test_silences_are_not_told_where_noise_near_the_voice_passes_for_speech_in_many(
    hidden: int, floor_db: float, is_told: bool
) -> None:
    cautions = found(in_loud_pauses(hidden=hidden, floor_db=floor_db))
    assert isinstance(cautions, dict)
    assert cautions.get("silences") == (Reason.POOR_SIGNAL if is_told else None)


def test_a_hoarse_voice_in_noise_says_nothing_about_silences() -> None:
    sound = in_loud_pauses(hidden=30, floor_db=-28.0)
    f0 = sound.f0_hz.copy()
    f0[::2] = np.nan
    assert "silences" not in str(found(replace(sound, f0_hz=f0)))


def test_pauses_without_any_sound_show_a_noise_gate_and_quiet_ones_do_not() -> None:
    assert found(sound_of(SPEECH, SECONDS, floor_db=-120.0)) == {"gate": Reason.AUTOMATIC_GAIN}
    assert found(sound_of(SPEECH, SECONDS, floor_db=-96.0)) == {}


def test_another_language_than_was_chosen_is_a_mismatch() -> None:
    french = Language(code="fr", source="detected", probability=0.97)
    assert found(heard=french) == {"text": Reason.LANGUAGE_MISMATCH}


def test_an_unsure_detection_changes_nothing() -> None:
    assert found(heard=Language(code="cy", source="detected", probability=0.4)) == {}


@pytest.mark.parametrize(("chance", "is_mismatch"), [(0.03, True), (0.2, False), (None, False)])
def test_a_likely_language_counts_where_the_chosen_one_is_all_but_ruled_out(
    chance: float | None, is_mismatch: bool
) -> None:
    french = Language(code="fr", source="detected", probability=0.77)
    assert bool(found(heard=french, chance=chance)) == is_mismatch


def test_many_repeated_onsets_are_outside_tested_speech_and_nothing_more_is_said() -> None:
    text = "I I want wan- want to t- to say the the thing and b-b-but I I can't"
    cautions = find_cautions(
        transcript=None, words=words(text), speech=SPEECH, sound=None, data=language_data("en")
    )
    assert cautions["fluency"].reason is Reason.OUTSIDE_TESTED_SPEECH
    assert "stutter" not in cautions["fluency"].detail
    assert "stammer" not in cautions["fluency"].detail


def test_letters_that_are_spelled_are_no_repeated_onset() -> None:
    text = "the B B C and an A A A from S S T then A-A-A at the D D R and the T T L too"
    assert found(text=text) == {}


def test_a_run_of_ums_is_no_repeated_onset() -> None:
    assert found(text="we uh uh uh uh um uh uh went there and that was all of it") == {}


def test_a_few_repeated_words_are_ordinary() -> None:
    ordinary = "we had a plan and and then it was fine " * 5
    assert found(text=ordinary.replace("and and", "and", 4)) == {}
