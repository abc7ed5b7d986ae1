"""Wording: hedges, restarts, verbal habits, repeated openings and long
sentences in the transcript.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Reason, Skipped, Word, in_time_order
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.phrases import are_believed, hedges, occurrences
from analysis.talk.restarts import restarts
from analysis.talk.statistics import mean_interval, poisson_interval, share_interval
from analysis.talk.talk import Talk

HEDGES = "wording.hedges_per_100_words"
RESTARTS = "wording.restarts_per_100_words"
HABITS = "wording.verbal_habits_per_minute"
ANAPHORA = "wording.anaphora_count"
LENGTH = "wording.sentence_length_words"
LONG = "wording.long_sentence_share"

_LEAST_WORDS = 50
"""Shortest text; below 50 words one hedge more or less changes the value by 2 per 100 (rule of
thumb).
"""
_LONG_WORDS = 35
_LEAST_SENTENCES = 4
_PAUSE_AT_END_SECONDS = 0.25
_LEAST_USES, _DEVIATIONS = 5, 3.0
"""Limits of a habit: at least 5 uses, and 3 standard deviations above the mean of the talk's own
words (rule of thumb).
"""


class WordChoice:
    """Analyser of counted words and phrases, with an event for each."""

    name = "wording"
    provides: tuple[str, ...] = (HEDGES, RESTARTS, HABITS, ANAPHORA, LENGTH, LONG)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_text or talk.caution("speakers")
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        spoken = talk.spoken_words
        sentences = _sentences(talk)
        if len(spoken) < _LEAST_WORDS:
            short = Skipped.because(
                Reason.TOO_SHORT, "few_words", count=len(spoken), needed=_LEAST_WORDS
            )
            events = tuple(_sentence_event(sentence) for sentence in sentences)
            return Measured(skipped=dict.fromkeys(self.provides, short), events=events)
        return _measure(talk, spoken, sentences)


def _measure(talk: Talk, spoken: Sequence[Word], sentences: Sequence[Sequence[Word]]) -> Measured:
    found: dict[str, Measurement] = {}
    skipped: dict[str, Skipped] = {}
    events = [_sentence_event(sentence) for sentence in sentences]
    hedged = _hedge_events(talk)
    found[HEDGES] = _per_100(talk, len(hedged), len(spoken))
    habits = _habit_events(talk, spoken, sentences)
    found[HABITS] = talk.rate_of_text(len(habits))
    repeated = _anaphora(sentences)
    found[ANAPHORA] = _count(talk, len(repeated))
    unlike = talk.caution("fluency")
    if unlike is None:
        again = _restart_events(talk, spoken)
        found[RESTARTS] = _per_100(talk, len(again), len(spoken))
        events += again
    else:
        skipped[RESTARTS] = unlike
    lengths, long_events = _lengths(talk, sentences)
    if isinstance(lengths, Skipped):
        skipped |= dict.fromkeys((LENGTH, LONG), lengths)
    else:
        found |= lengths
    events += [*hedged, *habits, *repeated, *long_events]
    return Measured(measurements=found, skipped=skipped, events=in_time_order(events))


def _sentences(talk: Talk) -> list[list[Word]]:
    """Return the words of each sentence, without filled pauses."""
    data = talk.language_data
    found = []
    for first, last in talk.sentences:
        words = [word for word in talk.words[first:last] if not is_filled_pause(word, data)]
        if words:
            found.append(words)
    return found


def _sentence_event(sentence: Sequence[Word]) -> Event:
    return Event(
        kind="sentence",
        start=sentence[0].start,
        end=sentence[-1].end,
        detail={"words": len(sentence)},
    )


def _per_100(talk: Talk, count: int, words: int) -> Measurement:
    low, high = poisson_interval(count)
    return talk.of_text(
        100 * count / words,
        "per 100 words",
        n=count,
        interval=(100 * low / words, 100 * high / words),
    )


def _count(talk: Talk, count: int) -> Measurement:
    return talk.of_text(count, "count", n=count)


def _hedge_events(talk: Talk) -> list[Event]:
    return [
        Event(
            kind="hedge",
            start=talk.words[found.first].start,
            end=talk.words[found.last - 1].end,
            probability=min(word.probability for word in talk.words[found.first : found.last]),
            label=found.phrase,
        )
        for found in hedges(talk.words, talk.language_data)
    ]


def _restart_events(talk: Talk, spoken: Sequence[Word]) -> list[Event]:
    return [
        Event(
            kind="restart",
            start=spoken[first].start,
            end=spoken[last - 1].end,
            label=" ".join(plain(word.text) for word in spoken[first:last]),
        )
        for first, last in restarts(spoken, talk.language_data)
        if are_believed(spoken[first:last])
    ]


def _habit_events(
    talk: Talk, spoken: Sequence[Word], sentences: Sequence[Sequence[Word]]
) -> list[Event]:
    """Return uses of the language's habit phrases that recur far more often than other words.

    Uses at the start of a sentence are left out, since they may be rhetorical.
    """
    data = talk.language_data
    opening = {sentence[0].start for sentence in sentences}
    limit = max(_LEAST_USES, _usual_count(spoken, data))
    events: list[Event] = []
    for phrase in data.habit_phrases:
        uses = [
            at
            for at in occurrences(spoken, phrase)
            if spoken[at].start not in opening and are_believed(spoken[at : at + len(phrase)])
        ]
        if len(uses) >= limit:
            events += [
                Event(
                    kind="verbal_habit",
                    start=spoken[at].start,
                    end=spoken[at + len(phrase) - 1].end,
                    label=" ".join(phrase),
                )
                for at in uses
            ]
    return events


def _usual_count(spoken: Sequence[Word], data: LanguageData) -> float:
    """Return the mean plus three standard deviations of the counts of the talk's content words."""
    counts = Counter(plain(word.text) for word in spoken)
    habits = {word for phrase in data.habit_phrases for word in phrase}
    own = [
        count
        for text, count in counts.items()
        if text and text not in data.common_words and text not in habits
    ]
    if not own:
        return 0.0
    return float(np.mean(own) + _DEVIATIONS * np.std(own))


