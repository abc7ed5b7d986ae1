"""Benchmark `disturbed`: change of the measures when a recording is disturbed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from analysis.ports import Options
from analysis.results import Quality, Report
from bench.document import publish
from bench.judgement.analysed import ReportCache, folder
from bench.judgement.making import context_of
from bench.judgement.planting import RATE_HZ, joined
from bench.judgement.recipe import VERSION, clean
from bench.judgement.rehearsal import ConstructedTalk, speakers
from bench.judgement.speaking import VOICES
from bench.listening.disturbances import DISTURBANCES, CleanTalk
from feedback_rules.loader import builtin_rule_set
from feedback_rules.select import draft

SENTENCES = 20
SHOWN = ("af_heart", "bf_emma", "bm_george")
CLEAN = "none"
MEASURES = {
    "pace.words_per_minute": ("words a minute", 0),
    "pauses.boundary_pause_share": ("sentence ends with a pause", 2),
    "pauses.silence_share": ("silence", 2),
    "loudness.range_db": ("range of loudness, dB", 0),
    "loudness.trend_db": ("trend, dB", 1),
    "loudness.sentence_end_drop_share": ("quiet sentence ends", 2),
    "pitch.variation_quotient": ("variation of pitch", 2),
    "fillers.filled_pauses_per_minute": ("ums a minute", 1),
}
"""Metrics shown: column name and decimals."""
_REVISION = 1
"""Version of the disturbances; reports are cached by it."""


@dataclass(frozen=True, slots=True)
class DisturbedReport:
    """Report and fired rules of one recording."""

    voice: str
    report: Report
    cards: frozenset[str]
    """Rules that fired."""


def main(arguments: Sequence[str]) -> int:
    """Make, analyse and compare; `--write` puts the table into docs/lab/disturbed.md."""
    parser = argparse.ArgumentParser(prog="python -m bench disturbed", description=__doc__)
    parser.add_argument("--write", action="store_true", help="update docs/lab/disturbed.md")
    chosen = parser.parse_args(arguments)
    publish("disturbed", lines(), is_written=chosen.write)
    return 0


def lines() -> Iterator[str]:
    """Yield a row for the undisturbed talks, and one for each disturbance."""
    yield (
        f"{SENTENCES} sentences each of {', '.join(SHOWN)}. Left out: the report says why; in "
        "brackets: told, and called poor. Cards: rules that fire and did not, and the other way "
        "round, with the number of voices."
    )
    yield ""
    yield f"| disturbed by | {' | '.join(name for name, _ in MEASURES.values())} | cards |"
    yield f"| --- | {'--- | ' * len(MEASURES)}--- |"
    people = [each for each in speakers(VOICES) if each.voice in SHOWN]
    plain = [_told(each, CLEAN) for each in people]
    yield _row("nothing", plain, plain)
    for name in DISTURBANCES:
        yield _row(name, [_told(each, name) for each in people], plain)


def _row(name: str, told: Sequence[DisturbedReport], plain: Sequence[DisturbedReport]) -> str:
    cells = [_cell(told, metric, digits) for metric, (_, digits) in MEASURES.items()]
    return f"| {name} | {' | '.join(cells)} | {_cards(told, plain)} |"


def _cell(told: Sequence[DisturbedReport], metric: str, digits: int) -> str:
    values = []
    for each in told:
        found = each.report.measurements.get(metric)
        if found is None:
            values.append("left out")
        else:
            value = f"{found.value:.{digits}f}"
            values.append(f"({value})" if found.quality is Quality.POOR else value)
    return "left out" if set(values) == {"left out"} else ", ".join(values)


def _cards(told: Sequence[DisturbedReport], plain: Sequence[DisturbedReport]) -> str:
    pairs = list(zip(told, plain, strict=True))
    rules = sorted({rule for one, other in pairs for rule in one.cards ^ other.cards})
    found = []
    for rule in rules:
        more = sum(rule in one.cards - other.cards for one, other in pairs)
        fewer = sum(rule in other.cards - one.cards for one, other in pairs)
        found += [f"+{rule} {more}"] * bool(more) + [f"−{rule} {fewer}"] * bool(fewer)
    return ", ".join(found)


def take_of(rehearsal: ConstructedTalk) -> CleanTalk:
    """Return the talk of a voice, with the next voice of its language as background."""
    others = VOICES[rehearsal.language]
    voice = others[(others.index(rehearsal.voice) + 1) % len(others)]
    other = next(each for each in speakers(VOICES) if each.voice == voice)
    sound, spans = joined(clean(rehearsal).pieces[:SENTENCES])
    behind = tuple(piece.audio for piece in clean(other).pieces[:SENTENCES])
    return CleanTalk(sound, spans, behind)


def _told(rehearsal: ConstructedTalk, name: str) -> DisturbedReport:
    def write(path: Path) -> None:
        """Write floating point, which preserves sound below one step of 16 bits."""
        take = take_of(rehearsal)
        sound = take.sound if name == CLEAN else DISTURBANCES[name](take)
        wavfile.write(path, RATE_HZ, np.asarray(sound, dtype=np.float32))

    recipe = f"disturbed {VERSION} {_REVISION} {SENTENCES} {rehearsal} {name}"
    report = ReportCache(folder()).report(recipe, write, Options(language=rehearsal.language))
    fired = draft(report, builtin_rule_set(), context_of(rehearsal.language)).findings
    return DisturbedReport(
        rehearsal.voice, report, frozenset(one.rule for one in fired if one.fired)
    )
