"""Detection and repair of cases, edges and texts that a moved threshold makes stale.

Cases move by the same amount as the threshold, so that values on it stay on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any, Literal

from analysis.metrics import BY_ID
from coach.curation.editor.context import CONDITION_LISTS, conditions_of
from coach.curation.editor.fields import Path, get, name_of, number_text, put
from coach.curation.editor.schema import range_adder
from coach.lib.words.measure_words import metric_words
from feedback_rules.model import Case, EventCondition, Message, MetricCondition, Rule, shares_in

Document = dict[str, Any]

_DIGITS = 6
_SAID = ("claim", "claim_near", "figure", "why", "comparison", "counterfactual")
"""The texts of a card that may contain the rule's threshold."""
_WORD = re.compile(r"\w+")
_GAP_SECONDS = 5.0
_SHORTEST_SECONDS = 0.5
_SPELT = (
    "nought",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Numbers as titles and case names spell them."""
_FRACTIONS: dict[float, frozenset[str]] = {
    0.1: frozenset({"tenth", "dixième"}),
    0.2: frozenset({"fifth", "cinquième"}),
    0.25: frozenset({"quarter", "quart"}),
    0.5: frozenset({"half", "moitié", "demi", "demie"}),
    0.75: frozenset({"quarters", "quarts"}),
}
"""Shares, and distances of a ratio from one, as texts spell them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A limit that moved from one number to another."""

    kind: Literal["metric", "count", "length", "talk"]
    subject: str
    """The metric, or the kind of the event; empty for the length of the talk."""
    old: float
    new: float
    use: str = "value"
    relative_to: str = "nothing"

    @property
    def by(self) -> float:
        """The distance of the move."""
        return self.new - self.old


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFigure:
    """A text of the card that still states the old number."""

    path: Path
    text: str
    replacement: str
    """The text with the new number; empty if it spells the old one in words."""

    @property
    def name(self) -> str:
        """The name of the text's form field."""
        return name_of(self.path)

    @property
    def language(self) -> str:
        """The language code of the text."""
        return str(self.path[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """The parts of a rule that a moved threshold made stale."""

    cases: tuple[int, ...] = ()
    edge: float | None = None
    """The new threshold if the edge of the band is still at the old one, else None."""
    texts: tuple[str, ...] = ()
    """The titles and case names that still contain the old number."""
    figures: tuple[StatedFigure, ...] = ()
    """The card texts that still state the old number; a curator decides on each."""
    lengths: tuple[Shift, ...] = ()
    """The minimum lengths of moments that still equal the old threshold in seconds."""

    @property
    def can_adapt(self) -> bool:
        """Whether `adapted` can repair any of them."""
        return bool(self.cases or self.lengths) or self.edge is not None


def shifts_between(before: Rule, after: Rule) -> tuple[Shift, ...]:
    """Return every limit that differs between two versions with otherwise equal conditions."""
    found: list[Shift] = []
    lists = (
        *((getattr(before.when, name), getattr(after.when, name)) for name in CONDITION_LISTS),
        (before.gates.needs, after.gates.needs),
    )
    for olds, news in lists:
        for old, new in zip(olds, news, strict=False):
            if isinstance(old, MetricCondition) and isinstance(new, MetricCondition):
                found += _moved_number(old, new)
            elif isinstance(old, EventCondition) and isinstance(new, EventCondition):
                found += _moved_event(old, new)
    was, now = before.gates.min_seconds, after.gates.min_seconds
    if was != now:
        found.append(Shift(kind="talk", subject="", old=was, new=now))
    return tuple(found)


def _moved_number(old: MetricCondition, new: MetricCondition) -> Iterator[Shift]:
    if (old.metric, old.relative_to) != (new.metric, new.relative_to):
        return
    olds = old.band or (old.value,)
    news = new.band or (new.value,)
    for was, now in zip(olds, news, strict=False):
        if was is not None and now is not None and was != now:
            yield Shift(
                kind="metric",
                subject=new.metric,
                old=was,
                new=now,
                use=new.use,
                relative_to=new.relative_to,
            )


def _moved_event(old: EventCondition, new: EventCondition) -> Iterator[Shift]:
    if old.event != new.event:
        return
    if old.min_seconds != new.min_seconds:
        yield Shift(kind="length", subject=new.event, old=old.min_seconds, new=new.min_seconds)
    for was, now in ((old.at_least, new.at_least), (old.at_most, new.at_most)):
        if was is not None and now is not None and was != now and not new.per_minute:
            yield Shift(kind="count", subject=new.event, old=was, new=now)


def stale_parts(before: Rule, after: Rule, failing: frozenset[int]) -> Stale:
    """Return the parts that still use the old threshold. `failing`: indices of failing cases."""
    shifts = shifts_between(before, after)
    if not shifts:
        return Stale()
    lengths = tuple(_stale_lengths(after, shifts))
    origins = _cases_by_name(before)
    cases = [
        index
        for index, case in enumerate(after.cases)
        if (
            (index in failing and any(_touches(case.report, shift) for shift in shifts))
            or (case.kind == "threshold" and any(_lies_on(case, shift) for shift in shifts))
        )
        and _would_move(case, origins, (*shifts, *lengths))
    ]
    return Stale(
        cases=tuple(cases),
        edge=_stale_edge(before, after, shifts),
        texts=tuple(_titles_naming(after, shifts)),
        figures=tuple(_figures(after, shifts)),
        lengths=lengths,
    )


def _cases_by_name(rule: Rule) -> dict[str, Document]:
    return {case.name: _as_document(case) for case in rule.cases}


def _as_document(case: Case) -> Document:
    return {**case.model_dump(mode="json"), "report": deepcopy(case.report)}


def _would_move(case: Case, origins: dict[str, Document], shifts: tuple[Shift, ...]) -> bool:
    """Return whether moving a case to the new threshold changes it; a second time, it does not."""
    now, moved = _as_document(case), _as_document(case)
    _move_from(moved, origins.get(case.name), shifts)
    return moved != now


def _stale_lengths(after: Rule, shifts: tuple[Shift, ...]) -> Iterator[Shift]:
    """Yield the event lengths that still equal an old threshold in seconds.

    If a longest stretch and its moments share a number and only one moves, each condition excludes
    what the other allows.
    """
    seconds = {s.old: s.new for s in shifts if s.old and _is_in_seconds(s)}
    conditions = after.when.conditions
    asked = [each for each in conditions if isinstance(each, EventCondition)]
    found = {(each.event, each.min_seconds) for each in (*asked, *after.evidence.events)}
    for event, length in sorted(found):
        if length in seconds:
            yield Shift(kind="length", subject=event, old=length, new=seconds[length])


def _is_in_seconds(shift: Shift) -> bool:
    is_absolute = shift.kind == "metric" and shift.relative_to == "nothing"
    return is_absolute and BY_ID[shift.subject].unit == "s"


def _touches(report: Document, shift: Shift) -> bool:
    if shift.kind == "metric":
        return shift.subject in report.get("measurements", {})
    if shift.kind == "talk":
        return True
    return any(event.get("kind") == shift.subject for event in report.get("events", ()))


def _lies_on(case: Any, shift: Shift) -> bool:
    given = case.report.get("measurements", {}).get(shift.subject)
    if shift.kind != "metric" or given is None:
        return False
    reference = _reference(case.model_dump(mode="json"), shift)
    return bool(_number(given, shift.use) == round(shift.old * reference, _DIGITS))


def _stale_edge(before: Rule, after: Rule, shifts: tuple[Shift, ...]) -> float | None:
    edge = before.severity.edge
    if after.severity.edge != edge:
        return None
    leading = [s for s in shifts if s.kind == "metric" and s.subject == after.severity.metric]
    return next((shift.new for shift in leading if shift.old == edge), None)


def _titles_naming(rule: Rule, shifts: tuple[Shift, ...]) -> Iterator[str]:
    spelt = {_SPELT[int(shift.old)] for shift in shifts if shift.old in range(len(_SPELT))}
    fractions = {word for shift in shifts for word in _fraction_words(shift)}
    shares = {round(shift.old, 6) for shift in shifts if _is_share(shift)}
    titles = (rule.title, *(case.name for case in rule.cases))
    yield from (
        each for each in titles if (spelt | fractions) & _words_in(each) or shares & shares_in(each)
    )


def _figures(rule: Rule, shifts: tuple[Shift, ...]) -> Iterator[StatedFigure]:
    numbers = dict(pair for shift in shifts for pair in _as_written(shift))
    fractions = {word for shift in shifts for word in _fraction_words(shift)}
    shares = {round(shift.old, 6) for shift in shifts if _is_share(shift)}
    either = "|".join(map(re.escape, sorted(numbers, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\d.:,])(?:{either})(?![\d:]|[.,]\d)")
    for code, message in (("en", rule.message.en), ("fr", rule.message.fr)):
        for name in _SAID:
            text = _text(message, name)
            is_study = name == "comparison" and getattr(rule, "cites_study", False)
            if is_study or not text:
                continue
            renewed = pattern.sub(lambda found: numbers[found[0]], text)
            if renewed != text or fractions & _words_in(text) or shares & shares_in(text):
                path: Path = ("message", code, name)
                replacement = renewed if renewed != text else ""
                yield StatedFigure(path=path, text=text, replacement=replacement)


def _as_written(shift: Shift) -> Iterator[tuple[str, str]]:
    """Yield the old and the new number as texts write them."""
    yield number_text(shift.old), number_text(shift.new)
    if _is_said_in_parts(shift):
        new = round(abs(shift.new - 1) if _is_ratio(shift) else shift.new, _DIGITS)
        yield f"{_as_share(shift) * 100:g}", f"{new * 100:g}"


def with_new_number(document: Document, figure: StatedFigure) -> Document:
    """Return a copy of the document with the new number in one card text."""
    changed = deepcopy(document)
    put(changed, figure.path, figure.replacement)
    return changed


def _fraction_words(shift: Shift) -> frozenset[str]:
    """Return the words for the old threshold: half for 0.5, tenth for a ratio of 1.1."""
    return (
        _FRACTIONS.get(_as_share(shift), frozenset()) if _is_said_in_parts(shift) else frozenset()
    )


def _is_said_in_parts(shift: Shift) -> bool:
    """Return whether texts state the threshold in percent or as a fraction."""
    return shift.kind == "metric" and (_is_share(shift) or _is_ratio(shift))


def _as_share(shift: Shift) -> float:
    """Return the old threshold as texts state it: 0.1 for a ratio of 1.1."""
    return round(abs(shift.old - 1) if _is_ratio(shift) else shift.old, _DIGITS)


def _is_ratio(shift: Shift) -> bool:
    return shift.relative_to != "nothing" or BY_ID[shift.subject].unit == "ratio"


def _words_in(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _text(message: Message, name: str) -> str:
    return str(getattr(message, name))


def _is_share(shift: Shift) -> bool:
    return shift.kind == "metric" and BY_ID[shift.subject].unit == "share"


def adapted(document: Document, before: Rule, after: Rule, stale: Stale) -> Document:
    """Return a copy of the document with stale cases, lengths and edge moved to the threshold."""
    changed = deepcopy(document)
    shifts = (*shifts_between(before, after), *stale.lengths)
    origins = _cases_by_name(before)
    for index in stale.cases:
        case = changed["cases"][index]
        _move_from(case, origins.get(case.get("name", "")), shifts)
    for shift in stale.lengths:
        _lengthen(changed, shift)
    if stale.edge is not None:
        changed["severity"]["edge"] = stale.edge
    return changed


def missing_range(document: Document, index: int) -> tuple[str, str]:
    """Return the button that adds a missing range, and its metric; empty if none is missing."""
    path: Path = ("cases", index, "report", "measurements")
    measured = get(document, path, {})
    for row in (*conditions_of(document), *get(document, ("gates", "needs"), ())):
        metric = row.get("metric", "")
        given = measured.get(metric)
        has_range = isinstance(given, dict) and given.get("interval")
        if row.get("use") in {"low", "high"} and given is not None and not has_range:
            return range_adder((*path, metric)).do, metric_words(metric)
    return "", ""


def _lengthen(document: Document, shift: Shift) -> None:
    for row in (*conditions_of(document), *document.get("evidence", {}).get("events", ())):
        if row.get("event") == shift.subject and row.get("min_seconds") == shift.old:
            row["min_seconds"] = shift.new


def _move_from(case: Document, origin: Document | None, shifts: tuple[Shift, ...]) -> None:
    """Move the values that the thresholds test, starting from the case before the change."""
    if origin is None:
        for shift in shifts:
            _move(case, shift)
        return
    moved = deepcopy(origin)
    for shift in shifts:
        _move(moved, shift)
    report, target = case.setdefault("report", {}), moved["report"]
    for shift in shifts:
        if shift.kind == "metric":
            _take_number(report, target, shift.subject)
        elif shift.kind == "talk":
            report["duration"] = target["duration"]
        else:
            _take_events(report, target, shift.subject)


def _take_number(report: Document, target: Document, metric: str) -> None:
    """Set a measurement to its moved number; a range added in the meantime moves with it."""
    now = report.get("measurements", {}).get(metric)
    wanted = target.get("measurements", {}).get(metric)
    if now is None or wanted is None:
        return
    new = dict(wanted) if isinstance(wanted, dict) else {"value": wanted}
    if isinstance(now, dict):
        by = new["value"] - now["value"]
        ends = now.get("interval")
        if ends and not new.get("interval"):
            new["interval"] = [round(end + by, _DIGITS) for end in ends]
        new = {**now, **new}
    is_plain = not isinstance(now, dict) and not isinstance(wanted, dict)
    report["measurements"][metric] = new["value"] if is_plain else new


def _take_events(report: Document, target: Document, kind: str) -> None:
    others = [each for each in report.get("events", []) if each.get("kind") != kind]
    mine = [each for each in target.get("events", []) if each.get("kind") == kind]
    if mine or "events" in report:
        report["events"] = sorted([*others, *mine], key=lambda each: float(each["start"]))


def _move(case: Document, shift: Shift) -> None:
    report = case.setdefault("report", {})
    if shift.kind == "metric":
        _move_number(case, report, shift)
    elif shift.kind == "talk":
        report["duration"] = max(1.0, report.get("duration", 180) + shift.by)
    elif shift.kind == "length":
        for event in report.get("events", ()):
            if event.get("kind") == shift.subject:
                end = max(event["end"] + shift.by, event["start"] + _SHORTEST_SECONDS)
                event["end"] = round(end, _DIGITS)
    else:
        _move_count(report, shift)


def _reference(case: Document, shift: Shift) -> float:
    """Return the divisor of the case's number for a relative comparison, by default 1."""
    paths: dict[str, Path] = {
        "baseline": ("context", "baseline", shift.subject, "value"),
        "time_limit": ("context", "time_limit"),
    }
    path = paths.get(shift.relative_to)
    return float(get(case, path) or 1.0) if path else 1.0


def _number(given: Any, use: str) -> Any:
    if not isinstance(given, dict):
        return given
    ends = given.get("interval")
    if use.startswith(("low", "high")) and ends:
        return ends[0 if use.startswith("low") else 1]
    return given.get("value")


def _move_number(case: Document, report: Document, shift: Shift) -> None:
    measurements = report.get("measurements", {})
    given = measurements.get(shift.subject)
    if given is None:
        return
    reference = _reference(case, shift)
    by = shift.by * reference
    lay_on_it = _number(given, shift.use) / reference == shift.old
    if not isinstance(given, dict):
        measurements[shift.subject] = _kept_possible(given + by, shift)
        return
    was = given["value"]
    given["value"] = _kept_possible(was + by, shift)
    if given.get("interval"):
        given["interval"] = [_kept_possible(end + by, shift) for end in given["interval"]]
    if lay_on_it:
        _land(given, shift, reference)
    minutes = report.get("duration", 180) / 60
    if given.get("n") is not None and given["n"] == round(was * minutes):
        given["n"] = round(given["value"] * minutes)


def _land(given: Document, shift: Shift, reference: float) -> None:
    """Set the compared number so that dividing it gives exactly the threshold."""
    near = shift.new * reference
    tries = (round(near, _DIGITS), near, nextafter(near, inf), nextafter(near, -inf))
    number = next((each for each in tries if each / reference == shift.new), near)
    if given.get("interval") and shift.use.startswith(("low", "high")):
        given["interval"][0 if shift.use.startswith("low") else 1] = number
    else:
        given["value"] = number


def _kept_possible(number: float, shift: Shift) -> float:
    """Return the number within the valid range of its unit: 0 to 1 for shares, else from 0."""
    unit = BY_ID[shift.subject].unit
    if unit == "share":
        number = min(max(number, 0.0), 1.0)
    elif shift.old >= 0 and shift.new >= 0:
        number = max(number, 0.0)
    return round(number, _DIGITS)


def _move_count(report: Document, shift: Shift) -> None:
    events = report.get("events", [])
    mine = [event for event in events if event.get("kind") == shift.subject]
    if not mine:
        return
    for _more in range(int(shift.by)):
        last = max(mine, key=lambda event: event["end"])
        start = last["end"] + _GAP_SECONDS
        new = {**last, "start": start, "end": start + last["end"] - last["start"]}
        events.append(new)
        mine.append(new)
    for _fewer in range(int(-shift.by)):
        if mine:
            events.remove(mine.pop())
