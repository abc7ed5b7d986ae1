"""How a talk is built: marked steps, first and last words, questions, numbers, echoes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.analysers.callbacks import Callbacks
from analysis.analysers.edge_words import EdgeWords
from analysis.analysers.number_density import NumberDensity
from analysis.analysers.questions import Questions
from analysis.analysers.signposts import Signposts
from analysis.ports import Measured
from analysis.registry import Analyser
from analysis.results import Reason, Skipped, Word
from analysis.talk.talk import Talk
from tests.analysis.spoken import STEP, sound_of, talk_of, words

PLAIN = "We had seen the boats come in that day and left the nets by the wall. | "
PLAIN_FR = "Nous avions vu les bateaux rentrer ce jour avec leurs filets sur le pont. | "
TEXT_ANALYSERS = (Signposts(), EdgeWords(), Questions(), NumberDensity(), Callbacks())
each_analyser = pytest.mark.parametrize("analyser", TEXT_ANALYSERS, ids=lambda each: each.name)


def value(found: Measured, metric: str) -> float:
    return found.measurements[f"structure.{metric}"].value


def of_kind(found: Measured, kind: str) -> list[str]:
    return [event.label for event in found.events if event.kind == kind]


def details(found: Measured, kind: str, key: str) -> list[object]:
    return [event.detail[key] for event in found.events if event.kind == kind]


# --- marked steps


def test_marked_steps_are_counted_per_minute_and_placed() -> None:
    text = f"First of all, a boat. {PLAIN * 6} The second reason is the wind. {PLAIN * 8}"
    found = Signposts().measure(talk_of(words(text)))
    rate = found.measurements["structure.signposts_per_minute"]
    assert of_kind(found, "signpost") == ["first of all", "the second reason is"]
    assert details(found, "signpost", "class") == ["order", "order"]
    assert rate.n == 2
    assert rate.interval is not None
    assert rate.interval[0] < rate.value < rate.interval[1]


def test_the_longest_stretch_without_a_mark_is_measured_and_shown() -> None:
    text = f"First of all, a boat. {PLAIN * 15} To sum up, we saw boats. {PLAIN}"
    found = Signposts().measure(talk_of(words(text)))
    (gap,) = (event for event in found.events if event.kind == "unmarked_stretch")
    marks = [event for event in found.events if event.kind == "signpost"]
    assert (gap.start, gap.end) == (marks[0].end, marks[1].start)
    assert value(found, "longest_unmarked_seconds") == pytest.approx(gap.end - gap.start)


def test_a_talk_without_marks_is_one_stretch() -> None:
    talk = talk_of(words(PLAIN * 20))
    found = Signposts().measure(talk)
    assert value(found, "signposts_per_minute") == 0
    assert value(found, "longest_unmarked_seconds") == pytest.approx(
        talk.speech[-1][1] - talk.speech[0][0]
    )


def test_two_cues_at_once_are_one_mark() -> None:
    found = Signposts().measure(talk_of(words(f"{PLAIN * 10} Finally, to sum up, a boat. {PLAIN}")))
    assert of_kind(found, "signpost") == ["finally"]


def test_a_mark_is_found_in_french_and_not_in_the_other_language() -> None:
    spoken = words(
        f"Tout d'abord, un bateau. {PLAIN_FR * 10} Passons maintenant au lac. {PLAIN_FR}"
    )
    assert of_kind(Signposts().measure(talk_of(spoken, language="fr")), "signpost") == [
        "tout d'abord",
        "passons maintenant au",
    ]
    assert of_kind(Signposts().measure(talk_of(spoken, language="en")), "signpost") == []


# --- first and last words


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("So yeah, that's it.", ["that's it"]),
        ("I think that's all.", ["i think that's all"]),
        ("So yeah.", ["so yeah"]),
        ("And that is really all there is to it.", ["that is really all there is to it"]),
        ("Thank you.", []),
        ("I guess that's pretty much it.", ["i guess that's pretty much it"]),
        ("That's it because the wind turned.", []),
    ],
)
def test_a_closing_formula_is_quoted_where_it_ends_the_talk(last: str, expected: list[str]) -> None:
    found = EdgeWords().measure(talk_of(words(f"{PLAIN * 16} {last}")))
    assert of_kind(found, "closing_formula") == expected
    assert value(found, "closing_formulas") == len(expected)


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("Voilà.", ["voilà"]),
        ("Et voilà, c'est tout.", ["voilà c'est tout"]),
        ("Je crois que j'ai fini.", ["je crois que j'ai fini"]),
        ("Voilà pourquoi le lac compte.", []),
    ],
)
def test_a_closing_formula_is_quoted_in_french(last: str, expected: list[str]) -> None:
    found = EdgeWords().measure(talk_of(words(f"{PLAIN_FR * 16} {last}"), language="fr"))
    assert of_kind(found, "closing_formula") == expected


def test_a_formula_amid_the_talk_closes_nothing() -> None:
    found = EdgeWords().measure(talk_of(words(f"{PLAIN * 8} That's it. {PLAIN * 8}")))
    assert of_kind(found, "closing_formula") == []


def test_what_stands_at_the_start_is_sorted_by_kind() -> None:
    text = f"Hello, can you hear me? Sorry, 40 thousand boats. Why do they leave? {PLAIN * 14}"
    found = EdgeWords().measure(talk_of(words(text)))
    said = {e.label: e.detail["kind"] for e in found.events if e.kind == "opening_words"}
    assert said["hello"] == "greeting"
    assert said["can you hear me"] == "housekeeping"
    assert said["sorry"] == "apology"
    assert said["40 thousand"] == "number"
    assert said["why do they leave"] == "question"
    assert value(found, "opening_housekeeping") == 2


def test_housekeeping_is_no_question_to_the_audience() -> None:
    found = EdgeWords().measure(talk_of(words(f"Can you hear me? {PLAIN * 16}")))
    assert details(found, "opening_words", "kind") == ["housekeeping"]
    assert value(found, "opening_questions_and_numbers") == 0


@pytest.mark.parametrize("text", ["The library closes at six.", "It was 10 years ago."])
def test_a_small_number_draws_nobody_in(text: str) -> None:
    found = EdgeWords().measure(talk_of(words(f"{text} {PLAIN * 16}")))
    assert value(found, "opening_questions_and_numbers") == 0


def test_an_apology_later_on_is_no_opening() -> None:
    found = EdgeWords().measure(talk_of(words(f"{PLAIN * 10} Sorry, a boat. {PLAIN * 6}")))
    assert value(found, "opening_housekeeping") == 0


def test_the_first_words_are_found_in_french() -> None:
    text = f"Bonjour, vous m'entendez ? Désolé, j'arrive. {PLAIN_FR * 16}"
    found = EdgeWords().measure(talk_of(words(text.replace(" ?", "?")), language="fr"))
    assert of_kind(found, "opening_words") == ["bonjour", "vous m'entendez", "désolé"]
    assert value(found, "opening_housekeeping") == 2


# --- questions


def rising(talk: Talk, word: Word, *, semitones: float) -> Talk:
    """The voice moves by so much over the last 0.3 s of a word."""
    assert talk.sound is not None
    tune = np.zeros(len(talk.sound.f0_hz))
    last = round(word.end / STEP)
    tune[last - 30 : last] = np.linspace(0, semitones, 30)
    return replace(talk, sound=sound_of(talk.speech, talk.media.duration, semitones=tune))


@pytest.mark.parametrize(
    ("text", "language", "signs"),
    [
        ("Why do they leave the lake?", "en", ["mark+form"]),
        ("So have you ever seen one?", "en", ["mark+form"]),
        ("They leave the lake?", "en", []),
        ("Why do they leave the lake.", "en", []),
        ("What we saw was a boat.", "en", []),
        ("Pourquoi partent-ils ?", "fr", ["mark+form"]),
        ("Avez-vous vu le bateau ?", "fr", ["mark+form"]),
        ("Est-ce que vous avez vu le bateau ?", "fr", ["mark+form"]),
        ("Vous avez vu le bateau ?", "fr", []),
        ("Quand on voit le lac, on reste.", "fr", []),
    ],
)
def test_a_question_needs_two_signs(text: str, language: str, signs: list[str]) -> None:
    around = PLAIN if language == "en" else PLAIN_FR
    spoken = words(f"{around * 5} {text.replace(' ?', '?')} | {around * 5}")
    found = Questions().measure(talk_of(spoken, language=language))
    assert details(found, "question", "signs") == signs


@pytest.mark.parametrize(
    ("text", "found_with_rise"),
    [
        ("They leave the lake?", ["mark+rise"]),
        ("Do they leave the lake.", ["form+rise"]),
        ("They leave the lake.", []),
    ],
)
def test_a_rising_voice_is_a_sign_but_never_the_only_one(
    text: str, found_with_rise: list[str]
) -> None:
    spoken = words(f"{PLAIN * 10} {text}")
    talk = rising(talk_of(spoken), spoken[-1], semitones=5.0)
    assert details(Questions().measure(talk), "question", "signs") == found_with_rise
    level = rising(talk_of(spoken), spoken[-1], semitones=0.5)
    assert details(Questions().measure(level), "question", "signs") == []


@pytest.mark.parametrize(("doubted", "labels"), [("so", ["why do they leave"]), ("leave?", [])])
def test_only_doubt_about_the_words_of_the_question_leaves_it_out(
    doubted: str, labels: list[str]
) -> None:
    spoken = [
        word.model_copy(update={"probability": 0.2}) if word.text == doubted else word
        for word in words(f"{PLAIN * 10} so why do they leave? {PLAIN}")
    ]
    assert of_kind(Questions().measure(talk_of(spoken)), "question") == labels


def test_the_silence_after_a_question_is_measured() -> None:
    text = f"{PLAIN * 5} Why do they leave? | | Do they swim? {PLAIN * 5}"
    found = Questions().measure(talk_of(words(text)))
    assert details(found, "question", "pause_after") == [pytest.approx(2.0, abs=0.05), 0.0]
    assert details(found, "question", "waited") == ["yes", "no"]


def test_the_question_is_quoted_from_the_clause_that_asks() -> None:
    text = f"{PLAIN * 10} I came home and I thought, why do they leave? {PLAIN}"
    assert of_kind(Questions().measure(talk_of(words(text))), "question") == ["why do they leave"]


# --- numbers


def test_six_numbers_in_twenty_seconds_are_a_heap() -> None:
    listed = "We saw 40 boats, 12 nets, ninety fish, 300 birds, fifty geese, 7 swans. "
    found = NumberDensity().measure(talk_of(words(f"{PLAIN * 8} {listed} {PLAIN * 8}")))
    assert details(found, "number_heap", "count") == [6]
    assert value(found, "number_heaps_per_minute") > 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("One of them saw two of the three or four. " * 8, "en"),
        ("In two thousand five hundred and forty years we saw it. " * 3, "en"),
        ("Un des deux, une des trois ou quatre. " * 8, "fr"),
    ],
)
def test_small_numbers_and_the_parts_of_one_number_are_no_heap(text: str, language: str) -> None:
    around = PLAIN if language == "en" else PLAIN_FR
    found = NumberDensity().measure(talk_of(words(f"{around * 8} {text}"), language=language))
    assert of_kind(found, "number_heap") == []


def test_a_heap_is_found_in_french() -> None:
    listed = (
        "On a vu 40 bateaux, douze filets, quatre-vingt-dix poissons, 300 oies, six cygnes, 8. "
    )
    found = NumberDensity().measure(talk_of(words(f"{PLAIN_FR * 8} {listed}"), language="fr"))
    assert details(found, "number_heap", "count") == [6]


# --- back to the opening


def test_a_word_of_the_opening_that_returns_at_the_end_is_found() -> None:
    text = f"My grandmother had a lighthouse. {PLAIN * 25} So I think of that lighthouse."
    assert of_kind(Callbacks().measure(talk_of(words(text))), "echo") == ["lighthouse"]


@pytest.mark.parametrize(
    ("first", "last", "language", "expected"),
    [
        ("We met every second week.", "I tried it for a week.", "en", []),
        ("It was 12 kilometres away.", "Now walk those kilometres.", "en", []),
        ("The company had a problem.", "That was our problem.", "en", []),
        ("The garden was empty.", "Think of that garden.", "en", ["garden"]),
        ("The team had a problem.", "So the team had no problem left.", "en", ["team", "problem"]),
        ("On se voyait chaque semaine.", "Essayez pendant une semaine.", "fr", []),
        ("L'entreprise avait une question.", "Voilà la question.", "fr", []),
        (
            "Ma tante avait un phare breton.",
            "Je pense à ce phare breton.",
            "fr",
            ["phare", "breton"],
        ),
    ],
)
def test_a_return_is_a_distinctive_word_or_two_together(
    first: str, last: str, language: str, expected: list[str]
) -> None:
    between = PLAIN if language == "en" else PLAIN_FR
    found = Callbacks().measure(talk_of(words(f"{first} {between * 25} {last}"), language=language))
    assert of_kind(found, "echo") == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("So I asked 80 people.", "en", []),
        ("We ran 5,000 simulations.", "en", []),
        ("1,200 people were interviewed for it.", "en", []),
        ("It began in 1998.", "en", []),
        ("The bus takes only 40 minutes.", "en", []),
        ("There were 61 boats.", "en", []),
        ("Every year 11,000 boats sink.", "en", ["11,000"]),
        ("Two million boats sink.", "en", ["million"]),
        ("Forty percent of them sink.", "en", ["forty percent"]),
        ("The lake had 300 boats, and today only 40.", "en", ["40"]),
        ("J'ai interrogé 80 personnes.", "fr", []),
        ("Le trajet dure 40 minutes.", "fr", []),
        ("Chaque été, 40 % des bateaux coulent.", "fr", ["40"]),
        ("Il reste moins de 30 bateaux.", "fr", ["30"]),
    ],
)
def test_a_number_draws_in_by_its_size_or_a_contrast(
    text: str, language: str, expected: list[str]
) -> None:
    rest = PLAIN if language == "en" else PLAIN_FR
    found = EdgeWords().measure(talk_of(words(f"{text} {rest * 16}"), language=language))
    told = [
        event.label
        for event in found.events
        if event.kind == "opening_words" and event.detail["kind"] == "number"
    ]
    assert told == expected


def test_the_subject_of_the_talk_is_no_return() -> None:
    text = "The lighthouse stood there for long. | " * 25
    assert of_kind(Callbacks().measure(talk_of(words(text))), "echo") == []


# --- abstention


@each_analyser
@pytest.mark.parametrize(
    ("talk", "reason"),
    [
        (talk_of([], seconds=60.0, speech=()), Reason.NO_SPEECH),
        (talk_of(words("Boat.")), Reason.TOO_SHORT),
        (talk_of(words(PLAIN * 20), language="de"), Reason.LANGUAGE_UNSUPPORTED),
        (
            talk_of(words(PLAIN * 20), absent={"words": Skipped(reason=Reason.LANGUAGE_MISMATCH)}),
            Reason.LANGUAGE_MISMATCH,
        ),
        (
            talk_of(
                words(PLAIN * 20),
                cautions={"speakers": Skipped(reason=Reason.SEVERAL_SPEAKERS)},
            ),
            Reason.SEVERAL_SPEAKERS,
        ),
    ],
    ids=["empty", "one word", "German", "another language", "two voices"],
)
def test_nothing_is_said_of_what_cannot_be_known(
    analyser: Analyser, talk: Talk, reason: Reason
) -> None:
    found = analyser.measure(talk)
    assert set(found.skipped) == set(analyser.provides)
    assert {skipped.reason for skipped in found.skipped.values()} == {reason}
    assert found.events == ()


@pytest.mark.parametrize("analyser", [Signposts(), EdgeWords(), Questions()])
def test_without_full_stops_nothing_is_said_about_sentences(analyser: Analyser) -> None:
    found = analyser.measure(talk_of(words("first we had seen the boats and then " * 40)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.LOW_COVERAGE}


# --- what holds for any words

VOCABULARY = [
    *("First", "of", "all,", "the", "second", "reason", "is", "boats.", "lake", "lake.", "why"),
    *("do", "they", "swim?", "40", "50", "ninety", "that's", "it.", "sorry", "hello", "um", "|"),
    *("for", "example,", "we", "Pourquoi", "est-ce", "que", "voilà", "c'est", "tout", "."),
]


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=250),
    st.sampled_from(["en", "fr"]),
)
def test_events_lie_in_the_talk_and_their_words_in_the_transcript(
    parts: list[str], language: str
) -> None:
    spoken = words("Well " + " ".join(parts))
    talk = talk_of(spoken, language=language)
    for analyser in TEXT_ANALYSERS:
        found = analyser.measure(talk)
        assert set(found.measurements) | set(found.skipped) == set(analyser.provides)
        for event in found.events:
            assert spoken[0].start <= event.start < event.end <= spoken[-1].end
            inside = {word.text for word in spoken if event.start <= word.start < event.end}
            assert inside or event.kind == "unmarked_stretch"
        for measurement in found.measurements.values():
            if measurement.interval is not None:
                assert measurement.interval[0] <= measurement.value <= measurement.interval[1]
            assert measurement.value >= 0
            assert 0 <= measurement.coverage <= 1
