"""What analysers keep asking of a talk: its window, its spoken words, reasons to abstain."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence

from analysis.ports import Measured, Span, Talk
from analysis.results import Event, Measurement, Quality, Reason, Skipped, Word
from analysis.talk import spans
from analysis.talk.languages import (
    LanguageData,
    is_filled_pause,
    is_supported,
    language_data,
    plain,
)
from analysis.talk.sentences import ends_sentence
from analysis.talk.silences import other_sounds

ENGAGED_SECONDS = 30.0
"""With less speech one event more or less moves a rate by over 2 a minute: quality is poor."""
COMFORTABLE_SECONDS = 90.0
"""From here on rates and paces are called good (what the page tells people to record)."""


_DOUBTED = 0.6
_LEAST_TEXT_COVERAGE = 0.6
"""Rules of thumb: clear speech is recognised with a median word probability above .9."""


def skip_all(metric_ids: Iterable[str], skipped: Skipped) -> Measured:
    """Nothing measured, everywhere for the same reason."""
    return Measured(skipped=dict.fromkeys(metric_ids, skipped))


def talk_window(talk: Talk) -> Span:
    """From the first to the last speech heard."""
    return (talk.speech[0][0], talk.speech[-1][1]) if talk.speech else (0.0, 0.0)


def talk_seconds(talk: Talk) -> float:
    """Length of the talk, without the parts in which others speak."""
    window = talk_window(talk)
    return window[1] - window[0] - spans.overlap(window, talk.options.left_out)


def talk_minutes(talk: Talk) -> float:
    """Length of the talk in minutes, without music, applause or a telephone between the speech."""
    return (talk_seconds(talk) - spans.total(other_sounds(talk.speech, talk.sound))) / 60


def speech_seconds(talk: Talk) -> float:
    """Seconds in which somebody speaks."""
    return spans.total(talk.speech)


def data_of(talk: Talk) -> LanguageData:
    """What we know of the language of the talk."""
    return language_data(talk.language.code)


def no_audio_or_speech(talk: Talk) -> Skipped | None:
    """Why nothing about the voice can be measured, or None."""
    if "audio" in talk.absent:
        return talk.absent["audio"]
    if not talk.speech:
        return Skipped.because(Reason.NO_SPEECH, "no_speech_heard")
    return None


def no_text(talk: Talk) -> Skipped | None:
    """Why nothing about the words can be measured, or None."""
    reason = no_audio_or_speech(talk)
    if reason is not None:
        return reason
    for key in ("words", "text"):
        if key in talk.absent:
            return talk.absent[key]
        if key in talk.cautions:
            return talk.cautions[key]
    if not is_supported(talk.language.code):
        return Skipped.because(Reason.LANGUAGE_UNSUPPORTED, "words_unsupported")
    if not spoken_words(talk):
        return Skipped.because(Reason.NO_SPEECH, "no_words_understood")
    return None


def no_sound(talk: Talk) -> Skipped | None:
    """Why nothing about pitch and loudness can be measured, or None."""
    reason = no_audio_or_speech(talk)
    if reason is not None:
        return reason
    if talk.sound is None:
        return talk.absent.get("sound", _NO_SOUND)
    return None


_NO_SOUND = Skipped.because(Reason.STAGE_FAILED, "not_listened")


def caution(talk: Talk, *keys: str) -> Skipped | None:
    """The first of several cautions that holds for this recording."""
    return next((talk.cautions[key] for key in keys if key in talk.cautions), None)


def too_short(talk: Talk, *, needed: float, what: str) -> Skipped | None:
    """Abstains under a minimum of speech and says how much there was and how much it takes.

    `what` is a "measure" of `analysis.sentences.PHRASES`.
    """
    heard = speech_seconds(talk)
    if heard >= needed:
        return None
    return Skipped.because(
        Reason.TOO_SHORT, "speech_short", heard=math.floor(heard), what=what, needed=needed
    )


def too_little_voice(talk: Talk, *, voiced: float, needed: float) -> Skipped:
    """Abstains where too few seconds have a pitch: for want of speech, or for want of voice."""
    heard = speech_seconds(talk)
    if heard >= 2 * needed:
        return Skipped.because(
            Reason.LOW_COVERAGE,
            "pitch_rare",
            voiced=math.floor(voiced),
            heard=math.floor(heard),
            needed=needed,
        )
    return Skipped.because(
        Reason.TOO_SHORT, "pitch_short", voiced=math.floor(voiced), needed=needed
    )


def spoken_words(talk: Talk) -> tuple[Word, ...]:
    """Words without filled pauses."""
    data = data_of(talk)
    return tuple(word for word in talk.words if not is_filled_pause(word, data))


def by_length(talk: Talk) -> Quality:
    """Good from 90 s of speech on, fair from 30 s on, poor before."""
    heard = speech_seconds(talk)
    if heard < ENGAGED_SECONDS:
        return Quality.POOR
    return Quality.GOOD if heard >= COMFORTABLE_SECONDS else Quality.FAIR


def text_quality(talk: Talk) -> Quality:
    """By length, but poor where the recogniser doubts its own words or leaves much speech out."""
    probabilities = [word.probability for word in talk.words]
    if probabilities and statistics.median(probabilities) < _DOUBTED:
        return Quality.POOR
    if text_coverage(talk) < _LEAST_TEXT_COVERAGE:
        return Quality.POOR
    return by_length(talk)


def text_coverage(talk: Talk) -> float:
    """Share of speech time that lies in recognised words and filled pauses."""
    seconds = speech_seconds(talk)
    covered = spans.merged(
        [(word.start, word.end) for word in talk.words if word.end > word.start]
        + [(event.start, event.end) for event in talk.filled_pauses]
    )
    inside = sum(spans.overlap(piece, covered) for piece in talk.speech)
    return round(min(inside / seconds, 1.0), 3) if seconds else 0.0


def measured(
    value: float,
    unit: str,
    *,
    n: int,
    coverage: float,
    quality: Quality,
    interval: tuple[float, float] | None = None,
) -> Measurement:
    """A measurement with sensible digits."""
    return Measurement(
        value=round(float(value), 4),
        unit=unit,
        n=n,
        coverage=round(min(max(coverage, 0.0), 1.0), 3),
        quality=quality,
        interval=None if interval is None else (round(interval[0], 4), round(interval[1], 4)),
    )


def restarts(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Ranges of words that are said again at once, or cut off: half-open index ranges.

    The range holds what was abandoned, not its repetition. One to three words, again within 1 s;
    words that are rightly doubled ("had had") do not count, nor the end of a sentence said again at
    the start of the next ("for it. It is").
    """
    texts = [plain(word.text) for word in words]
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        width = _repeated_width(words, texts, index, data)
        if width:
            found.append((index, index + width))
            index += width
        else:
            if words[index].text.rstrip(".,").endswith("-") and len(texts[index]) > 0:
                found.append((index, index + 1))
            index += 1
    return tuple(found)


def _repeated_width(
    words: Sequence[Word], texts: Sequence[str], index: int, data: LanguageData
) -> int:
    for width in (3, 2, 1):
        first, second = texts[index : index + width], texts[index + width : index + 2 * width]
        if len(second) < width or first != second or not all(first):
            continue
        abandoned = words[index : index + width]
        if words[index + width].start - abandoned[-1].end > _AT_ONCE_SECONDS:
            continue
        if any(ends_sentence(word, data) for word in abandoned):
            continue
        if width == 1 and (first[0] in data.doubled_words or first[0].isdecimal()):
            continue
        return width
    return 0


_AT_ONCE_SECONDS = 1.0
"""Identical words at once are disfluent, later ones rhetorical (rule of thumb)."""


def sorted_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events in time order."""
    return tuple(sorted(events, key=lambda event: (event.start, event.end, event.kind)))
