"""Construction of a talk from the stages' artefacts, the analysers' only input."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from analysis.ports import (
    EVERYTHING,
    FillerSound,
    Options,
    Prepared,
    Sight,
    Sound,
    Span,
    Transcript,
)
from analysis.results import Event, Language, Skipped, Word
from analysis.talk import spans
from analysis.talk.background_voices import BackgroundVoices, find_background_voices, without_pitch
from analysis.talk.breaths import noise_between_words, without_breaths
from analysis.talk.capitals import with_capitals
from analysis.talk.edges import aligned
from analysis.talk.filled_pauses import DetectorInput, find_filled_pauses
from analysis.talk.languages import LanguageData, is_filled_pause, language_data
from analysis.talk.readings import matching_readings
from analysis.talk.reverberation import is_reverberant
from analysis.talk.sentences import sentence_ranges
from analysis.talk.talk import Talk
from analysis.talk.unmeasurable import find_cautions
from analysis.talk.untranscribed_speech import untranscribed_passages
from analysis.talk.words import align_to_speech, believed_words, in_order

_Piece = TypeVar("_Piece", Word, FillerSound)
_SPOKEN_FROM = 0.5
"""Probability from which a filled pause is placed among the words."""


def build_talk(
    *,
    prepared: Prepared,
    transcript: Transcript | None,
    sound: Sound | None,
    sight: Sight | None,
    options: Options,
    absent: Mapping[str, Skipped],
) -> Talk:
    """Return a talk with corrected word times, filled pauses, sentences and cautions.

    Everything outside `options.parts` is excluded; times remain media times.
    """
    language = (
        transcript.language if transcript else Language(code=options.language, source="given")
    )
    heard = _speaker_speech(prepared, transcript, sound, options, language_data(language.code))
    words, fillers = _words(heard)
    speech = spans.merged([*heard.speech, *((event.start, event.end) for event in fillers)])
    cautions = find_cautions(
        transcript=heard.transcript,
        words=words,
        speech=speech,
        sound=heard.sound,
        data=heard.data,
        room=heard.room,
        passing=heard.passing,
        spoke_alone=options.spoke_alone,
    )
    own = heard.sound
    if own is not None:
        own = without_pitch(own, _other_speaker_spans(cautions, own))
    missing = dict(absent)
    if "text" in cautions:
        words, fillers = (), ()
        missing["words"] = cautions["text"]
    return Talk(
        media=prepared.media,
        options=options,
        language=language,
        speech=speech,
        words=words,
        unwritten=()
        if heard.transcript is None or "text" in cautions
        else untranscribed_passages(words, speech, heard.transcript.dropped),
        filled_pauses=fillers,
        reader=transcript.listener if transcript else "",
        sentences=sentence_ranges(words, heard.data),
        sound=own,
        sight=sight,
        absent=missing,
        cautions=cautions,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _SpeakerSpeech:
    """The speaker's words and sound in the requested parts."""

    transcript: Transcript | None
    sound: Sound | None
    """Sound without pitch and level outside these parts, in noise and in other people's speech."""
    room: BackgroundVoices
    audible: Sequence[Span]
    """Spans with anything like the speaker's speech."""
    passing: Sequence[Span]
    """`audible` without breaths."""
    speech: Sequence[Span]
    """`passing` without other noises."""
    data: LanguageData
    parts: Sequence[Span]


def _speaker_speech(
    prepared: Prepared,
    transcript: Transcript | None,
    sound: Sound | None,
    options: Options,
    data: LanguageData,
) -> _SpeakerSpeech:
    """Return speech, sound and words without background voices, breaths, wind and clicks."""
    parts = options.parts
    own = None if sound is None else _restricted_to(sound, parts)
    audible = tuple(piece for part in parts for piece in spans.clipped(prepared.speech, part))
    room = BackgroundVoices()
    if own is not None and transcript is not None:
        room = _background_voices(audible, transcript, own, spoke_alone=options.spoke_alone)
        audible, own, transcript = _without_background(audible, own, transcript, room.stretches)
    speech = passing = audible
    if own is not None:
        passing = without_breaths(audible, own)
        speech, own = _without_noise(audible, own, transcript)
    return _SpeakerSpeech(
        transcript=transcript,
        sound=own,
        room=room,
        audible=audible,
        passing=passing,
        speech=speech,
        data=data,
        parts=parts,
    )


