"""`python -m bench listening`: measure, print, and write the speech half of docs/accuracy.md."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench.listening import constructed, tables
from bench.listening.pitch import compare
from bench.listening.scores import Score, score
from bench.listening.systems import PlainWhisper, ours
from bench.listening.truth import Truth, load

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/accuracy.md"
BEGIN, END = (
    "<!-- listening: begin, written by python -m bench listening -->",
    "<!-- listening: end -->",
)
OURS, FAST, PLAIN, PROMPTED = (
    "ours (openai-whisper)", "ours (faster-whisper base)", "whisper tiny.en",
    "whisper tiny.en, prompted",
)  # fmt: skip
_PROMPT = "Umm, let me think like, hmm..."


def main(arguments: Sequence[str]) -> int:
    """Run everything; `--write` puts the result into docs/accuracy.md."""
    parser = argparse.ArgumentParser(prog="python -m bench listening")
    default = os.environ.get("ROSTRUM_BENCH_MEDIA", str(ROOT.parent / "shared/media"))
    parser.add_argument("--media", type=Path, default=Path(default))
    parser.add_argument("--write", action="store_true", help="update docs/accuracy.md")
    parser.add_argument("--quick", action="store_true", help="our default engine only")
    chosen = parser.parse_args(arguments)
    if not (chosen.media / "MANIFEST.csv").is_file():
        print(f"The labelled recordings are not there: {chosen.media} (name them with --media).")
        return 1
    lines = []
    for line in _everything(load(chosen.media), is_quick=chosen.quick):
        print(line, flush=True)
        lines.append(line)
    if chosen.write:
        _put("\n".join(lines))
    return 0


def _everything(truths: list[Truth], *, is_quick: bool) -> Iterator[str]:
    systems: dict[str, list[Score]] = {OURS: []}
    audio: dict[str, FloatArray] = {}
    for truth in truths:
        heard, _, audio[truth.name] = ours(truth.path, engine="openai-whisper")
        systems[OURS].append(score(truth, heard, media_seconds=_seconds(audio[truth.name])))
    if not is_quick:
        _add_others(systems, truths, audio)
    minutes = sum(_seconds(sound) for sound in audio.values()) / 60
    yield from (
        "### Recorded speech", "",
        (f"{len(truths)} recordings, {minutes:.0f} minutes; in brackets the central 95 % when "
        "recordings are drawn anew. Um and uh count as found within 0.25 s of their onset, pauses "
        "when they overlap by half. Processor time is that of one core."), "",
    )  # fmt: skip
    yield tables.compared(systems)
    yield ""
    yield from _pitch_lines(audio)
    yield from _constructed_lines(truths, audio)
    yield from ("### Each recording, default engine", "", tables.by_recording(systems[OURS]))


def _add_others(
    systems: dict[str, list[Score]], truths: Sequence[Truth], audio: dict[str, FloatArray]
) -> None:
    systems |= {FAST: [], PLAIN: [], PROMPTED: []}
    rivals = {PLAIN: PlainWhisper(), PROMPTED: PlainWhisper(_PROMPT)}
    for truth in truths:
        seconds = _seconds(audio[truth.name])
        fast, _, _ = ours(truth.path, engine="faster-whisper")
        systems[FAST].append(score(truth, fast, media_seconds=seconds))
        for name, rival in rivals.items():
            heard = rival.hear(audio[truth.name])
            systems[name].append(score(truth, heard, media_seconds=seconds))


def _pitch_lines(audio: dict[str, FloatArray]) -> Iterator[str]:
    found = [compare(sound) for sound in audio.values()]
    common = sum(one.common for one in found)
    close = sum(one.close for one in found)
    voiced = sum(one.voiced_by_praat for one in found)
    yield from (
        "### Pitch beside Praat", "",
        (f"Of {common} frames (10 ms) that both call voiced, {close / common:.1%} lie within half "
        f"a semitone (goal 95 %); {common / voiced:.1%} of Praat's voiced frames are voiced here."),
        "",
    )  # fmt: skip


def _constructed_lines(truths: Sequence[Truth], audio: dict[str, FloatArray]) -> Iterator[str]:
    yield from (
        "### Constructed speech with exact truth", "",
        ("Fluent recordings with the um and uh of other recordings put between their words (moved "
        "in pitch by -2 to +4 semitones, 0 to 6 dB softer than the voice), and short recordings "
        "joined with digital silences of 0.3 to 2.5 s."), "",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        made = constructed.with_fillers(truths, audio, Path(folder))
        made += constructed.with_silences(truths, audio, Path(folder))
        scores = []
        for truth in made:
            heard, _, sound = ours(truth.path, engine="openai-whisper")
            scores.append(score(truth, heard, media_seconds=_seconds(sound)))
    for label, measure in (
        ("filled pauses, precision", tables.precision),
        ("filled pauses, recall", tables.recall),
        ("filled pauses, F1", tables.filler_f1),
        ("inserted silences found, F1", tables.pause_f1),
    ):
        value = measure(scores)
        if value is not None:
            yield f"- {label}: {value:.2f}{tables.interval(scores, measure)}"
    count = sum(score.filler_hits + score.filler_missed for score in scores)
    silences = sum(score.pause_hits + score.pause_missed for score in scores)
    yield f"- n: {count} fillers, {silences} silences"
    yield ""


def _seconds(sound: FloatArray) -> float:
    return len(sound) / SAMPLE_RATE_HZ


def _put(text: str) -> None:
    """Replace our part of the document, or add it."""
    document = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else "# Accuracy\n"
    ours_now = f"{BEGIN}\n\n{text}\n\n{END}"
    if BEGIN in document:
        before, rest = document.split(BEGIN, 1)
        document = before + ours_now + rest.split(END, 1)[1]
    else:
        document = f"{document.rstrip()}\n\n## Listening\n\n{ours_now}\n"
    DOCUMENT.write_text(document, encoding="utf-8")
