"""Puts a talk together out of what the stages found; analysers see nothing else."""

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
from analysis.talk.background_voices import Room, find_room, without_pitch
from analysis.talk.breaths import noise_between_words, without_breaths
from analysis.talk.capitals import with_capitals
from analysis.talk.edges import aligned
from analysis.talk.filled_pauses import DetectorInput, find_filled_pauses
from analysis.talk.languages import LanguageData, is_filled_pause, language_data
from analysis.talk.readings import heard_again
from analysis.talk.reverberation import room_echoes
from analysis.talk.sentences import sentence_ranges
from analysis.talk.talk import Talk
from analysis.talk.unmeasurable import find_cautions
from analysis.talk.untranscribed_speech import unwritten_passages
from analysis.talk.words import believed_words, in_order, placed

_Piece = TypeVar("_Piece", Word, FillerSound)
_SPOKEN_FROM = 0.5
"""A filled pause stands among the words when it is more probable than not."""


def build_talk(
    *,
    prepared: Prepared,
    transcript: Transcript | None,
    sound: Sound | None,
    sight: Sight | None,
    options: Options,
    absent: Mapping[str, Skipped],
) -> Talk:
    """Words with corrected times, filled pauses, sentences and cautions.

    Everything outside `options.parts` is left out; times stay media times.
    """
    language = (
        transcript.language if transcript else Language(code=options.language, source="given")
    )
    heard = _heard(prepared, transcript, sound, options, language_data(language.code))
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
        own = without_pitch(own, _of_others(cautions, own))
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
        else unwritten_passages(words, speech, heard.transcript.dropped),
        filled_pauses=fillers,
        reader=transcript.listener if transcript else "",
        sentences=sentence_ranges(words, heard.data),
        sound=own,
        sight=sight,
        absent=missing,
        cautions=cautions,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What the speaker said and how it sounds, in the parts that are asked for."""

    transcript: Transcript | None
    sound: Sound | None
    """Its pitch and level outside of these parts, of noise and of others are taken out."""
    room: Room
    audible: Sequence[Span]
    """Where anything like speech of the speaker is heard."""
    passing: Sequence[Span]
    """The same without breaths."""
    speech: Sequence[Span]
    """The same without other noises either."""
    data: LanguageData
    parts: Sequence[Span]


def _heard(
    prepared: Prepared,
    transcript: Transcript | None,
    sound: Sound | None,
    options: Options,
    data: LanguageData,
) -> _Heard:
    """Speech, sound and words without others in the room, breaths, wind and clicks."""
    parts = options.parts
    own = None if sound is None else _only_within(sound, parts)
    audible = tuple(piece for part in parts for piece in spans.clipped(prepared.speech, part))
    room = Room()
    if own is not None and transcript is not None:
        room = _room(audible, transcript, own, spoke_alone=options.spoke_alone)
        audible, own, transcript = _without_room(audible, own, transcript, room.stretches)
    speech = passing = audible
    if own is not None:
        passing = without_breaths(audible, own)
        speech, own = _without_noise(audible, own, transcript)
    return _Heard(
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
    """Speech and pitch without breaths, wind and clicks, alone or beside words."""
    speech = without_breaths(audible, sound)
    if transcript is None:
        return speech, sound
    said = [(word.start, word.end) for word in transcript.words if word.end > word.start]
    echoes = room_echoes(speech, sound)
    noise = noise_between_words(speech, said, sound, ums=_ums(transcript), echoes=echoes)
    return spans.without(speech, noise), without_pitch(sound, noise)


def _of_others(cautions: Mapping[str, Skipped], sound: Sound) -> list[Span]:
    """Where somebody else seems to speak first or last: that melody is not the speaker's."""
    found = []
    if first := cautions.get("first_voice"):
        found.append((0.0, float(first.values["until"])))
    if last := cautions.get("last_voice"):
        found.append((float(last.values["since"]), len(sound.f0_hz) * sound.step))
    return found


def _room(
    audible: Sequence[Span], transcript: Transcript, sound: Sound, *, spoke_alone: bool
) -> Room:
    """Most ums are not written: what rather sounds like one than not is told with the words.

    Who spoke alone has no voices in the room, but may have wind or applause in it.
    """
    room = find_room(audible, transcript.words, sound, ums=_ums(transcript))
    return Room() if spoke_alone and room.has_voices else room


def _ums(transcript: Transcript) -> tuple[Span, ...]:
    """What rather sounds like an um than not."""
    sounds = transcript.filler_sounds or ()
    return spans.merged((one.start, one.end) for one in sounds if one.log_odds > 0)


