"""Which moments of the recording show what a rule says."""

from __future__ import annotations

from analysis.results import Event
from feedback_rules.evaluate.conditions import matching
from feedback_rules.evaluate.facts import Facts, Span
from feedback_rules.model import Moment, Rule

MOST_MOMENTS = 3
SAMPLE_SECONDS = 6.0
"""Length of a passage that stands for the whole talk."""


def events_for(rule: Rule, facts: Facts) -> tuple[Event, ...]:
    """Every event that the rule's evidence names, in time order, each once."""
    found: dict[tuple[str, float, float, str], Event] = {}
    for wanted in rule.evidence.events:
        for event in matching(wanted, facts):
            found[event.kind, event.start, event.end, event.label] = event
    return tuple(sorted(found.values(), key=lambda e: (e.start, e.end, e.kind, e.label)))


def inside_media(event: Event, facts: Facts) -> bool:
    """Whether the event can be played at all."""
    return 0 <= event.start < facts.report.media.duration and event.end > event.start


def chosen(rule: Rule, events: tuple[Event, ...], facts: Facts) -> tuple[Moment, ...]:
    """At most three moments in time order; the fallback where there are no events."""
    if events:
        picked = sorted(_pick(rule.evidence.order, events), key=lambda e: (e.start, e.end))
        return tuple(Moment(kind=e.kind, start=e.start, end=e.end, label=e.label) for e in picked)
    duration = facts.report.media.duration
    spans = [(s, min(e, duration)) for s, e in _fallback(rule, facts) if s < duration]
    name = "speech" if rule.evidence.fallback in {"talk", "limit"} else rule.evidence.fallback
    return tuple(Moment(kind=name, start=s, end=e) for s, e in spans if e > s)


def _pick(order: str, events: tuple[Event, ...]) -> list[Event]:
    if order == "longest":
        ranked = sorted(events, key=lambda e: (e.start - e.end, e.start))
    elif order == "probable":
        ranked = sorted(events, key=lambda e: (-(e.probability or 0.0), e.start))
    elif order == "spread" and len(events) > MOST_MOMENTS:
        ranked = [events[0], events[len(events) // 2], events[-1]]
    else:
        ranked = list(events)
    return ranked[:MOST_MOMENTS]


def _fallback(rule: Rule, facts: Facts) -> list[Span]:
    kind = rule.evidence.fallback
    start, end = facts.talk
    if kind == "talk":
        middles = [start + share * (end - start) for share in (0.25, 0.5, 0.75)]
        half = min(SAMPLE_SECONDS, (end - start) / 4) / 2
        return [(max(0.0, m - half), m + half) for m in middles]
    if kind == "limit" and facts.context.time_limit is not None:
        passed = start + facts.context.time_limit
        if passed < end:
            return [(passed, min(passed + SAMPLE_SECONDS, end))]
        return [facts.windows["closing"]]
    return [facts.windows[kind]] if kind in facts.windows else []
