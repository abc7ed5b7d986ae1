"""Silent pauses: number, length and position."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Quality, Reason, Skipped, Word
from analysis.talk import spans
from analysis.talk.languages import is_filled_pause
from analysis.talk.pause_places import is_after_open_word, place_of
from analysis.talk.sentences import ends_sentence
from analysis.talk.silences import other_sounds, quiet_gaps
from analysis.talk.statistics import rate_interval, share_interval
from analysis.talk.syllables import count_syllables
from analysis.talk.talk import Talk

PER_MINUTE = "pauses.silent_per_minute"
LONG_MID_CLAUSE = "pauses.long_mid_clause_per_minute"
BOUNDARY_SHARE = "pauses.boundary_pause_share"
RUN_LENGTH = "pauses.mean_length_of_run_syllables"
SILENCE_SHARE = "pauses.silence_share"
_NEED_TEXT = (LONG_MID_CLAUSE, BOUNDARY_SHARE, RUN_LENGTH)

_LEAST_SECONDS = 10.0
_MEDIUM_SECONDS, _LONG_SECONDS = 0.2, 1.0
"""Limits of the length classes (Campione & Veronis, 2002)."""
_SEARCHING_SECONDS = 2.0
"""Shortest long pause inside a clause (rule of thumb)."""
_GOOD_AT_BOUNDARY = (0.5, 2.0)
_LEAST_SENTENCES = 4
_SLACK_SECONDS, _SHORTEST_SOUND_SECONDS = 0.02, 0.1


class SilentPauses:
    """Analyser of silences of at least 250 ms."""

    name = "pauses"
    provides: tuple[str, ...] = (
        PER_MINUTE,
        LONG_MID_CLAUSE,
        BOUNDARY_SHARE,
        RUN_LENGTH,
        SILENCE_SHARE,
    )

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_speech or talk.caution("speakers", "silences")
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        events = _events(talk)
        short = talk.too_short(needed=_LEAST_SECONDS, what="pauses")
        if short is not None:
            return Measured(skipped=dict.fromkeys(self.provides, short), events=events)
        measurements = _from_voice(talk, events)
        text_reason = talk.no_text
        if text_reason is not None:
            return Measured(
                measurements=measurements,
                skipped=dict.fromkeys(_NEED_TEXT, text_reason),
                events=events,
            )
        from_text, skipped = _from_text(talk, events)
        if talk.quality_of_silences(_coverage(talk)) is Quality.POOR:
            from_text = {
                name: each.model_copy(update={"quality": Quality.POOR})
                for name, each in from_text.items()
            }
        return Measured(measurements={**measurements, **from_text}, skipped=skipped, events=events)


def _events(talk: Talk) -> tuple[Event, ...]:
    return tuple(
        Event(
            kind="silent_pause",
            start=start,
            end=end,
            label=_length_class(end - start),
            detail=_detail((start, end), talk),
        )
        for start, end in quiet_gaps(talk.speech, talk.sound)
    )


def _detail(pause: Span, talk: Talk) -> dict[str, str]:
    place = place_of(pause, talk)
    if place == "mid_clause" and spans.overlap(pause, talk.meant_pauses):
        return {"place": "meant"}
    is_open = place == "mid_clause" and is_after_open_word(pause, talk)
    return {"place": place, "after": "open_word"} if is_open else {"place": place}


def _length_class(seconds: float) -> str:
    if seconds < _MEDIUM_SECONDS:
        return "short"
    return "medium" if seconds < _LONG_SECONDS else "long"


def _coverage(talk: Talk) -> float:
    """Return the share of the talk that is speech or silence, not music or another sound."""
    seconds = max(talk.seconds, 1e-6)
    return 1 - spans.total(other_sounds(talk.speech, talk.sound)) / seconds


def _from_voice(talk: Talk, events: Sequence[Event]) -> dict[str, Measurement]:
    minutes = talk.minutes
    coverage = _coverage(talk)
    quality = talk.quality_of_silences(coverage)
    silence = sum(event.end - event.start for event in events)
    return {
        PER_MINUTE: Measurement.of(
            len(events) / minutes,
            "per minute",
            n=len(events),
            coverage=coverage,
            quality=quality,
            interval=rate_interval(len(events), minutes),
        ),
        SILENCE_SHARE: Measurement.of(
            silence / (60 * minutes), "share", n=len(events), coverage=coverage, quality=quality
        ),
    }


def _from_text(
    talk: Talk, events: Sequence[Event]
) -> tuple[dict[str, Measurement], dict[str, Skipped]]:
    found: dict[str, Measurement] = {}
    skipped: dict[str, Skipped] = {}
    unlike = talk.caution("fluency")
    if unlike is not None:
        skipped[LONG_MID_CLAUSE] = unlike
    else:
        searching = [
            event
            for event in events
            if event.detail["place"] == "mid_clause"
            and event.end - event.start >= _SEARCHING_SECONDS
        ]
        found[LONG_MID_CLAUSE] = talk.rate_of_text(len(searching))
    others = other_sounds(talk.speech, talk.sound)
    cuts = sorted([*(event.start for event in events), *(start for start, _end in others)])
    runs = _runs(talk.spoken_words, cuts, talk.language.code)
    found[RUN_LENGTH] = talk.of_text(sum(runs) / len(runs), "syllables", n=len(runs))
    boundary = _boundary_share(talk, events)
    if isinstance(boundary, Skipped):
        skipped[BOUNDARY_SHARE] = boundary
    else:
        found[BOUNDARY_SHARE] = boundary
    return found, skipped


def _runs(words: Sequence[Word], cuts: Sequence[float], language: str) -> list[int]:
    """Return syllables in each run between two silences, breaks or other sounds."""
    groups: dict[int, list[Word]] = {}
    for word in words:
        at = bisect.bisect_right(cuts, (word.start + word.end) / 2)
        groups.setdefault(at, []).append(word)
    return [count_syllables(group, language) for group in groups.values()]


def _boundary_share(talk: Talk, events: Sequence[Event]) -> Measurement | Skipped:
    """Return the share of sentence ends followed by a pause of good length.

    A pause that the speaker meant is of good length, however long it is. Sentence ends followed by
    another sound are left out, since the pause cannot be measured. A dog,
    a door or a laugh may be detected as speech, but has no word.
    """
    data = talk.language_data
    others = other_sounds(talk.speech, talk.sound)
    ends = [
        index
        for index, word in enumerate(talk.words[:-1])
        if ends_sentence(word, data)
        and not is_filled_pause(word, data)
        and not spans.overlap((word.start, talk.words[index + 1].end), others)
        and not _contains_speech((word.end, talk.words[index + 1].start), talk.speech)
    ]
    if len(ends) < _LEAST_SENTENCES:
        return Skipped.because(
            Reason.TOO_SHORT, "few_sentence_ends", count=len(ends), needed=_LEAST_SENTENCES
        )
    low, high = _GOOD_AT_BOUNDARY
    followed = sum(
        any(
            talk.words[index].start < event.start < talk.words[index + 1].end
            and (
                low <= event.end - event.start <= high
                or spans.overlap((event.start, event.end), talk.meant_pauses)
            )
            for event in events
        )
        for index in ends
    )
    interval = share_interval(followed, len(ends))
    return talk.of_text(followed / len(ends), "share", n=len(ends), interval=interval)


def _contains_speech(gap: Span, speech: Sequence[Span]) -> bool:
    """Return whether a sound between two words was detected as speech on its own."""
    first, last = gap[0] - _SLACK_SECONDS, gap[1] + _SLACK_SECONDS
    return any(
        first <= start and end <= last and end - start >= _SHORTEST_SOUND_SECONDS
        for start, end in speech
    )
