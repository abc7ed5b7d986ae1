"""Names of measures, units and events in the reader's language.

`analysis` does not translate: it names each thing once, in English. This module puts those names
into the message catalogues (`named`) and looks them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from babel import Locale
from django.utils.translation import get_language, gettext, pgettext

from analysis.events import EVENT_KINDS
from analysis.metric import Metric
from analysis.metrics import BY_ID, METRICS

READ_OUT = (
    *("facing_camera", "run_of_sentences", "over_time", "last_third", "level_window"),
    *("um_before_sentence", "um_inside_sentence", "um_before_number"),
)
"""Moments that rules read out of a report's events and tracks (`coach.curation.words.DERIVED`)."""
_PLURAL_FROM = 2
_UNIT, _FEW, _EVENT = "unit", "unit, of less than two", "kind of event"


def named() -> Iterator[tuple[str | None, str]]:
    """Yield every name and sentence of the analysis catalogues, with its context."""
    for metric in METRICS:
        yield from ((None, metric.label), (None, metric.definition))
        yield from ((context, metric.unit) for context in (_UNIT, _FEW))
        yield from ((None, text) for text in (metric.reference, metric.limitations) if text)
    yield from ((_EVENT, _spaced(kind)) for kind in (*EVENT_KINDS, *READ_OUT))


def label_of(metric: str) -> str:
    """Return the name of a measure."""
    return gettext(BY_ID[metric].label)


def unit_words(unit: str, number: float | None = None, *, is_as_written: bool = False) -> str:
    """Return a unit as it follows a number; French uses the singular below two, 1.5 included.

    The number is rounded to one decimal first, unless it is shown unrounded.
    """
    if number is not None and not is_as_written:
        number = round(number, 1)
    is_few = number is not None and abs(number) < _PLURAL_FROM
    return pgettext(_FEW if is_few else _UNIT, unit)


def metric_words(metric: str) -> str:
    """Return a measure with its unit; an unknown code is returned as it is."""
    known = BY_ID.get(metric)
    return f"{gettext(known.label)} ({unit_words(known.unit)})" if known else metric


def event_words(kind: str) -> str:
    """Return the name of a kind of event."""
    return pgettext(_EVENT, _spaced(kind))


def definition_rows() -> tuple[dict[str, str], ...]:
    """Return every measure as shown on the page about measuring."""
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
    """Return the name of a language in the reader's language; an unknown code as it is."""
    known: Mapping[str, str] = Locale.parse(get_language() or "en", sep="-").languages
    return known.get(code.replace("-", "_"), code)


def _spaced(kind: str) -> str:
    return kind.replace("_", " ")
