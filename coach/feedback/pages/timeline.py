"""The lanes of the timeline under the video."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.events import EVENTS, EventKind
from analysis.metrics import BY_ID
from analysis.results import Event, Report, Track
from coach.feedback.pages.cards import Card, Tone
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import event_label_words, event_words
from coach.lib.words.numbers import decimal

_MAX_POINTS = 240
"""The maximum number of points: a lane is at most about 700 pixels wide, so that more points only
cost bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneMark:
    """A mark on a lane; positions in percent of the media's length."""

    start: float
    end: float
    left: float
    width: float
    label: str
    tone: Tone | None = None
    """The tone of its card; None if it belongs to no card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One row of the timeline.

    kind `marks` has spans; kind `line` has `path`, the d attribute of an SVG path in a
    viewBox of 0 0 1000 100 with gaps where nothing was measured.
    """

    label: str
    kind: Literal["marks", "line"]
    summary: str
    """The text alternative in one sentence."""
    marks: tuple[LaneMark, ...] = ()
    path: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A track to draw, with labels of its ends and the minimum span for full height.

    Minimum spans keep small changes visually small (rules of thumb).
    """

    track: str
    label: str | Promise
    low: str | Promise
    high: str | Promise
    least_span: float
    in_words: str | Promise
    write: Callable[[float], str]
    """The format of the lowest and highest value in the text alternative."""


def _from_the_middle(value: float) -> str:
    return decimal(value, 0, signed=True)


_LINE_LANES = (
    _Line(
        "pace.syllables_per_second",
        gettext_lazy("Pace"),
        gettext_lazy("slower"),
        gettext_lazy("faster"),
        2.0,
        gettext_lazy("Between about %(low)s and %(high)s syllables a second."),
        decimal,
    ),
    _Line(
        "pitch.semitones",
        gettext_lazy("Pitch variation"),
        gettext_lazy("lower"),
        gettext_lazy("higher"),
        12.0,
        gettext_lazy("Between about %(low)s and %(high)s semitones from the middle pitch."),
        _from_the_middle,
    ),
    _Line(
        "loudness.relative_db",
        gettext_lazy("Loudness"),
        gettext_lazy("quieter"),
        gettext_lazy("louder"),
        20.0,
        gettext_lazy("Between about %(low)s and %(high)s dB from the middle loudness."),
        _from_the_middle,
    ),
)


def lanes(report: Report) -> tuple[Lane, ...]:
    """Return one lane per dimension; a line has gaps without measurements."""
    duration = report.media.duration or 1.0
    marks = [
        _mark_lane(event_words(kind.id), report.events_of(kind.id), duration)
        for kind in EVENTS
        if _has_lane(report, kind)
    ]
    lines = [
        _line_lane(line, report.tracks[line.track], duration)
        for line in _LINE_LANES
        if line.track in report.tracks
        and any(value is not None for value in report.tracks[line.track].values)
    ]
    return (*lines, *marks)


def _has_lane(report: Report, kind: EventKind) -> bool:
    if kind.lane and report.events_of(kind.id):
        return True
    measured = (BY_ID[metric] for metric in report.measurements if metric in BY_ID)
    return kind.lane == "if_measured" and any(kind.id in metric.counts for metric in measured)


def lane_mark(
    start: float, end: float, duration: float, *, label: str, tone: Tone | None = None
) -> LaneMark:
    """Return a mark at these seconds of a recording of this duration."""
    total = duration or 1.0
    return LaneMark(
        start=start,
        end=end,
        left=round(100 * start / total, 2),
        width=round(max(100 * (end - start) / total, 0.3), 2),
        label=label,
        tone=tone,
    )


def _mark_lane(label: str, events: Sequence[Event], duration: float) -> Lane:
    marks = tuple(
        lane_mark(event.start, event.end, duration, label=_mark_words(event, label))
        for event in events
    )
    return Lane(label=label, kind="marks", summary=_count_words(events), marks=marks)


def _count_words(events: Sequence[Event]) -> str:
    """Return the number of events; for probable events, the expected number behind the rate."""
    places = len(events)
    known = [event.probability for event in events if event.probability is not None]
    count = round(sum(known) + places - len(known))
    if count == places:
        return ngettext("%(count)s in this talk.", "%(count)s in this talk.", count) % {
            "count": count
        }
    return ngettext(
        "About %(count)s in this talk; %(places)s place where there may be one.",
        "About %(count)s in this talk; %(places)s places where there may be one.",
        places,
    ) % {"count": count, "places": places}


def _mark_words(event: Event, label: str) -> str:
    """Return the label of a mark within its lane."""
    time = clock(event.start)
    if event.kind == "silent_pause":
        seconds = decimal(event.end - event.start)
        return _("%(time)s, %(seconds)s s") % {"time": time, "seconds": seconds}
    if event.kind == "look_away" and event.label:
        where = event_label_words(event.kind, event.label)
        return _("%(time)s, %(where)s") % {"time": time, "where": where}
    return _("%(what)s at %(time)s") % {"what": event.label or label, "time": time}


def _line_lane(line: _Line, track: Track, duration: float) -> Lane:
    values = _thinned(track)
    known = [value for _time, value in values if value is not None]
    low, high = min(known), max(known)
    span = max(high - low, line.least_span)
    floor = (low + high - span) / 2
    path = _path(
        [
            (1000 * time / duration, None if value is None else 95 - 90 * (value - floor) / span)
            for time, value in values
        ]
    )
    summary = str(line.in_words) % {"low": line.write(low), "high": line.write(high)}
    return Lane(
        label=str(line.label),
        kind="line",
        summary=summary,
        path=path,
        low=str(line.low),
        high=str(line.high),
    )


def _thinned(track: Track) -> list[tuple[float, float | None]]:
    """Return means over equal stretches; a stretch without values stays a gap."""
    size = max(1, -(-len(track.values) // _MAX_POINTS))
    points: list[tuple[float, float | None]] = []
    for first in range(0, len(track.values), size):
        known = [value for value in track.values[first : first + size] if value is not None]
        time = track.start + (first + size / 2) * track.step
        points.append((time, sum(known) / len(known) if known else None))
    return points


def _path(points: Iterable[tuple[float, float | None]]) -> str:
    """Return the d attribute of an SVG path, broken at gaps."""
    parts: list[str] = []
    pen_down = False
    for x, y in points:
        if y is None:
            pen_down = False
            continue
        parts.append(f"{'L' if pen_down else 'M'}{x:.0f} {y:.0f}")
        pen_down = True
    return "".join(parts)


def moments_lane(cards: Sequence[Card], duration: float) -> tuple[Lane, ...]:
    """Return a lane with a mark for each moment of a card; no lane if there is none."""
    marks = tuple(
        lane_mark(
            clip.start,
            clip.end,
            duration,
            label=_("%(what)s at %(time)s") % {"what": card.heading, "time": clip.label},
            tone=card.tone,
        )
        for card in cards
        for clip in card.clips
    )
    if not marks:
        return ()
    words = ngettext(
        "%(count)s moment from the cards.", "%(count)s moments from the cards.", len(marks)
    )
    summary = words % {"count": len(marks)}
    return (Lane(label=_("Feedback"), kind="marks", summary=summary, marks=marks),)
