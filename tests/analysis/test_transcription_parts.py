from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.backends.speech import loops, transcription
from analysis.backends.speech.alignment import assemble_words, first_frames
from analysis.backends.speech.ctranslate import chances_of_sounds
from analysis.backends.speech.reading import Reading, equal_places
from analysis.backends.speech.windows import LONGEST_WINDOW_SECONDS, halves, windows
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from analysis.results import Word
from tests.analysis.recognisers import FakeRecogniser, reading


@given(st.lists(st.tuples(st.floats(0.1, 40.0), st.floats(0.1, 8.0)), min_size=1, max_size=30))
def test_windows_cover_all_speech_and_never_overlap(parts: list[tuple[float, float]]) -> None:
    speech: list[Span] = []
    at = 0.5
    for length, gap in parts:
        speech.append((round(at, 2), round(at + length, 2)))
        at += length + gap
    cut = windows(speech, duration=at)
    assert all(end - start <= 30.0 for start, end in cut)
    assert all(left[1] <= right[0] + 1e-6 for left, right in itertools.pairwise(cut))
    covered = sum(
        max(0.0, min(end, last) - max(start, first)) for start, end in speech for first, last in cut
    )
    assert covered == pytest.approx(sum(end - start for start, end in speech), abs=0.01)


def test_a_window_ends_at_the_longest_gap_near_its_end() -> None:
    speech = [(0.0, 10.0), (10.2, 22.0), (23.5, 28.0), (28.2, 40.0)]
    first, second = windows(speech, duration=41.0)
    assert 22.0 < first[1] < 23.6
    assert second[1] == pytest.approx(40.4)


def test_a_long_silence_separates_windows() -> None:
    assert len(windows([(0.0, 3.0), (10.0, 12.0)], duration=15.0)) == 2


def test_no_speech_has_no_windows() -> None:
    assert windows([], duration=100.0) == ()


def test_a_window_is_halved_at_its_longest_gap() -> None:
    speech = [(0.0, 4.0), (4.5, 9.0), (9.1, 14.0)]
    assert halves((0.0, 14.0), speech) == ((0.0, 4.25), (4.25, 14.0))
    assert halves((0.0, 14.0), [(0.0, 14.0)]) == ()


def test_the_cheapest_path_follows_the_attention() -> None:
    attention = np.zeros((4, 40))
    for token, start in enumerate((0, 7, 20, 33)):
        attention[token, start : start + 7] = 1.0
    assert first_frames(-attention).tolist() == [0, 7, 20, 33]


def test_a_single_token_starts_at_the_beginning() -> None:
    assert first_frames(np.zeros((1, 5))).tolist() == [0]


def test_punctuation_joins_its_word() -> None:
    pieces = [
        (" “", 0.0, 0.1, 0.5),
        (" Hi", 0.1, 0.3, 0.9),
        (",", 0.3, 0.3, 0.4),
        (" you", 0.3, 0.6, 1.2),
    ]
    found = assemble_words(pieces)
    assert [word.text for word in found] == ["“Hi,", "you"]
    assert found[1].probability == 1.0


def test_what_whisper_breaks_at_apostrophes_and_hyphens_is_one_word() -> None:
    pieces = [
        (" Aujourd", 0.0, 0.3, 0.9),
        ("'hui", 0.3, 0.5, 0.8),
        (",", 0.5, 0.9, 0.3),
        (" peut", 0.9, 1.1, 0.9),
        ("-être", 1.1, 1.4, 0.9),
        (" 4", 1.4, 1.6, 0.9),
        ("%", 1.6, 2.0, 0.9),
    ]
    found = assemble_words(pieces)
    assert [(word.text, word.end) for word in found] == [
        ("Aujourd'hui,", 0.5),
        ("peut-être", 1.4),
        ("4%", 1.6),
    ]
    assert found[0].probability == 0.8


@pytest.fixture(autouse=True)
def deaf_to_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        transcription,
        "_chances_of_languages",
        lambda *_: {"en": 0.99, "fr": 0.01},
    )


def transcribe(recogniser: FakeRecogniser, speech: tuple[Span, ...]) -> Any:
    audio = np.zeros(int(speech[-1][1] + 1) * SAMPLE_RATE_HZ, dtype=np.float32)
    return transcription.SpeechReader(recogniser).transcribe(
        audio, speech=speech, language="en", progress=lambda _: None
    )


