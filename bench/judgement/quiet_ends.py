"""Benchmark `quiet_ends`: share of sentence ends called quiet, by the size of the drop."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.ports import FloatArray, Options, Span
from analysis.results import Report
from analysis.talk.languages import language_data
from analysis.talk.sentences import ends_sentence
from bench.document import publish
from bench.intervals import share_in_words
from bench.judgement.analysed import ReportCache, folder
from bench.judgement.planting import END_SECONDS, RATE_HZ, SEED, falling, joined
from bench.judgement.recipe import VERSION, clean
from bench.judgement.rehearsal import ConstructedTalk, speakers
from bench.judgement.speaking import VOICES
from bench.sounds import write_wave

DROPS_DB = (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)
_NEAR_SECONDS = 0.6
"""Distance from the planted end within which a sentence end or event belongs to it."""


@dataclass(frozen=True, slots=True)
class End:
    """Planted sentence end and its result."""

    voice: str
    language: str
    drop_db: float
    is_sentence: bool
    """Whether the recognised words end a sentence there, so that it can be judged."""
    is_quiet: bool
    """Whether it was called quiet."""


def main(arguments: Sequence[str]) -> int:
    """Plant, analyse and count; `--write` puts the table into docs/lab/sentences.md."""
    parser = argparse.ArgumentParser(prog="python -m bench quiet_ends", description=__doc__)
    parser.add_argument("--write", action="store_true", help="update docs/lab/sentences.md")
    chosen = parser.parse_args(arguments)
    ends = [end for rehearsal in speakers(VOICES) for end in ends_of(rehearsal)]
    publish("quiet_ends", lines(ends), is_written=chosen.write)
    return 0


def ends_of(rehearsal: ConstructedTalk) -> Iterator[End]:
    """Yield the sentence ends of a talk, each with a different drop."""
    sound, spans, drops = planted(rehearsal)
    report = _report(rehearsal, sound)
    quiet = [event.end for event in report.events if event.kind == "quiet_sentence_end"]
    data = language_data(rehearsal.language)
    sentences = [word.end for word in report.words if ends_sentence(word, data)]
    for (_start, end), drop in zip(spans, drops, strict=True):
        yield End(
            voice=rehearsal.voice,
            language=rehearsal.language,
            drop_db=drop,
            is_sentence=_is_near(end, sentences),
            is_quiet=_is_near(end, quiet),
        )


def planted(rehearsal: ConstructedTalk) -> tuple[FloatArray, tuple[Span, ...], tuple[float, ...]]:
    """Return the talk, the spans of its sentences, and the drop of each over its last 0.8 s."""
    pieces = clean(rehearsal).pieces
    random = np.random.default_rng([SEED, *rehearsal.voice.encode()])
    drops = [DROPS_DB[index % len(DROPS_DB)] for index in range(len(pieces))]
    drops = [float(drop) for drop in random.permutation(drops)]
    softer = [
        replace(piece, audio=falling(piece.audio, drop))
        for piece, drop in zip(pieces, drops, strict=True)
    ]
    return *joined(softer), tuple(drops)


def _report(rehearsal: ConstructedTalk, sound: FloatArray) -> Report:
    recipe = f"quiet ends {VERSION} {SEED} {DROPS_DB} {rehearsal}"
    write = partial(write_wave, sound=sound, rate_hz=RATE_HZ)
    return ReportCache(folder()).report(recipe, write, Options(language=rehearsal.language))


def _is_near(end: float, others: Sequence[float]) -> bool:
    return any(abs(end - other) <= _NEAR_SECONDS for other in others)


def lines(ends: Sequence[End]) -> Iterator[str]:
    """Yield a row for each drop: all voices, then each language."""
    voices = {end.voice for end in ends}
    languages = sorted({end.language for end in ends})
    yield (
        f"{len(ends)} sentences of {len(voices)} synthetic voices; each falls evenly by so many "
        f"decibels over its last {END_SECONDS} s, the drops taking turns within every talk. Called "
        "quiet, of those whose end the recognised words show; in brackets the 95% interval."
    )
    yield ""
    yield f"| falls by | all | {' | '.join(languages)} | end not in the words |"
    yield f"| --- | --- | {'--- | ' * len(languages)}--- |"
    for drop in DROPS_DB:
        mine = [end for end in ends if end.drop_db == drop]
        cells = [_share(mine), *(_share([e for e in mine if e.language == c]) for c in languages)]
        lost = sum(not end.is_sentence for end in mine)
        yield f"| {drop:.0f} dB | {' | '.join(cells)} | {lost} of {len(mine)} |"


def _share(ends: Sequence[End]) -> str:
    judged = [end for end in ends if end.is_sentence]
    return share_in_words(sum(end.is_quiet for end in judged), len(judged))
