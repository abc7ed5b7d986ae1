"""`python -m bench judgement`: plant a fault into a talk, analyse it, hold the feedback to it."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
import wave
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.ports import FloatArray, Options
from analysis.results import Report
from bench.judgement import tables
from bench.judgement.analysed import Kept, folder
from bench.judgement.faults import BY_NAME, NAMES
from bench.judgement.planting import RATE_HZ, SEED
from bench.judgement.recipe import VERSION, limit_of, sound_of
from bench.judgement.rehearsal import Rehearsal, rehearsals
from bench.judgement.scoring import Judged, judged
from bench.judgement.speaking import VOICES
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, RuleSet
from feedback_rules.select import draft

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "judgement.md"
EVERYTHING = 10_000


def main(arguments: Sequence[str]) -> int:
    """Make, analyse and judge; `--write` puts the table into docs/judgement.md."""
    chosen = _parser().parse_args(arguments)
    wanted = _wanted(chosen)
    reports = dict(_reports(wanted, chosen))
    rules = builtin_rule_set()
    rows = [_judged(each, reports[each], rules) for each in wanted if each in reports]
    lines = list(tables.lines(rows))
    print("\n".join(lines))
    if len(rows) < len(wanted):
        print(f"\n{len(wanted) - len(rows)} more were asked for and are not analysed yet.")
    if chosen.write:
        DOCUMENT.write_text(tables.document(rows, seed=SEED, version=VERSION), encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench judgement", description=__doc__)
    parser.add_argument("--sample", type=int, default=EVERYTHING, help="the first N, balanced")
    parser.add_argument("--only", choices=NAMES, help="one fault")
    parser.add_argument("--language", choices=sorted(VOICES))
    parser.add_argument("--voices", help="only these, with commas between them")
    parser.add_argument("--jobs", type=int, default=1, help="talks that are analysed side by side")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    parser.add_argument("--kept", action="store_true", help="only what has been analysed before")
    parser.add_argument("--write", action="store_true", help="update docs/judgement.md")
    return parser


def _wanted(chosen: argparse.Namespace) -> list[Rehearsal]:
    voices = (
        chosen.voices.split(",") if chosen.voices else [v for each in VOICES.values() for v in each]
    )
    found = [
        each
        for each in rehearsals(VOICES)
        if (chosen.only is None or each.name == chosen.only)
        and (chosen.language is None or each.language == chosen.language)
        and each.voice in voices
        and not any(BY_NAME[fault].is_seen for fault in each.faults)
    ]
    return found[: chosen.sample]


def _reports(
    wanted: Sequence[Rehearsal], chosen: argparse.Namespace
) -> Iterator[tuple[Rehearsal, Report]]:
    """What is kept at once, then what has to be made."""
    kept, missing = Kept(folder()), []
    for each in wanted:
        report = kept.report_of(_recipe(each), _options(each))
        if report is None:
            missing.append(each)
        else:
            yield each, report
    if missing and not chosen.kept:
        yield from _made(missing, jobs=chosen.jobs, seconds=chosen.seconds)


def _made(
    missing: Sequence[Rehearsal], *, jobs: int, seconds: float
) -> Iterator[tuple[Rehearsal, Report]]:
    until = time.monotonic() + seconds
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
        running = {pool.submit(_make, each, until): each for each in missing}
        for number, done in enumerate(as_completed(running), 1):
            report = done.result()
            if report is not None:
                print(f"{number} of {len(missing)}: {running[done].label}", file=sys.stderr)
                yield running[done], report


def _make(rehearsal: Rehearsal, until: float) -> Report | None:
    """Speak, plant and analyse one; nothing once the time is over."""
    if time.monotonic() >= until:
        return None
    sound, _spans = sound_of(rehearsal)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "talk.wav"
        _write_wave(path, sound)
        return Kept(folder()).analyse(_recipe(rehearsal), path, _options(rehearsal))


def _write_wave(path: Path, sound: FloatArray) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes((sound * 32767).astype(np.int16).tobytes())


def _recipe(rehearsal: Rehearsal) -> str:
    """What its sound depends on: running over time is in what was said about it, not in it."""
    heard = tuple(fault for fault in rehearsal.faults if fault != "over time")
    same = replace(rehearsal, name="", faults=heard, strength=rehearsal.strength if heard else 0)
    return f"{VERSION} {SEED} {same}"


def _options(rehearsal: Rehearsal) -> Options:
    return Options(language=rehearsal.language)


def _judged(rehearsal: Rehearsal, report: Report, rules: RuleSet) -> Judged:
    context = Context(
        aim="inform",
        audience="public",
        setting="camera",
        camera_position="level",
        slides=False,
        language=rehearsal.language,
        time_limit=limit_of(rehearsal, report.media.duration),
    )
    return judged(rehearsal, draft(report, rules, context))
