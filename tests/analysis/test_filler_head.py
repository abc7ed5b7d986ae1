from __future__ import annotations

import numpy as np
import pytest

from analysis.backends.speech.filler_head import FillerHead, load_head, sounds_of
from analysis.ports import FloatArray

SHIPPED = [("tiny.en", "en", 384), ("whisper-base", "fr", 512)]


def series(*peaks: tuple[int, int, float], frames: int = 200) -> FloatArray:
    """Log odds of -8 with plateaus (first frame, last frame, height)."""
    values = np.full(frames, -8.0, dtype=np.float32)
    for first, last, height in peaks:
        values[first:last] = height
    return values


def test_a_stretch_of_high_odds_is_told_with_its_times() -> None:
    [sound] = sounds_of(series((50, 70, 3.0)))
    assert (sound.start, sound.end) == (1.0, 1.4)
    assert sound.log_odds == pytest.approx(3.0)


def test_faint_ones_are_told_too_and_silence_is_not() -> None:
    [faint] = sounds_of(series((50, 60, -2.0)))
    assert faint.log_odds == pytest.approx(-2.0)
    assert sounds_of(series()) == ()
    assert sounds_of(np.zeros(0, dtype=np.float32)) == ()


def test_a_click_is_no_filler() -> None:
    assert sounds_of(series((50, 52, 5.0))) == ()


def test_a_short_dip_does_not_cut_one_in_two_and_a_long_one_does() -> None:
    assert len(sounds_of(series((50, 60, 3.0), (62, 75, 2.5)))) == 1
    assert len(sounds_of(series((50, 60, 3.0), (80, 95, 2.5)))) == 2


def test_sounds_come_in_time_order_however_sure_they_are() -> None:
    found = sounds_of(series((20, 30, 1.0), (100, 120, 5.0)))
    assert [sound.log_odds for sound in found] == [1.0, 5.0]


@pytest.mark.parametrize(("reader", "language", "dimensions"), SHIPPED)
def test_each_shipped_head_fits_its_encoder_and_is_small(
    reader: str, language: str, dimensions: int
) -> None:
    head = load_head(reader, language)
    assert head is not None
    frames = np.random.default_rng(3).standard_normal((120, dimensions)).astype(np.float32)
    odds = head.log_odds(frames)
    assert odds.shape == (120,)
    assert np.isfinite(odds).all()
    sizes = [sum(part.size for part in each.weights.values()) for each in head.networks]
    assert len(sizes) == 3
    assert max(sizes) < 50_000


def test_the_rounded_recogniser_has_the_same_head_and_others_have_none() -> None:
    exact, rounded = load_head("tiny.en", "en"), load_head("tiny.en-int8", "en")
    assert exact is not None
    assert rounded is not None
    for one, other in zip(exact.networks, rounded.networks, strict=True):
        assert np.array_equal(one.weights["in.weight"], other.weights["in.weight"])
    assert load_head("small.en", "en") is None
    assert load_head("whisper-base", "en") is None, "it learnt French"


def test_a_head_says_what_its_networks_say_in_the_mean() -> None:
    head = load_head("tiny.en", "en")
    assert head is not None
    frames = np.random.default_rng(5).standard_normal((80, 384)).astype(np.float32)
    each = [network.log_odds(frames) for network in head.networks]
    assert head.log_odds(frames) == pytest.approx(sum(each) / len(each), abs=1e-4)
    assert np.abs(each[0] - each[1]).max() > 0.1, "each learnt in an order of its own"


def test_what_the_head_says_of_a_frame_rests_on_what_is_around_it_and_nothing_farther() -> None:
    head = load_head("tiny.en", "en")
    assert isinstance(head, FillerHead)
    frames = np.random.default_rng(4).standard_normal((200, 384)).astype(np.float32)
    changed = frames.copy()
    changed[150:] = 0
    difference = np.abs(head.log_odds(frames) - head.log_odds(changed)) > 1e-3
    assert difference[140:150].any()
    assert not difference[:125].any(), "half a second is all it looks ahead"
