"""The transcript of a take on its pages, and its captions."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.ports import Span
from analysis.results import Report, Word
from analysis.talk import spans
from analysis.talk.untranscribed_speech import untranscribed_spans
from coach.feedback.models import Correction
from coach.lib.words.clock import clock
from coach.lib.words.numbers import decimal, grouped
from coach.lib.words.sentences import sentence

UNSURE_PROBABILITY = 0.4
"""The confidence below which words are shown as unsure (rule of thumb); rules never quote them."""


SHOWN_PAUSE_SECONDS = 1.0
"""The minimum length of pauses in the transcript (rule of thumb): shorter ones would disrupt
reading, and are on their lane."""


_SAME_SECONDS = 0.02
"""Tolerance of a place that a page sends back with two decimals."""

_MAX_SENTENCE_WORDS = 40


COUNTED_WORDS = ("filler_word", "verbal_habit")
"""The kinds of words that cards count: marked in the transcript, with a lane of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptWord:
    """A word on the page; `kind` is word, filler (um), filler_word (“like”, or another phrase that
    cards count), unsure (low recogniser confidence), missing,
    pause (a long silence, no word at all), meant (a pause that the speaker wanted), or corrected
    (by a person).

    A missing one marks detected speech without recognised words.
    """

    text: str
    start: float
    end: float
    kind: Literal[
        "word", "filler", "filler_word", "unsure", "missing", "pause", "meant", "corrected"
    ] = "word"
    heard: str = ""
    """The recognised word, if a person corrected it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptLine:
    """A line of the transcript; `label` is its start as m:ss."""

    start: float
    label: str
    words: tuple[TranscriptWord, ...]


def transcript(
    report: Report, corrections: Sequence[Correction] = ()
) -> tuple[TranscriptLine, ...]:
    """Return the lines of the transcript, split at sentences, or at punctuation and length.

    `corrections` are those already applied to the report: their words are marked.
    """
    fillers = [(each.start, each.end) for each in report.events_of("filled_pause")]
    counted = [(each.start, each.end) for kind in COUNTED_WORDS for each in report.events_of(kind)]
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
    meant = [each for each in corrections if each.kind == Correction.Kind.MEANT_PAUSE]
    between = sorted(
        [*_unwritten(report), *_long_pauses(report, meant)], key=lambda each: each.start
    )
    begins = [each.start for each in between]
    heard = [each for each in corrections if each.kind == Correction.Kind.WORD]
    edges = [0.0, *(line[0].start for line in lines[1:]), math.inf]
    return tuple(
        _sentence(
            line,
            _Marked(fillers=fillers, counted=counted),
            # A long talk has thousands of both, so bisection avoids a quadratic search.
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
    return [_missing(spoken) for spoken in untranscribed_spans(report.words, report.speech)]


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


def is_place_of(start: float, seconds: float) -> bool:
    """Return whether a word or pause that starts at `start` is meant by `seconds` of a page."""
    return abs(start - seconds) <= _SAME_SECONDS


def _long_pauses(report: Report, meant: Sequence[Correction]) -> list[TranscriptWord]:
    """Return the long pauses as marks in the transcript."""
    return [
        TranscriptWord(
            text=_("%(seconds)s s") % {"seconds": decimal(pause.end - pause.start)},
            start=pause.start,
            end=pause.end,
            kind="meant"
            if any(is_place_of(pause.start, each.start) for each in meant)
            else "pause",
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
    """Move fillers at the end of a line to the next sentence if they are nearer to it."""
    while len(line) > 1 and _is_filler(line[-1], fillers):
        if line[-1].start - line[-2].end <= following[0].start - line[-1].end:
            return
        following.insert(0, line.pop())


def _is_filler(word: Word, fillers: Iterable[tuple[float, float]]) -> bool:
    middle = (word.start + word.end) / 2
    return any(start <= middle < end for start, end in fillers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marked:
    """The spans of fillers and of words that cards count."""

    fillers: Sequence[Span]
    counted: Sequence[Span]

    def within(self, start: float, end: float) -> _Marked:
        """Return the spans that overlap one line."""
        return _Marked(
            fillers=[span for span in self.fillers if span[0] < end and start < span[1]],
            counted=[span for span in self.counted if span[0] < end and start < span[1]],
        )


def _sentence(
    line: Sequence[Word],
    marked: _Marked,
    between: Iterable[TranscriptWord],
    heard: Sequence[Correction],
) -> TranscriptLine:
    here = marked.within(line[0].start, line[-1].end)
    words = sorted(
        [*(_word(word, here, heard) for word in line), *between], key=lambda each: each.start
    )
    return TranscriptLine(start=words[0].start, label=clock(words[0].start), words=tuple(words))


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


def plain_text(report: Report) -> str:
    """Return the transcript as text: one line for each sentence, with its time."""
    lines = (
        f"{line.label}  {' '.join(word.text for word in line.words if word.kind in _WRITTEN)}"
        for line in transcript(report)
    )
    return "\n".join(lines) + "\n"


def captions(report: Report) -> str:
    """Return the transcript as WebVTT."""
    return webvtt(report.words)


def webvtt(words: Sequence[Word]) -> str:
    """Return words as WebVTT: short cues that end with a sentence or a pause."""
    blocks = ["WEBVTT"]
    for cue in _cues(words):
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


_SPOKEN = {"word", "unsure", "filler", "filler_word", "corrected"}
_WRITTEN = {*_SPOKEN, "missing"}
"""What a file contains: the words, and where speech was not transcribed."""


_AROUND = ' .,;:!?…«»“”"()\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}'


_MOST = 0.5
"""The share of unsure words in a line above which they are not listed one by one; it is a rule of
thumb."""


def doubt_words(sentences: Sequence[TranscriptLine]) -> str:
    """Return the number of low-confidence words in a sentence; empty if there are none."""
    kinds = [word.kind for line in sentences for word in line.words]
    unsure, spoken = kinds.count("unsure"), sum(kind in _SPOKEN for kind in kinds)
    if not unsure:
        return ""
    return ngettext(
        "We are not sure that we heard %(unsure)s of %(words)s words correctly.",
        "We are not sure that we heard %(unsure)s of %(words)s words correctly.",
        unsure,
    ) % {"unsure": grouped(unsure), "words": grouped(spoken)}


def unsure_of(line: TranscriptLine) -> str:
    """Return the low-confidence words of a line, without punctuation."""
    return ", ".join(word.text.strip(_AROUND) for word in line.words if word.kind == "unsure")


def is_mostly_unsure(line: TranscriptLine) -> bool:
    """Return whether most words of a line have low confidence."""
    kinds = [word.kind for word in line.words if word.kind in _SPOKEN]
    return kinds.count("unsure") > max(_MOST * len(kinds), 2)
