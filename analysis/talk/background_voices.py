"""Background voices: sound between the words that is detected as speech but comes from a crowd.

A crowd in a cafe or a hall sounds like speech, so voice activity continues through the speaker's
pauses. The recogniser transcribes the near voice and ignores the crowd: speech without words that
is clearly softer than the speaker's words is the room.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.results import Word
from analysis.talk import spans
from analysis.talk.levels import energies, frames_of, mean_level, smooth_levels
from analysis.talk.silences import is_break

_SHORTEST_SECONDS = 0.25
_NEAR_DB, _SELDOM_QUIETER_DB, _QUIET_PERCENT = 22.0, 25.0, 5
"""Limits of a near crowd: in a quieter room almost nothing is detected as speech, and a crowd is
rarely this far below the voice. Otherwise nothing is removed (rules of thumb).
"""
_FARTHEST_DB = 35.0
"""Distance below the voice from which others are not detected as speech (rule of thumb)."""
_LEAST_TALKED_GAPS, _TALKED_SHARE, _LEAST_VOICED_SHARE = 4, 0.2, 0.15
"""Limits for one or two other people, who fall silent between their sentences, so that the room is
sometimes quiet. In at least four gaps and a fifth of all, speech without words, softer than the
words, must fill more than half. Real recordings of one speaker have at most two such gaps, and
those are breaths, without voice (rules of thumb, docs/lab/noise.md).
"""
_LEAST_GAPS, _TELLING_SECONDS = 4, 0.5
"""Number and length of gaps that show how loud the room is; shorter gaps are errors of times."""
_LEAST_UNDER_DB, _SHARE_UNDER = 2.5, 0.35
"""Limits below the words: sound 2.5 dB and a third of the way to the room's usual level below the
words is not the speaker's (rules of thumb).
"""
_SHORTEST_SOUND_SECONDS = 0.15
"""Length of a louder sound that may be an untranscribed word, an um or a laugh."""
_EARLY_END_SECONDS, _LATE_START_SECONDS = 0.45, 0.3
"""Reach of a word into a gap: Whisper ends words early and begins them late next to a pause, rarely
by more than this. Sound there that is closer to the voice than to the room belongs to the word.
"""
_SMOOTH_SECONDS = 0.1
_HIDING_DB, _LOUDEST_PERCENT, _WORD_ENDS_SECONDS = 4.5, 90, 0.15
"""Distance of the room's louder moments from the voice below which a fifth or more of the pauses
are hidden (docs/lab/noise.md). The ends of words and ums next to it are ignored.
"""
_TAKEN_FOR_SPEECH = 0.4
"""Share of wordless sound detected as speech. It is almost zero for a fan or for real rooms without
other people: at most 0.23, or 0.31 with noise 8 dB below the voice. For a crowd that hides
pauses it is 0.41 and more (rule of thumb).
"""
_VOICES_SHARE = 0.05
"""Share of voiced frames: almost none in wind and applause, a third with 16 people talking at once,
one in fourteen with 30 (rule of thumb).
"""
_OF_THE_ROOM_DB = 5.0
"""Level above the room up to which words are those of people in it (rule of thumb)."""
_UM_OVER_ROOM_DB, _BESIDE_UM_SECONDS = 4.0, 0.05
"""Level above the room from which an um is the speaker's; ums are softer than words. Three in four
of a crowd's ums are softer (docs/lab/noise.md).
"""


@dataclass(frozen=True, slots=True)
class _RoomLevels:
    """Energy and level of each frame, of voice and room, and the limits between them."""

    energy: NDArray[np.float64]
    smooth_db: NDArray[np.float64]
    step: float
    voice_db: float
    room_db: float
    loudest_db: float
    limit_db: float
    edge_db: float
    voiced_share: float
    """Voiced share of the sound away from words and ums."""
    is_talked_into: bool
    """Whether others talk at times while the room itself is quiet."""


@dataclass(frozen=True, slots=True)
class BackgroundVoices:
    """Spans in which only background voices are heard."""

    stretches: tuple[Span, ...] = ()
    loudest_db: float = -math.inf
    """Level of its louder moments relative to the voice, in dB."""
    has_voices: bool = True
    """Whether it consists of people talking; otherwise it is wind or applause."""

    @property
    def hides_pauses(self) -> bool:
        """Return whether it is so close to the voice that pauses cannot be detected."""
        return self.loudest_db > -_HIDING_DB


def find_background_voices(
    speech: Sequence[Span], words: Sequence[Word], sound: Sound, *, ums: Sequence[Span] = ()
) -> BackgroundVoices:
    """Return the background voices between the speaker's words.

    `ums` are spans that sound like an um. They are untranscribed, are no sign of a crowd, and are
    ignored when its level is measured.
    """
    said = [(word.start, word.end) for word in words if word.end > word.start]
    levels = _levels(_wordless(speech, said), words, speech, sound, ums)
    if levels is None:
        return BackgroundVoices()
    gaps = _wordless(speech, _speaker_words(words, levels))
    rooms = (room for gap in gaps for room in _background_parts(gap, levels))
    found = tuple(
        (start, end)
        for start, end in spans.without(rooms, _speaker_ums(ums, levels))
        if end - start >= _SHORTEST_SECONDS
    )
    silent = spans.without(found, [*ums, *said])
    taken = sum(spans.overlap(room, speech) for room in silent)
    is_quiet = taken <= _TAKEN_FOR_SPEECH * spans.total(silent)
    if found and is_quiet and not levels.is_talked_into:
        return BackgroundVoices()
    near_db = levels.loudest_db - levels.voice_db
    return BackgroundVoices(found, near_db, has_voices=levels.voiced_share >= _VOICES_SHARE)


def _speaker_words(words: Sequence[Word], levels: _RoomLevels) -> list[Span]:
    """Return the spans of the words, without words of people in the room.

    Such words count only two in a row: a soft word at the end of a sentence is the speaker's.
    """
    said = [(word.start, word.end) for word in words]
    highest = min(levels.limit_db, levels.room_db + _OF_THE_ROOM_DB)
    of_room = [end > start and _mean_db((start, end), levels) < highest for start, end in said]
    found = []
    for index, (start, end) in enumerate(said):
        near = [*of_room[max(index - 1, 0) : index], *of_room[index + 1 : index + 2]]
        if end > start and not (of_room[index] and any(near)):
            found.append((start, end))
    return found


def _speaker_ums(ums: Sequence[Span], levels: _RoomLevels) -> list[Span]:
    """Return the ums of the speaker; the crowd says um as well, at its own level.

    A neighbour who talks at times is sometimes louder, so an um then has to be closer to the voice.
    """
    usual = levels.edge_db if levels.is_talked_into else levels.room_db + _UM_OVER_ROOM_DB
    lowest = min(levels.limit_db, usual)
    return _widened([um for um in ums if _mean_db(um, levels) >= lowest], _BESIDE_UM_SECONDS)


def _widened(several: Sequence[Span], seconds: float) -> list[Span]:
    return [(start - seconds, end + seconds) for start, end in several]


def _mean_db(span: Span, levels: _RoomLevels) -> float:
    heard = levels.energy[frames_of(span, levels.step)]
    return mean_level(heard) if len(heard) else -math.inf


def without_pitch(sound: Sound, where: Sequence[Span]) -> Sound:
    """Return the sound without pitch in these spans."""
    inside = spans.frames_inside(where, step=sound.step, count=len(sound.f0_hz))
    f0 = np.where(inside, np.float32(np.nan), sound.f0_hz).astype(np.float32)
    return replace(sound, f0_hz=f0)


def _wordless(speech: Sequence[Span], words: Sequence[Span]) -> tuple[Span, ...]:
    """Return the gaps between words, also before the first and after the last."""
    said = spans.merged(words)
    if not said or not speech:
        return ()
    first, last = speech[0][0], speech[-1][1]
    edges = [(first, first), *said, (last, last)]
    return tuple(
        (left[1], right[0])
        for left, right in itertools.pairwise(edges)
        if right[0] - left[1] >= _SHORTEST_SECONDS
    )


def _levels(
    gaps: Sequence[Span],
    words: Sequence[Word],
    speech: Sequence[Span],
    sound: Sound,
    ums: Sequence[Span],
) -> _RoomLevels | None:
    """Return the levels; None if the room is far below the voice or too little shows its level."""
    measured = np.isfinite(sound.level_db)
    telling = [gap for gap in gaps if _is_measurable(gap, measured[frames_of(gap, sound.step)])]
    said = spans.frames_inside(
        [(word.start, word.end) for word in words], step=sound.step, count=len(sound.f0_hz)
    )
    spoken = said & np.isfinite(sound.f0_hz) & measured
    if len(telling) < _LEAST_GAPS or not spoken.any():
        return None
    voice = float(np.median(sound.level_db[spoken]))
    energy = energies(sound)
    smooth = smooth_levels(energy, round(_SMOOTH_SECONDS / sound.step))
    window = frames_of((words[0].start, words[-1].end), sound.step)
    quiet = voice - float(np.percentile(smooth[window][measured[window]], _QUIET_PERCENT))
    heard = _gap_levels(telling, ums, smooth, sound.step)
    if len(heard) < _LEAST_GAPS:
        return None
    usual = [float(np.median(levels)) for levels in heard]
    over = voice - float(np.median(usual))
    is_talked_into = over > _NEAR_DB or quiet > _SELDOM_QUIETER_DB
    if is_talked_into:
        soft = (smooth < voice - _background_distance_db(over)) & (smooth > voice - _FARTHEST_DB)
        others = _others_talking(telling, speech, soft, sound)
        if others is None:
            return None
        over = voice - float(np.median(smooth[others]))
    beside = spans.frames_inside(
        _without_speaker_sounds(telling, ums), step=sound.step, count=len(smooth)
    )
    louder = [float(np.percentile(levels, _LOUDEST_PERCENT)) for levels in heard]
    return _RoomLevels(
        energy=energy,
        smooth_db=smooth,
        step=sound.step,
        voice_db=voice,
        room_db=voice - over,
        loudest_db=float(np.median(louder)),
        limit_db=voice - _background_distance_db(over),
        edge_db=voice - over / 2,
        voiced_share=float(np.isfinite(sound.f0_hz[beside]).mean()) if beside.any() else 1.0,
        is_talked_into=is_talked_into,
    )


def _without_speaker_sounds(gaps: Sequence[Span], ums: Sequence[Span]) -> tuple[Span, ...]:
    """Return the gaps without the ends of words and without the speaker's ums."""
    return spans.without(_widened(gaps, -_WORD_ENDS_SECONDS), _widened(ums, _WORD_ENDS_SECONDS))