def test_words_get_the_times_of_the_recording() -> None:
    found = transcribe(FakeRecogniser([reading("hello there")]), ((5.0, 6.0),))
    assert [(word.text, word.start) for word in found.segments[0].words] == [
        ("hello", pytest.approx(4.6)),
        ("there", pytest.approx(4.9)),
    ]


def test_a_primed_reading_with_fillers_is_kept_apart_from_the_words() -> None:
    recogniser = FakeRecogniser([reading("hello there")], [reading("Hello, um, cream there")])
    found = transcribe(recogniser, ((0.5, 3.0),))
    [primed] = found.primed
    assert [word.text for word in primed] == ["Hello,", "um,", "cream", "there"]
    assert {word.probability for word in primed} == {0.6}
    assert [word.text for word in found.segments[0].words] == ["hello", "there"]


def test_a_primed_reading_without_fillers_is_not_kept() -> None:
    recogniser = FakeRecogniser([reading("hello there")], [reading("Hello, there")])
    assert transcribe(recogniser, ((0.5, 3.0),)).primed == ()


def test_a_primed_reading_that_got_stuck_says_nothing() -> None:
    stuck = reading("euh, euh, " + "um, " * 50, compression=9.0)
    found = transcribe(FakeRecogniser([reading("hello")], [stuck]), ((0.5, 3.0),))
    assert found.primed == ()


def test_places_where_a_filler_could_stand_come_with_their_faint_probability() -> None:
    found = transcribe(FakeRecogniser([reading("hello slot there")]), ((5.0, 6.0),))
    [slot] = found.filler_slots
    assert (slot.text, slot.start, slot.end) == ("um", pytest.approx(4.9), pytest.approx(4.9))
    assert slot.probability == 0.01


def test_a_window_that_the_recogniser_doubts_is_read_again_in_halves() -> None:
    bad = reading("la la la la la la", compression=3.0)
    first, second = "a good day to all of you", "and many thanks for coming here today"
    recogniser = FakeRecogniser([bad, reading(first), reading(second)])
    found = transcribe(recogniser, ((0.5, 3.0), (4.0, 6.5)))
    assert [segment.text for segment in found.segments] == [first, second]
    assert len(recogniser.windows) == 3


LINE = "good morning and welcome to all of you"
SIX_TIMES = tuple((3.0 * at + 0.5, 3.0 * at + 2.9) for at in range(6))


def test_a_line_that_was_said_again_and_again_is_halved_until_it_stands_alone() -> None:
    whole, half = reading(f"{LINE} " * 6, compression=5.3), reading(f"{LINE} " * 3, compression=2.7)
    parts = [
        half,
        reading(LINE),
        reading(f"{LINE} " * 2),
        half,
        reading(LINE),
        reading(f"{LINE} " * 2),
    ]
    found = transcribe(
        FakeRecogniser([whole, parts[0], parts[3], *parts[1:3], *parts[4:]]), SIX_TIMES
    )
    assert len(found.words) == 6 * len(LINE.split())
    assert found.dropped == ()


def test_what_goes_round_and_is_no_speech_is_halved_once_and_says_why_it_was_left_out() -> None:
    stuck = reading("e e o o o o o o o o o o", compression=26.0, silent=0.84)
    recogniser = FakeRecogniser([stuck] * 3)
    found = transcribe(recogniser, SIX_TIMES)
    assert len(recogniser.windows) == 3
    assert found.words == ()
    assert [each.doubt for each in found.dropped] == ["repeats", "repeats"]
    assert (found.dropped[0].start, found.dropped[-1].end) == (0.1, 18.0)


@pytest.mark.parametrize(
    ("again", "sure", "silent", "is_said"),
    [
        (4, -0.1, 0.3, True),
        (1, -0.1, 0.3, False),
        (40, -0.1, 0.3, False),
        (4, -0.6, 0.3, False),
        (4, -0.1, 0.7, False),
    ],
    ids=["fills the voice", "leaves most of it", "faster than people speak", "unsure", "no speech"],
)
def test_what_repeats_itself_and_cannot_be_halved_is_believed_where_the_sound_fits(
    again: int, sure: float, silent: float, is_said: bool
) -> None:
    chant = reading("yes we can " * again, compression=3.0, sure=sure, silent=silent)
    found = transcribe(FakeRecogniser([chant]), ((0.5, 3.5),))
    assert len(found.words) == (3 * again if is_said else 0)
    assert len(found.dropped) == (0 if is_said else 1)


