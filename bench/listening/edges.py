"""Benchmark `edges`: errors of word edges against labels, for each engine.

Edges from attention and voice activity alone are shown next to those of the report.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.backends.scratch import scratch_folder
from analysis.pipeline import load_prepared, load_stage_report, load_transcript, run_stage
from analysis.ports import Engine, Options
from analysis.talk.languages import is_filled_pause, language_data
from analysis.talk.words import align_to_speech, believed_words
from bench.document import publish
from bench.intervals import resampled
from bench.listening.edge_scoring import KINDS, Edge, edges_of
from bench.listening.systems import STAGES
from bench.listening.truth import TimedWord, load
from bench.media import ask_for_media, is_there

_ENGINES: dict[Engine, str] = {"ctranslate2": "8 bit", "openai-whisper": "openai-whisper"}
_RESAMPLES = 2000
_NOISY = "derived_noise_snr15_"
_HAND, _ALIGNER = "hand", "aligner"
_LEAST_EDGES = 20
"""Fewest edges for a 95th percentile, above which one in twenty is."""
_FAR_SECONDS = 0.2
"""Goal for the 95th percentile."""


@dataclass(frozen=True, slots=True)
class _Labelled:
    path: Path
    words: tuple[TimedWord, ...]
    speaker: str
    language: str
    by: str


_Errors = NDArray[np.float64]


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and with `--write` put the table into docs/lab/word-edges.md."""
    parser = argparse.ArgumentParser(prog="python -m bench edges", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/word-edges.md")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    publish("edges", _lines(_labelled(chosen.media)), is_written=chosen.write)
    return 0


def _labelled(media: Path) -> list[_Labelled]:
    """Return recordings with all word edges set by hand or, in French, by an aligner."""
    found = [
        _Labelled(truth.path, truth.words, truth.name.removeprefix(_NOISY), "en", _HAND)
        for truth in load(media)
        if truth.words and truth.knows_all_words
    ]
    for path in sorted((media / "2_fillers_more").glob("*.truth.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        quality = str(data.get("label_quality", ""))
        by = _HAND if "manual word" in quality else _ALIGNER if "aligner" in quality else ""
        if by:
            words = tuple(TimedWord(w["w"].lower(), w["start"], w["end"]) for w in data["words"])
            sound = path.with_name(path.name.replace(".truth.json", ".flac"))
            language = "fr" if "_fr_" in path.name else "en"
            found.append(_Labelled(sound, words, path.name, language, by))
    return found


def _lines(labelled: Sequence[_Labelled]) -> Iterator[str]:
    yield (
        "Starts and ends of the words that both the labels and the report have, fillers left out; "
        "in brackets the central 95% when speakers are drawn anew. Goal: median 50, 95% 200."
    )
    yield ""
    yield (
        "| edges | engine | speakers, n | median ms | 95th percentile ms "
        "| both with attention and voice activity alone |"
    )
    yield "| --- | --- | --- | --- | --- | --- |"
    kinds = []
    for engine, name in _ENGINES.items():
        for language, by in (("en", _HAND), ("fr", _ALIGNER)):
            chosen = [each for each in labelled if (each.language, each.by) == (language, by)]
            if not chosen or (language == "fr" and engine != "ctranslate2"):
                continue
            ours, alone = _measured(chosen, engine)
            label = "English, set by hand" if language == "en" else "French, set by an aligner"
            reader = name if language == "en" else "base, 8 bit"
            every, plainly = _of_kind(ours), _of_kind(alone)
            count = sum(part.size for part in every)
            yield (
                f"| {label} | {reader} | {len(every)}, {count} | {_told(every, 50)} | "
                f"{_told(every, 95)} | {_percentile(plainly, 50):.0f}, "
                f"{_percentile(plainly, 95):.0f} |"
            )
            kinds += [
                _line_of_kind(kind, f"{label}, {reader}", ours)
                for kind in KINDS
                if sum(part.size for part in _of_kind(ours, kind)) >= _LEAST_EDGES
            ]
    yield ""
    yield "| edges | labels, engine | n | median ms | 95th percentile ms | more than 200 ms |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from kinds


def _line_of_kind(kind: str, of_what: str, found: Sequence[Sequence[Edge]]) -> str:
    parts = _of_kind(found, kind)
    errors = np.concatenate(parts)
    return (
        f"| {kind} | {of_what} | {errors.size} | {_told(parts, 50)} | {_told(parts, 95)} | "
        f"{100 * float(np.mean(errors > _FAR_SECONDS)):.1f}% |"
    )


def _measured(
    labelled: Sequence[_Labelled], engine: Engine
) -> tuple[list[list[Edge]], list[list[Edge]]]:
    """Return the edges of each speaker: in our report, and without the sound."""
    ours: dict[str, list[Edge]] = {}
    alone: dict[str, list[Edge]] = {}
    for each in labelled:
        options = Options(engine=engine, language=each.language)
        with scratch_folder() as workdir:
            for stage in STAGES:
                run_stage(stage, media_path=each.path, workdir=workdir, options=options)
            said = load_stage_report(workdir).words
            prepared, transcript = load_prepared(workdir), load_transcript(workdir)
        data = language_data(each.language)
        words = [
            word
            for word in believed_words(transcript, prepared.speech)
            if not is_filled_pause(word, data)
        ]
        plainly = align_to_speech(words, prepared.speech, each.language)
        ours.setdefault(each.speaker, []).extend(edges_of(each.words, said))
        alone.setdefault(each.speaker, []).extend(edges_of(each.words, plainly))
    return list(ours.values()), list(alone.values())


def _of_kind(speakers: Sequence[Sequence[Edge]], kind: str = "") -> list[_Errors]:
    """Return the errors of one kind of edge, by speaker."""
    found = [
        np.array([edge.seconds for edge in edges if kind in ("", edge.kind)], dtype=np.float64)
        for edges in speakers
    ]
    return [errors for errors in found if errors.size]


def _percentile(parts: Sequence[_Errors], percent: float) -> float:
    return 1000 * float(np.percentile(np.concatenate(parts), percent))


def _told(parts: Sequence[_Errors], percent: float) -> str:
    found = resampled(parts, lambda drawn: _percentile(drawn, percent), times=_RESAMPLES)
    near = "" if found is None else f" ({found[0]:.0f}-{found[1]:.0f})"
    return f"{_percentile(parts, percent):.0f}{near}"
