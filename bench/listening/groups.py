"""Our default engine and plain Whisper by corpus, voice range and first language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from analysis.results import Word
from bench import counts
from bench.fillers import rivals
from bench.listening import tables
from bench.listening.scores import Score, SystemOutput, score
from bench.listening.systems import ours
from bench.listening.truth import FOLDERS, load
from bench.listening.voice_range import voice_of

_MORE = "2_fillers_more"
_FRENCH = "sppas"
_CORPORA = (
    ("allsstar", "ALLSSTAR, picture stories"),
    ("hvb", "HarperValleyBank, telephone"),
    ("ami", "AMI, meetings"),
    ("asterisk", "Asterisk, prompts"),
    ("libri|derived_pauses", "LibriVox, read"),
    ("mfa|falsetto|derived_noise", "MFA, one speaker"),
)
_OTHERS = "others, mostly read"
_LATER = "learnt later (ALLSSTAR)"


@dataclass(frozen=True, slots=True)
class GroupedScore:
    """Recording with its scores and its three groups."""

    ours: Score
    plain: Score
    corpus: str
    voice: str
    first_language: str


def lines(media: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield one table with a row for each group."""
    found = [
        _grouped(truth.path)
        for truth in load(media, (*FOLDERS, _MORE))
        if truth.text and not truth.name.startswith(_FRENCH)
        if any(name in truth.name for name in names)
    ]
    yield (
        "| recordings | n, words | word errors, ours (95% range) | plain Whisper | fillers: "
        "hits, false, missed | word edges, median, 95th percentile ms (n) | pauses, F1 (n) |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    kinds: tuple[tuple[str, Callable[[GroupedScore], str]], ...] = (
        ("corpus", lambda one: one.corpus),
        ("voice", lambda one: one.voice),
        ("English", lambda one: one.first_language),
    )
    for title, group in kinds:
        for name in sorted({group(one) for one in found}):
            yield _row(f"{title}: {name}", [one for one in found if group(one) == name])


def _grouped(path: Path) -> GroupedScore:
    [truth] = [one for one in load(path.parents[1], (path.parent.name,)) if one.path == path]
    run = ours(path)
    seconds = len(run.audio) / SAMPLE_RATE_HZ
    return GroupedScore(
        ours=score(truth, run.heard, media_seconds=seconds),
        plain=score(truth, _plain(run.audio), media_seconds=seconds),
        corpus=corpus_of(truth.name),
        voice=voice_of(run.audio),
        first_language=_LATER if truth.name.startswith("allsstar") else "first, or not stated",
    )


def corpus_of(name: str) -> str:
    """Return the corpus of a recording by its name."""
    return next((title for start, title in _CORPORA if re.match(start, name)), _OTHERS)


def _plain(sound: FloatArray) -> SystemOutput:
    """Return the words of plain Whisper with the same 8-bit weights and a beam of five."""
    said = rivals.words(sound, language="en", system=rivals.PLAIN)
    return SystemOutput(
        words=tuple(
            Word(text=text, start=start, end=max(start, end), probability=1.0)
            for text, start, end in said
        ),
        fillers=tuple((start, end) for text, start, end in said if rivals.is_filler(text)),
        pauses=(),
    )


def _row(title: str, some: Sequence[GroupedScore]) -> str:
    mine, plain = [one.ours for one in some], [one.plain for one in some]
    edges = sum(len(one.boundary_errors) for one in mine)
    there = sum(one.pauses.there for one in mine)
    fillers = [one.fillers for one in mine]
    return (
        "| "
        + " | ".join(
            (
                title,
                f"{len(some)}, {sum(one.plain_words for one in mine)}",
                _cell(mine, tables.plain_error_rate),
                _cell(plain, tables.plain_error_rate),
                (
                    f"{sum(each.hits for each in fillers)}, {sum(each.false for each in fillers)}, "
                    f"{sum(each.missed for each in fillers)}"
                ),
                f"{tables.boundary(50)(mine):.0f}, {tables.boundary(95)(mine):.0f} ({edges})"
                if edges
                else "–",
                f"{counts.f1([one.pauses for one in mine]):.2f} ({there})" if there else "–",
            )
        )
        + " |"
    )


def _cell(scores: Sequence[Score], measure: tables.Measure) -> str:
    value = measure(scores)
    return "–" if value is None else f"{value:.2f}" + tables.interval(scores, measure)
