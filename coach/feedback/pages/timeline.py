"""The transcript and the lanes under the video, from a report."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.events import EVENTS, EventKind
from analysis.metrics import BY_ID
from analysis.ports import Span
from analysis.results import Event, Report, Track, Word
from analysis.talk import spans
from analysis.talk.untranscribed_speech import unwritten
from coach.feedback.models import Correction
from coach.feedback.pages.values import Lane, LaneMark, Sentence, TranscriptWord
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import event_label_words, event_words
from coach.lib.words.numbers import decimal
from coach.lib.words.sentences import sentence

UNSURE_PROBABILITY = 0.4
"""Words under this are shown as unsure (rule of thumb); rules never quote them."""

SHOWN_PAUSE_SECONDS = 1.0
"""Silences from here on stand in the transcript (rule of thumb): shorter ones would break up what
is read, and stand on their lane."""

_MAX_SENTENCE_WORDS = 40
_MAX_POINTS = 240
"""A lane is at most about 700 pixels wide: more points cannot be seen, and cost bytes."""

_COUNTED_WORDS = ("filler_word", "verbal_habit")
"""What cards count among the words: marked in the transcript, with a lane of their own."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A track to draw: what its ends mean, and the least span that fills the lane's height.

    The least spans keep small changes small to the eye (rules of thumb).
    """

    track: str
    label: str | Promise
    low: str | Promise
    high: str | Promise
    least_span: float
    in_words: str | Promise
    write: Callable[[float], str]
    """The lowest and the highest value, for those who do not see the line."""


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


def transcript(report: Report, corrections: Sequence[Correction] = ()) -> tuple[Sentence, ...]:
    """Lines of the transcript: by the sentences found, else by punctuation and length.

    `corrections` are those that the report holds already: their words are marked.
    """
    fillers = [(each.start, each.end) for each in report.events_of("filled_pause")]
    counted = [(each.start, each.end) for kind in _COUNTED_WORDS for each in report.events_of(kind)]
    starts = {round(event.start, 2) for event in report.events_of("sentence")}
    lines: list[list[Word]] = []
    for word in report.words:
        previous = lines[-1] if lines else None
        if previous is None or _breaks(previous, word, starts):
            lines.append([word])
        else:
            previous.append(word)
    for line, following in pairwise(lines):
        _move_what_opens(line, following, fillers)
    between = sorted([*_unwritten(report), *_long_pauses(report)], key=lambda each: each.start)
    begins = [each.start for each in between]
    heard = [each for each in corrections if each.kind == Correction.Kind.WORD]
    edges = [0.0, *(line[0].start for line in lines[1:]), math.inf]
    return tuple(
        _sentence(
            line,
            _Marked(fillers=fillers, counted=counted),
            # A long talk has thousands of both: none is looked through for each of the other.
            between[bisect_left(begins, since) : bisect_left(begins, until)],
            heard,
        )
        for line, (since, until) in zip(lines, pairwise(edges), strict=False)
    )


def _unwritten(report: Report) -> list[TranscriptWord]:
    """Return a mark for each stretch of speech without words, with its reason if that is known."""
    if report.unwritten:
        return [
            _missing(spans.clipped(report.speech, (each.start, each.end)), sentence(each.note))
            for each in report.unwritten
        ]
    return [_missing(spoken) for spoken in unwritten(report.words, report.speech)]


def _missing(spoken: Sequence[Span], why: str = "") -> TranscriptWord:
    values = {"seconds": round(spans.total(spoken)), "why": why}
    return TranscriptWord(
        text=_("[about %(seconds)d s of speech not transcribed. %(why)s]") % values
        if why
        else _("[about %(seconds)d s of speech not transcribed]") % values,
        start=spoken[0][0],
        end=spoken[-1][1],
        kind="missing",
    )


def _long_pauses(report: Report) -> list[TranscriptWord]:
    """Silences that a reader of the transcript should know of, where they were heard."""
    return [
        TranscriptWord(
            text=_("%(seconds)s s") % {"seconds": decimal(pause.end - pause.start)},
            start=pause.start,
            end=pause.end,
            kind="pause",
        )
        for pause in report.events_of("silent_pause")
        if pause.end - pause.start >= SHOWN_PAUSE_SECONDS
    ]


def _breaks(line: Sequence[Word], word: Word, starts: set[float]) -> bool:
    if starts:
        return round(word.start, 2) in starts or len(line) >= 2 * _MAX_SENTENCE_WORDS
    return line[-1].text.endswith((".", "?", "!")) or len(line) >= _MAX_SENTENCE_WORDS


def _move_what_opens(
    line: list[Word], following: list[Word], fillers: Sequence[tuple[float, float]]
) -> None:
    """A filler nearer to the sentence after it opens that one: so it was heard."""
    while len(line) > 1 and _is_filler(line[-1], fillers):
        if line[-1].start - line[-2].end <= following[0].start - line[-1].end:
            return
        following.insert(0, line.pop())


def _is_filler(word: Word, fillers: Iterable[tuple[float, float]]) -> bool:
    middle = (word.start + word.end) / 2
    return any(start <= middle < end for start, end in fillers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marked:
    """Where the words are ums, and where they are words that cards count."""

    fillers: Sequence[Span]
    counted: Sequence[Span]

    def within(self, start: float, end: float) -> _Marked:
        """Those of one line."""
        return _Marked(
            fillers=[span for span in self.fillers if span[0] < end and start < span[1]],
            counted=[span for span in self.counted if span[0] < end and start < span[1]],
        )


def _sentence(
    line: Sequence[Word],
    marked: _Marked,
    between: Iterable[TranscriptWord],
    heard: Sequence[Correction],
) -> Sentence:
    here = marked.within(line[0].start, line[-1].end)
    words = sorted(
        [*(_word(word, here, heard) for word in line), *between], key=lambda each: each.start
    )
    return Sentence(start=words[0].start, label=clock(words[0].start), words=tuple(words))


def _word(word: Word, marked: _Marked, heard: Sequence[Correction]) -> TranscriptWord:
    for each in heard:
        if each.start <= word.start < each.end and word.probability == 1.0:
            return TranscriptWord(
                text=word.text, start=word.start, end=word.end, kind="corrected", heard=each.before
            )
    if _is_filler(word, marked.fillers):
        return TranscriptWord(text=word.text, start=word.start, end=word.end, kind="filler")
    if _is_filler(word, marked.counted):
        return TranscriptWord(text=word.text, start=word.start, end=word.end, kind="filler_word")
    unsure = word.probability < UNSURE_PROBABILITY
    return TranscriptWord(
        text=word.text, start=word.start, end=word.end, kind="unsure" if unsure else "word"
    )


def lanes(report: Report) -> tuple[Lane, ...]:
    """What happened along the talk, one row a dimension; gaps where nothing was measured."""
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


def _mark_lane(label: str, events: Sequence[Event], duration: float) -> Lane:
    marks = tuple(
        LaneMark(
            start=event.start,
            end=event.end,
            left=round(100 * event.start / duration, 2),
            width=round(max(100 * (event.end - event.start) / duration, 0.3), 2),
            label=_mark_words(event, label),
        )
        for event in events
    )
    return Lane(label=label, kind="marks", summary=_count_words(events), marks=marks)


def _count_words(events: Sequence[Event]) -> str:
    """How many there are: where each is only probable, as many as the rate beside it rests on."""
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
    """What a mark stands for, beside the name of its lane."""
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
    """Means over equal stretches; a stretch without values stays a gap."""
    size = max(1, -(-len(track.values) // _MAX_POINTS))
    points: list[tuple[float, float | None]] = []
    for first in range(0, len(track.values), size):
        known = [value for value in track.values[first : first + size] if value is not None]
        time = track.start + (first + size / 2) * track.step
        points.append((time, sum(known) / len(known) if known else None))
    return points


def _path(points: Iterable[tuple[float, float | None]]) -> str:
    """The d attribute of an SVG path, broken at gaps."""
    parts: list[str] = []
    pen_down = False
    for x, y in points:
        if y is None:
            pen_down = False
            continue
        parts.append(f"{'L' if pen_down else 'M'}{x:.0f} {y:.0f}")
        pen_down = True
    return "".join(parts)


def captions(report: Report) -> str:
    """The transcript as WebVTT: short cues that end where a sentence or a breath ends."""
    blocks = ["WEBVTT"]
    for cue in _cues(report.words):
        text = " ".join(word.text for word in cue)
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        blocks.append(f"{_vtt_time(cue[0].start)} --> {_vtt_time(cue[-1].end)}\n{safe}")
    return "\n\n".join(blocks) + "\n"


_CUE_WORDS = 12
_CUE_GAP = 1.0


def _cues(words: Sequence[Word]) -> Iterable[list[Word]]:
    cue: list[Word] = []
    for word in words:
        ends = cue and (
            len(cue) >= _CUE_WORDS
            or word.start - cue[-1].end >= _CUE_GAP
            or cue[-1].text.endswith((".", "?", "!"))
        )
        if ends:
            yield cue
            cue = []
        cue.append(word)
    if cue:
        yield cue


def _vtt_time(seconds: float) -> str:
    # Whole milliseconds first: 59.9996 is the next minute, and never 60.000 seconds.
    whole, milliseconds = divmod(round(max(seconds, 0.0) * 1000), 1000)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{rest:02d}.{milliseconds:03d}"
