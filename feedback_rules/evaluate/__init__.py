"""Evaluation: the rules that apply to a report, and the reason why each other one does not."""

from __future__ import annotations

from feedback_rules.evaluate.cases import case_report, failing_cases
from feedback_rules.evaluate.engine import evaluate
from feedback_rules.evaluate.facts import Facts

__all__ = ["Facts", "case_report", "evaluate", "failing_cases"]