def _gap_levels(
    gaps: Sequence[Span], ums: Sequence[Span], levels: NDArray[np.float64], step: float
) -> list[NDArray[np.float64]]:
    """Return the levels in each gap with sound other than the speaker's."""
    found = []
    for gap in gaps:
        inside = [levels[frames_of(piece, step)] for piece in _without_speaker_sounds([gap], ums)]
        if sum(map(len, inside)) * step >= _SHORTEST_SOUND_SECONDS:
            found.append(np.concatenate(inside))
    return found


def _is_measurable(gap: Span, measured: NDArray[np.bool_]) -> bool:
    return gap[1] - gap[0] >= _TELLING_SECONDS and not is_break(gap) and bool(measured.all())


def _background_distance_db(over_db: float) -> float:
    """Return the distance below the voice that is not the speaker's, for a room usually this far
    below.
    """
    return max(_LEAST_UNDER_DB, _SHARE_UNDER * over_db)


def _others_talking(
    gaps: Sequence[Span], speech: Sequence[Span], soft: NDArray[np.bool_], sound: Sound
) -> NDArray[np.bool_] | None:
    """Return the frames in which others talk softly between words; None if almost nobody does."""
    spoken = soft & spans.frames_inside(speech, step=sound.step, count=len(soft))
    inner = [(min(a + _EARLY_END_SECONDS, b), b - _WORD_ENDS_SECONDS) for a, b in gaps]
    talked = [
        gap
        for gap in inner
        if 2 * spoken[part := frames_of(gap, sound.step)].sum() > len(spoken[part])
    ]
    inside = spoken & spans.frames_inside(talked, step=sound.step, count=len(soft))
    if len(talked) < max(_LEAST_TALKED_GAPS, _TALKED_SHARE * len(gaps)):
        return None
    voiced = (inside & np.isfinite(sound.f0_hz)).sum()
    return inside if voiced >= _LEAST_VOICED_SHARE * inside.sum() else None


def _background_parts(gap: Span, levels: _RoomLevels) -> Iterator[Span]:
    """Yield the parts of a gap without ends of words that reach into it and without loud sounds.

    A break, in which people may talk freely, is yielded whole.
    """
    start, end = _inner(gap, levels)
    if is_break((start, end)):
        yield round(start, 3), round(end, 3)
        return
    inside = levels.smooth_db[frames_of((start, end), levels.step)]
    loud = [
        (start + first, start + last)
        for first, last in spans.spans_of(inside >= levels.limit_db, step=levels.step)
        if last - first >= _SHORTEST_SOUND_SECONDS
    ]
    for first, last in spans.without([(start, end)], loud):
        if last - first >= _SHORTEST_SECONDS:
            yield round(first, 3), round(last, 3)


def _inner(gap: Span, levels: _RoomLevels) -> Span:
    start, end = gap
    soft = levels.smooth_db[frames_of(gap, levels.step)] < levels.edge_db
    if not soft.any():
        return gap[0], gap[0]
    late = min(int(soft.argmax()) * levels.step, _EARLY_END_SECONDS)
    early = min(int(soft[::-1].argmax()) * levels.step, _LATE_START_SECONDS)
    return start + late, max(end - early, start + late)
