"""Names of metrics, units and events in the reader's language.

The catalogues of `analysis` and `feedback_rules` name each of them once, in English. `named` puts
the names into the message catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from babel import Locale
from django.utils.translation import get_language, gettext, pgettext

from analysis.events import EVENTS
from analysis.metric import Metric
from analysis.metrics import BY_ID, METRICS
from feedback_rules.model.moments import DERIVED

_PLURAL_FROM = 2
_UNIT, _FEW = "unit", "unit, of less than two"


def named() -> Iterator[tuple[str | None, str]]:
    """Yield the names and sentences that their own modules do not mark, with their context."""
    for metric in METRICS:
        yield from ((None, metric.label), (None, metric.plain), (None, metric.definition))
        yield from ((context, metric.unit) for context in (_UNIT, _FEW))
        yield from ((None, text) for text in (metric.reference, metric.limitations) if text)


def label_of(metric: str) -> str:
    """Return the name of a metric."""
    return gettext(BY_ID[metric].label)


def unit_words(unit: str, number: float | None = None, *, is_as_written: bool = False) -> str:
    """Return a unit as it follows a number: French has its singular below two, 1.5 included.

    The number is taken to be shown with one decimal, unless it is shown as written.
    """
    if number is not None and not is_as_written:
        number = round(number, 1)
    is_few = number is not None and abs(number) < _PLURAL_FROM
    return pgettext(_FEW if is_few else _UNIT, unit)


def metric_words(metric: str) -> str:
    """Return a metric with its unit; an unknown id stays as it is."""
    known = BY_ID.get(metric)
    return f"{gettext(known.label)} ({unit_words(known.unit)})" if known else metric


def plain_sentence(metric: str) -> str:
    """Return the sentence that explains a metric without terms of the field."""
    return gettext(BY_ID[metric].plain)


def event_words(kind: str) -> str:
    """Return the name of a kind of event; an unknown kind stays as it is."""
    labels = {each.id: each.label for each in (*EVENTS, *DERIVED)}
    return gettext(labels[kind]) if kind in labels else kind


def event_label_words(kind: str, label: str) -> str:
    """Return an event's label in words; a label that is words of the talk stays as it is."""
    labels = next((each.labels for each in EVENTS if each.id == kind), {})
    return gettext(labels[label]) if label in labels else label


def definition_rows() -> tuple[dict[str, str], ...]:
    """Return each metric as the page about measuring shows it."""
    return tuple(_row(metric) for metric in METRICS)


def _row(metric: Metric) -> dict[str, str]:
    return {
        "label": gettext(metric.label),
        "unit": unit_words(metric.unit),
        "definition": gettext(metric.definition),
        "reference": gettext(metric.reference),
        "limitations": gettext(metric.limitations) if metric.limitations else "",
    }


def language_words(code: str) -> str:
    """Return the name of a language; an unknown code stays as it is."""
    known: Mapping[str, str] = Locale.parse(get_language() or "en", sep="-").languages
    return known.get(code.replace("-", "_"), code)
