"""Cases of a rule: small reports in the rule's own document, and the check against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from analysis.metrics import BY_ID
from analysis.results import Report
from feedback_rules.evaluate.advice import USUAL, chosen_suggestion
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.evaluate.facts import Facts
from feedback_rules.model import (
    Case,
    CaseMeasurement,
    CaseReport,
    Rule,
    RuleError,
    RuleProblem,
    problem,
)


def case_report(fragment: Mapping[str, Any]) -> Report:
    """Build a report from a fragment, with neutral defaults. Raises RuleError."""
    try:
        given = CaseReport.model_validate(fragment)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        told = problem("case_unread", place=place, problem=first["msg"].rstrip("."))
        raise RuleError(told) from error
    return Report.model_validate(
        {
            "media": _media(given.duration, audio_only=given.audio_only),
            "language": {"code": given.language, "source": "given"},
            "speech": [[0.5, max(given.duration - 0.5, 0.6)]],
            "words": given.words,
            "events": [event.model_dump() for event in given.events],
            "measurements": {
                metric: _measurement(metric, measured)
                for metric, measured in given.measurements.items()
            },
            "skipped": {metric: {"reason": reason} for metric, reason in given.skipped.items()},
        }
    )


def _media(duration: float, *, audio_only: bool) -> dict[str, Any]:
    video = {"width": 1280, "height": 720, "fps": 30.0}
    return {
        "sha256": "0" * 64,
        "duration": duration,
        "container": "mp4",
        "audio": {"codec": "aac", "sample_rate_hz": 48000, "channels": 1},
        "video": None if audio_only else video,
    }


def _measurement(metric: str, given: float | CaseMeasurement) -> dict[str, Any]:
    measured = given if isinstance(given, CaseMeasurement) else CaseMeasurement(value=given)
    return {"unit": BY_ID[metric].unit, **measured.model_dump()}


def failing_cases(rule: Rule) -> tuple[RuleProblem, ...]:
    """Return the problems of the rule's cases; empty if all hold."""
    problems = [
        problem(f"no_{kind}_case").at("cases")
        for kind in ("pass", "fail", "threshold")
        if not any(case.kind == kind for case in rule.cases)
    ]
    active = rule.model_copy(update={"status": "stable"}) if rule.status == "draft" else rule
    if rule.status != "retired":
        for index, case in enumerate(rule.cases):
            problems += [each.at("cases", index) for each in _problems(active, case)]
    return tuple(problems)


def _problems(rule: Rule, case: Case) -> list[RuleProblem]:
    facts = Facts.of(case_report(case.report), case.context)
    finding = finding_of(rule, facts)
    if finding.fired and not case.fires:
        return [problem("case_speaks", case=case.name)]
    if case.fires and not finding.fired:
        got = f"{finding.outcome.value} {finding.detail}".strip()
        return [problem("case_silent", case=case.name, outcome=got)]
    if case.needs_coach is not None and finding.needs_coach != case.needs_coach:
        code = "case_needs_coach" if case.needs_coach else "case_needs_none"
        return [problem(code, case=case.name)]
    if case.suggests is not None and finding.fired:
        chosen = chosen_suggestion(rule, finding, facts, ())
        name = chosen.name if chosen else USUAL
        if name != case.suggests:
            return [problem("case_suggests", case=case.name, wanted=case.suggests, chosen=name)]
    return []
