"""Facts that an exercise's recording can answer with: names, units, and what a report says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.results import Event, Note, Report, Word
from coach.lib.words.clock import clock
from coach.lib.words.numbers import decimal

HALF_A_SECOND = 0.5
"""Length from which a silence counts here: shorter ones are easily missed (rule of thumb)."""
_MOST_MOMENTS = 20
"""The maximum number of moments, since nobody plays a longer list (rule of thumb)."""
_BEFORE, _AFTER = 1.5, 1.0
"""The seconds to play before and after a moment, for its context."""
_ENDING_SENTENCES = 3
"""The number of sentences in an ending, as in the text of its exercise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A part of the recording to play, in seconds."""

    start: float
    end: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One count or length, with its moments; without a value, `missing` says why."""

    id: str
    value: float | None = None
    quote: str = ""
    moments: tuple[Moment, ...] = ()
    missing: Note | None = None


@dataclass(frozen=True, slots=True)
class FactKind:
    """Name and unit of a fact."""

    label: str | Promise
    unit: str


COUNT, SECONDS, WORDS = "count", "s", "words"
PER_MINUTE, PER_SECOND = "words per minute", "syllables per second"

FACT_KINDS: Mapping[str, FactKind] = {
    "ums": FactKind(_("Ums and uhs heard"), COUNT),
    "filler_words": FactKind(_("Filler words"), COUNT),
    "spoken_seconds": FactKind(_("From your first word to your last"), SECONDS),
    "sentences": FactKind(_("Sentences"), COUNT),
    "silences_after": FactKind(_("Silences of half a second or more after a sentence"), COUNT),
    "longest_after": FactKind(_("Longest silence after a sentence"), SECONDS),
    "silences_inside": FactKind(_("Silences of half a second or more inside a sentence"), COUNT),
    "words_per_minute": FactKind(_("Words a minute"), PER_MINUTE),
    "syllables_per_second": FactKind(_("Syllables a second, without the pauses"), PER_SECOND),
    "silences": FactKind(_("Silences of half a second or more"), COUNT),
    "quiet_ends": FactKind(_("Sentence ends much quieter than their sentence"), COUNT),
    "measured_ends": FactKind(_("Sentence ends that we could measure"), COUNT),
    "first_word_at": FactKind(_("Time to your first word"), SECONDS),
    "first_sentence": FactKind(_("Words in your first sentence"), WORDS),
    "silence_after_first": FactKind(_("Silence after your first sentence"), SECONDS),
    "second_sentence": FactKind(_("Words in your second sentence"), WORDS),
    "last_sentence": FactKind(_("Words in your last sentence"), WORDS),
    "silence_before_last": FactKind(_("Silence before your last sentence"), SECONDS),
    "silence_at_end": FactKind(_("Time after your last word"), SECONDS),
    "ending_pace": FactKind(_("Words a minute in your last three sentences"), PER_MINUTE),
    "pace_before_ending": FactKind(_("Words a minute before them"), PER_MINUTE),
    "facing": FactKind(_("Facing the camera"), "share"),
    "looks_away": FactKind(_("Looks away of a second or more"), COUNT),
    "longest_sentence": FactKind(_("Words in your longest sentence"), WORDS),
    "median_sentence": FactKind(_("Words in a sentence (median)"), WORDS),
    "pitch_range": FactKind(_("From your low notes to your high ones"), "semitones"),
    "voice_over_room": FactKind(_("Your voice above the sound of the room"), "dB"),
    "clipped": FactKind(_("Speech so loud that it is cut off"), "share"),
}
"""Every fact by its id: the order on the page is that of the answer."""