def _without_noise(
    audible: Sequence[Span], sound: Sound, transcript: Transcript | None
) -> tuple[tuple[Span, ...], Sound]:
    """Return speech and pitch without breaths, wind and clicks, alone or next to words."""
    speech = without_breaths(audible, sound)
    if transcript is None:
        return speech, sound
    said = [(word.start, word.end) for word in transcript.words if word.end > word.start]
    echoes = is_reverberant(speech, sound)
    noise = noise_between_words(speech, said, sound, ums=_likely_ums(transcript), echoes=echoes)
    return spans.without(speech, noise), without_pitch(sound, noise)


def _other_speaker_spans(cautions: Mapping[str, Skipped], sound: Sound) -> list[Span]:
    """Return spans in which somebody else seems to speak first or last, with their pitch."""
    found = []
    if first := cautions.get("first_voice"):
        found.append((0.0, float(first.values["until"])))
    if last := cautions.get("last_voice"):
        found.append((float(last.values["since"]), len(sound.f0_hz) * sound.step))
    return found


def _background_voices(
    audible: Sequence[Span], transcript: Transcript, sound: Sound, *, spoke_alone: bool
) -> BackgroundVoices:
    """Return the background voices. Likely ums are passed with the words, since most are
    untranscribed.

    A speaker who was alone has no background voices, but may have wind or applause.
    """
    room = find_background_voices(audible, transcript.words, sound, ums=_likely_ums(transcript))
    return BackgroundVoices() if spoke_alone and room.has_voices else room


def _likely_ums(transcript: Transcript) -> tuple[Span, ...]:
    """Return the spans that are more likely an um than not."""
    sounds = transcript.filler_sounds or ()
    return spans.merged((one.start, one.end) for one in sounds if one.log_odds > 0)


def _without_background(
    audible: Sequence[Span], sound: Sound, transcript: Transcript, room: Sequence[Span]
) -> tuple[tuple[Span, ...], Sound, Transcript]:
    """Return speech, sound and transcript without background voices."""
    if not room:
        return tuple(audible), sound, transcript
    own = replace(
        transcript,
        segments=tuple(
            replace(segment, words=_items_outside(segment.words, room))
            for segment in transcript.segments
        ),
        primed=tuple(_items_outside(reading, room) for reading in transcript.primed),
        filler_sounds=None
        if transcript.filler_sounds is None
        else _items_outside(transcript.filler_sounds, room),
    )
    return spans.without(audible, room), without_pitch(sound, room), own


def _items_outside(several: Sequence[_Piece], room: Sequence[Span]) -> tuple[_Piece, ...]:
    """Return the items that are mostly outside `room`, whose spans are in order."""
    starts, ends = [start for start, _end in room], [end for _start, end in room]

    def inside(one: _Piece) -> float:
        near = room[bisect_right(ends, one.start) : bisect_left(starts, one.end)]
        return spans.overlap((one.start, one.end), near)

    return tuple(one for one in several if 2 * inside(one) <= max(one.end - one.start, 1e-9))


def _words(heard: _SpeakerSpeech) -> tuple[tuple[Word, ...], tuple[Event, ...]]:
    """Return words and filled pauses in order, and the filled pauses as events."""
    transcript, sound, speech, data = heard.transcript, heard.sound, heard.speech, heard.data
    if transcript is None:
        return (), ()
    believed = [w for w in believed_words(transcript, speech) if _is_within(w, heard.parts)]
    written = [word for word in believed if is_filled_pause(word, data)]
    said = [word for word in believed if not is_filled_pause(word, data)]
    plainly = align_to_speech(said, speech, data.code)
    if sound is None or not data.filled_pauses:
        return in_order(sorted([*plainly, *written], key=lambda word: word.start)), ()
    fillers = find_filled_pauses(_evidence(heard, transcript, sound))
    taken = [(event.start, event.end) for event in fillers if _is_spoken(event)]
    again = matching_readings(said, transcript.primed, data)
    spoken = _with_fillers(aligned(said, speech, taken, sound, again) or plainly, fillers)
    return with_capitals(spoken, data), fillers


