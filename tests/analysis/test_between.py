"""An um alone in a silence of seconds, where no window of the recogniser lies, is listened to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from analysis.backends.speech import filler_head, transcription
from analysis.backends.speech.between import heard_between
from analysis.backends.speech.voice_activity import find_sounds
from analysis.ports import FillerSound, FloatArray, Options, Span
from tests.analysis.recognisers import FakeRecogniser, reading
from tests.analysis.spoken import in_a_room, noise, silence, voice

CUT: tuple[Span, ...] = ((0.0, 2.0), (12.0, 14.0))
"""Two windows of a recogniser, and ten seconds between them."""


def with_sounds(*sounds: tuple[float, FloatArray], seconds: float = 15.0) -> FloatArray:
    """A quiet room in which these begin at their times."""
    whole = silence(seconds)
    for at, sound in sounds:
        first = round(at * 16_000)
        whole[first : first + len(sound)] += sound
    return in_a_room(whole)


def test_what_stands_out_in_a_silence_is_found_where_it_is() -> None:
    audio = with_sounds((5.0, voice(0.4)), (8.0, voice(0.2)))
    assert find_sounds(audio, (2.0, 12.0)) == (
        (pytest.approx(5.0, abs=0.05), pytest.approx(5.4, abs=0.05)),
        (pytest.approx(8.0, abs=0.05), pytest.approx(8.2, abs=0.05)),
    )
    assert find_sounds(audio, (9.0, 12.0)) == ()


def test_silences_longer_than_a_block_are_searched_to_their_end() -> None:
    audio = with_sounds((130.0, voice(0.4)), seconds=140.0)
    [(start, end)] = find_sounds(audio, (3.0, 139.0))
    assert (start, end) == (pytest.approx(130.0, abs=0.05), pytest.approx(130.4, abs=0.05))


def test_a_steady_noise_is_no_sound() -> None:
    assert heard_between(CUT, noise(20.0, gain=0.02)) == ()


@pytest.mark.parametrize(
    ("sounds", "expected"),
    [
        ([(5.0, 0.4)], [(4.5, 5.9)]),
        ([(5.0, 0.4), (8.0, 0.4)], [(4.5, 8.9)]),
        ([(2.0, 0.4)], [(2.0, 2.9)]),
        ([(5.0, 4.0)], []),
        ([], []),
    ],
    ids=["one", "two near each other", "at the edge of a window", "a long one", "none"],
)
def test_windows_lie_around_short_sounds_between_those_that_are_read(
    sounds: Sequence[tuple[float, float]], expected: Sequence[Span]
) -> None:
    audio = with_sounds(*((at, voice(seconds)) for at, seconds in sounds))
    found = heard_between(CUT, audio)
    assert [pytest.approx(window, abs=0.06) for window in expected] == list(found)


def test_windows_in_a_long_silence_fit_into_the_recogniser() -> None:
    audio = with_sounds(*((at, voice(0.3)) for at in range(5, 85, 10)), seconds=95.0)
    found = heard_between(((0.0, 2.0), (90.0, 92.0)), audio)
    assert len(found) == 3
    assert all(end - start <= 30.0 for start, end in found)
    assert all(left[1] < right[0] for left, right in itertools.pairwise(found))


def test_nothing_is_listened_to_before_the_first_and_after_the_last_window() -> None:
    audio = with_sounds((1.0, voice(0.4)), (13.0, voice(0.4)))
    assert heard_between(((5.0, 7.0), (7.0, 9.0)), audio) == ()


def test_where_others_speak_nobody_listens() -> None:
    audio = with_sounds((5.0, voice(0.4)), (9.0, voice(0.4)))
    parts = Options(left_out=((4.0, 8.0),)).parts
    [(start, end)] = heard_between(CUT, audio, parts)
    assert (start, end) == (pytest.approx(8.5, abs=0.06), pytest.approx(9.9, abs=0.06))
    assert heard_between(CUT, audio, Options(left_out=((2.0, 12.0),)).parts) == ()


class _Ear:
    """Hears something a second after the beginning of whatever it is given."""

    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        return (FillerSound(start=1.0, end=1.4, log_odds=float(len(frames))),)


def test_what_is_heard_between_windows_has_the_times_of_the_recording_and_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {"en": 0.99})
    monkeypatch.setattr(filler_head, "load_head", lambda *_: _Ear())
    recogniser = FakeRecogniser([reading("before")] * 2)
    audio = with_sounds((4.5, voice(0.4)), (7.0, voice(0.4)))
    found = transcription.SpeechReader(recogniser).transcribe(
        audio,
        speech=((0.0, 2.0), (12.0, 14.0)),
        language="en",
        progress=lambda _: None,
        parts=Options(left_out=((3.0, 6.0),)).parts,
    )
    assert found.filler_sounds is not None
    starts = [sound.start for sound in found.filler_sounds]
    assert starts == [1.0, pytest.approx(7.5, abs=0.06), pytest.approx(12.6)]
    assert len(found.segments) == 2
    assert recogniser.windows == [
        pytest.approx(2.4),
        pytest.approx(2.8),
        pytest.approx(1.4, abs=0.1),
    ]


def test_silence_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {"en": 0.99})
    monkeypatch.setattr(filler_head, "load_head", lambda *_: _Ear())
    recogniser = FakeRecogniser([reading("before")] * 2)
    transcription.SpeechReader(recogniser).transcribe(
        np.zeros(15 * 16_000, np.float32),
        speech=((0.0, 2.0), (12.0, 14.0)),
        language="en",
        progress=lambda _: None,
    )
    assert len(recogniser.windows) == 2