def _without_room(
    audible: Sequence[Span], sound: Sound, transcript: Transcript, room: Sequence[Span]
) -> tuple[tuple[Span, ...], Sound, Transcript]:
    """Speech, pitch and words of the speaker, without those of others in the room."""
    if not room:
        return tuple(audible), sound, transcript
    own = replace(
        transcript,
        segments=tuple(
            replace(segment, words=_outside(segment.words, room)) for segment in transcript.segments
        ),
        primed=tuple(_outside(reading, room) for reading in transcript.primed),
        filler_sounds=None
        if transcript.filler_sounds is None
        else _outside(transcript.filler_sounds, room),
    )
    return spans.without(audible, room), without_pitch(sound, room), own


def _outside(several: Sequence[_Piece], room: Sequence[Span]) -> tuple[_Piece, ...]:
    """Those that do not lie in it for the most part; its stretches are in order."""
    starts, ends = [start for start, _end in room], [end for _start, end in room]

    def inside(one: _Piece) -> float:
        near = room[bisect_right(ends, one.start) : bisect_left(starts, one.end)]
        return spans.overlap((one.start, one.end), near)

    return tuple(one for one in several if 2 * inside(one) <= max(one.end - one.start, 1e-9))


def _words(heard: _Heard) -> tuple[tuple[Word, ...], tuple[Event, ...]]:
    """Words and filled pauses in their places, and the filled pauses as events."""
    transcript, sound, speech, data = heard.transcript, heard.sound, heard.speech, heard.data
    if transcript is None:
        return (), ()
    believed = [w for w in believed_words(transcript, speech) if _is_within(w, heard.parts)]
    written = [word for word in believed if is_filled_pause(word, data)]
    said = [word for word in believed if not is_filled_pause(word, data)]
    plainly = placed(said, speech, data.code)
    if sound is None or not data.filled_pauses:
        return in_order(sorted([*plainly, *written], key=lambda word: word.start)), ()
    fillers = find_filled_pauses(_evidence(heard, transcript, sound))
    taken = [(event.start, event.end) for event in fillers if _is_spoken(event)]
    again = heard_again(said, transcript.primed, data)
    spoken = _with_fillers(aligned(said, speech, taken, sound, again) or plainly, fillers)
    return with_capitals(spoken, data), fillers


def evidence_of(
    *, prepared: Prepared, transcript: Transcript, sound: Sound, options: Options
) -> DetectorInput:
    """What filled pauses are looked for in, as a talk is built; benches weigh it anew."""
    data = language_data(transcript.language.code)
    heard = _heard(prepared, transcript, sound, options, data)
    return _evidence(heard, heard.transcript or transcript, heard.sound or sound)


def _evidence(heard: _Heard, transcript: Transcript, sound: Sound) -> DetectorInput:
    """`transcript` and `sound` are those of `heard`, which has them here."""
    parts, data = heard.parts, heard.data
    sounds = transcript.filler_sounds
    believed = [w for w in believed_words(transcript, heard.speech) if _is_within(w, parts)]
    written = [word for word in believed if is_filled_pause(word, data)]
    plainly = [word for word in believed if not is_filled_pause(word, data)]
    return DetectorInput(
        words=placed(plainly, heard.speech, data.code),
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
    """Fillers in their places; the words around give way."""
    found = list(words)
    for event in fillers:
        if not _is_spoken(event):
            continue
        probability = event.probability or 0.0
        filler = Word(text=event.label, start=event.start, end=event.end, probability=probability)
        at = _place(found, filler)
        _make_room(found, at, filler)
        found.insert(at, filler)
    return in_order(found)


def _is_spoken(event: Event) -> bool:
    return (event.probability or 0.0) >= _SPOKEN_FROM


def _place(words: Sequence[Word], filler: Word) -> int:
    """Before the first word whose end lies clearly behind the filler's middle."""
    middle = (filler.start + filler.end) / 2
    for index, word in enumerate(words):
        if word.end > middle and word.end - middle >= middle - word.start - 1e-9:
            return index
        if word.start >= middle:
            return index
    return len(words)


def _make_room(words: list[Word], at: int, filler: Word) -> None:
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


def _only_within(sound: Sound, parts: Sequence[Span]) -> Sound:
    """No pitch outside the parts, and no level between them, so that nothing there is measured."""
    if parts == EVERYTHING:
        return sound
    count = len(sound.f0_hz)
    ends = [(start, min(end, count * sound.step)) for start, end in parts]
    inside = spans.frames_inside(ends, step=sound.step, count=count)
    between = spans.frames_inside(spans.gaps(ends), step=sound.step, count=count)
    f0 = np.where(inside, sound.f0_hz, np.float32(np.nan)).astype(np.float32)
    level = np.where(between, np.float32(np.nan), sound.level_db).astype(np.float32)
    return replace(sound, f0_hz=f0, level_db=level)
