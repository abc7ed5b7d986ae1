"""Dashboard page on measures over takes."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.metrics import BY_ID, METRICS
from coach.lib.words.measure_words import label_of, metric_words, unit_words
from coach.research.dashboard.facts import ValueFact, values_in
from coach.research.dashboard.groups import BY_NOTHING, by_choice, group_of, group_words
from coach.research.dashboard.intervals import mean_interval
from coach.research.dashboard.spec import (
    Asked,
    Chart,
    Choice,
    Column,
    Glance,
    Row,
    Series,
    figure,
    whole,
)

_FIRST = "pace.words_per_minute"
_MOST_TAKES = 30
"""In a chart."""


def _choices(asked: Asked) -> tuple[Choice, ...]:
    options = tuple((each.id, metric_words(each.id)) for each in METRICS)
    value = asked.chosen.get("metric", "")
    first = _FIRST if _FIRST in BY_ID else METRICS[0].id
    chosen = value if value in BY_ID else first
    return (
        Choice(name="metric", label=_("Measure"), options=options, value=chosen),
        by_choice(asked, BY_NOTHING),
    )


def _rows(asked: Asked) -> Iterator[Row]:
    metric, by = (choice.value for choice in _choices(asked))
    yield from _of_metric(asked, metric, by)


def _all_rows(asked: Asked) -> Iterator[Row]:
    by = _choices(asked)[1].value
    for metric in METRICS:
        yield from _of_metric(asked, metric.id, by)


def _of_metric(asked: Asked, metric: str, by: str) -> Iterator[Row]:
    facts = list(values_in(asked.included, metric))
    who = {fact.person for fact in facts}
    groups = group_of(asked, by, [each for each in asked.included.people if each.name in who])
    for group in sorted(set(groups.values())):
        mine = [fact for fact in facts if groups.get(fact.person) == group]
        for number in sorted({fact.number for fact in mine}):
            at = [fact for fact in mine if fact.number == number]
            named = {
                "measure": label_of(metric),
                "metric_id": metric,
                "unit": unit_words(BY_ID[metric].unit),
                "group": group_words(asked, by, group),
                "take": number,
            }
            yield named | _at_take(at, least=asked.included.study.least_group)


def _at_take(facts: list[ValueFact], *, least: int) -> Row:
    """Return the mean over people of this take number; None for fewer than k people."""
    values = [fact.value for fact in facts if fact.value is not None]
    if len(values) < least:
        return {"people": None, "missing": None, "mean": None, "low": None, "high": None}
    low, high = mean_interval(values)
    missing = len(facts) - len(values)
    return {
        "people": len(values),
        "missing": missing,
        "mean": fmean(values),
        "low": low,
        "high": high,
    }


def _chart(rows: list[Row]) -> Chart | None:
    there = [row for row in rows if row["mean"] is not None and row["take"] <= _MOST_TAKES]
    if not there:
        return None
    takes = sorted({row["take"] for row in there})
    cells = {(row["group"], row["take"]): row for row in there}
    empty: Row = {"mean": None, "low": None, "high": None}
    return Chart(
        kind="columns",
        labels=tuple(str(take) for take in takes),
        series=tuple(
            Series(
                name=group,
                values=tuple(cells.get((group, take), empty)["mean"] for take in takes),
                low=tuple(cells.get((group, take), empty)["low"] for take in takes),
                high=tuple(cells.get((group, take), empty)["high"] for take in takes),
            )
            for group in dict.fromkeys(row["group"] for row in there)
        ),
        axis=f"{there[0]['measure']} ({there[0]['unit']})",
    )


MEASURES = Glance(
    name="measures",
    title=gettext_lazy("Measures across takes"),
    what=gettext_lazy(
        "Mean across people of their first take, second take and so on, with a 95% "
        "interval by resampling people. People with more takes are in more of the "
        "means, so compare the first and last with care. No mean is shown where "
        "fewer people than the smallest group size have a value."
    ),
    columns=(
        Column(name="measure", label=gettext_lazy("Measure"), is_chosen=True),
        Column(name="unit", label=gettext_lazy("Unit"), is_chosen=True),
        Column(name="group", label=gettext_lazy("Group")),
        Column(name="take", label=gettext_lazy("Take"), words=whole),
        Column(name="people", label=gettext_lazy("People"), words=whole),
        Column(name="missing", label=gettext_lazy("Without a value"), words=whole),
        Column(name="mean", label=gettext_lazy("Mean"), words=figure),
        Column(name="low", label=gettext_lazy("From"), words=figure),
        Column(name="high", label=gettext_lazy("To"), words=figure),
    ),
    rows=_rows,
    chart=_chart,
    choices=_choices,
    all_rows=_all_rows,
)
