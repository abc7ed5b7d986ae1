"""What the catalogues of `analysis` call things, in the reader's language.

`analysis` knows no languages of readers: it names each thing once, in English. Those names are put
into the catalogues from here (`named`), and read from there.
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
    """Every name and sentence of those catalogues, with its context."""
    for metric in METRICS:
        yield from ((None, metric.label), (None, metric.definition))
        yield from ((context, metric.unit) for context in (_UNIT, _FEW))
        yield from ((None, text) for text in (metric.reference, metric.limitations) if text)
    yield from ((_EVENT, _spaced(kind)) for kind in (*EVENT_KINDS, *READ_OUT))


def label_of(metric: str) -> str:
    """What a measure is called."""
    return gettext(BY_ID[metric].label)


def unit_words(unit: str, number: float | None = None, *, is_as_written: bool = False) -> str:
    """A unit as it stands after a number: French has its singular up to two, 1.5 included.

    A number is taken to be said with one decimal, unless it stands there unrounded.
    """
    if number is not None and not is_as_written:
        number = round(number, 1)
    is_few = number is not None and abs(number) < _PLURAL_FROM
    return pgettext(_FEW if is_few else _UNIT, unit)


def metric_words(metric: str) -> str:
    """A measure with its unit; what is no measure, as it stands."""
    known = BY_ID.get(metric)
    return f"{gettext(known.label)} ({unit_words(known.unit)})" if known else metric


def event_words(kind: str) -> str:
    """A kind of event."""
    return pgettext(_EVENT, _spaced(kind))


def definition_rows() -> tuple[dict[str, str], ...]:
    """Every measure as the page about measuring shows it."""
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
    """What the reader calls a language; one that nobody has a name for stays as it stands."""
    known: Mapping[str, str] = Locale.parse(get_language() or "en", sep="-").languages
    return known.get(code.replace("-", "_"), code)


def _spaced(kind: str) -> str:
    return kind.replace("_", " ")
