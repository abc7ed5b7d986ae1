"""Talk: the analysers' input for one recording, and values derived from it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analysis.ports import Options, Sight, Sound, Span, TimedSlides
from analysis.results import (
    Event,
    Language,
    Measurement,
    MediaInfo,
    Quality,
    Reason,
    Skipped,
    Unwritten,
    Word,
)
from analysis.talk import spans
from analysis.talk.languages import LanguageData, is_filled_pause, is_supported, language_data
from analysis.talk.silences import other_sounds
from analysis.talk.statistics import rate_interval

ENGAGED_SECONDS = 30.0
"""Speech below which one event changes a rate by over 2 per minute, so that quality is poor."""
_COMFORTABLE_SECONDS = 90.0
"""Speech from which rates and paces are good (the length that the page recommends)."""
_DOUBTED = 0.6
_LEAST_TEXT_COVERAGE, _TOLD_TEXT_COVERAGE = 0.6, 0.5
"""Coverage limits, rules of thumb: clear speech has a median word probability above .9, and its
words cover .8 to .95 of it. If half of them are missing, no rate is known.
"""
_LEAST_QUIET_COVERAGE = 0.6


@dataclass(frozen=True, kw_only=True)
class Talk:
    """Analysers' input for one recording.

    A missing part is None, and `absent` says why (keys: audio, words, sound, sight).
    """

    media: MediaInfo
    options: Options
    language: Language
    speech: tuple[Span, ...]
    words: tuple[Word, ...] = ()
    """Verbatim words with corrected boundaries, fillers included."""
    unwritten: tuple[Unwritten, ...] = ()
    """Spans of speech without words, and why."""
    filled_pauses: tuple[Event, ...] = ()
    reader: str = ""
    """Recogniser that read the words; filler detection depends on it."""
    sentences: tuple[tuple[int, int], ...] = ()
    """Half-open ranges of indices into `words`."""
    sound: Sound | None = None
    sight: Sight | None = None
    absent: Mapping[str, Skipped] = field(default_factory=dict)
    cautions: Mapping[str, Skipped] = field(default_factory=dict)
    """Conditions of this recording that forbid some measures; the keys are listed in
    `talk.unmeasurable`.
    """
    no_fillers: tuple[Span, ...] = ()
    """Spans in which a person marked a word as no filler."""
    meant_pauses: tuple[Span, ...] = ()
    """Silences that the speaker marked as wanted."""
    slides: TimedSlides | None = None
    """Slides that were shown and timed by the recorder."""

    @property
    def window(self) -> Span:
        """Return the span from the first to the last speech."""
        return (self.speech[0][0], self.speech[-1][1]) if self.speech else (0.0, 0.0)

    @cached_property
    def seconds(self) -> float:
        """Return the length of the talk in seconds, without the parts in which others speak."""
        start, end = self.window
        return end - start - spans.overlap((start, end), self.options.left_out)

    @cached_property
    def minutes(self) -> float:
        """Return the length in minutes, without music, applause or a
        telephone between the speech.
        """
        return (self.seconds - spans.total(other_sounds(self.speech, self.sound))) / 60

    @cached_property
    def speech_seconds(self) -> float:
        """Return the seconds of speech."""
        return spans.total(self.speech)

    @property
    def language_data(self) -> LanguageData:
        """Return the data of the talk's language."""
        return language_data(self.language.code)

    @cached_property
    def spoken_words(self) -> tuple[Word, ...]:
        """Return the words without filled pauses."""
        return tuple(word for word in self.words if not is_filled_pause(word, self.language_data))

    @cached_property
    def text_coverage(self) -> float:
        """Return the share of speech time covered by recognised words and filled pauses."""
        covered = spans.merged(
            [(word.start, word.end) for word in self.words if word.end > word.start]
            + [(event.start, event.end) for event in self.filled_pauses]
        )
        inside = sum(spans.overlap(piece, covered) for piece in self.speech)
        seconds = self.speech_seconds
        return round(min(inside / seconds, 1.0), 3) if seconds else 0.0

    @property
    def quality_by_length(self) -> Quality:
        """Return good from 90 s of speech, fair from 30 s, otherwise poor."""
        if self.speech_seconds < ENGAGED_SECONDS:
            return Quality.POOR
        return Quality.GOOD if self.speech_seconds >= _COMFORTABLE_SECONDS else Quality.FAIR

    @cached_property
    def text_quality(self) -> Quality:
        """Return the quality by length, but poor if words are uncertain or much speech is
        untranscribed.
        """
        probabilities = [word.probability for word in self.words]
        if probabilities and statistics.median(probabilities) < _DOUBTED:
            return Quality.POOR
        if self.text_coverage < _LEAST_TEXT_COVERAGE:
            return Quality.POOR
        return self.quality_by_length

    def of_text(
        self, value: float, unit: str, *, n: int, interval: tuple[float, float] | None = None
    ) -> Measurement:
        """Return a measurement based on the words, with their coverage and quality."""
        return Measurement.of(
            value,
            unit,
            n=n,
            coverage=self.text_coverage,
            quality=self.text_quality,
            interval=interval,
        )

    def rate_of_text(self, count: int) -> Measurement:
        """Return a rate per minute of events in the words."""
        minutes = self.minutes
        interval = rate_interval(count, minutes)
        return self.of_text(count / minutes, "per minute", n=count, interval=interval)

    def quality_of_silences(self, coverage: float) -> Quality:
        """Return the quality by length, but poor if noise, echo or moving levels hide silences.

        `coverage` is the share of the talk without other sounds.
        """
        hiding = self.caution("signal", "gain", "echo")
        if coverage < _LEAST_QUIET_COVERAGE or hiding is not None:
            return Quality.POOR
        return self.quality_by_length

    @property
    def no_speech(self) -> Skipped | None:
        """Return why the voice cannot be measured, or None."""
        if "audio" in self.absent:
            return self.absent["audio"]
        if not self.speech:
            return Skipped.because(Reason.NO_SPEECH, "no_speech_heard")
        return None

    @property
    def no_text(self) -> Skipped | None:
        """Return why the words cannot be measured, or None."""
        if reason := self.no_speech:
            return reason
        for key in ("words", "text"):
            if key in self.absent:
                return self.absent[key]
            if key in self.cautions:
                return self.cautions[key]
        if not is_supported(self.language.code):
            return Skipped.because(Reason.LANGUAGE_UNSUPPORTED, "words_unsupported")
        if not self.spoken_words:
            return Skipped.because(Reason.NO_SPEECH, "no_words_understood")
        if self.text_coverage < _TOLD_TEXT_COVERAGE:
            share = self.text_coverage
            return Skipped.because(Reason.LOW_COVERAGE, "words_missing", share=share)
        return None

    @property
    def no_sound(self) -> Skipped | None:
        """Return why pitch and loudness cannot be measured, or None."""
        if reason := self.no_speech:
            return reason
        if self.sound is None:
            return self.absent.get("sound", _NOT_LISTENED)
        return None

    def caution(self, *keys: str) -> Skipped | None:
        """Return the first of these cautions that applies to the recording, or None."""
        return next((self.cautions[key] for key in keys if key in self.cautions), None)

    def too_short(self, *, needed: float, what: str) -> Skipped | None:
        """Return a skip if there is less speech than needed, otherwise None.

        `what` is a "measure" of `analysis.sentences.PHRASES`.
        """
        if self.speech_seconds >= needed:
            return None
        heard = math.floor(self.speech_seconds)
        return Skipped.because(
            Reason.TOO_SHORT, "speech_short", heard=heard, what=what, needed=needed
        )

    def too_little_voice(self, *, voiced: float, needed: float) -> Skipped:
        """Return a skip for too few voiced seconds, due to little speech or little pitch."""
        if self.speech_seconds >= 2 * needed:
            return Skipped.because(
                Reason.LOW_COVERAGE,
                "pitch_rare",
                voiced=math.floor(voiced),
                heard=math.floor(self.speech_seconds),
                needed=needed,
            )
        return Skipped.because(
            Reason.TOO_SHORT, "pitch_short", voiced=math.floor(voiced), needed=needed
        )


_NOT_LISTENED = Skipped.because(Reason.STAGE_FAILED, "not_listened")
