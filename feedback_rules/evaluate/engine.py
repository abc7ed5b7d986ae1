"""Rule engine: evaluates rules one by one; pure and deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from analysis.results import Measurement, Quality, Reason, Report
from feedback_rules.evaluate.conditions import Miss, why_not
from feedback_rules.evaluate.facts import Facts
from feedback_rules.evaluate.gates import first_miss
from feedback_rules.evaluate.moments import events_for, inside_media, select_moments
from feedback_rules.model import ONLY_THE_VALUE, Context, Finding, Outcome, Rule

SEVERITY_FLOOR = 0.2
"""Weight of a rule that has just left its dead-band. Rule of thumb."""
_QUALITY_FACTOR = {Quality.GOOD: 1.0, Quality.FAIR: 0.8, Quality.POOR: 0.5}
_GRADE_FACTOR = {"A": 1.0, "B": 0.95, "C": 0.85}
_NO_INTERVAL_FACTOR = 0.9
_UNCLEAR_FACTOR = 0.7
_EXPERIMENTAL_FACTOR = 0.9
"""Factors that lower confidence. Rules of thumb until coaches' verdicts can set them."""
_SAME_SHARE = 0.5


def evaluate(report: Report, rules: Iterable[Rule], context: Context | None) -> tuple[Finding, ...]:
    """Return a finding for every rule, ordered by id."""
    return findings_from(Facts.of(report, context), rules)


def findings_from(facts: Facts, rules: Iterable[Rule]) -> tuple[Finding, ...]:
    """Return the same for a report whose facts are known already."""
    found = [finding_of(rule, facts) for rule in sorted(rules, key=lambda rule: rule.id)]
    return _merged(found, {rule.id: rule for rule in rules})


def finding_of(rule: Rule, facts: Facts) -> Finding:
    """Return the finding of one rule for a report."""
    miss = first_miss(rule, facts)
    if miss is not None:
        return _silent(rule, miss)
    held = _held_focus(rule, facts)
    miss = None if held else _conditions_miss(rule, facts)
    if miss is not None:
        return _silent(rule, miss)
    co_signal = held or any(why_not(c, facts) is None for c in rule.when.co_signals)
    if rule.when.co_signals and not co_signal and rule.when.without_co_signal == "silent":
        return _silent(rule, Miss(outcome=Outcome.NO_CO_SIGNAL))
    return _speaking(rule, facts, _Signals(held=held, co_signal=co_signal))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signals:
    held: bool
    co_signal: bool


def _conditions_miss(rule: Rule, facts: Facts) -> Miss | None:
    # Praise that the interval does not support would discredit the rest.
    is_careful = rule.tone == "strength"
    found = [why_not(each, facts, is_careful=is_careful) for each in rule.when.all]
    missed = [miss for miss in found if miss is not None]
    if missed:
        # A wide interval is the reason only if nothing else is: a narrower one would not help.
        is_open = all(miss.detail.endswith(ONLY_THE_VALUE) for miss in missed)
        first = missed[0]
        return (
            first if is_open else replace(first, detail=first.detail.removesuffix(ONLY_THE_VALUE))
        )
    misses = [why_not(condition, facts, is_careful=is_careful) for condition in rule.when.any]
    if misses and all(miss is not None for miss in misses):
        return misses[0]
    for condition in rule.when.unless:
        if why_not(condition, facts) is None:
            return Miss(outcome=Outcome.MEANS_OTHERWISE)
    return None


def _held_focus(rule: Rule, facts: Facts) -> bool:
    """Return whether the rule was shown last time and is still beyond its threshold, so that it
    stays the focus.

    The threshold is enough: an established finding need not be proven again for each take.
    """
    return rule.id in facts.focus and beyond_edge(rule, facts) > 0


def beyond_edge(rule: Rule, facts: Facts) -> float:
    """Return the distance of the primary value beyond the threshold; negative inside the band."""
    severity = rule.severity
    reference = facts.reference(severity.relative_to, severity.metric) or 1.0
    value = facts.report.measurements[severity.metric].value / reference
    return value - severity.edge if severity.direction == "above" else severity.edge - value


def severity_of(rule: Rule, facts: Facts) -> float:
    """Return the severity, from 0.2 at the threshold to 1 at the band's width beyond it."""
    share = min(max(beyond_edge(rule, facts) / rule.severity.width, 0.0), 1.0)
    return round(SEVERITY_FLOOR + (1 - SEVERITY_FLOOR) * share, 4)


def confidence_of(rule: Rule, facts: Facts) -> float:
    """Return the reliability of the evidence, from quality, coverage,
    interval, grade and status.
    """
    measured = [facts.report.measurements[metric] for metric in rule.required_metrics]
    quality = min(_QUALITY_FACTOR[m.quality] for m in measured)
    coverage = 0.6 + 0.4 * min(m.coverage for m in measured)
    status = 1.0 if rule.status == "stable" else _EXPERIMENTAL_FACTOR
    clear = _clearness(rule, measured[0], facts)
    measured_well = quality * coverage * clear
    known_well = status * _GRADE_FACTOR[rule.grade] * rule.weights.reliability
    return round(measured_well * known_well, 4)


