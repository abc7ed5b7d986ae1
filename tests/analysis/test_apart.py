"""An um that stands apart, alone in a silence of seconds, is listened to with what is around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from analysis.backends.speech import filler_head, transcription
from analysis.backends.speech.isolated_sounds import isolated_windows
from analysis.backends.speech.voice_activity import find_sounds
from analysis.ports import FillerSound, FloatArray, Options, Span
from tests.analysis.recognisers import FakeRecogniser, reading
from tests.analysis.spoken import in_a_room, noise, silence, voice


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
    assert isolated_windows(((0.0, 9.0), (12.0, 20.0)), noise(20.0, gain=0.02)) == ()


def counted(cut: Sequence[Span], audio: FloatArray, **parts: Sequence[Span]) -> list[Span]:
    """Where what is heard counts, in all windows."""
    return [span for place in isolated_windows(cut, audio, **parts) for span in place.inside]


def about(*times: Span) -> list[Any]:
    return [(pytest.approx(start, abs=0.06), pytest.approx(end, abs=0.06)) for start, end in times]


@pytest.mark.parametrize(
    ("sounds", "expected"),
    [
        ([(15.0, 0.4)], [(14.5, 15.9)]),
        ([(15.0, 0.4), (18.0, 0.4)], [(14.5, 15.9), (17.5, 18.9)]),
        ([(10.0, 0.4)], [(10.0, 10.9)]),
        ([(15.0, 4.0)], []),
        ([(1.0, 0.4), (37.0, 0.4)], [(0.5, 1.9), (36.5, 37.9)]),
        ([], []),
    ],
    ids=[
        "one",
        "two near each other",
        "at the edge of a window",
        "a long one",
        "before the first word and after the last",
        "none",
    ],
)
def test_short_sounds_between_the_windows_that_are_read_are_listened_to(
    sounds: Sequence[tuple[float, float]], expected: Sequence[Span]
) -> None:
    cut = ((2.0, 10.0), (22.0, 32.0))
    audio = with_sounds(*((at, voice(seconds)) for at, seconds in sounds), seconds=40.0)
    assert counted(cut, audio) == about(*expected)


def test_they_are_heard_with_the_seconds_around_and_near_ones_at_once() -> None:
    cut = ((2.0, 10.0), (22.0, 32.0))
    audio = with_sounds((15.0, voice(0.4)), (18.0, voice(0.4)), (39.0, voice(0.4)), seconds=40.0)
    windows = [place.window for place in isolated_windows(cut, audio)]
    assert windows == about((10.5, 22.9), (34.5, 40.0))


def test_a_short_window_is_heard_with_the_seconds_around_too() -> None:
    [place] = isolated_windows(((0.0, 9.0), (14.0, 15.0)), with_sounds(seconds=30.0))
    assert (place.window, place.inside) == ((10.0, 19.0), ((14.0, 15.0),))


def test_windows_in_a_long_silence_fit_into_the_recogniser() -> None:
    audio = with_sounds(*((at, voice(0.3)) for at in range(15, 95, 10)), seconds=105.0)
    found = [place.window for place in isolated_windows(((0.0, 9.0), (95.5, 104.0)), audio)]
    assert len(found) == 4
    assert all(end - start <= 30.0 for start, end in found)


def test_where_nobody_speaks_at_all_nothing_is_listened_to() -> None:
    assert isolated_windows((), with_sounds((5.0, voice(0.4)))) == ()


def test_where_others_speak_nobody_listens() -> None:
    cut = ((0.0, 9.0), (21.0, 30.0))
    audio = with_sounds((13.0, voice(0.4)), (18.0, voice(0.4)), seconds=30.0)
    parts = Options(left_out=((12.0, 16.0),)).parts
    [place] = isolated_windows(cut, audio, parts)
    assert list(place.inside) == about((17.5, 18.9))
    assert place.window == (16.0, pytest.approx(22.9, abs=0.06))
    assert isolated_windows(cut, audio, Options(left_out=((9.0, 21.0),)).parts) == ()


class _Ear:
    """Hears something one and three seconds after the beginning of whatever it is given."""

    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        return tuple(
            FillerSound(start=at, end=at + 0.4, log_odds=float(len(frames))) for at in (1.0, 3.0)
        )


def test_what_is_heard_apart_has_the_times_of_the_recording_counts_once_and_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {"en": 0.99})
    monkeypatch.setattr(filler_head, "load_head", lambda *_: _Ear())
    recogniser = FakeRecogniser([reading("before " * 24)] * 2)
    audio = with_sounds((10.5, voice(0.4)), (14.5, voice(0.4)), seconds=30.0)
    found = transcription.SpeechReader(recogniser).transcribe(
        audio,
        speech=((0.0, 8.0), (24.0, 26.0)),
        language="en",
        progress=lambda _: None,
        parts=Options(left_out=((10.0, 13.0),)).parts,
    )
    assert found.filler_sounds is not None
    starts = [sound.start for sound in found.filler_sounds]
    # Of the long window both; from 13.0 on what lies at the um, not what is said to be beside it.
    assert starts == [1.0, 3.0, pytest.approx(14.0)]
    assert len(found.segments) == 2
    read, heard = recogniser.windows[:2], recogniser.windows[2:]
    assert read == [pytest.approx(8.4), pytest.approx(2.8)]
    assert heard == [pytest.approx(17.0, abs=0.1)]


def test_silence_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: {"en": 0.99})
    monkeypatch.setattr(filler_head, "load_head", lambda *_: _Ear())
    recogniser = FakeRecogniser([reading("before " * 24)] * 2)
    transcription.SpeechReader(recogniser).transcribe(
        np.zeros(31 * 16_000, np.float32),
        speech=((0.0, 9.0), (21.0, 30.0)),
        language="en",
        progress=lambda _: None,
    )
    assert len(recogniser.windows) == 2