def evidence_of(
    *, prepared: Prepared, transcript: Transcript, sound: Sound, options: Options
) -> DetectorInput:
    """Return the detector's input for a recording; benchmarks evaluate it again."""
    data = language_data(transcript.language.code)
    heard = _speaker_speech(prepared, transcript, sound, options, data)
    return _evidence(heard, heard.transcript or transcript, heard.sound or sound)


def _evidence(heard: _SpeakerSpeech, transcript: Transcript, sound: Sound) -> DetectorInput:
    """Return the detector's input; `transcript` and `sound` are those of `heard`, not None here."""
    parts, data = heard.parts, heard.data
    sounds = transcript.filler_sounds
    believed = [w for w in believed_words(transcript, heard.speech) if _is_within(w, parts)]
    written = [word for word in believed if is_filled_pause(word, data)]
    plainly = [word for word in believed if not is_filled_pause(word, data)]
    return DetectorInput(
        words=align_to_speech(plainly, heard.speech, data.code),
        readings=[
            [word for word in reading if _is_within(word, parts)] for reading in transcript.primed
        ],
        slots=[slot for slot in transcript.filler_slots if _is_within(slot, parts)],
        speech=heard.audible,
        sound=sound,
        data=data,
        sounds=None if sounds is None else [one for one in sounds if _is_within(one, parts)],
        reader=transcript.listener,
        plainly=believed if written else (),
        witnesses=[
            [word for word in reading if _is_within(word, parts)]
            for reading in transcript.witnesses
        ],
    )


def _is_within(one: Word | FillerSound, parts: Sequence[Span]) -> bool:
    return any(start <= (one.start + one.end) / 2 < end for start, end in parts)


def _with_fillers(words: Sequence[Word], fillers: Sequence[Event]) -> tuple[Word, ...]:
    """Insert the fillers; neighbouring words are shortened."""
    found = list(words)
    for event in fillers:
        if not _is_spoken(event):
            continue
        probability = event.probability or 0.0
        filler = Word(text=event.label, start=event.start, end=event.end, probability=probability)
        at = _insertion_index(found, filler)
        _shorten_neighbours(found, at, filler)
        found.insert(at, filler)
    return in_order(found)


def _is_spoken(event: Event) -> bool:
    return (event.probability or 0.0) >= _SPOKEN_FROM


def _insertion_index(words: Sequence[Word], filler: Word) -> int:
    """Return the index before the first word whose end is clearly after the filler's middle."""
    middle = (filler.start + filler.end) / 2
    for index, word in enumerate(words):
        if word.end > middle and word.end - middle >= middle - word.start - 1e-9:
            return index
        if word.start >= middle:
            return index
    return len(words)


def _shorten_neighbours(words: list[Word], at: int, filler: Word) -> None:
    if at > 0 and words[at - 1].end > filler.start:
        before = words[at - 1]
        words[at - 1] = before.model_copy(
            update={"end": max(filler.start, before.start), "start": before.start}
        )
    if at < len(words) and words[at].start < filler.end:
        after = words[at]
        words[at] = after.model_copy(
            update={"start": filler.end, "end": max(after.end, filler.end)}
        )


def _restricted_to(sound: Sound, parts: Sequence[Span]) -> Sound:
    """Remove pitch outside the parts, and level between them, so that nothing there is measured."""
    if parts == EVERYTHING:
        return sound
    count = len(sound.f0_hz)
    ends = [(start, min(end, count * sound.step)) for start, end in parts]
    inside = spans.frames_inside(ends, step=sound.step, count=count)
    between = spans.frames_inside(spans.gaps(ends), step=sound.step, count=count)
    f0 = np.where(inside, sound.f0_hz, np.float32(np.nan)).astype(np.float32)
    level = np.where(between, np.float32(np.nan), sound.level_db).astype(np.float32)
    return replace(sound, f0_hz=f0, level_db=level)
