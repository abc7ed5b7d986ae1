"""Selection of the moments that show what a rule says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from analysis.results import Event
from feedback_rules.evaluate.conditions import matching
from feedback_rules.evaluate.facts import Facts, Span
from feedback_rules.model import EventFilter, Moment, Rule

MOST_MOMENTS = 3
LIMIT_SECONDS = 6.0
"""Length of playback after the time limit."""
_EDGES = frozenset({"opening", "closing"})


def events_for(rule: Rule, facts: Facts) -> tuple[Event, ...]:
    """Return every event named by the rule's evidence, in time order, each once."""
    found: dict[tuple[str, float, float, str], Event] = {}
    for wanted in rule.evidence.events:
        for event in matching(wanted, facts):
            shown = event if rule.evidence.quote != "none" else _at_the_edge(event, wanted, facts)
            found[shown.kind, shown.start, shown.end, shown.label] = shown
    return tuple(sorted(found.values(), key=lambda e: (e.start, e.end, e.kind, e.label)))


def _at_the_edge(event: Event, wanted: EventFilter, facts: Facts) -> Event:
    """Clip an event to the first or last ten seconds if the rule is about those; a look away may go
    on for minutes.
    """
    if len(wanted.within) != 1 or wanted.within[0] not in _EDGES:
        return event
    start, end = facts.windows[wanted.within[0]]
    within = {"start": max(event.start, start), "end": min(event.end, end)}
    return event.model_copy(update=within)


def inside_media(event: Event, facts: Facts) -> bool:
    """Return whether the event can be played."""
    return 0 <= event.start < facts.report.media.duration and event.end > event.start


def select_moments(rule: Rule, events: tuple[Event, ...], facts: Facts) -> tuple[Moment, ...]:
    """Return at most three moments in time order; without events, the window of an older rule."""
    if events:
        picked = sorted(_pick(rule.evidence.order, events), key=lambda e: (e.start, e.end))
        return tuple(Moment(kind=e.kind, start=e.start, end=e.end, label=e.label) for e in picked)
    duration = facts.report.media.duration
    spans = [(s, min(e, duration)) for s, e in _fallback(rule, facts) if s < duration]
    name = "over_time" if rule.evidence.fallback == "limit" else rule.evidence.fallback
    return tuple(Moment(kind=name, start=s, end=e) for s, e in spans if e > s)


def _pick(order: str, events: tuple[Event, ...]) -> list[Event]:
    if order == "longest":
        return _best(events, lambda event: event.start - event.end)
    if order == "probable":
        return _best(events, lambda event: -(event.probability or 0.0))
    if order == "typical":
        usual = median(_size(event) for event in events)
        return _best(events, lambda event: abs(_size(event) - usual))
    return _spread(events, MOST_MOMENTS) if order == "spread" else list(events[:MOST_MOMENTS])


def _best(events: tuple[Event, ...], cost: Callable[[Event], float]) -> list[Event]:
    """Return the events of lowest cost; of equals, a selection spread over the talk."""
    ranked = sorted(events, key=lambda event: (cost(event), event.start))
    if len(ranked) <= MOST_MOMENTS:
        return ranked
    last = cost(ranked[MOST_MOMENTS - 1])
    better = [event for event in ranked if cost(event) < last]
    equals = [event for event in ranked if cost(event) == last]
    return better + _spread(equals, MOST_MOMENTS - len(better))


def _spread(events: Sequence[Event], most: int) -> list[Event]:
    """Return `most` events from first to last; for one, the middle event."""
    if len(events) <= most:
        return list(events)
    if most == 1:
        return [events[(len(events) - 1) // 2]]
    middle = [events[len(events) // 2]] if most == MOST_MOMENTS else []
    return [events[0], *middle, events[-1]]


def _size(event: Event) -> float:
    """Return the size of an event: words of a sentence, otherwise its length."""
    words = event.detail.get("words")
    return float(words) if isinstance(words, int | float) else event.end - event.start


def _fallback(rule: Rule, facts: Facts) -> list[Span]:
    """Return the window of an older rule; passages that merely sample the talk are not evidence."""
    kind = rule.evidence.fallback
    if kind == "limit" and facts.context.time_limit is not None:
        start, end = facts.talk
        passed = start + facts.context.time_limit
        if passed < end:
            return [(passed, min(passed + LIMIT_SECONDS, end))]
        return [facts.windows["closing"]]
    return [facts.windows[kind]] if kind in facts.windows else []
