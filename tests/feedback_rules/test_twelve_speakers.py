"""Twelve speakers as a coach would sort them: who leads, what is praised, what stays unsaid.

Each is an ordinary four-minute talk with one thing changed. What a coach would pick is the
expectation; where we pick otherwise, `why` says so. Nobody was recorded for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, Draft, DraftItem
from feedback_rules.select import draft
from tests.feedback_rules.ordinary import ORDINARY, SENTENCES
from tests.feedback_rules.reports import a_report, events


def _pauses(count: int, *, lasting: float = 0.8, place: str = "sentence_end") -> list[Any]:
    step = 175 / count
    starts = [10 + step * index for index in range(count)]
    return events("silent_pause", *starts, lasting=lasting, label="long", detail={"place": place})


def _ums(count: int, label: str = "um") -> list[Any]:
    starts = [5 + 225 / count * index for index in range(count)]
    return events("filled_pause", *starts, lasting=0.4, label=label, probability=0.95)


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """What is different from the ordinary talk, and what a coach would make of it."""

    name: str
    changed: dict[str, Any] = field(default_factory=dict)
    events: list[Any] = field(default_factory=list)
    context: dict[str, Any] = field(default_factory=dict)
    shown: tuple[str, ...]
    """In the order of showing."""
    never: tuple[str, ...] = ()
    why: str = ""

    def drafted(self) -> Draft:
        words = {
            "setting": "camera",
            "camera_position": "level",
            "slides": False,
            "language": "en",
        }
        context = Context.model_validate(words | {"aim": "inform"} | self.context)
        report = a_report(
            duration=240,
            language=context.language,
            measurements=ORDINARY | self.changed,
            events=[*SENTENCES, *self.events],
        )
        return draft(report, builtin_rule_set(), context)


SPEAKERS = (
    Speaker(
        name="a student with eleven ums a minute and decent pauses",
        changed={
            "fillers.filled_pauses_per_minute": {"value": 11, "n": 43, "interval": [8.8, 15]},
            "fillers.bursts_per_minute": 1.4,
            "pauses.boundary_pause_share": {"value": 0.57, "n": 40, "interval": [0.46, 0.67]},
        },
        events=[*_ums(43), *_pauses(20), *events("filler_burst", 30, 90, 150, lasting=7)],
        context={"aim": "report"},
        # 57%, but the range begins below the 55% that the praise asks for.
        shown=("FIL001",),
    ),
    Speaker(
        name="a pitch at two hundred words a minute with hardly a silence",
        changed={
            "pace.words_per_minute": 200,
            "pace.articulation_rate_syllables_per_second": 6.2,
            "pauses.boundary_pause_share": {"value": 0.06, "n": 40, "interval": [0.03, 0.13]},
            "pauses.silence_share": 0.08,
            "fillers.filled_pauses_per_minute": {"value": 1.4, "n": 5, "interval": [0.7, 3.0]},
            "pitch.variation_quotient": {"value": 0.19, "n": 24, "interval": [0.18, 0.2]},
        },
        events=events("lively_stretch", 60, lasting=40),
        context={"aim": "pitch", "audience": "decision_makers"},
        shown=("PIT011", "PAU002"),
        never=("FIL010",),
    ),
    Speaker(
        name="somebody who reads a script to the camera",
        changed={
            "gaze.camera_facing_share": {"value": 0.35, "n": 900, "interval": [0.3, 0.4]},
            "gaze.opening_facing_share": {"value": 0.4, "interval": [0.3, 0.5]},
            "gaze.closing_facing_share": {"value": 0.3, "interval": [0.2, 0.4]},
            "gaze.look_downs_per_minute": 7,
            "fillers.filled_pauses_per_minute": {"value": 0.5, "n": 2, "interval": [0.1, 1.7]},
            "pitch.variation_quotient": {"value": 0.1, "n": 24, "interval": [0.093, 0.107]},
            "wording.sentence_length_words": {"value": 24, "n": 40, "interval": [22.3, 26]},
            "pauses.boundary_pause_share": {"value": 0.7, "n": 40, "interval": [0.6, 0.8]},
        },
        events=[*events("look_away", *range(3, 236, 8), lasting=4, label="down"), *_pauses(24)],
        context={"aim": "persuade", "audience": "public"},
        shown=("PAU010", "GAZ006"),
        never=("FIL010", "GAZ003"),
    ),
    Speaker(
        name="two and a half seconds of silence after every second sentence",
        changed={
            "pauses.boundary_pause_share": {"value": 0.1, "n": 40, "interval": [0.05, 0.2]},
            "pauses.mean_length_of_run_syllables": 22,
            "pauses.silence_share": 0.28,
        },
        events=_pauses(20, lasting=2.6),
        context={"audience": "public"},
        shown=(),
        never=("PAU002",),
    ),
    Speaker(
        name="a report read from slides that rushes its end",
        changed={
            "pace.end_rush_ratio": {"value": 1.24, "interval": [1.16, 1.33]},
            "gaze.camera_facing_share": {"value": 0.25, "n": 900, "interval": [0.2, 0.3]},
            "pitch.variation_quotient": {"value": 0.11, "n": 24, "interval": [0.104, 0.117]},
        },
        events=events("end_rush", 192, lasting=46),
        context={"aim": "report", "slides": True},
        shown=("PAC002",),
        why="A coach would also speak of reading; for that a person has to hear it (RDG001).",
    ),
    Speaker(
        name="a pitch a third over its time, rushed at the end, with ums",
        changed={
            "pace.end_rush_ratio": {"value": 1.26, "interval": [1.17, 1.36]},
            "pace.fast_passage_share": 0.14,
            "fillers.filled_pauses_per_minute": {"value": 7.4, "n": 29, "interval": [5.6, 10.6]},
        },
        events=[
            *_ums(29),
            *events("end_rush", 192, lasting=46),
            *events("fast_passage", 195, lasting=40),
        ],
        context={"aim": "pitch", "audience": "decision_makers", "time_limit": 180},
        shown=("TIM001",),
        never=("PAC001",),
    ),
    Speaker(name="an ordinary good talk", shown=()),
    Speaker(
        name="a rambler: long sentences and one phrase again and again",
        changed={
            "fillers.filled_pauses_per_minute": {"value": 2, "n": 8, "interval": [1.2, 3.9]},
            "fillers.filler_words_per_minute": {"value": 8.5, "n": 34, "interval": [6.7, 10.8]},
            "fillers.bursts_per_minute": 0.75,
            "wording.verbal_habits_per_minute": {"value": 6, "interval": [4.5, 8]},
            "wording.sentence_length_words": {"value": 29, "n": 30, "interval": [25, 33]},
            "wording.long_sentence_share": {"value": 0.32, "n": 30, "interval": [0.2, 0.47]},
        },
        events=[
            *events("long_sentence", 20, 70, 120, lasting=18, detail={"words": 44}),
            *events("filler_burst", 30, 90, 150, lasting=7),
        ],
        context={"audience": "public"},
        shown=("WRD004",),
        never=("FIL010", "WRD003"),
    ),
    Speaker(
        name="a French teacher with nine euh a minute who rushes the end",
        changed={
            "fillers.filled_pauses_per_minute": {"value": 9, "n": 36, "interval": [7.1, 12.6]},
            "fillers.bursts_per_minute": 1.0,
            "pauses.boundary_pause_share": {"value": 0.57, "n": 40, "interval": [0.46, 0.67]},
            "pace.end_rush_ratio": {"value": 1.22, "interval": [1.16, 1.3]},
        },
        events=[
            *_ums(36, "euh"),
            *_pauses(20),
            *events("end_rush", 192, lasting=46),
        ],
        context={"aim": "teach", "audience": "students", "language": "fr"},
        shown=("FIL004",),
    ),
    Speaker(
        name="on a stage, fading towards the end",
        changed={
            "loudness.trend_db": -6,
            "loudness.sentence_end_drop_share": {"value": 0.47, "n": 40},
            "gaze.camera_facing_share": {"value": 0.4, "n": 900},
        },
        events=events("quiet_sentence_end", *range(15, 235, 12), detail={"drop_db": 9}),
        context={"setting": "stage", "camera_position": None, "aim": "celebrate"},
        shown=("LOU002",),
    ),
    Speaker(
        name="a second language, six silences inside sentences",
        changed={
            "pace.words_per_minute": 98,
            "pace.articulation_rate_syllables_per_second": 3.6,
            "pauses.long_mid_clause_per_minute": {"value": 1.5, "interval": [0.8, 2.6]},
            "pauses.silence_share": 0.36,
            "wording.restarts_per_100_words": 2.5,
        },
        events=_pauses(6, lasting=2.4, place="mid_clause"),
        context={"audience": "colleagues"},
        shown=(),
        why="The coach called the remark on silences defensible but delicate. Speakers of a second "
        "language pause there for another reason, so it waits for a person who hears which.",
    ),
    Speaker(
        name="pauses for effect, good pauses after sentences, a lively voice",
        changed={
            "pauses.long_mid_clause_per_minute": {"value": 0.8, "interval": [0.35, 1.6]},
            "pauses.boundary_pause_share": {"value": 0.6, "n": 40, "interval": [0.5, 0.7]},
            "fillers.filled_pauses_per_minute": {"value": 1, "n": 4, "interval": [0.5, 2.2]},
            "pitch.variation_quotient": {"value": 0.23, "n": 24, "interval": [0.22, 0.24]},
            "wording.sentence_length_words": {"value": 11, "n": 50, "interval": [10, 12]},
            "wording.long_sentence_share": {"value": 0, "n": 50},
        },
        events=[
            *_pauses(4, lasting=2.5, place="mid_clause"),
            *_pauses(36),
            *events("lively_stretch", 60, lasting=40),
        ],
        context={"aim": "persuade", "audience": "public"},
        shown=("PIT011",),
        never=("PAU001", "PIT010"),
    ),
)


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.name)
def test_a_speaker_gets_what_a_coach_would_pick(speaker: Speaker) -> None:
    made = speaker.drafted()
    assert tuple(item.rule for item in made.items) == speaker.shown
    assert not {item.rule for item in made.items} & set(speaker.never)


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.name)
def test_who_has_nothing_to_work_on_is_offered_one_thing_to_try(speaker: Speaker) -> None:
    made = speaker.drafted()
    improves = any(item.tone == "improvement" for item in made.items)
    assert (made.worth_trying is None) is improves


def _claims(made: Draft) -> str:
    cards: list[DraftItem] = [*made.items, *(held.item for held in made.held_back)]
    return " ".join(card.claim for card in cards)


def test_nobody_who_pauses_long_hears_that_there_was_no_gap() -> None:
    long_pauser = next(each for each in SPEAKERS if each.never == ("PAU002",))
    assert "hardly a pause" not in _claims(long_pauser.drafted())


def test_the_second_take_of_somebody_who_needs_two_things_names_two() -> None:
    over_time = next(each for each in SPEAKERS if each.shown == ("TIM001",))
    again = {"previous_items": [{"rule": "TIM001", "value": 260}]}
    context = Context.model_validate({"setting": "camera", **over_time.context, **again})
    report = a_report(
        duration=240, measurements=ORDINARY | over_time.changed, events=over_time.events
    )
    made = draft(report, builtin_rule_set(), context)
    assert [item.rule for item in made.items] == ["TIM001", "FIL001"]
