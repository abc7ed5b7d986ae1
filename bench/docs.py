"""Benchmark command `docs`: write the documents that the catalogues and rules generate.

They go to docs/generated/, which is not committed: a new metric, event or rule changes no document.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from analysis.events import DETAILS, EVENTS
from analysis.metrics import BY_ID, METRICS
from bench.document import ROOT
from feedback_rules.explain import as_markdown, gallery_entries
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Rule

FOLDER = ROOT / "docs" / "generated"
_RELATIVE = {"baseline": " of the speaker’s baseline", "time_limit": " of the limit"}


def main(arguments: Sequence[str]) -> int:
    """Write each generated document."""
    parser = argparse.ArgumentParser(prog="python -m bench docs", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
    return 0


def documents() -> dict[str, str]:
    """Return the text of each generated document by file name."""
    rules = builtin_rule_set().rules
    return {
        "gallery.md": as_markdown(gallery_entries(rules)),
        "measures.md": "\n".join(_measures()) + "\n",
        "severity.md": "\n".join(("# Severity of each rule", "", *_severity(rules))) + "\n",
    }


def _measures() -> Iterator[str]:
    yield from ("# Catalogue of metrics, events and details", "", "## Metrics", "")
    yield from _table(
        ("id", "name", "unit", "in one sentence", "definition", "source", "limits"),
        (
            (
                *(f"`{each.id}`", each.label, each.unit, each.plain),
                *(each.definition, each.reference, each.limitations),
            )
            for each in METRICS
        ),
    )
    yield from ("", "## Events", "")
    yield from _table(
        ("kind", "family", "name", "definition"),
        ((f"`{each.id}`", each.family, each.label, each.definition) for each in EVENTS),
    )
    yield from ("", "## Details of events", "")
    yield from _table(
        ("key", "meaning", "values"),
        ((f"`{each.id}`", each.label, ", ".join(each.values)) for each in DETAILS),
    )


def _severity(rules: Iterable[Rule]) -> Iterator[str]:
    """Yield the threshold of each rule that the machine may show, and where it has full weight."""
    yield from _table(
        ("rule", "measure", "threshold", "full weight at"),
        (
            _severity_row(rule)
            for rule in rules
            if rule.tone != "strength" and rule.decided_by != "coach" and rule.status != "retired"
        ),
    )


def _severity_row(rule: Rule) -> tuple[str, ...]:
    severity = rule.severity
    step = severity.width if severity.direction == "above" else -severity.width
    metric = BY_ID[severity.metric]
    unit = "" if metric.unit in {"share", "ratio"} else f", {metric.unit}"
    ends = (_on_scale(each, rule) for each in (severity.edge, severity.edge + step))
    return (rule.id, f"{metric.label}{unit}", *ends)


def _on_scale(number: float, rule: Rule) -> str:
    """Return a number as 50%, 1.5 or 130% of the limit."""
    severity = rule.severity
    is_share = BY_ID[severity.metric].unit == "share" or severity.relative_to != "nothing"
    shown = f"{round(100 * number, 6):g}%" if is_share else f"{round(number, 6):g}"
    return shown + _RELATIVE.get(severity.relative_to, "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