def test_speech_without_a_gap_is_cut_where_it_is_quietest() -> None:
    audio = np.full(20 * SAMPLE_RATE_HZ, 0.1, dtype=np.float32)
    audio[11 * SAMPLE_RATE_HZ : 11 * SAMPLE_RATE_HZ + 1600] = 0.001
    [first, second] = halves((0.0, 20.0), [(0.0, 20.0)], audio)
    assert first[1] == second[0] == pytest.approx(11.05, abs=0.05)
    assert halves((0.0, 3.0), [(0.0, 3.0)], audio) == ()


def test_of_gaps_that_are_alike_the_one_nearest_to_the_middle_halves_a_window() -> None:
    speech = [(0.0, 3.0), (3.6, 7.0), (7.5, 11.0), (11.6, 15.0)]
    assert halves((0.0, 15.0), speech)[0][1] == pytest.approx(7.25)


@pytest.mark.parametrize(
    ("greedy", "searched", "kept"),
    [
        (-0.4, reading("the caller", sure=-0.3), "the caller"),
        (-0.4, reading("the caller", sure=-0.5), "the color"),
        (-0.4, reading("the caller " * 30, sure=-0.1, compression=9.0), "the color"),
        (-0.1, reading("the caller", sure=-0.01), "the color"),
    ],
    ids=["more probable", "less probable", "stuck", "not asked for"],
)
def test_a_window_that_hesitates_is_searched_and_the_more_probable_reading_counts(
    greedy: float, searched: Reading, kept: str
) -> None:
    recogniser = FakeRecogniser([reading("the color", sure=greedy)], searched=[searched])
    [segment] = transcribe(recogniser, ((0.5, 4.0),)).segments
    assert segment.text == kept


@pytest.mark.parametrize(("sure", "silent"), [(-1.5, 0.9), (-0.8, 0.6), (-1.1, 0.1)])
def test_what_stays_doubtful_is_dropped_and_kept_aside(sure: float, silent: float) -> None:
    bad = reading("thanks for watching", sure=sure, silent=silent)
    found = transcribe(FakeRecogniser([bad]), ((0.5, 4.0),))
    assert found.segments == ()
    assert [segment.text for segment in found.dropped] == ["thanks for watching"]


FASTER_THAN_SPOKEN = "unimaginably incomprehensible "
"""In 0.6 s, as the recogniser of these tests has it."""


def test_a_stuck_recogniser_is_cut_off() -> None:
    stuck = reading("we go " + FASTER_THAN_SPOKEN * 6)
    found = transcribe(FakeRecogniser([stuck]), ((0.5, 3.5),))
    assert " ".join(word.text for word in found.words) == f"we go {FASTER_THAN_SPOKEN.strip()}"


def test_a_primed_reading_that_goes_round_is_cut_off_as_a_plain_one_is() -> None:
    primed = reading("um, we go " + FASTER_THAN_SPOKEN * 6)
    found = transcribe(FakeRecogniser([reading("we go")], [primed]), ((0.5, 3.5),))
    [words] = found.primed
    assert " ".join(word.text for word in words) == f"um, we go {FASTER_THAN_SPOKEN.strip()}"


def test_a_phrase_that_a_speaker_repeats_in_its_own_time_is_kept_with_what_follows() -> None:
    said = "we go " + "and so on " * 5 + "until the end"
    found = transcribe(FakeRecogniser([reading(said)]), ((0.5, 3.9),))
    assert " ".join(word.text for word in found.words) == said


def test_a_word_in_which_the_recogniser_was_stuck_is_left_out() -> None:
    looped = reading("they agreed with an " + "-".join("1" * 6 + "2" * 70) + " once more")
    found = transcribe(FakeRecogniser([looped]), ((0.5, 9.0),))
    assert [word.text for word in found.segments[0].words] == [
        "they",
        "agreed",
        "with",
        "an",
        "once",
        "more",
    ]


def test_what_a_speaker_spells_out_is_kept() -> None:
    spelt = reading("call 0-0-0-0-0 or well-to-do b-b-but 1,000,000,000,000,000,000,000")
    found = transcribe(FakeRecogniser([spelt]), ((0.5, 9.0),))
    assert len(found.segments[0].words) == 6


@pytest.mark.parametrize(("seconds", "is_a_loop"), [(1.2, False), (0.3, True)])
def test_a_word_is_a_loop_where_nobody_could_say_it_so_fast(
    seconds: float, is_a_loop: bool
) -> None:
    word = Word(text="no-no-no-no-no-no!", start=2.0, end=2.0 + seconds, probability=0.9)
    after = Word(text="stop", start=4.0, end=4.3, probability=0.9)
    kept = loops.without_loops((word, after), "en")
    assert kept == ((after,) if is_a_loop else (word, after))