def _clearness(rule: Rule, lead: Measurement, facts: Facts) -> float:
    if lead.interval is None:
        return _NO_INTERVAL_FACTOR
    severity = rule.severity
    reference = facts.reference(severity.relative_to, severity.metric) or 1.0
    above = severity.direction == "above"
    near = lead.interval[0 if above else 1] / reference
    is_clear = near >= severity.edge if above else near <= severity.edge
    return 1.0 if is_clear else _UNCLEAR_FACTOR


def _speaking(rule: Rule, facts: Facts, spoken: _Signals) -> Finding:
    confidence = confidence_of(rule, facts)
    if confidence < rule.gates.min_confidence:
        return _silent(rule, Miss(outcome=Outcome.LOW_CONFIDENCE, detail=f"{confidence:.2f}"))
    events = events_for(rule, facts)
    playable = tuple(event for event in events if inside_media(event, facts))
    is_about_talk = rule.evidence.is_about_talk
    if events and not playable and not is_about_talk:
        return _silent(rule, Miss(outcome=Outcome.OUTSIDE_MEDIA))
    moments = select_moments(rule, playable, facts)
    if not moments and not is_about_talk:
        return _silent(rule, Miss(outcome=Outcome.NO_EVIDENCE))
    return Finding(
        rule=rule.id,
        rule_version=rule.version,
        tone=rule.tone,
        quality=rule.quality,
        family=rule.family,
        outcome=Outcome.FIRED,
        needs_coach=_needs_coach(rule, facts, spoken),
        held_focus=spoken.held,
        metric=rule.severity.metric,
        value=facts.report.measurements[rule.severity.metric].value,
        severity=severity_of(rule, facts),
        confidence=confidence,
        count=len(playable),
        moments=moments,
    )


def _needs_coach(rule: Rule, facts: Facts, spoken: _Signals) -> bool:
    """Return whether a coach must confirm: a coach's rule, a convention without a co-signal, or
    untested speech.

    With `machine_then_coach` the machine finds it and a coach confirms it; once approved, it stays
    the focus without another confirmation.
    """
    if rule.decided_by == "coach":
        return True
    if rule.decided_by == "machine_then_coach" and not spoken.held:
        return True
    if rule.grade == "C" and not spoken.co_signal:
        return True
    return rule.quality == "fluency" and Reason.OUTSIDE_TESTED_SPEECH in facts.skip_reasons


def _silent(rule: Rule, miss: Miss) -> Finding:
    return Finding(
        rule=rule.id,
        rule_version=rule.version,
        tone=rule.tone,
        quality=rule.quality,
        family=rule.family,
        outcome=miss.outcome,
        detail=miss.detail,
        reason=miss.reason,
        metric=miss.metric,
    )


def _merged(found: list[Finding], rules: dict[str, Rule]) -> tuple[Finding, ...]:
    """Merge findings into those of rules that replace them, if both fired."""
    fired = {finding.rule: finding for finding in found if finding.fired}
    taking = {name: _absorbed_rules(finding, rules[name], fired) for name, finding in fired.items()}
    taken = {name: by for by, names in taking.items() for name in names}
    result = []
    for finding in found:
        if finding.fired and finding.rule in taken:
            result.append(_absorbed(finding, taken[finding.rule]))
        elif finding.fired and taking[finding.rule]:
            result.append(finding.model_copy(update={"merged": taking[finding.rule]}))
        else:
            result.append(finding)
    return tuple(result)


def _absorbed_rules(finding: Finding, rule: Rule, fired: Mapping[str, Finding]) -> tuple[str, ...]:
    """Return the rules merged into a finding; one that waits for a coach absorbs none that can be
    shown without one.
    """
    others = (fired[name] for name in (*rule.replaces, *rule.replaces_at) if name in fired)
    return tuple(
        other.rule
        for other in others
        if (other.needs_coach or not finding.needs_coach)
        and (other.rule in rule.replaces or _has_same_moments(finding, other))
    )


def _has_same_moments(finding: Finding, other: Finding) -> bool:
    """Return whether half of every moment of the other is within a moment of this finding."""
    return all(
        any(
            min(ours.end, moment.end) - max(ours.start, moment.start)
            >= _SAME_SHARE * (moment.end - moment.start)
            for ours in finding.moments
        )
        for moment in other.moments
    )


def _absorbed(finding: Finding, by: str) -> Finding:
    return finding.model_copy(
        update={"outcome": Outcome.MERGED, "detail": by, "needs_coach": False, "moments": ()}
    )
