"""A planted fault changes the answer of each exercise that listens; another clean take does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from analysis.metrics import METRICS
from analysis.ports import FloatArray
from analysis.registry import ANALYSERS
from analysis.results import Event, Measurement, Reason, Report, Skipped
from analysis.talk.talk import Talk
from coach.practice.exercises.catalogue import exercises
from coach.practice.exercises.listening.answers import ANSWERS, Answer
from coach.practice.exercises.listening.facts import FACT_KINDS, Fact
from tests.analysis.spoken import filled_pause, sound_of, speech_of, talk_of, words

SENTENCES = (
    "We tested the method in three schools of the town.",
    "In two of them the children learned to read faster.",
    "The third school is the most interesting one for us.",
    "Nobody there had changed the way of teaching before.",
    "The teachers asked us for one more year of time.",
    "They wanted to see the same children grow and read.",
    "So we came back in spring with the same simple test.",
    "And this time all of the children could read it well.",
)
REST = " | "


@dataclass(frozen=True)
class Take:
    """How a passage is said: by default without a fault."""

    text: str = REST.join(SENTENCES)
    each: float = 0.3
    start: float = 0.5
    after: float = 2.5
    ums: Sequence[float] = ()
    fast_from: int = 99
    """The sentence from which it is said at twice the pace."""
    drop_db: float = 0.0
    """How much softer the last words of each sentence are."""
    semitones: float = 4.0
    gain_db: float = 0.0
    floor_db: float = -60.0
    clipped: float = 0.0
    facing: float = 0.9
    looks_away: Sequence[float] = field(default=())


@cache
def said(take: Take) -> Report:
    """The report of what is said in that way, by the real analysers."""
    spoken = words(take.text, start=take.start, each=take.each)
    if take.fast_from < len(SENTENCES):
        first = spoken[: sum(len(each.split()) for each in SENTENCES[: take.fast_from])]
        rest = REST.join(SENTENCES[take.fast_from :])
        spoken = [*first, *words(rest, start=first[-1].end + 1.0, each=take.each / 2)]
    speech, seconds = speech_of(spoken), spoken[-1].end + take.after
    time = np.arange(round(seconds * 100) + 1) * 0.01
    level = _faded(-20.0 + take.gain_db + np.sin(8 * time), speech, take.drop_db)
    sound = sound_of(
        speech,
        seconds,
        semitones=(take.semitones * np.sin(2 * time)).astype(np.float32),
        level_db=level,
        floor_db=take.floor_db + take.gain_db,
    )
    sound.clipped[:] = take.clipped
    talk = talk_of(
        spoken,
        seconds=seconds,
        speech=speech,
        sound=sound,
        fillers=[filled_pause(at) for at in take.ums],
    )
    return _with_gaze(_assembled(talk), take)


def _faded(level: FloatArray, speech: Sequence[tuple[float, float]], decibels: float) -> FloatArray:
    for _start, end in speech:
        last = slice(round((end - 0.8) * 100), round(end * 100))
        level[last] -= np.linspace(0, decibels, last.stop - last.start)
    return level.astype(np.float32)


def _assembled(talk: Talk) -> Report:
    measured = [analyser.measure(talk) for analyser in ANALYSERS]
    found = {key: each for one in measured for key, each in one.measurements.items()}
    skipped = {key: each for one in measured for key, each in one.skipped.items()}
    none = Skipped.because(Reason.NO_FACE, "in_words", words="Made for a test.")
    return Report(
        media=talk.media,
        language=talk.language,
        speech=talk.speech,
        words=talk.words,
        events=tuple(event for one in measured for event in one.events),
        measurements=found,
        skipped={each.id: skipped.get(each.id, none) for each in METRICS if each.id not in found},
    )


def _with_gaze(report: Report, take: Take) -> Report:
    """The report with what was seen, as the analyser of gaze writes it."""
    share = "gaze.camera_facing_share"
    facing = Measurement(value=take.facing, unit="share", n=900, coverage=1.0, quality="good")
    away = tuple(
        Event(kind="look_away", start=at, end=at + 1.5, label="down") for at in take.looks_away
    )
    return report.model_copy(
        update={
            "measurements": {**report.measurements, share: facing},
            "events": (*report.events, *away),
        }
    )


def answer(name: str, take: Take) -> dict[str, tuple[float | None, str]]:
    return {each.id: (each.value, each.quote) for each in facts(name, take)}


def facts(name: str, take: Take) -> list[Fact]:
    found = list(ANSWERS[name].facts(said(take)))
    assert {each.id for each in found} <= set(FACT_KINDS)
    return found


CLEAN = Take()
LONG = REST.join((*SENTENCES[:3], " and ".join(each.rstrip(".") for each in SENTENCES[3:6]) + "."))

FAULTS: Mapping[str, tuple[Take, str]] = {
    "fillers": (Take(ums=(3.6, 7.6, 11.6)), "ums"),
    "silences": (Take(text=" ".join(SENTENCES)), "silences_after"),
    "pace": (Take(each=0.2), "words_per_minute"),
    "sentence_ends": (Take(drop_db=24.0), "quiet_ends"),
    "first_sentences": (Take(start=5.0), "first_word_at"),
    "last_sentence": (Take(after=0.2), "silence_at_end"),
    "ending": (Take(fast_from=5), "ending_pace"),
    "lens": (Take(facing=0.4, looks_away=(2.0, 8.0)), "looks_away"),
    "sentence_lengths": (Take(text=LONG), "longest_sentence"),
    "pitch": (Take(semitones=0.2), "pitch_range"),
    "level": (Take(floor_db=-27.0, clipped=0.2), "voice_over_room"),
}


def test_there_is_a_fault_for_every_answer_and_an_exercise_for_each() -> None:
    listening = [each.listens for each in exercises().values() if each.listens]
    assert len(listening) >= 8
    assert set(FAULTS) == set(ANSWERS) == set(listening)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_planted_fault_changes_the_answer(name: str) -> None:
    faulty, fact = FAULTS[name]
    clean = answer(name, CLEAN)[fact][0]
    changed = answer(name, faulty)[fact][0]
    assert clean is not None
    assert changed is not None
    assert abs(changed - clean) >= max(1.0, 0.15 * clean), (clean, changed)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_clean_take_that_is_recorded_louder_changes_nothing(name: str) -> None:
    assert answer(name, Take(gain_db=6.0)) == answer(name, CLEAN)


def test_counts_are_those_that_were_planted_and_each_can_be_played() -> None:
    ums = next(each for each in facts("fillers", FAULTS["fillers"][0]) if each.id == "ums")
    assert ums.value == 3
    assert [each.start for each in ums.moments] == pytest.approx([2.1, 6.1, 10.1])
    assert ums.moments[0].label == "0:03 · um"
    silent = {each.id: each for each in facts("silences", CLEAN)}
    assert silent["silences_after"].value == len(SENTENCES) - 1
    assert silent["longest_after"].value == pytest.approx(1.0, abs=0.1)
    assert silent["silences_inside"].value == 0
    gaps = [each.start for each in silent["silences_after"].moments]
    assert all(later > earlier for earlier, later in pairwise(gaps))


def test_sentences_are_quoted() -> None:
    first = {each.id: each.quote for each in facts("first_sentences", CLEAN)}
    assert first["first_sentence"] == SENTENCES[0]
    assert first["second_sentence"] == SENTENCES[1]
    last = {each.id: each.quote for each in facts("last_sentence", CLEAN)}
    assert last["last_sentence"] == SENTENCES[-1]
    long = {
        each.id: each.quote for each in facts("sentence_lengths", FAULTS["sentence_lengths"][0])
    }
    assert long["longest_sentence"].count(" and ") >= 2


@pytest.mark.parametrize("name", sorted(set(ANSWERS) - {"level", "lens"}))
def test_too_little_speech_gives_a_reason_and_no_count(name: str) -> None:
    few = Take(text="We tested it.")
    found = facts(name, few)
    reasons = [each.missing for each in found if each.value is None]
    quoted = {"first_sentences", "last_sentence", "ending", "sentence_lengths"}
    if name not in quoted:  # a short sentence can still be quoted
        assert any(each is not None for each in reasons)
    main = FAULTS[name][1]
    assert name in quoted or all(each.value is None for each in found if each.id == main)


@pytest.mark.parametrize("each", ANSWERS.values(), ids=list(ANSWERS))
def test_only_what_it_needs_is_measured(each: Answer) -> None:
    off = set(each.disabled_families)
    needed = {metric.split(".", 1)[0] for metric in each.metrics}
    assert not off & needed
    assert "posture" in off
    assert ("gaze" in off) is not each.needs_picture
