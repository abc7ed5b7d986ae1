"""What is planted lies exactly where and is exactly as much as the recipe says."""

from __future__ import annotations

import numpy as np
import pytest

from bench.judgement import melody
from bench.judgement.planting import (
    LEAD_SECONDS,
    RATE_HZ,
    SpokenPiece,
    joined,
    spread,
    tail_of,
    usual_pauses,
    with_pauses_of,
    with_quiet_ends,
)
from bench.judgement.texts import TALKS, sentences_of


def _tone(seconds: float) -> np.ndarray:
    at = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    return np.sin(2 * np.pi * 150 * at).astype(np.float32)


def _level_db(audio: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(np.square(audio, dtype=np.float64))))


def _pieces(count: int, *, pause: float = 0.7) -> list[SpokenPiece]:
    return [SpokenPiece(_tone(2.0), pause) for _ in range(count)]


def test_each_piece_lies_where_the_spans_say() -> None:
    audio, spans = joined([SpokenPiece(_tone(1.0), 2.4), SpokenPiece(_tone(2.0), 0.5)])

    assert spans == ((LEAD_SECONDS, LEAD_SECONDS + 1.0), (LEAD_SECONDS + 3.4, LEAD_SECONDS + 5.4))
    assert len(audio) == round((LEAD_SECONDS + 5.9) * RATE_HZ)
    silence = audio[round(spans[0][1] * RATE_HZ) : round(spans[1][0] * RATE_HZ)]
    assert _level_db(silence) < -60
    assert _level_db(audio[round(spans[1][0] * RATE_HZ) :][:RATE_HZ]) > -15


@pytest.mark.parametrize("decibels", [12.0, 20.0])
def test_the_end_of_a_sentence_falls_by_what_was_asked(decibels: float) -> None:
    before = _pieces(4)
    after = with_quiet_ends(before, decibels=decibels, share=1.0)

    for old, new in zip(before, after, strict=True):
        end = slice(-round(0.02 * RATE_HZ), None)
        fall = _level_db(old.audio[end]) - _level_db(new.audio[end])
        assert fall == pytest.approx(decibels, abs=0.5)
        middle = slice(-round(0.41 * RATE_HZ), -round(0.39 * RATE_HZ))
        half = _level_db(old.audio[middle]) - _level_db(new.audio[middle])
        assert half == pytest.approx(decibels / 2, abs=0.5)
        kept = slice(None, -round(0.8 * RATE_HZ))
        assert np.array_equal(old.audio[kept], new.audio[kept])


def test_only_the_share_of_the_sentences_and_no_half_sentence_gets_a_quiet_end() -> None:
    half = SpokenPiece(_tone(2.0), 0.1, ends_sentence=False)
    before = [*_pieces(5), half, *_pieces(5)]
    after = with_quiet_ends(before, decibels=14, share=0.7)

    softer = [index for index, piece in enumerate(after) if piece.audio is not before[index].audio]
    assert len(softer) == 7
    assert 5 not in softer


def test_pauses_are_shortened_and_never_made_longer() -> None:
    pauses = [piece.pause for piece in with_pauses_of([*_pieces(2), *_pieces(1, pause=0.1)], 0.25)]

    assert pauses == [0.25, 0.25, 0.1]


def test_the_tail_begins_in_the_last_share_of_the_talk() -> None:
    assert tail_of(_pieces(10), 0.2) == 8
    assert tail_of(_pieces(10), 0.22) == 8


def test_places_are_spread_over_the_whole_talk() -> None:
    assert spread(4, 8) == {1, 3, 5, 7}
    assert len(spread(19, 28)) == 19
    assert spread(9, 3) == {0, 1, 2}


def test_the_same_speaker_pauses_alike_each_time_and_another_one_otherwise() -> None:
    assert usual_pauses(20, name="a") == usual_pauses(20, name="a")
    assert usual_pauses(20, name="a") != usual_pauses(20, name="b")
    assert all(0.6 <= pause <= 1.1 for pause in usual_pauses(20, name="a"))


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=f"{code}{n}") for code in TALKS for n, text in enumerate(TALKS[code])],
)
def test_talks_have_marked_steps_that_can_be_taken_out_and_places_to_stop(text: str) -> None:
    sentences = sentences_of(text)

    assert all(not {"|", "/", "*"} & set(s.text) for s in sentences)
    assert sum(s.parts != s.unmarked for s in sentences) >= 5
    assert sum(len(s.parts) > 1 for s in sentences if not s.is_extra) >= 20
    assert sum(s.is_extra for s in sentences) == 8


def test_level_melody_keeps_its_share_and_faster_speech_its_pitch() -> None:
    pytest.importorskip("parselmouth", reason="Praat is there after make bench")
    at = np.arange(2 * RATE_HZ) / RATE_HZ
    pitch = 150 * 2 ** (4 / 12 * np.sin(2 * np.pi * 0.7 * at))
    phase = 2 * np.pi * np.cumsum(pitch) / RATE_HZ
    voice = sum(np.sin(n * phase) / n for n in range(1, 9)).astype(np.float32) * 0.2
    median, usual = melody.melody_of(voice, RATE_HZ)

    level = melody.levelled(voice, RATE_HZ, kept=0.25, around_hz=median)
    quick = melody.faster(voice, RATE_HZ, by=1.6)

    assert melody.melody_of(level, RATE_HZ)[1] == pytest.approx(0.25 * usual, rel=0.2)
    assert len(level) == len(voice)
    assert len(quick) == round(len(voice) / 1.6)
    assert melody.melody_of(quick, RATE_HZ)[0] == pytest.approx(median, rel=0.05)
