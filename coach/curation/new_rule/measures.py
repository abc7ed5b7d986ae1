"""Measures that a new rule can be about, and what is known of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from pydantic import ValidationError

from analysis.metric import Metric
from analysis.metrics import BY_ID, METRICS
from coach.accounts.models import User
from coach.curation.dry_runs.selectors import newest_drafts
from coach.curation.pages.effect import LATEST
from coach.curation.pages.studio import speaking_version
from coach.curation.selectors import preview_runs_for, working_rules
from coach.feedback.models import Run
from coach.feedback.pages.measures import FAMILY_LABELS
from coach.feedback.reports import report_of
from coach.lib.words.measure_words import label_of, unit_words
from coach.lib.words.numbers import percent, typeset
from coach.rulesets.selectors import rule_of
from feedback_rules.model import Rule

FORMATS = {
    "share": "percent",
    "per minute": "rate",
    "s": "whole",
    "words": "whole",
    "syllables": "whole",
    "words per minute": "whole",
    "per 100 words": "whole",
}
"""How a card says values of a unit. The other units need a direction or a reference in words, so
their rules begin as a copy of another one."""
_PLAIN_FORMATS = frozenset({"rate", "percent", "fine_percent", "whole"})
_ABOUT_THE_RECORDING = "signal"
_MOST_THRESHOLDS = 7
_MOST_OWN_TAKES = 5
_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beyond:
    """The number of takes with a value above one threshold."""

    threshold: str
    takes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTake:
    """A take of the curator in which the measure has a value."""

    id: str
    title: str
    value: float
    n: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a measure: its definition, its values, and the rules that use it."""

    metric: Metric
    unit: str
    takes: int
    beyond: tuple[Beyond, ...]
    own: tuple[OwnTake, ...]
    rules: tuple[Rule, ...]
    """The rules in the working copy that are about this measure."""


def offered() -> tuple[Metric, ...]:
    """Return the measures that a new rule can be about."""
    return tuple(
        each for each in METRICS if each.unit in FORMATS and each.family != _ABOUT_THE_RECORDING
    )


def grouped_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the offered measures as choices, in groups by family."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for metric in offered():
        family = str(FAMILY_LABELS.get(metric.family, metric.family))
        unit = "%" if metric.unit == "share" else unit_words(metric.unit)
        groups.setdefault(family, []).append((metric.id, f"{label_of(metric.id)} ({unit})"))
    return list(groups.items())


def known_of(metric: str, curator: User) -> Known:
    """Return what is known of a measure."""
    values = _latest_values(metric)
    return Known(
        metric=BY_ID[metric],
        unit=unit_words(BY_ID[metric].unit),
        takes=len(values),
        beyond=tuple(_beyond(values, metric)),
        own=own_takes(metric, curator),
        rules=rules_about(metric),
    )


def rules_about(metric: str) -> tuple[Rule, ...]:
    """Return the rules of the working copy that are about a measure."""
    return _rules(lambda document: document["severity"]["metric"] == metric)


def relatives_of(metric: str) -> tuple[Rule, ...]:
    """Return the rules about measures of the same family."""
    return _rules(lambda document: document["family"] == BY_ID[metric].family)


def _rules(fits: Callable[[dict[str, Any]], bool]) -> tuple[Rule, ...]:
    versions = map(speaking_version, working_rules().values())
    return tuple(rule_of(each) for each in versions if fits(each.document))


def model_for(metric: str) -> Rule | None:
    """Return a rule about the same measure whose words about numbers fit a new one."""
    fitting = (
        each
        for each in rules_about(metric)
        if each.value_format in _PLAIN_FORMATS and each.severity.relative_to == "nothing"
    )
    return next(fitting, None)


def own_takes(metric: str, curator: User) -> tuple[OwnTake, ...]:
    """Return the curator's newest takes in which the measure has a value.

    Only their own: a rule keeps its cases for good, and nobody else has agreed to that.
    """
    runs = preview_runs_for(curator).filter(rehearsal__owner=curator).order_by("-created_at", "pk")
    found = (_own_take(run, metric) for run in runs[: 2 * _MOST_OWN_TAKES])
    return tuple(each for each in found if each is not None)[:_MOST_OWN_TAKES]


def _own_take(run: Run, metric: str) -> OwnTake | None:
    try:
        measured = report_of(run).measurements.get(metric)
    except ValidationError:
        return None
    if measured is None:
        return None
    return OwnTake(
        id=str(run.pk),
        title=run.rehearsal.title,
        value=measured.value,
        n=measured.n,
        words=shown(measured.value, metric),
    )


def _latest_values(metric: str) -> list[float]:
    """Return the sorted values in the newest drafts, for counting only."""
    drafts = newest_drafts().select_related("run__report").order_by("-pk")
    found = []
    for each in drafts.only("run__report__document")[:LATEST]:
        try:
            measured = report_of(each.run).measurements.get(metric)
        except ValidationError:
            continue
        if measured is not None:
            found.append(measured.value)
    return sorted(found)


def _beyond(values: list[float], metric: str) -> Iterable[Beyond]:
    for threshold in round_thresholds(values):
        yield Beyond(
            threshold=shown(threshold, metric), takes=len(values) - bisect_right(values, threshold)
        )


def round_thresholds(values: list[float]) -> tuple[float, ...]:
    """Return up to eight round numbers from the lowest to the highest of sorted values."""
    if not values or values[0] == values[-1]:
        return ()
    step = _round_step((values[-1] - values[0]) / _MOST_THRESHOLDS)
    first = floor(values[0] / step) + 1
    numbers = range(first, first + _MOST_THRESHOLDS + 1)
    return tuple(round(each * step, 6) for each in numbers if each * step < values[-1])


def _round_step(least: float) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten that is not below `least`."""
    power: float = 10 ** floor(log10(least))
    return next(each * power for each in _STEPS if each * power >= least)


def shown(value: float, metric: str) -> str:
    """Return a value as the page shows it."""
    unit = BY_ID[metric].unit
    if unit == "share":
        return percent(value)
    return f"{typeset(f'{value:.3g}')} {unit_words(unit, value)}"
