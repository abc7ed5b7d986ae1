"""Benchmark `judgement`: plant a fault into a talk, analyse it, and compare
the feedback with it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from analysis.results import Report
from bench.document import publish
from bench.judgement import tables
from bench.judgement.faults import NAMES
from bench.judgement.making import Effort, context_for, reports
from bench.judgement.rehearsal import ConstructedTalk, rehearsals
from bench.judgement.scoring import FaultResult, judged
from bench.judgement.speaking import VOICES
from bench.media import media_folder
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import RuleSet
from feedback_rules.select import draft

EVERYTHING = 10_000


def main(arguments: Sequence[str]) -> int:
    """Make, analyse and judge; `--write` puts the tables into docs/lab/judgement.md."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.write and chosen.only:
        parser.error("--write does not go with --only: it writes the whole table")
    wanted = _wanted(chosen)
    found = dict(reports(wanted, Effort(jobs=chosen.jobs, is_only_kept=chosen.kept)))
    rules = builtin_rule_set()
    rows = [_judged(each, found[each], rules) for each in wanted if each in found]
    publish("judgement", tables.lines(rows), is_written=chosen.write)
    if len(rows) < len(wanted):
        print(f"\n{len(wanted) - len(rows)} more were asked for and are not analysed yet.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench judgement", description=__doc__)
    parser.add_argument("--sample", type=int, default=EVERYTHING, help="the first N, balanced")
    parser.add_argument("--only", choices=NAMES, help="one fault")
    parser.add_argument("--jobs", type=int, default=1, help="talks that are analysed side by side")
    parser.add_argument("--kept", action="store_true", help="only what has been analysed before")
    parser.add_argument("--write", action="store_true", help="update docs/lab/judgement.md")
    return parser


def _wanted(chosen: argparse.Namespace) -> list[ConstructedTalk]:
    can_see = (media_folder() / "4_gaze").is_dir()
    if not can_see:
        print(f"No pictures in {media_folder()}: what is seen is left out (ROSTRUM_BENCH_MEDIA).")
    found = [
        each
        for each in rehearsals(VOICES)
        if (chosen.only is None or each.name == chosen.only) and (not each.is_seen or can_see)
    ]
    return found[: chosen.sample]


def _judged(rehearsal: ConstructedTalk, report: Report, rules: RuleSet) -> FaultResult:
    return judged(rehearsal, draft(report, rules, context_for(rehearsal, report)))
