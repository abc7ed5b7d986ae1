"""Answers of exercises that listen: the families each one measures, and its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.metrics import FAMILIES
from analysis.results import Report
from coach.practice.exercises.listening import facts
from coach.practice.exercises.listening.facts import Fact

_ALWAYS = frozenset({"signal"})
"""The family that says whether there was speech at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer: what it is about, the measures that must be on, and its facts."""

    about: str | Promise
    metrics: tuple[str, ...]
    """The measures that it is about. If the profile turns one off, the exercise does not listen."""
    also: frozenset[str] = frozenset()
    """Further families that its facts need, such as sentences."""
    facts: Callable[[Report], Iterable[Fact]]
    needs_picture: bool = False

    @property
    def disabled_families(self) -> tuple[str, ...]:
        """Return the families that a recording for this answer leaves unmeasured."""
        needed = {*_ALWAYS, *self.also, *(metric.split(".", 1)[0] for metric in self.metrics)}
        return tuple(each for each in FAMILIES if each not in needed)


_SENTENCES = frozenset({"wording"})

ANSWERS: Mapping[str, Answer] = {
    "fillers": Answer(
        about=_("ums and filler words"),
        metrics=("fillers.filled_pauses_per_minute", "fillers.filler_words_per_minute"),
        facts=facts.fillers,
    ),
    "silences": Answer(
        about=_("silences after and inside sentences"),
        metrics=("pauses.silent_per_minute",),
        also=_SENTENCES,
        facts=facts.silences,
    ),
    "pace": Answer(
        about=_("pace and pauses"),
        metrics=(
            "pace.words_per_minute",
            "pace.articulation_rate_syllables_per_second",
            "pauses.silent_per_minute",
        ),
        facts=facts.pace,
    ),
    "sentence_ends": Answer(
        about=_("quiet sentence ends"),
        metrics=("loudness.sentence_end_drop_share",),
        also=_SENTENCES,
        facts=facts.sentence_ends,
    ),
    "first_sentences": Answer(
        about=_("the first two sentences, and when they begin"),
        metrics=("wording.sentence_length_words",),
        facts=facts.first_sentences,
    ),
    "last_sentence": Answer(
        about=_("the last sentence, and the silence around it"),
        metrics=("wording.sentence_length_words",),
        facts=facts.last_sentence,
    ),
    "ending": Answer(
        about=_("the pace of the last three sentences, and the silence after them"),
        metrics=("pace.words_per_minute",),
        also=_SENTENCES,
        facts=facts.ending,
    ),
    "lens": Answer(
        about=_("time facing the camera"),
        metrics=("gaze.camera_facing_share",),
        facts=facts.lens,
        needs_picture=True,
    ),
    "sentence_lengths": Answer(
        about=_("the longest sentence"),
        metrics=("wording.sentence_length_words",),
        facts=facts.sentence_lengths,
    ),
    "pitch": Answer(
        about=_("pitch range"),
        metrics=("pitch.range_semitones",),
        facts=facts.pitch,
    ),
    "level": Answer(
        about=_("how clearly the recording carries your voice"),
        metrics=("signal.snr_db", "signal.clipping_share"),
        facts=facts.level,
    ),
}
"""The answers by the name in `listens` of an exercise's text."""
