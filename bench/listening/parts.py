"""Ablation: contribution of each part of the detectors of filled and silent pauses, on one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.pipeline.artefacts import (
    load_prepared,
    load_skipped,
    load_sound,
    load_transcript,
)
from analysis.ports import Options, Prepared, Sound, Span, Transcript
from analysis.talk import spans
from analysis.talk.build import build_talk
from analysis.talk.languages import LanguageData, is_filled_pause, language_data
from bench.counts import f1, precision, recall
from bench.listening import tables
from bench.listening.scores import PAUSE_SECONDS, Score, SystemOutput, score
from bench.listening.truth import Truth

READING = "the primed reading alone, at its own times"
SOUND = "sound alone, without the primed reading"
PLACED = "the primed reading, placed and weighed by sound"
ALL = "all of it"
_BEFORE_THE_GATES = (
    "Before the gates: where several people speak a report shows no fillers at all, and those "
    "count as missed in the table of recorded speech."
)
FILLERS_BY = (READING, SOUND, PLACED, ALL)
ACTIVITY = "voice activity alone, breaths and clicks are speech"


def parts_of(workdir: Path, options: Options) -> dict[str, SystemOutput]:
    """Return the results of partial detectors, by the names above."""
    prepared = load_prepared(workdir)
    fillers: Mapping[str, tuple[Span, ...]] = dict.fromkeys(FILLERS_BY, ())
    if load_skipped(workdir, "transcribe") is None:
        transcript = load_transcript(workdir)
        fillers = _fillers(prepared, transcript, load_sound(workdir), options)
    pauses = spans.gaps(prepared.speech, at_least=PAUSE_SECONDS)
    found = {
        name: SystemOutput(words=(), fillers=times, pauses=()) for name, times in fillers.items()
    }
    return found | {ACTIVITY: SystemOutput(words=(), fillers=(), pauses=pauses)}


def _fillers(
    prepared: Prepared, transcript: Transcript, sound: Sound, options: Options
) -> dict[str, tuple[Span, ...]]:
    data = language_data(transcript.language.code)

    def found(heard: Transcript, sources: Sequence[str] = ()) -> tuple[Span, ...]:
        talk = build_talk(
            prepared=prepared, transcript=heard, sound=sound, sight=None, options=options, absent={}
        )
        return tuple(
            (event.start, event.end)
            for event in talk.filled_pauses
            if not sources or event.detail["source"] in sources
        )

    return {
        READING: tuple(
            (word.start, word.end)
            for reading in transcript.primed
            for word in reading
            if is_filled_pause(word, data)
        ),
        SOUND: found(_unread(transcript, data)),
        PLACED: found(transcript, ["second_reading"]),
        ALL: found(transcript),
    }


def _unread(transcript: Transcript, data: LanguageData) -> Transcript:
    """Return the transcript as if no reading had written a filler."""
    segments = tuple(
        replace(segment, words=tuple(w for w in segment.words if not is_filled_pause(w, data)))
        for segment in transcript.segments
    )
    return replace(transcript, segments=segments, primed=(), filler_slots=())


class Collected:
    """Scores of each part over recordings."""

    def __init__(self) -> None:
        self._scores: dict[str, list[Score]] = {}

    def add(self, truth: Truth, parts: Mapping[str, SystemOutput], *, media_seconds: float) -> None:
        """Score one recording's parts."""
        for name, heard in parts.items():
            found = score(truth, heard, media_seconds=media_seconds)
            self._scores.setdefault(name, []).append(found)

    def fillers(self, name: str) -> str:
        """Return precision, recall and F1 of filled pauses, as table cells."""
        scores = self._scores.get(name, [])
        shares = [tables.fillers(each) for each in (precision, recall, f1)]
        cells = " | ".join(_cell(scores, each) for each in shares)
        return cells + tables.interval(scores, shares[-1])

    def pauses(self, name: str) -> str:
        """Return F1 of pauses, with its interval."""
        scores = self._scores.get(name, [])
        return _cell(scores, tables.pauses) + tables.interval(scores, tables.pauses)


def _cell(scores: Sequence[Score], measure: tables.Measure) -> str:
    value = measure(scores)
    return "–" if value is None else f"{value:.2f}"


def lines(recorded: Collected, constructed: Collected) -> list[str]:
    """Return the section of docs/lab/words.md."""
    return [
        "### What each part adds",
        "",
        _BEFORE_THE_GATES,
        "",
        "| filled pauses found by | recorded: P | R | F1 | constructed: P | R | F1 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {name} | {recorded.fillers(name)} | {constructed.fillers(name)} |"
            for name in FILLERS_BY
        ),
        "",
        (
            f"Pauses ≥ 250 ms by {ACTIVITY}: F1 {recorded.pauses(ACTIVITY)} on recorded speech; "
            "the table above has what the whole of it finds."
        ),
        "",
    ]
