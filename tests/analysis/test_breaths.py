from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.ports import Sound, Span
from analysis.talk.breaths import without_breaths
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
