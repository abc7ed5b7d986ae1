"""The strip of plain facts above a report: counts and times with moments, no judgement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.results import Event, Report
from coach.feedback.pages.cards import ClipLink
from coach.lib.words.clock import clock
from coach.lib.words.numbers import decimal, grouped, percent

_MOST_MOMENTS = 20
"""The maximum number of moments, since nobody plays a longer list; the timeline has them all (rule
of thumb)."""
_BEFORE, _AFTER = 1.5, 1.0
"""The seconds to play before and after a moment, for its context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainFact:
    """A number with its name and moments; an empty `value` means that it was not measured."""

    code: str = ""
    label: str
    value: str = ""
    clips: tuple[ClipLink, ...] = ()


def plain_facts(report: Report) -> tuple[PlainFact, ...]:
    """Return the facts of a report. A measure that the owner turned off is left out."""
    return tuple(_facts(report)) if report.media.duration else ()


def _facts(report: Report) -> Iterator[PlainFact]:
    yield PlainFact(code="length", label=_("Length"), value=clock(report.media.duration))
    if _is_wanted(report, "pace.words_per_minute"):
        pace = report.measurements.get("pace.words_per_minute")
        value = grouped(round(pace.value)) if pace else ""
        yield PlainFact(code="pace", label=_("Words a minute"), value=value)
    yield from _counted(
        report, "fillers.filled_pauses_per_minute", "filled_pause", "ums", _("Ums and uhs heard")
    )
    yield from _counted(
        report,
        "fillers.filler_words_per_minute",
        "filler_word",
        "filler_words",
        _("Filler words"),
    )
    if _is_wanted(report, "pauses.silent_per_minute"):
        yield _longest_pause(report)
    if _is_wanted(report, "gaze.camera_facing_share"):
        share = report.measurements.get("gaze.camera_facing_share")
        value = percent(share.value) if share and not share.leaves_everything_open else ""
        yield PlainFact(code="facing", label=_("Facing the camera"), value=value)


def _is_wanted(report: Report, metric: str) -> bool:
    skipped = report.skipped.get(metric)
    return skipped is None or skipped.reason != "disabled_by_profile"


def _counted(report: Report, metric: str, kind: str, code: str, label: str) -> Iterator[PlainFact]:
    if not _is_wanted(report, metric):
        return
    if metric in report.skipped:
        yield PlainFact(code=code, label=label)
        return
    found = report.events_of(kind)
    yield PlainFact(
        code=code, label=label, value=grouped(len(found)), clips=clips_around(found, report)
    )


def _longest_pause(report: Report) -> PlainFact:
    pauses = report.events_of("silent_pause")
    if "pauses.silent_per_minute" in report.skipped or not pauses:
        return PlainFact(code="longest_pause", label=_("Longest pause"))
    longest = max(pauses, key=lambda each: each.end - each.start)
    seconds = decimal(longest.end - longest.start)
    return PlainFact(
        code="longest_pause",
        label=_("Longest pause"),
        value=_("%(seconds)s s") % {"seconds": seconds},
        clips=clips_around([longest], report),
    )


def clips_around(events: Sequence[Event], report: Report) -> tuple[ClipLink, ...]:
    """Return the moments of these events with their context, the first ones only."""
    return tuple(
        ClipLink(
            start=max(each.start - _BEFORE, 0.0),
            end=min(each.end + _AFTER, report.media.duration),
            label=clock(each.start),
        )
        for each in events[:_MOST_MOMENTS]
    )
