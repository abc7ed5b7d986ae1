"""Trials of rules with coaches only: the share of cards that they keep decides what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coach.curation.statistics.tallies import LEAST_DECISIONS, LEAST_KEPT, RuleStatistics
from coach.lib.words.shares import Share, share_words
from coach.rulesets.models import RuleVersion
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.model import Case, Rule

Outcome = Literal["waiting", "kept", "unclear", "rejected"]

COACHES_FIRST = "machine_then_coach"
"""Who decides during a trial: trainees read a card once a coach has confirmed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The decisions of coaches on a version that only coaches read first."""

    kept: Share | None
    missing: int
    """The decisions still needed."""
    outcome: Outcome

    @property
    def words(self) -> str:
        """The share kept with its interval; empty without a decision."""
        return share_words(self.kept)


def trial_of(version: RuleVersion, statistics: RuleStatistics | None) -> Trial | None:
    """Return the trial of a version in use; None if trainees read its cards at once.

    The interval decides, so that a few decisions in a row do not: all of it has to be on one side
    of the share below which a rule is flagged.
    """
    document = version.document
    if document["decided_by"] != COACHES_FIRST or document["status"] in {"draft", "retired"}:
        return None
    tally = statistics.versions.get(version.number) if statistics else None
    kept = tally.kept if tally else None
    missing = max(0, LEAST_DECISIONS - (kept.of if kept else 0))
    return Trial(kept=kept, missing=missing, outcome=_outcome(kept, missing))


def with_decider(rule: Rule, decided_by: str) -> Rule:
    """Return the rule with another decider, and with its cases expecting what follows from it."""
    changed = rule.model_copy(update={"decided_by": decided_by})
    cases = tuple(_expecting(changed, case) for case in rule.cases)
    return changed.model_copy(update={"cases": cases})


def _expecting(rule: Rule, case: Case) -> Case:
    if case.needs_coach is None or not case.fires:
        return case
    finding = finding_of(rule, Facts.of(case_report(case.report), case.context))
    return case.model_copy(update={"needs_coach": finding.needs_coach})


def _outcome(kept: Share | None, missing: int) -> Outcome:
    if kept is None or missing:
        return "waiting"
    low, high = kept.interval
    if low >= LEAST_KEPT:
        return "kept"
    return "rejected" if high < LEAST_KEPT else "unclear"