def test_words_that_a_speaker_repeats_are_kept() -> None:
    found = transcribe(FakeRecogniser([reading("no no no no it is")]), ((0.5, 9.0),))
    assert len(found.segments[0].words) == 6


def test_windows_stay_within_what_the_model_reads() -> None:
    recogniser = FakeRecogniser([])
    transcribe(recogniser, ((0.0, 100.0),))
    assert max(recogniser.windows) <= LONGEST_WINDOW_SECONDS + 1.0


def test_reading_in_a_language_that_is_clearly_not_spoken_stops_and_leaves_no_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard = threading.Event()

    def french(*_: object) -> dict[str, float]:
        heard.set()
        return {"fr": 0.95, "en": 0.01}

    class Patient(FakeRecogniser):
        def encode(self, audio: Sequence[FloatArray]) -> Any:
            heard.wait()
            time.sleep(0.01)  # until what was heard has been handed over
            return super().encode(audio)

    monkeypatch.setattr(transcription, "_chances_of_languages", french)
    recogniser = Patient([reading("thanks for watching", sure=-1.2)] * 160)
    speech = tuple((6.0 * at, 6.0 * at + 1.0) for at in range(160))
    found = transcribe(recogniser, speech)
    assert len(recogniser.windows) < 160
    assert (found.segments, found.dropped, found.primed) == ((), (), ())
    assert (found.spoken_language.code, found.chance_of_language) == ("fr", 0.01)


@pytest.mark.parametrize(
    ("chances", "seconds"),
    [({"fr": 0.95, "en": 0.01}, 4.0), ({"fr": 0.45, "en": 0.4}, 20.0)],
    ids=["hardly any speech", "not clearly"],
)
def test_reading_goes_on_where_the_language_is_not_clearly_another(
    monkeypatch: pytest.MonkeyPatch, chances: dict[str, float], seconds: float
) -> None:
    monkeypatch.setattr(transcription, "_chances_of_languages", lambda *_: chances)
    found = transcribe(FakeRecogniser([reading("hello there")]), ((0.5, 0.5 + seconds),))
    assert [segment.text for segment in found.segments] == ["hello there"]


def test_how_far_it_is_is_told_within_a_batch_too() -> None:
    """Eight windows take minutes on a busy machine, and the time told goes by what is done."""
    told: list[float] = []
    transcription.SpeechReader(FakeRecogniser([reading("hello there")] * 10)).transcribe(
        np.zeros(300 * SAMPLE_RATE_HZ, dtype=np.float32),
        speech=tuple((30.0 * at + 1, 30.0 * at + 26) for at in range(10)),
        language="en",
        progress=told.append,
    )
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert max(after - before for before, after in itertools.pairwise([0.0, *told])) <= 0.25


def test_no_speech_is_not_sent_to_the_recogniser() -> None:
    recogniser = FakeRecogniser([])
    audio = np.zeros(SAMPLE_RATE_HZ, dtype=np.float32)
    found = transcription.SpeechReader(recogniser).transcribe(
        audio, speech=(), language="en", progress=lambda _: None
    )
    assert found.segments == ()
    assert recogniser.windows == []


def test_a_place_is_found_again_among_the_same_words() -> None:
    pieces = [" so", " we", " will", " begin", "."]
    primed = [" So", ",", " uh", " we", " would", " begin"]
    places = list(equal_places(pieces, primed, [0, 1, 2, 3, 4, 5, 7]))
    assert places == [(0, 0), (1, 3), (3, 5), (5, 7)]


def test_another_last_word_has_no_end_in_common() -> None:
    assert list(equal_places([" go"], [" going"], [0, 1])) == []
    assert list(equal_places([], [], [0])) == []


def test_a_reading_that_was_cut_off_weighs_nothing_up_at_its_end() -> None:
    steps = [np.array([0.0, 1.0, 2.0]), np.array([3.0, 0.0, 0.0])]
    whole, cut_off = (chances_of_sounds(steps, [(1,), (0, 2)], count) for count in (2, 3))
    assert whole.shape == (2, 2)
    assert cut_off[:2].tolist() == whole.tolist()
    assert cut_off[2].tolist() == [0.0, 0.0]
