from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from analysis.ports import Sound, Span
from analysis.talk.breaths import noise_between_words, without_breaths
from tests.analysis.spoken import STEP, sound_of

BEFORE, BREATH, AFTER = (0.0, 3.0), (3.3, 3.7), (4.0, 7.0)
SPEECH = (BEFORE, BREATH, AFTER)


def heard(*, piece: Span = BREATH, level_db: float = -40.0, voiced: bool = False) -> Sound:
    """Speech at -20 dB with one piece of another kind."""
    sound = sound_of((BEFORE, piece, AFTER), 7.0)
    inside = slice(round(piece[0] / STEP), round(piece[1] / STEP))
    level, f0 = sound.level_db.copy(), sound.f0_hz.copy()
    level[inside] = level_db
    if not voiced:
        f0[inside] = np.nan
    return replace(sound, level_db=level, f0_hz=f0)


def test_a_breath_between_words_belongs_to_the_pause() -> None:
    assert without_breaths(SPEECH, heard()) == (BEFORE, AFTER)


@pytest.mark.parametrize(
    "sound",
    [heard(voiced=True), heard(level_db=-22.0)],
    ids=["a soft voice", "a loud hiss, as in shh"],
)
def test_what_has_a_voice_or_its_loudness_stays(sound: Sound) -> None:
    assert without_breaths(SPEECH, sound) == SPEECH


def test_the_release_of_a_final_consonant_stays() -> None:
    release = (3.12, 3.2)
    speech = (BEFORE, release, AFTER)
    assert without_breaths(speech, heard(piece=release)) == speech


def test_a_click_far_from_any_word_belongs_to_the_pause() -> None:
    click = (3.4, 3.48)
    assert without_breaths((BEFORE, click, AFTER), heard(piece=click)) == (BEFORE, AFTER)


def test_nothing_is_taken_from_whispered_speech() -> None:
    sound = heard()
    whispered = replace(sound, f0_hz=np.full_like(sound.f0_hz, np.nan))
    assert without_breaths(SPEECH, whispered) == SPEECH


def test_without_speech_there_is_nothing_to_take() -> None:
    assert without_breaths((), heard()) == ()


ONE = ((0.0, 7.0),)
SAID = (BEFORE, AFTER)
BESIDE_WORDS = (3.1, 3.9)


def assert_is_all(found: Sequence[Span], span: Span) -> None:
    assert len(found) == 1
    assert found[0] == pytest.approx(span)


def test_a_breath_or_wind_that_joins_two_sentences_is_no_speech() -> None:
    joined = heard(piece=(3.0, 4.0), level_db=-28.0)
    assert_is_all(noise_between_words(ONE, SAID, joined), BESIDE_WORDS)


def test_a_word_that_was_not_written_and_a_loud_hiss_are_speech() -> None:
    word = heard(piece=(3.0, 4.0), level_db=-28.0, voiced=True)
    assert noise_between_words(ONE, SAID, word) == ()
    hiss = heard(piece=(3.0, 4.0), level_db=-22.0)
    assert noise_between_words(ONE, [BEFORE, (3.55, 7.0)], hiss) == ()


def test_a_gust_as_loud_as_the_voice_is_none() -> None:
    gust = heard(piece=(3.0, 4.0), level_db=-18.0)
    assert_is_all(noise_between_words(ONE, SAID, gust), BESIDE_WORDS)


def test_an_um_and_a_short_sound_beside_words_stay() -> None:
    joined = heard(piece=(3.0, 4.0), level_db=-28.0)
    assert noise_between_words(ONE, SAID, joined, ums=[(3.3, 3.7)]) == ()
    assert noise_between_words(ONE, [(0.0, 3.6), AFTER], joined) == ()


def test_in_a_room_that_echoes_the_voice_that_fades_between_words_is_no_speech() -> None:
    fading = heard(piece=(3.0, 4.0), level_db=-34.0, voiced=True)
    assert noise_between_words(ONE, SAID, fading) == ()
    assert_is_all(noise_between_words(ONE, SAID, fading, echoes=True), BESIDE_WORDS)


def test_of_whispered_speech_nothing_is_noise() -> None:
    sound = heard(piece=(3.0, 4.0), level_db=-28.0)
    whispered = replace(sound, f0_hz=np.full_like(sound.f0_hz, np.nan))
    assert noise_between_words(ONE, SAID, whispered) == ()
