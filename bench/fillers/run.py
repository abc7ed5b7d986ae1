"""Benchmark `fillers`: filled pauses of held-out speakers, by condition, with Whisper for
comparison."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch

from bench.document import publish
from bench.fillers import card, rivals
from bench.fillers.combine import EvidenceCase
from bench.fillers.intervals import hearing_lines, interval_lines, is_known
from bench.fillers.judge import ConditionRow, table
from bench.fillers.judged import JudgedFile, judged
from bench.fillers.lessons import speak
from bench.fillers.matching import counted
from bench.fillers.systems import OURS, HeldOutResult, cases, held_out, rival
from bench.media import ask_for_media, is_there

_MEETINGS = "ami_"
SYSTEMS = (OURS, rivals.PLAIN, rivals.PROMPTED)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and with `--write` update the tables of docs/lab/fillers.md."""
    parser = argparse.ArgumentParser(prog="python -m bench fillers", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--quick", action="store_true", help="without the other systems")
    parser.add_argument("--write", action="store_true", help="update docs/lab/fillers.md")
    chosen = parser.parse_args(arguments)
    if chosen.write and chosen.quick:
        parser.error("--write does not go with --quick: it writes the whole table")
    if not is_there(chosen.media):
        return 1
    torch.set_num_threads(1)
    speak()
    known = cases(list(judged(chosen.media)), chosen.media)
    found = held_out(known)
    own = [one.judged for one in found if _is_own(one)]
    blocks = {
        "fillers": lines(found, () if chosen.quick else SYSTEMS[1:]),
        "fillers hearing": hearing_lines(found),
        "fillers interval": interval_lines([one for one in found if is_known(one)]),
        "fillers words": _by_another_model(own, known, chosen.media),
        "fillers heads": card.lines(chosen.media),
    }
    for name, block in blocks.items():
        publish(name, block, is_written=chosen.write)
    return 0


def lines(found: Sequence[HeldOutResult], others: Sequence[str]) -> Iterator[str]:
    """Yield the table by condition."""
    of_each = {
        condition: [one for one in found if one.judged.condition == condition]
        for condition in dict.fromkeys(one.judged.condition for one in found)
    }
    yield from _table({**_people(found), **of_each}, others)


def _by_another_model(
    own: Sequence[JudgedFile], known: Mapping[str, Sequence[EvidenceCase]], media: Path
) -> Iterator[str]:
    """Yield the table of people's own fillers if the multilingual model transcribes."""
    yield from _table(_people(held_out(cases(own, media, engine="faster-whisper"), known)), ())


def _people(found: Sequence[HeldOutResult]) -> dict[str, list[HeldOutResult]]:
    return {"people, their own fillers, as recorded": [one for one in found if _is_own(one)]}


def _table(parts: Mapping[str, Sequence[HeldOutResult]], others: Sequence[str]) -> Iterator[str]:
    rows: list[ConditionRow] = []
    for name, some in parts.items():
        rows.append(_row(name, some, others))
        apart = [one for one in some if not one.judged.name.startswith(_MEETINGS)]
        if len(apart) < len(some):
            rows.append(_row(f"{name.split(',')[0]}, without the meetings", apart, others))
    yield from table(rows, (OURS, *others))


def _is_own(one: HeldOutResult) -> bool:
    return one.judged.is_unchanged and one.judged.language == "en"


def _row(name: str, some: Sequence[HeldOutResult], others: Sequence[str]) -> ConditionRow:
    counts = {OURS: [counted(one.judged, one.spans) for one in some]}
    for system in others:
        counts[system] = [counted(one.judged, rival(one.judged, system)) for one in some]
    return ConditionRow(name, counts, sum(one.judged.seconds for one in some) / 60)