# ---- sentences and silences


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence with the words spoken in it."""

    start: float
    end: float
    words: tuple[Word, ...]

    @property
    def quote(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def moment(self) -> Moment:
        return Moment(start=max(self.start - 0.3, 0.0), end=self.end + 0.3, label=clock(self.start))


def _sentences(report: Report) -> list[_Sentence]:
    return [
        _Sentence(
            start=each.start,
            end=each.end,
            words=tuple(
                word
                for word in report.words
                if each.start <= (word.start + word.end) / 2 <= each.end
            ),
        )
        for each in report.events_of("sentence")
    ]


def _no_sentences(report: Report) -> Note | None:
    """Return why no sentence was found: no words, or why they could not be used."""
    return report.skipped.get("wording.sentence_length_words") or report.skipped.get(
        "signal.speech_seconds"
    )


def _unsaid(report: Report, *ids: str) -> Iterable[Fact]:
    why = _no_sentences(report)
    return (Fact(id=each, missing=why) for each in ids)


def _moments(
    report: Report, events: Sequence[Event], *, also: Mapping[int, str] | None = None
) -> tuple[Moment, ...]:
    """Return the moments of events; `also`: what the label adds to the time, by position."""
    return tuple(
        Moment(
            start=max(each.start - _BEFORE, 0.0),
            end=min(each.end + _AFTER, report.media.duration),
            label=" · ".join(
                part for part in (clock(each.start), (also or {}).get(at, "")) if part
            ),
        )
        for at, each in enumerate(events[:_MOST_MOMENTS])
    )


def _counted(report: Report, name: str, kind: str, metric: str) -> Fact:
    """Return the number of events that a metric counts, or why it was not measured."""
    if metric not in report.measurements:
        return Fact(id=name, missing=report.skipped.get(metric))
    found = report.events_of(kind)
    labels = {at: each.label for at, each in enumerate(found)}
    return Fact(id=name, value=len(found), moments=_moments(report, found, also=labels))


def _measured(report: Report, name: str, metric: str) -> Fact:
    measured = report.measurements.get(metric)
    if measured is None or measured.leaves_everything_open:
        return Fact(id=name, missing=report.skipped.get(metric))
    return Fact(id=name, value=measured.value)


def _silence_words(events: Sequence[Event]) -> dict[int, str]:
    return {at: f"{decimal(each.end - each.start)} s" for at, each in enumerate(events)}


def _long_silences(report: Report, *places: str) -> list[Event]:
    return [
        each
        for each in report.events_of("silent_pause")
        if each.end - each.start >= HALF_A_SECOND
        and (not places or each.detail.get("place") in places)
    ]


def _silences(report: Report, name: str, *places: str) -> Fact:
    metric = "pauses.silent_per_minute"
    if metric not in report.measurements:
        return Fact(id=name, missing=report.skipped.get(metric))
    found = _long_silences(report, *places)
    moments = _moments(report, found, also=_silence_words(found))
    return Fact(id=name, value=len(found), moments=moments)


def _spoken_seconds(report: Report) -> Fact:
    if not report.speech:
        return Fact(id="spoken_seconds", missing=report.skipped.get("signal.speech_seconds"))
    return Fact(id="spoken_seconds", value=report.speech[-1][1] - report.speech[0][0])


# ---- what each answer consists of


def fillers(report: Report) -> Iterable[Fact]:
    """Yield ums and filler words with their moments."""
    yield _counted(report, "ums", "filled_pause", "fillers.filled_pauses_per_minute")
    yield _counted(report, "filler_words", "filler_word", "fillers.filler_words_per_minute")
    yield _spoken_seconds(report)


def silences(report: Report) -> Iterable[Fact]:
    """Yield the silences after and inside sentences."""
    sentences = _sentences(report)
    if not sentences:
        yield from _unsaid(report, "silences_after", "silences_inside")
        return
    after = _silences(report, "silences_after", "sentence_end")
    yield after
    yield Fact(id="sentences", value=len(sentences))
    long = _long_silences(report, "sentence_end")
    if after.value and long:
        longest = max(long, key=lambda each: each.end - each.start)
        yield Fact(
            id="longest_after",
            value=longest.end - longest.start,
            moments=_moments(report, [longest]),
        )
    yield _silences(report, "silences_inside", "mid_clause", "clause_boundary")


def pace(report: Report) -> Iterable[Fact]:
    """Yield pace, articulation and silences of a passage."""
    yield _measured(report, "words_per_minute", "pace.words_per_minute")
    yield _measured(report, "syllables_per_second", "pace.articulation_rate_syllables_per_second")
    yield _silences(report, "silences")
    yield _spoken_seconds(report)


def sentence_ends(report: Report) -> Iterable[Fact]:
    """Yield the sentence ends that are much quieter than their sentence, and by how much."""
    metric = "loudness.sentence_end_drop_share"
    measured = report.measurements.get(metric)
    if measured is None:
        yield Fact(id="quiet_ends", missing=report.skipped.get(metric))
        return
    quiet = report.events_of("quiet_sentence_end")
    drops = {
        at: f"{decimal(float(each.detail.get('drop_db', 0.0)), 0)} dB"
        for at, each in enumerate(quiet)
    }
    yield Fact(id="quiet_ends", value=len(quiet), moments=_moments(report, quiet, also=drops))
    yield Fact(id="measured_ends", value=measured.n)


def first_sentences(report: Report) -> Iterable[Fact]:
    """Yield the first two sentences, when they begin, and the silence after the first."""
    sentences = _sentences(report)
    if not sentences:
        yield from _unsaid(report, "first_word_at", "first_sentence")
        return
    yield Fact(id="first_word_at", value=sentences[0].start)
    yield _quoted("first_sentence", sentences[0])
    if len(sentences) > 1:
        yield _gap("silence_after_first", sentences[0], sentences[1])
        yield _quoted("second_sentence", sentences[1])


def last_sentence(report: Report) -> Iterable[Fact]:
    """Yield the last sentence and the silence around it."""
    sentences = _sentences(report)
    if not sentences:
        yield from _unsaid(report, "last_sentence", "silence_at_end")
        return
    yield _quoted("last_sentence", sentences[-1])
    if len(sentences) > 1:
        yield _gap("silence_before_last", sentences[-2], sentences[-1])
    yield Fact(id="silence_at_end", value=max(report.media.duration - sentences[-1].end, 0.0))


def ending(report: Report) -> Iterable[Fact]:
    """Yield the pace of the last three sentences and of those before, and the last sentence."""
    sentences = _sentences(report)
    last, before = sentences[-_ENDING_SENTENCES:], sentences[:-_ENDING_SENTENCES]
    if last:
        yield Fact(id="ending_pace", value=_words_a_minute(last))
    if before:
        yield Fact(id="pace_before_ending", value=_words_a_minute(before))
    yield from last_sentence(report)


def lens(report: Report) -> Iterable[Fact]:
    """Yield the share of time facing the camera, and the looks away."""
    facing = _measured(report, "facing", "gaze.camera_facing_share")
    yield facing
    if facing.value is not None:
        away = report.events_of("look_away")
        yield Fact(id="looks_away", value=len(away), moments=_moments(report, away))


def sentence_lengths(report: Report) -> Iterable[Fact]:
    """Yield the longest sentence in its words, and how long sentences are."""
    sentences = [each for each in _sentences(report) if each.words]
    if not sentences:
        yield from _unsaid(report, "longest_sentence")
        return
    yield _quoted("longest_sentence", max(sentences, key=lambda each: len(each.words)))
    yield Fact(id="median_sentence", value=median(len(each.words) for each in sentences))
    yield Fact(id="sentences", value=len(sentences))


def pitch(report: Report) -> Iterable[Fact]:
    """Yield the range of pitch."""
    yield _measured(report, "pitch_range", "pitch.range_semitones")
    yield _spoken_seconds(report)


def level(report: Report) -> Iterable[Fact]:
    """Yield how clear the recording is."""
    yield _measured(report, "voice_over_room", "signal.snr_db")
    yield _measured(report, "clipped", "signal.clipping_share")
    yield _spoken_seconds(report)


def _quoted(name: str, sentence: _Sentence) -> Fact:
    return Fact(
        id=name,
        value=len(sentence.words),
        quote=sentence.quote,
        moments=(sentence.moment,),
    )


def _gap(name: str, one: _Sentence, next_one: _Sentence) -> Fact:
    return Fact(id=name, value=max(next_one.start - one.end, 0.0))


def _words_a_minute(sentences: Sequence[_Sentence]) -> float:
    seconds = sentences[-1].end - sentences[0].start
    return 60 * sum(len(each.words) for each in sentences) / max(seconds, 1.0)
