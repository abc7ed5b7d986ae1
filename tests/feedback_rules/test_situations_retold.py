"""More situations as recordings: each take is a minute long, so that the rules could speak."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Options
from analysis.results import Reason, Report
from bench.listening.synthetic_voice import say
from feedback_rules.evaluate.facts import Facts
from feedback_rules.model import HeldBackReason, Outcome, PreviousItem
from feedback_rules.select.evidence import LEAST_WORD_PROBABILITY
from tests.analysis.recordings import analysed, save_sound
from tests.analysis.spoken import QUESTIONS, in_a_room, said
from tests.feedback_rules.reports import drafted, every_card, outcome
from tests.kept_reports import Kept

Heard = Callable[..., Report]

SENTENCES = (
    "Good morning, everyone, and thank you for coming here today.",
    "I would like to tell you about three things that we found in the lake.",
    "First, the water was warmer than it had been in the last ten years.",
    "The fish moved to the deeper part of the lake in the summer.",
    "The children of the school counted the birds in the park for two weeks.",
    "They found that there were more birds than in the year before.",
    "The same thing happens in many other lakes all over the world.",
    "We will measure the water again in the winter and in the spring.",
    "Finally, I will show you what you can do to help us with this work.",
)
HALTING = (
    "Good morning everyone and grolp",
    "you for flimming today. I would tarsk",
    "to brint you about plend blings that",
    "we splound in the drake. The wosper was",
    "norder than it had gleen in the",
    "frast ten yurps. The chalden of the skoob",
    "wolt to the drake and plounted",
    "the brids for two wints. They flound",
    "that there were more brids than",
    "plast year. We also glasked the peevil of",
    "the vellid what they thonk about",
    "the wosper. I think this is blery good",
    "noos for the peevil of the vellid.",
)
"""Every third word or so is none that a recogniser knows: so names and an accent sound to it."""
AGAIN_AND_AGAIN = (
    "But but but it it it was not not not for long.",
    "So so so we we we went ba- ba- back to the",
    "the village in the summer.",
    "And and and the people were were were very ha- ha- happy.",
    "The the children ca- ca- came to to to the lake and",
    "and they saw the birds.",
    "Mmmmy friend said that that that it was wa- warm.",
    "I I I think it it it is go- go- good for",
    "for the village and the lake.",
    "We we we will co- come back in the the the spring.",
    "Tha- tha- thank you you you for li- li- listening.",
)
NATIVE_BANDS = {"pace", "pauses", "wording", "structure"}
ABOUT_THE_PERSON = ("stammer", "stutter", "disorder", "disfluen", "impediment", "bégai")


def quieter_to_the_end(sentence: FloatArray) -> FloatArray:
    last = round(0.9 * SAMPLE_RATE_HZ)
    gain = np.ones(len(sentence))
    gain[-last:] = np.interp(np.arange(last), (0, 0.3 * last, last), (1, 0.25, 0.12))
    return (sentence * gain).astype(np.float32)


def with_ums(*, inside: bool) -> FloatArray:
    """The sentences, each of which fades away, an um after each; `inside`: and one amid each."""
    um = slowly("um", pause=0.45)
    parts: list[FloatArray] = []
    for sentence in SENTENCES:
        words = sentence.split()
        half = len(words) // 2 if inside else 0
        if inside:
            parts += [slowly(" ".join(words[:half])), um]
        parts += [quieter_to_the_end(slowly(" ".join(words[half:]))), um]
    return in_a_room(0.5 * np.concatenate(parts))


def slowly(text: str, *, pause: float = 0) -> FloatArray:
    return say((text,), voice="en-us", pause=pause, words_a_minute=95).audio


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory, models: Path, kept: Kept) -> Heard:
    """The report of a talk by its name, and how it is spoken."""

    def report_of(
        name: str, speak: Callable[[], FloatArray], options: Options | None = None
    ) -> Report:
        def make() -> Report:
            path = tmp_path_factory.mktemp(name) / "talk.wav"
            return analysed(save_sound(path, speak()), options)

        return kept(name, make)

    return report_of


@pytest.fixture(scope="module")
def halting(heard: Heard) -> Report:
    """English in a French voice: the recogniser doubts its words, whatever processor it runs on."""
    return heard("halting", lambda: said(HALTING, "fr", pause=2.0, words_a_minute=95))


@pytest.fixture(scope="module")
def questions(heard: Heard) -> tuple[Report, float]:
    """A talk with eighteen ums, the part that is marked; then another voice asks, with silences."""
    talk = with_ums(inside=True)
    boundary = len(talk) / SAMPLE_RATE_HZ
    asked = said(QUESTIONS, "en-us+f3", pause=2.5)
    both = np.concatenate([talk, asked])
    return heard("first", lambda: both, Options(end=boundary)), boundary


@pytest.fixture(scope="module")
def first_take(questions: tuple[Report, float]) -> Report:
    return questions[0]


@pytest.fixture(scope="module")
def second_take(heard: Heard) -> Report:
    """The same talk with nine ums."""
    return heard("second", lambda: with_ums(inside=False))


@pytest.fixture(scope="module")
def again_and_again(heard: Heard) -> Report:
    """Repeated onsets and words, a drawn-out one, and blocks of three seconds."""
    return heard("again", lambda: said(AGAIN_AND_AGAIN, pause=3.1))


def test_2_slow_english_with_doubted_words_gets_no_item_from_native_bands(halting: Report) -> None:
    long_silences = [
        event
        for event in halting.events_of("silent_pause")
        if event.detail["place"] == "mid_clause" and event.end - event.start >= 1.9
    ]
    assert len(long_silences) >= 2
    assert halting.measurements["pauses.long_mid_clause_per_minute"].value > 1
    made = drafted(halting)
    assert not {item.family for item in every_card(made)} & NATIVE_BANDS
    assert outcome(made, "PAU001") is Outcome.UNSURE_WORDS
    assert outcome(made, "PAC004") is Outcome.UNSURE_WORDS


def test_2_it_is_the_doubt_about_the_words_that_keeps_the_bands_silent(halting: Report) -> None:
    words = tuple(word.model_copy(update={"probability": 0.95}) for word in halting.words)
    sure = halting.model_copy(update={"words": words})
    assert outcome(drafted(sure), "PAU001") is Outcome.FIRED


def test_2_no_doubted_word_is_quoted_and_nothing_is_said_of_an_accent(halting: Report) -> None:
    doubted = [word for word in halting.words if word.probability < LEAST_WORD_PROBABILITY]
    assert doubted
    assert Facts.of(halting, None).word_probability < 0.75
    for card in every_card(drafted(halting)):
        for quote in card.quotes:
            assert not [w for w in doubted if quote.start <= (w.start + w.end) / 2 <= quote.end]
        assert not [word for word in ("accent", "pronunc", "native") if word in card.text.lower()]


def test_4_the_time_limit_and_the_measures_use_the_marked_talk_only(
    questions: tuple[Report, float],
) -> None:
    report, boundary = questions
    assert report.media.duration > boundary + 20
    assert report.measurements["signal.talk_seconds"].value == pytest.approx(boundary, abs=1.5)
    assert report.words[-1].end <= boundary
    made = drafted(report, time_limit=82)
    assert outcome(made, "TIM001") is not Outcome.FIRED
    assert [item.rule for item in made.items if item.tone == "strength"] == ["TIM010"]
    assert all(clip.start < boundary for item in every_card(made) for clip in item.clips)


def test_4_listening_is_never_a_pause(questions: tuple[Report, float]) -> None:
    report, boundary = questions
    assert all(event.end <= boundary for event in report.events_of("silent_pause"))
    assert report.measurements["pauses.long_mid_clause_per_minute"].value == 0
    made = drafted(report)
    assert outcome(made, "PAU001") is Outcome.IN_BAND
    about_pauses = [item for item in every_card(made) if item.family == "pauses"]
    assert all(clip.at < boundary for item in about_pauses for clip in item.clips)


def test_6_repeated_onsets_and_blocks_are_no_fillers_and_no_hesitations(
    again_and_again: Report,
) -> None:
    assert again_and_again.measurements["signal.talk_seconds"].value >= 60
    counted = {"filled_pause", "filler_word", "filler_burst", "restart"}
    assert not counted & {event.kind for event in again_and_again.events}
    skipped = again_and_again.skipped["fillers.filled_pauses_per_minute"]
    assert skipped.reason is Reason.OUTSIDE_TESTED_SPEECH
    made = drafted(again_and_again)
    fluency = [held for held in made.held_back if held.item.quality == "fluency"]
    assert not [item for item in made.items if item.quality == "fluency"]
    assert all(held.why is HeldBackReason.WAITS_FOR_COACH for held in fluency)
    assert outcome(made, "FIL001") is outcome(made, "WRD002") is Outcome.UNRELIABLE_HERE
    assert outcome(made, "PAU001") is Outcome.NOT_MEASURED


def test_6_no_label_about_the_person_is_stored(again_and_again: Report) -> None:
    stored = again_and_again.as_json() + drafted(again_and_again).as_json()
    assert not [label for label in ABOUT_THE_PERSON if label in stored.lower()]


def test_12_where_no_strength_is_found_one_improvement_is_shown(first_take: Report) -> None:
    made = drafted(first_take)
    ready = [f for f in made.findings if f.fired and not f.needs_coach]
    assert "FIL001" in {finding.rule for finding in ready}
    assert len(ready) >= 2
    assert {finding.tone for finding in ready} == {"improvement"}
    assert [item.tone for item in made.items] == ["improvement"]
    assert HeldBackReason.NO_STRENGTH in {held.why for held in made.held_back}


def test_13_a_focus_that_is_still_out_of_its_band_stays_and_is_worded_as_change(
    first_take: Report, second_take: Report
) -> None:
    before = next(item for item in every_card(drafted(first_take)) if item.rule == "FIL001")
    shown = PreviousItem(rule="FIL001", value=before.value, takes_shown=1)
    item = drafted(second_take, previous_items=[shown.model_dump()]).items[0]
    assert (item.rule, item.rank, item.held_focus) == ("FIL001", 1, True)
    assert item.previous_value == before.value
    then, now = f"{before.value:.0f} a minute", f"{item.value:.0f} (range "
    assert item.figure.startswith(f"Last time this was about {then}, now about {now}")
    # Eighteen were said, then nine.
    assert before.value > item.value + 1
    assert item.figure in item.text


def test_13_after_three_takes_it_makes_room(second_take: Report) -> None:
    shown = PreviousItem(rule="FIL001", value=10, takes_shown=3)
    made = drafted(second_take, previous_items=[shown.model_dump()])
    assert made.items
    assert "FIL001" not in {item.rule for item in made.items}
