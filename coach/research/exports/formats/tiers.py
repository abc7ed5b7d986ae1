"""Tiers of a take for Praat (TextGrid) and ELAN (.eaf): words, events and items over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from praatio import textgrid
from praatio.utilities.constants import Interval

from coach.research.exports.formats.xml import XmlWriter

_MS = 1000
_EAF = {
    "AUTHOR": "",
    "DATE": "1980-01-01T00:00:00+00:00",
    "FORMAT": "2.8",
    "VERSION": "2.8",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsi:noNamespaceSchemaLocation": "http://www.mpi.nl/tools/elan/EAFv2.8.xsd",
}


class Span(NamedTuple):
    """A labelled span, in milliseconds."""

    start_ms: int
    end_ms: int
    label: str


def apart(spans: Sequence[Span], length_ms: int) -> list[Span]:
    """Return the spans in order, inside the take and without overlaps, as a tier needs them.

    If two overlap, the earlier one ends where the later one begins.
    """
    kept: list[Span] = []
    for span in sorted(spans):
        start, end = max(span.start_ms, 0), min(span.end_ms, length_ms)
        if kept and start < kept[-1].end_ms:
            kept[-1] = kept[-1]._replace(end_ms=start)
            if kept[-1].start_ms >= start:
                kept.pop()
        if end > start and span.label:
            kept.append(Span(start, end, span.label))
    return kept


def write_textgrid(tiers: Mapping[str, Sequence[Span]], length_ms: int, path: Path) -> None:
    """Write a TextGrid in seconds, as Praat does; empty tiers are included."""
    grid = textgrid.Textgrid(0, length_ms / _MS)
    for name, spans in tiers.items():
        entries = [
            Interval(span.start_ms / _MS, span.end_ms / _MS, span.label)
            for span in apart(spans, length_ms)
        ]
        grid.addTier(textgrid.IntervalTier(name, entries, 0, length_ms / _MS))
    grid.save(str(path), format="long_textgrid", includeBlankSpaces=True)


def write_eaf(tiers: Mapping[str, Sequence[Span]], length_ms: int, path: Path) -> None:
    """Write ELAN annotation format 2.8, without author and date: the same rows give the
    same bytes.
    """
    laid = {name: apart(spans, length_ms) for name, spans in tiers.items()}
    slots = [at for spans in laid.values() for span in spans for at in span[:2]]
    with path.open("wb") as file:
        writer = XmlWriter(file)
        with writer.element("ANNOTATION_DOCUMENT", **_EAF):
            writer.leaf("HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
            with writer.element("TIME_ORDER"):
                for number, at in enumerate(slots, start=1):
                    writer.leaf("TIME_SLOT", TIME_SLOT_ID=f"ts{number}", TIME_VALUE=at)
            _eaf_tiers(writer, laid)
            writer.leaf(
                "LINGUISTIC_TYPE",
                LINGUISTIC_TYPE_ID="spans",
                TIME_ALIGNABLE="true",
                GRAPHIC_REFERENCES="false",
            )


def _eaf_tiers(writer: XmlWriter, laid: Mapping[str, Sequence[Span]]) -> None:
    number = 0
    for name, spans in laid.items():
        with writer.element("TIER", TIER_ID=name, LINGUISTIC_TYPE_REF="spans"):
            for span in spans:
                number += 1
                place = {
                    "ANNOTATION_ID": f"a{number}",
                    "TIME_SLOT_REF1": f"ts{2 * number - 1}",
                    "TIME_SLOT_REF2": f"ts{2 * number}",
                }
                with (
                    writer.element("ANNOTATION"),
                    writer.element("ALIGNABLE_ANNOTATION", **place),
                ):
                    writer.leaf("ANNOTATION_VALUE", span.label)
