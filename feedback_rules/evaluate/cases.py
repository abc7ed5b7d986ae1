"""A rule's cases: tiny reports in the rule's own document, and whether the rule obeys them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from analysis.metrics import BY_ID, EVENT_KINDS
from analysis.results import Report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.evaluate.facts import Facts
from feedback_rules.model import Case, Rule, RuleError

_KEYS = frozenset(
    {"duration", "language", "measurements", "events", "words", "skipped", "audio_only"}
)


def case_report(fragment: Mapping[str, Any]) -> Report:
    """The report that a fragment stands for.

    `measurements` maps ids to a number or to keys of a measurement; everything else has a plain
    default: 180 s, English, good quality, coverage 0.9. Raises RuleError.
    """
    unknown = set(fragment) - _KEYS
    if unknown:
        raise RuleError(f"A case's report has no key {sorted(unknown)[0]!r}.")
    duration = float(fragment.get("duration", 180))
    document = {
        "media": _media(duration, audio_only=bool(fragment.get("audio_only", False))),
        "language": {"code": fragment.get("language", "en"), "source": "given"},
        "speech": [[0.5, max(duration - 0.5, 0.6)]],
        "words": fragment.get("words", []),
        "events": [_event(event) for event in fragment.get("events", [])],
        "measurements": {
            metric: _measurement(metric, given)
            for metric, given in fragment.get("measurements", {}).items()
        },
        "skipped": {
            metric: {"reason": reason} for metric, reason in fragment.get("skipped", {}).items()
        },
    }
    try:
        return Report.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RuleError(f"A case's report cannot be read: {place}: {first['msg']}.") from error


def _media(duration: float, *, audio_only: bool) -> dict[str, Any]:
    video = {"width": 1280, "height": 720, "fps": 30.0}
    return {
        "sha256": "0" * 64,
        "duration": duration,
        "container": "mp4",
        "audio": {"codec": "aac", "sample_rate_hz": 48000, "channels": 1},
        "video": None if audio_only else video,
    }


def _event(given: Mapping[str, Any]) -> dict[str, Any]:
    if given.get("kind") not in EVENT_KINDS:
        raise RuleError(f"A case names the unknown event {given.get('kind')!r}.")
    return dict(given)


def _measurement(metric: str, given: Any) -> dict[str, Any]:
    if metric not in BY_ID:
        raise RuleError(f"A case names the unknown metric {metric!r}.")
    values = dict(given) if isinstance(given, Mapping) else {"value": given}
    defaults = {"unit": BY_ID[metric].unit, "n": 20, "coverage": 0.9, "quality": "good"}
    return defaults | values


def failing_cases(rule: Rule) -> tuple[str, ...]:
    """What is wrong with the rule's proof, one sentence each; empty where it holds."""
    problems = [
        f"there is no {kind} case"
        for kind in ("pass", "fail", "threshold")
        if not any(case.kind == kind for case in rule.cases)
    ]
    active = rule.model_copy(update={"status": "stable"}) if rule.status == "draft" else rule
    if rule.status != "retired":
        problems += [problem for case in rule.cases for problem in _problems(active, case)]
    return tuple(problems)


def _problems(rule: Rule, case: Case) -> list[str]:
    try:
        report = case_report(case.report)
    except RuleError as problem:
        return [f"case {case.name!r}: {problem.sentence}"]
    finding = finding_of(rule, Facts.of(report, case.context))
    if finding.fired != case.fires:
        expected = "fire" if case.fires else "stay silent"
        got = f"{finding.outcome.value} {finding.detail}".strip()
        return [f"case {case.name!r}: should {expected}, but: {got}"]
    if case.needs_coach is not None and finding.needs_coach != case.needs_coach:
        return [f"case {case.name!r}: needs_coach is {finding.needs_coach}"]
    return []
