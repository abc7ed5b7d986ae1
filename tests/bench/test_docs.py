"""The generated documents have every entry of the catalogues and every rule that gives cards."""

from __future__ import annotations

from pathlib import Path

from analysis.events import EVENTS
from analysis.metrics import METRICS
from bench.docs import main
from feedback_rules.explain import gallery_entries
from feedback_rules.loader import builtin_rule_set


def test_each_metric_event_and_rule_is_in_its_generated_document(tmp_path: Path) -> None:
    assert main(["--folder", str(tmp_path)]) == 0
    measures = (tmp_path / "measures.md").read_text(encoding="utf-8")
    assert all(f"| `{each.id}` |" in measures for each in (*METRICS, *EVENTS))
    gallery = (tmp_path / "gallery.md").read_text(encoding="utf-8")
    shown = gallery_entries(builtin_rule_set().rules)
    assert all(f"### {each.rule.id} " in gallery for each in shown)
    severity = (tmp_path / "severity.md").read_text(encoding="utf-8")
    assert "| FIL001 | Um and uh, per minute | 5 | 12 |" in severity
    assert "| TIM001 | Length of the talk, s | 110% of the limit | 140% of the limit |" in severity
