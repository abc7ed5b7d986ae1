"""Gates: requirements checked in a fixed order before the conditions of a rule."""

from __future__ import annotations

from collections.abc import Callable
from math import floor

from analysis.results import Quality, Reason
from feedback_rules.evaluate.conditions import Miss, unmeasured, why_not
from feedback_rules.evaluate.facts import Facts
from feedback_rules.model import Outcome, Rule

_QUALITY_ORDER = {Quality.POOR: 0, Quality.FAIR: 1, Quality.GOOD: 2}

UNRELIABLE: dict[Reason, frozenset[str]] = {
    Reason.SEVERAL_SPEAKERS: frozenset({"pace", "pitch", "gaze", "head", "loudness"}),
    Reason.SEVERAL_FACES: frozenset({"gesture", "posture"}),
    Reason.LANGUAGE_MISMATCH: frozenset({"wording", "structure", "pace", "fillers"}),
    Reason.AUTOMATIC_GAIN: frozenset({"loudness"}),
    Reason.OUTSIDE_TESTED_SPEECH: frozenset({"pace"}),
}
"""Families suppressed by a skip reason anywhere in a report: several voices make pitch and pace
ambiguous, several faces gestures, a wrong language words, and automatic gain loudness. Repeated
sounds and blocks slow down their passage, so that the rest seems rushed.
"""


def first_miss(rule: Rule, facts: Facts) -> Miss | None:
    """Return the first gate that the rule does not pass, or None."""
    for gate in _GATES:
        miss = gate(rule, facts)
        if miss is not None:
            return miss
    return None


def _active(rule: Rule, facts: Facts) -> Miss | None:
    if rule.status in {"draft", "retired"}:
        return Miss(outcome=Outcome.NOT_ACTIVE, detail=rule.status)
    return None


def _switched_on(rule: Rule, facts: Facts) -> Miss | None:
    disabled = rule.families & facts.context.disabled_metric_families
    if disabled:
        return Miss(outcome=Outcome.DISABLED_BY_PROFILE, detail=", ".join(sorted(disabled)))
    return None


def _may_speak(rule: Rule, facts: Facts) -> Miss | None:
    """Return a miss if the trainee asked for no cards on a metric of the rule."""
    quiet = rule.about & set(facts.context.quiet)
    if quiet:
        return Miss(outcome=Outcome.QUIET_BY_PROFILE, detail=", ".join(sorted(quiet)))
    return None


def _context_given(rule: Rule, facts: Facts) -> Miss | None:
    wanted = {
        "aim": rule.applies.aims,
        "audience": rule.applies.audiences,
        "setting": rule.applies.settings,
    }
    for key, values in wanted.items():
        if values and getattr(facts.context, key) is None:
            return Miss(outcome=Outcome.MISSING_CONTEXT, detail=key)
    for relative_to, metric in rule.references_needed:
        if facts.reference(relative_to, metric) is None:
            detail = facts.lack_of(relative_to, metric)
            return Miss(outcome=Outcome.MISSING_CONTEXT, detail=detail, metric=metric)
    return None


def _fits_context(rule: Rule, facts: Facts) -> Miss | None:
    applies, context = rule.applies, facts.context
    wanted = {
        "aim": (context.aim, applies.aims),
        "audience": (context.audience, applies.audiences),
        "setting": (context.setting, applies.settings),
    }
    for key, (given, values) in wanted.items():
        if values and given not in values:
            return Miss(outcome=Outcome.OTHER_CONTEXT, detail=f"{key}: {given}")
    if context.camera_position in applies.except_camera_positions:
        return Miss(outcome=Outcome.OTHER_CONTEXT, detail=f"camera: {context.camera_position}")
    if applies.slides == "without" and context.slides:
        return Miss(outcome=Outcome.OTHER_CONTEXT, detail="slides")
    if applies.notes == "not_scrolling" and context.notes == "scrolling":
        return Miss(outcome=Outcome.OTHER_CONTEXT, detail="scrolling notes")
    if applies.speakers == "first_language" and context.speaks_as == "second":
        return Miss(outcome=Outcome.OTHER_CONTEXT, detail="second language")
    tested = facts.hears_nobody or not applies.languages or facts.language in applies.languages
    if not tested:
        return Miss(outcome=Outcome.OTHER_LANGUAGE, detail=facts.language)
    return None


def _has_media(rule: Rule, facts: Facts) -> Miss | None:
    media = facts.report.media
    for kind in rule.applies.media:
        if getattr(media, kind) is None:
            return Miss(outcome=Outcome.NO_MEDIA, detail=kind)
    return None


def _reliable_here(rule: Rule, facts: Facts) -> Miss | None:
    for reason in facts.skip_reasons:
        if reason in rule.gates.silent_if or rule.families & UNRELIABLE.get(reason, frozenset()):
            return Miss(outcome=Outcome.UNRELIABLE_HERE, detail=reason.value, reason=reason)
    return None


def _measured(rule: Rule, facts: Facts) -> Miss | None:
    for metric in rule.required_metrics:
        if metric not in facts.report.measurements:
            return unmeasured(metric, facts)
    return None


def _good_enough(rule: Rule, facts: Facts) -> Miss | None:
    gates = rule.gates
    for metric in rule.required_metrics:
        measurement = facts.report.measurements[metric]
        if _QUALITY_ORDER[measurement.quality] < _QUALITY_ORDER[gates.min_quality]:
            return Miss(
                outcome=Outcome.LOW_QUALITY, detail=measurement.quality.value, metric=metric
            )
        if measurement.leaves_everything_open:
            return Miss(outcome=Outcome.LOW_QUALITY, detail="open", metric=metric)
        if not metric.startswith("signal.") and measurement.coverage < gates.min_coverage:
            detail = f"{measurement.coverage:.2f} of {gates.min_coverage:.2f}"
            return Miss(outcome=Outcome.LOW_COVERAGE, detail=detail, metric=metric)
    lead = facts.report.measurements[rule.severity.metric]
    if lead.n < gates.min_n:
        detail = f"{lead.n} of {gates.min_n}"
        return Miss(outcome=Outcome.FEW_OBSERVATIONS, detail=detail, metric=rule.severity.metric)
    return None


def _long_enough(rule: Rule, facts: Facts) -> Miss | None:
    if facts.talk_seconds < rule.gates.min_seconds:
        # Rounded down: "90 s of 90 s" would be long enough.
        detail = f"{floor(facts.talk_seconds)} s of {rule.gates.min_seconds:.0f} s"
        return Miss(outcome=Outcome.TOO_SHORT, detail=detail)
    return None


def _words_sure(rule: Rule, facts: Facts) -> Miss | None:
    probability = facts.word_probability
    if probability is not None and probability < rule.gates.min_word_probability:
        return Miss(outcome=Outcome.UNSURE_WORDS, detail=f"{probability:.2f}")
    return None


def _signal_gates(rule: Rule, facts: Facts) -> Miss | None:
    for need in rule.gates.needs:
        miss = why_not(need, facts)
        if miss is not None:
            return Miss(outcome=Outcome.SIGNAL_GATE, detail=miss.detail, metric=need.metric)
    return None


_GATES: tuple[Callable[[Rule, Facts], Miss | None], ...] = (
    _active,
    _switched_on,
    _may_speak,
    _context_given,
    _fits_context,
    _has_media,
    _reliable_here,
    _measured,
    _long_enough,
    _good_enough,
    _words_sure,
    _signal_gates,
)
