"""`python -m bench judgement`: plant a fault into a talk, analyse it, hold the feedback to it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from analysis.ports import DEFAULT_ENGINE, Engine
from analysis.results import Report
from bench.judgement import tables
from bench.judgement.faults import NAMES
from bench.judgement.making import Effort, context_for, reports
from bench.judgement.planting import SEED
from bench.judgement.recipe import VERSION
from bench.judgement.rehearsal import Rehearsal, rehearsals
from bench.judgement.scoring import Judged, judged
from bench.judgement.speaking import VOICES
from bench.media import media_folder
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import RuleSet
from feedback_rules.select import draft

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "judgement.md"
EVERYTHING = 10_000


def main(arguments: Sequence[str]) -> int:
    """Make, analyse and judge; `--write` puts the table into docs/judgement.md."""
    chosen = _parser().parse_args(arguments)
    wanted = _wanted(chosen)
    effort = Effort(
        jobs=chosen.jobs, seconds=chosen.seconds, is_only_kept=chosen.kept, engine=chosen.engine
    )
    found = dict(reports(wanted, effort))
    rules = builtin_rule_set()
    rows = [_judged(each, found[each], rules) for each in wanted if each in found]
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
    parser.add_argument("--without", choices=NAMES, help="all but this one")
    parser.add_argument("--language", choices=sorted(VOICES))
    parser.add_argument("--voices", help="only these, with commas between them")
    parser.add_argument("--jobs", type=int, default=1, help="talks that are analysed side by side")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    parser.add_argument("--engine", choices=get_args(Engine), default=DEFAULT_ENGINE)
    parser.add_argument("--kept", action="store_true", help="only what has been analysed before")
    parser.add_argument("--write", action="store_true", help="update docs/judgement.md")
    return parser


def _wanted(chosen: argparse.Namespace) -> list[Rehearsal]:
    voices = (
        chosen.voices.split(",") if chosen.voices else [v for each in VOICES.values() for v in each]
    )
    can_see = (media_folder() / "4_gaze").is_dir()
    if not can_see:
        print(f"No pictures in {media_folder()}: what is seen is left out (ROSTRUM_BENCH_MEDIA).")
    found = [
        each
        for each in rehearsals(VOICES)
        if (chosen.only is None or each.name == chosen.only)
        and each.name != chosen.without
        and (chosen.language is None or each.language == chosen.language)
        and each.voice in voices
        and (not each.is_seen or can_see)
    ]
    return found[: chosen.sample]


def _judged(rehearsal: Rehearsal, report: Report, rules: RuleSet) -> Judged:
    return judged(rehearsal, draft(report, rules, context_for(rehearsal, report)))
