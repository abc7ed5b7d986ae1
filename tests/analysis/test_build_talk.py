from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from analysis.ports import FillerSound, Options, Prepared, Segment, Sound, Transcript
from analysis.results import Language, Reason, Skipped, Word
from analysis.talk.build import build_talk
from analysis.talk.silences import other_sounds, quiet_gaps
from analysis.talk.talk import Talk
from tests.analysis.spoken import media, sound_of

SPEECH = ((1.0, 3.0), (3.6, 8.0))


def word(text: str, start: float, end: float) -> Word:
    return Word(text=text, start=start, end=end, probability=0.9)


SAID = (
    word("Hello", 1.0, 1.5),
    word("there.", 1.5, 2.8),
    word("We", 3.7, 4.4),
    word("begin", 4.4, 5.0),
    word("now.", 5.0, 5.5),
)


def transcript(*, heard: str = "en", probability: float = 0.99) -> Transcript:
    segment = Segment(
        start=1.0,
        end=5.5,
        text="",
        no_speech_probability=0.0,
        average_log_probability=-0.1,
        compression_ratio=1.2,
        words=SAID,
    )
    return Transcript(
        language=Language(code="en", source="given"),
        segments=(segment,),
        model="fake",
        spoken_language=Language(code=heard, source="detected", probability=probability),
        primed=((*SAID[:2], word("um,", 3.7, 3.7), *SAID[2:]),),
    )


def still(sound: Sound) -> Sound:
    flux = sound.flux.copy()
    flux[365:410] = 0.6
    return replace(sound, flux=flux)


def built(
    said: Transcript | None = None, options: Options | None = None, **absent: Skipped
) -> Talk:
    return build_talk(
        prepared=Prepared(media=media(9.0), audio_path=None, speech=SPEECH),
        transcript=said,
        sound=still(sound_of(SPEECH, 9.0)),
        sight=None,
        options=options or Options(),
        absent=absent,
    )


def test_a_filled_pause_stands_among_the_words_in_its_place() -> None:
    talk = built(transcript())
    assert [one.text for one in talk.words] == ["Hello", "there.", "Um", "we", "begin", "now."]
    [event] = talk.filled_pauses
    assert abs(event.start - 3.6) < 0.1
    filler, after = talk.words[2], talk.words[3]
    assert filler.end <= after.start


def test_words_are_in_order_and_do_not_overlap() -> None:
    found = built(transcript()).words
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))


def test_sentences_are_ranges_of_the_words_with_fillers() -> None:
    assert built(transcript()).sentences == ((0, 2), (2, 6))


def test_in_another_language_nothing_is_quoted_and_the_voice_stays() -> None:
    talk = built(transcript(heard="fr"))
    assert talk.words == ()
    assert talk.filled_pauses == ()
    assert talk.absent["words"].reason is Reason.LANGUAGE_MISMATCH
    assert talk.speech == SPEECH
    assert talk.sound is not None


def test_only_the_marked_part_is_there_and_times_stay() -> None:
    talk = built(transcript(), Options(start=3.5, end=5.2))
    assert talk.speech == ((3.6, 5.2),)
    assert [one.text for one in talk.words] == ["Um", "we", "begin"]
    assert talk.words[-1].end <= 5.2


def test_what_is_left_out_between_two_parts_is_neither_words_nor_pause_nor_time() -> None:
    whole = built(transcript())
    talk = built(transcript(), Options(left_out=((1.6, 3.3),)))
    assert [one.text for one in talk.words] == ["Hello", "um", "we", "begin", "now."]
    assert all(end <= 1.6 or start >= 3.3 for start, end in talk.speech)
    assert quiet_gaps(talk.speech, talk.sound) == ()
    assert other_sounds(talk.speech, talk.sound) == ()
    assert talk.seconds == pytest.approx(whole.seconds - 1.7, abs=0.01)


def test_a_sound_in_what_is_left_out_is_no_filled_pause() -> None:
    um = FillerSound(start=6.5, end=6.9, log_odds=6.0)
    said = replace(transcript(), model="tiny.en", filler_sounds=(um,))
    assert [event.start for event in built(said).filled_pauses] == [pytest.approx(6.5, abs=0.1)]
    assert built(said, Options(left_out=((6.0, 7.5),))).filled_pauses == ()


def test_parts_are_what_remains_between_start_and_end() -> None:
    options = Options(start=10.0, end=60.0, left_out=((40.0, 45.0), (0.0, 12.0), (55.0, 70.0)))
    assert options.parts == ((12.0, 40.0), (45.0, 55.0))
    assert Options().parts == ((0.0, float("inf")),)


def test_without_a_transcript_there_are_no_words_and_no_error() -> None:
    missing = Skipped.because(Reason.MODEL_MISSING, "in_words", words="no weights")
    talk = built(None, words=missing)
    assert talk.words == ()
    assert talk.absent["words"] == missing
    assert talk.language.code == "en"
