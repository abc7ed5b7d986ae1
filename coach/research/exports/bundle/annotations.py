"""Timed files for each take with consent to words: WebVTT always, other formats on request."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from analysis.results import Report
from coach.research.exports.bundle.reports import milliseconds, report_in
from coach.research.exports.bundle.scope import Included, Take
from coach.research.exports.bundle.writing import read_table
from coach.research.exports.formats.parquet import write_tracks
from coach.research.exports.formats.tiers import Span, write_eaf, write_textgrid
from coach.research.exports.formats.vtt import Cue, write_vtt
from coach.research.exports.models import Export
from coach.research.studies.models import Scope

_Asked = Export.OnRequest
_OF_SOUND = frozenset({"pace", "pitch", "loudness"})
"""Families of tracks that come from the sound; all others come from the picture."""
_SPEECH = frozenset({"filled_pause", "filler_word"})


def write_annotations(included: Included, folder: Path) -> None:
    """Write rehearsals/, one take after the other."""
    if included.study.is_imported:
        return
    target = folder / "rehearsals"
    target.mkdir(parents=True, exist_ok=True)
    items = _items(folder)
    for take in included.takes_with(Scope.TRANSCRIPT):
        report = report_in(take)
        advice = items.get(take.name, [])
        cues = [*_event_cues(report), *_item_cues(advice)]
        write_vtt(cues, target / f"{take.name}.vtt", kind="metadata")
        _on_request(included.formats, take, report, advice, target)
    if _Asked.PARQUET in included.formats:
        _write_tracks(included, target)


def _write_tracks(included: Included, target: Path) -> None:
    """Write frame-by-frame tracks, which need consent to sound or picture, not only to
    measurements.
    """
    for take in included.takes:
        tracks = {
            name: track
            for name, track in report_in(take).tracks.items()
            if take.person.agrees(_scope_of(name))
        }
        if tracks:
            write_tracks(tracks, target / f"{take.name}.tracks.parquet")


def _scope_of(track: str) -> Scope:
    return Scope.AUDIO if track.partition(".")[0] in _OF_SOUND else Scope.VIDEO


def _items(folder: Path) -> dict[str, list[dict[str, str]]]:
    """Return the items with a time by take, from the written table."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in read_table("feedback_items", folder):
        if row["start_ms"]:
            found.setdefault(row["rehearsal_id"], []).append(row)
    return found


def _event_cues(report: Report) -> Iterator[Cue]:
    for each in report.events:
        start, end = milliseconds(each.start), milliseconds(each.end)
        yield Cue(start, end, document={"type": "event", "kind": each.kind})


def _item_cues(items: list[dict[str, str]]) -> Iterator[Cue]:
    for row in items:
        document = {
            "type": "feedback",
            "feedback_id": row["feedback_id"],
            "category": row["category"],
            "tone": row["tone"],
            "decision": row["decision"],
        }
        yield Cue(int(row["start_ms"]), int(row["end_ms"]), document=document)


def _on_request(
    formats: frozenset[str],
    take: Take,
    report: Report,
    items: list[dict[str, str]],
    target: Path,
) -> None:
    length = milliseconds(report.media.duration)
    if formats & {_Asked.TEXTGRID, _Asked.EAF}:
        tiers = _tiers(report, items)
        if _Asked.TEXTGRID in formats:
            write_textgrid(tiers, length, target / f"{take.name}.TextGrid")
        if _Asked.EAF in formats:
            write_eaf(tiers, length, target / f"{take.name}.eaf")
    if _Asked.WORDS in formats:
        _write_words(report, target / f"{take.name}.words.csv")


def _tiers(report: Report, items: list[dict[str, str]]) -> dict[str, list[Span]]:
    """Return the words, the pauses, other events and the items as tiers."""
    words = [_span(word.start, word.end, word.text) for word in report.words]
    silent = [e for e in report.events if e.kind not in _SPEECH and "pause" in e.kind]
    pauses = [_span(e.start, e.end, e.kind) for e in silent]
    others = [_span(e.start, e.end, e.kind) for e in report.events if e not in silent]
    advice = [Span(int(row["start_ms"]), int(row["end_ms"]), row["category"]) for row in items]
    return {"words": words, "pauses": pauses, "events": others, "feedback": advice}


def _span(start: float, end: float, label: str) -> Span:
    return Span(milliseconds(start), milliseconds(end), label)


def _write_words(report: Report, path: Path) -> None:
    fillers = {
        (milliseconds(each.start), milliseconds(each.end))
        for each in report.events
        if each.kind in _SPEECH
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("word", "start_ms", "end_ms", "is_filler"))
        for word in report.words:
            span = (milliseconds(word.start), milliseconds(word.end))
            writer.writerow((word.text, *span, "true" if span in fillers else "false"))