def _anaphora(sentences: Sequence[Sequence[Word]]) -> list[Event]:
    """Return runs of sentences that open with the same two reliably recognised words."""
    openings = [
        tuple(plain(word.text) for word in sentence[:2]) if are_believed(sentence[:2]) else ()
        for sentence in sentences
    ]
    events = []
    place = 0
    for opening, run in itertools.groupby(openings):
        count = len(list(run))
        if count >= 2 and len(opening) == 2:
            first, last = sentences[place], sentences[place + count - 1]
            if len(first) > 2:
                events.append(
                    Event(
                        kind="anaphora",
                        start=first[0].start,
                        end=last[-1].end,
                        label=" ".join(opening),
                        detail={"count": count},
                    )
                )
        place += count
    return events


def _lengths(
    talk: Talk, sentences: Sequence[Sequence[Word]]
) -> tuple[dict[str, Measurement] | Skipped, list[Event]]:
    """Return sentence lengths, only of sentences whose end is marked by punctuation
    and by a pause.
    """
    agreed = [
        sentence
        for sentence, following in itertools.zip_longest(sentences, sentences[1:])
        if following is None or following[0].start - sentence[-1].end >= _PAUSE_AT_END_SECONDS
    ]
    if len(agreed) < _LEAST_SENTENCES:
        return Skipped.because(
            Reason.LOW_COVERAGE, "few_agreed_ends", count=len(agreed), needed=_LEAST_SENTENCES
        ), []
    lengths = [len(sentence) for sentence in agreed]
    coverage = sum(lengths) / max(sum(len(sentence) for sentence in sentences), 1)
    long_ones = [sentence for sentence in agreed if len(sentence) > _LONG_WORDS]
    quality = talk.text_quality
    found = {
        LENGTH: Measurement.of(
            float(np.mean(lengths)),
            "words",
            n=len(lengths),
            coverage=coverage,
            quality=quality,
            interval=mean_interval(lengths),
        ),
        LONG: Measurement.of(
            len(long_ones) / len(lengths),
            "share",
            n=len(lengths),
            coverage=coverage,
            quality=quality,
            interval=share_interval(len(long_ones), len(lengths)),
        ),
    }
    events = [
        Event(
            kind="long_sentence",
            start=sentence[0].start,
            end=sentence[-1].end,
            detail={"words": len(sentence)},
        )
        for sentence in long_ones
    ]
    return found, events
