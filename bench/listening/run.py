"""Benchmark `listening`: the speech half of docs/lab/words.md."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.ports import SAMPLE_RATE_HZ, Engine, FloatArray
from bench import counts
from bench.document import publish
from bench.listening import constructed, french, groups, known_changes, other_sounds, parts, tables
from bench.listening.pitch import compare
from bench.listening.scores import Score, score
from bench.listening.systems import PlainWhisper, ours
from bench.listening.tables import PLAIN
from bench.listening.truth import Truth, load
from bench.media import ask_for_media, is_there

OURS, REFERENCE, FAST, PROMPTED = (
    "ours (tiny.en, 8 bit)",
    "ours (openai-whisper tiny.en)",
    "ours (faster-whisper base, 8 bit)",
    "whisper tiny.en, prompted",
)
_LIMITS = (
    "- Whispering is not heard as speech; a hoarse voice has little pitch to measure.",
    "- Where people talk over each other, words are lost and others are put in their place.",
    "- Names and terms that the small model does not know are written as words that it knows.",
    "- Labelled fillers are few (n above), of few voices: others may be heard less well.",
    "- A filler without voice, or in the middle of fast speech, is missed more often than found.",
)
_PROMPT = "Umm, let me think like, hmm..."


def main(arguments: Sequence[str]) -> int:
    """Run everything; `--write` puts the result into docs/lab/words.md."""
    parser = argparse.ArgumentParser(prog="python -m bench listening")
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update docs/lab/words.md")
    parser.add_argument("--quick", action="store_true", help="our default engine only")
    parser.add_argument(
        "--groups", action="store_true", help="only by corpus, voice range and first language"
    )
    parser.add_argument("--only", default="", help="recordings whose name holds one of a,b,c")
    chosen = parser.parse_args(arguments)
    if chosen.write and (chosen.only or chosen.quick):
        parser.error("--write goes with neither --only nor --quick: it writes the whole table")
    if not is_there(chosen.media):
        return 1
    names = chosen.only.split(",")
    if chosen.groups:
        publish("listening groups", groups.lines(chosen.media, names), is_written=chosen.write)
        return 0
    truths = [t for t in load(chosen.media) if any(name in t.name for name in names)]
    if not truths:
        print(f"No labelled recording is called like that: {chosen.only}")
        return 1
    publish("listening", _everything(truths, is_quick=chosen.quick), is_written=chosen.write)
    return 0


def _everything(truths: list[Truth], *, is_quick: bool) -> Iterator[str]:
    systems: dict[str, list[Score]] = {OURS: []}
    audio: dict[str, FloatArray] = {}
    recorded, made = parts.Collected(), parts.Collected()
    for truth in truths:
        found, audio[truth.name] = _scored(truth, recorded)
        found.pitch = compare(audio[truth.name])
        systems[OURS].append(found)
    if not is_quick:
        rivals = {PLAIN: PlainWhisper(), PROMPTED: PlainWhisper(_PROMPT)}
        _add_others(systems, truths, audio, rivals)
    minutes = sum(_seconds(sound) for sound in audio.values()) / 60
    yield from (
        "### Recorded speech",
        "",
        (
            f"{len(truths)} recordings, {minutes:.0f} minutes; in brackets the central 95% when "
            "recordings are drawn anew. Um and uh count as found within 0.25 s of their onset, "
            "pauses when they overlap by half. Processor time is that of one core. All of our "
            "engines read greedily (beam 1), and search again with a beam of 5 where they "
            "hesitate; plain Whisper has its command's own settings (beam 5)."
        ),
        "",
    )
    yield tables.compared(systems)
    yield ""
    yield _listening_time(systems[OURS])
    yield ""
    yield from _constructed_lines(truths, audio, made)
    yield from parts.lines(recorded, made)
    yield from other_sounds.lines([audio[truth.name] for truth in truths if _is_fluent(truth)])
    yield from known_changes.lines(truths, audio)
    yield from french.lines()
    yield from ("### Where we are bad", "", *tables.weak_points(systems[OURS]), *_LIMITS, "")
    plain = systems.get(PLAIN, [])
    yield from ("### Each recording, default engine", "", tables.by_recording(systems[OURS], plain))


def _scored(truth: Truth, collected: parts.Collected) -> tuple[Score, FloatArray]:
    """Return the score of our default engine on a recording, and its sound."""
    run = ours(truth.path)
    seconds = _seconds(run.audio)
    collected.add(truth, run.parts, media_seconds=seconds)
    return score(truth, run.heard, media_seconds=seconds), run.audio


def _is_fluent(truth: Truth) -> bool:
    return truth.path.parent.name == "1_speech" and truth.filler_count == 0


def _listening_time(scores: Sequence[Score]) -> str:
    spent = sum(score.pitch.seconds for score in scores if score.pitch)
    media = sum(score.media_seconds for score in scores)
    return (
        f"Pitch, level, timbre and spectral change together take {spent / media:.3f} processor "
        "seconds a second of media (goal for pitch alone 0.03)."
    )


def _add_others(
    systems: dict[str, list[Score]],
    truths: Sequence[Truth],
    audio: dict[str, FloatArray],
    rivals: dict[str, PlainWhisper],
) -> None:
    engines: dict[str, Engine] = {REFERENCE: "openai-whisper", FAST: "faster-whisper"}
    systems |= {name: [] for name in (*engines, *rivals)}
    for truth in truths:
        seconds = _seconds(audio[truth.name])
        for name, engine in engines.items():
            read = ours(truth.path, engine=engine).heard
            systems[name].append(score(truth, read, media_seconds=seconds))
        for name, rival in rivals.items():
            heard = rival.hear(audio[truth.name])
            systems[name].append(score(truth, heard, media_seconds=seconds))


def _constructed_lines(
    truths: Sequence[Truth], audio: dict[str, FloatArray], collected: parts.Collected
) -> Iterator[str]:
    yield from (
        "### Constructed speech with exact truth",
        "",
        (
            "Fluent recordings with the um and uh of other recordings put between their words "
            "(moved in pitch by -2 to +4 semitones, 0 to 6 dB softer than the voice), and short "
            "recordings joined with digital silences of 0.3 to 2.5 s."
        ),
        "",
    )
    with tempfile.TemporaryDirectory() as folder:
        made = constructed.with_fillers(truths, audio, Path(folder))
        made += constructed.with_silences(truths, audio, Path(folder))
        scores = [_scored(truth, collected)[0] for truth in made]
    for label, measure in (
        ("filled pauses, precision", tables.fillers(counts.precision)),
        ("filled pauses, recall", tables.fillers(counts.recall)),
        ("filled pauses, F1", tables.fillers(counts.f1)),
        ("inserted silences found, F1", tables.pauses),
    ):
        value = measure(scores)
        if value is not None:
            yield f"- {label}: {value:.2f}{tables.interval(scores, measure)}"
    count = sum(score.fillers.there for score in scores)
    silences = sum(score.pauses.there for score in scores)
    yield f"- n: {count} fillers, {silences} silences"
    yield ""


def _seconds(sound: FloatArray) -> float:
    return len(sound) / SAMPLE_RATE_HZ
