"""Cautions: conditions of a recording that forbid some measures.

Keys of `Talk.cautions`: `text` (another language than was said), `speakers` (several voices),
`gain` (automatic gain), `gate` (pauses without any sound), `signal` (noise, clipping), `silences`
(noise so near the voice that it passes for speech in the pauses), `crowd` (other voices as near, so
that pitch and level are theirs too), `echo` (a room that carries words on), `level` (a recording
level that changed in the middle), `first_voice` and `last_voice` (somebody else seems to speak
first or last), `fluency` (speech unlike any that the measures were tested on).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from analysis.ports import Sound, Span, Transcript
from analysis.results import Language, Reason, Skipped, Word
from analysis.talk import spans
from analysis.talk.background_voices import BackgroundVoices
from analysis.talk.edge_voice import end_of_first_voice, start_of_last_voice
from analysis.talk.languages import (
    LanguageData,
    is_filled_pause,
    is_supported,
    plain,
)
from analysis.talk.level_change import find_level_change
from analysis.talk.levels import levels_in
from analysis.talk.reverberation import ECHOING_SECONDS, reverberation_time
from analysis.talk.silences import quiet_gaps
from analysis.talk.speakers import find_second_voice
from analysis.talk.spelled_letters import ONE_LETTER_WORDS, is_spelled, spelled_letters

LOWEST_SNR_DB = 15.0
HIGHEST_CLIPPING_SHARE = 0.005
"""Limits for anything about level (rules of thumb: no limit for uploads is published)."""
_SURE_OF_LANGUAGE = 0.8
_LIKELY_LANGUAGE, _UNLIKELY_LANGUAGE = 0.5, 0.1
"""Limits for a less certain language if the chosen one is almost excluded (rules of thumb; English
recordings gave English 0.85 and more).
"""
_LEAST_SPEECH_FOR_LANGUAGE_SECONDS = 3.0
_LEAST_QUIET_SECONDS, _ECHO_SECONDS, _BREATH_SECONDS = 0.5, 0.15, 0.12
_SWELLS_DB, _SWELLING_SHARE = 1.2, 0.55
"""Limits of automatic gain. Fourteen ordinary recordings stay below 0.3 dB and 25% (those with at
least six pauses); after a simulated gain control most rise by 1.2 to 7 dB in 55 to 95% of the
pauses.
"""
_FLOOR_PERCENT, _STAYS_UP, _WAVERS_DB = 5, 1 / 3, 3.0
"""Limits of a rise: noise raised by gain stays up in the second half of a pause, by a third of its
rise, within the fluctuation of noise. A breath begins later, or falls silent before the word
(rules of thumb).
"""
_LEAST_GAPS = 6
_NOTHING_DB, _GATED_SHARE, _LEAST_GATED_GAPS = -100.0, 0.5, 4
"""Limits of a noise gate. No microphone is that quiet: one step of 16 bits is louder (rules of
thumb).
"""
_LEAST_HIDDEN, _HIDDEN_SHARE, _LEAST_VOICED_SHARE = 4, 0.25, 0.4
"""Limits of hidden pauses, rules of thumb: 24 talks through a simulated gain control had 0.4 and
more of their pauses hidden when at least a fifth of the sentence ends lost theirs; 18 next to a
fan at most 0.16. Whispered and hoarse speech is unvoiced for as long, so it is not judged.
"""
_REPEATS_PER_100_WORDS = 8.0
_LEAST_REPEATS = 4


def find_cautions(
    *,
    transcript: Transcript | None,
    words: Sequence[Word],
    speech: Sequence[Span],
    sound: Sound | None,
    data: LanguageData,
    room: BackgroundVoices | None = None,
    passing: Sequence[Span] | None = None,
    spoke_alone: bool = False,
) -> Mapping[str, Skipped]:
    """Return every caution that applies, by key.

    `passing`: spans detected as speech before noise between words was removed, if it was.
    `spoke_alone`: the speaker was alone, so no other voice is searched.
    """
    found: dict[str, Skipped] = {}
    if transcript is not None:
        _add(found, "text", _language(transcript, speech))
    if sound is not None and speech:
        if not spoke_alone and (room is None or not room.hides_pauses):
            found |= _voices(speech, sound)
        _add(found, "gain", _gain(speech, sound))
        _add(found, "gate", _gate(speech, sound))
        _add(found, "signal", _signal(speech, sound))
        _add(found, "echo", _echo(speech, sound))
        _add(found, "level", _level(speech, sound))
        poor_sound = found.get("gain") or found.get("signal")
        _add(found, "silences", _silences(passing or speech, sound, poor_sound))
    if room is not None and room.hides_pauses:
        found |= _background_cautions(room)
    _add(found, "fluency", _fluency([word for word in words if not is_filled_pause(word, data)]))
    return found


def _background_cautions(room: BackgroundVoices) -> Mapping[str, Skipped]:
    """Return cautions for people or noise so close to the voice that pauses cannot be detected."""
    within = max(-room.loudest_db, 0.0)
    if room.has_voices:
        crowd = Skipped.because(
            Reason.POOR_SIGNAL, "voices_near_voice", within=max(round(within), 1)
        )
        return {"crowd": crowd, "silences": crowd}
    noise = Skipped.because(
        Reason.POOR_SIGNAL, "voice_near_noise", snr=math.floor(within), needed=LOWEST_SNR_DB
    )
    return {"crowd": noise, "silences": Skipped.because(Reason.POOR_SIGNAL, "pauses_hidden")}


def _add(found: dict[str, Skipped], key: str, skipped: Skipped | None) -> None:
    if skipped is not None:
        found[key] = skipped


def _language(transcript: Transcript, speech: Sequence[Span]) -> Skipped | None:
    heard = transcript.spoken_language
    chance = transcript.chance_of_language
    if heard is None or not is_mismatch(transcript.language, heard, chance):
        return None
    if spans.total(speech) < _LEAST_SPEECH_FOR_LANGUAGE_SECONDS:
        return None
    code = "sounds_like_supported" if is_supported(heard.code) else "sounds_like_unsupported"
    return Skipped.because(
        Reason.LANGUAGE_MISMATCH, code, chosen=transcript.language.code, heard=heard.code
    )


def is_mismatch(chosen: Language, heard: Language, chance: float | None) -> bool:
    """Return whether another language was clearly detected; `chance` is the probability of the
    chosen one.
    """
    if heard.code == chosen.code:
        return False
    is_ruled_out = chance is not None and chance < _UNLIKELY_LANGUAGE
    needed = _LIKELY_LANGUAGE if is_ruled_out else _SURE_OF_LANGUAGE
    return (heard.probability or 0.0) >= needed


def _voices(speech: Sequence[Span], sound: Sound) -> Mapping[str, Skipped]:
    """Return cautions for two voices throughout, or for another voice first or last."""
    second = find_second_voice(speech, sound)
    if second is not None:
        several = Skipped.because(Reason.SEVERAL_SPEAKERS, "two_voices", share=second.share)
        return {"speakers": several}
    found = {}
    until, since = end_of_first_voice(speech, sound), start_of_last_voice(speech, sound)
    if until is not None:
        why = Skipped.because(Reason.MISSING_CONTEXT, "another_speaks_first", until=until)
        found["first_voice"] = why
    if since is not None:
        why = Skipped.because(Reason.MISSING_CONTEXT, "another_speaks_last", since=since)
        found["last_voice"] = why
    return found


def signal_over_noise_db(speech: Sequence[Span], sound: Sound) -> float | None:
    """Return the signal-to-noise ratio in dB, from the median levels of voice and gaps; None
    without gaps.
    """
    count = len(sound.level_db)
    inside = spans.frames_inside(speech, step=sound.step, count=count)
    voiced = inside & np.isfinite(sound.f0_hz)
    loud = sound.level_db[voiced] if voiced.any() else sound.level_db[inside]
    gaps = [(start + 0.05, end - 0.05) for start, end in _gaps_for_noise(speech, sound)]
    outside = spans.frames_inside(gaps, step=sound.step, count=count)
    if not outside.any() or not len(loud):
        return None
    quiet = sound.level_db[outside]
    quiet = quiet[np.isfinite(quiet)]
    return float(np.median(loud) - np.median(quiet)) if len(quiet) else None


def _gaps_for_noise(speech: Sequence[Span], sound: Sound) -> Sequence[Span]:
    """Return the gaps without music or applause, unless most gaps are loud, which is the room
    itself.
    """
    gaps, quiet = spans.gaps(speech, at_least=0.25), quiet_gaps(speech, sound)
    return quiet if 2 * len(quiet) >= len(gaps) else gaps


def clipping_share(speech: Sequence[Span], sound: Sound) -> float:
    """Return the share of clipped samples in speech."""
    inside = spans.frames_inside(speech, step=sound.step, count=len(sound.clipped))
    return float(sound.clipped[inside].mean()) if inside.any() else 0.0


def _signal(speech: Sequence[Span], sound: Sound) -> Skipped | None:
    snr = signal_over_noise_db(speech, sound)
    if snr is not None and snr < LOWEST_SNR_DB:
        return Skipped.because(
            Reason.POOR_SIGNAL,
            "voice_near_noise",
            snr=math.floor(max(snr, 0)),
            needed=LOWEST_SNR_DB,
        )
    clipped = clipping_share(speech, sound)
    if clipped > HIGHEST_CLIPPING_SHARE:
        return Skipped.because(Reason.POOR_SIGNAL, "sound_clipped", share=clipped)
    return None


def _gain(speech: Sequence[Span], sound: Sound) -> Skipped | None:
    """Return a caution if noise swells when nobody speaks, as with automatic gain.

    Judged where there is no voiced sound for half a second, because swelling noise is soon detected
    as speech. The edges are left out: echo at the start, a breath before the next word.
    """
    rises = [_level_rise_db(sound, start, end) for start, end in _without_voice(speech, sound)]
    if len(rises) < _LEAST_GAPS:
        return None
    share = float(np.mean([rise > 1.0 for rise in rises]))
    if float(np.median(rises)) < _SWELLS_DB or share < _SWELLING_SHARE:
        return None
    return Skipped.because(Reason.AUTOMATIC_GAIN, "noise_swells")


def _echo(speech: Sequence[Span], sound: Sound) -> Skipped | None:
    """Return a caution for reverberation, in which words fade into softer
    ones and pauses shrink.
    """
    seconds = reverberation_time(speech, sound)
    if seconds is None or seconds < ECHOING_SECONDS:
        return None
    return Skipped.because(Reason.POOR_SIGNAL, "room_echoes", seconds=round(seconds, 1))


def _level(speech: Sequence[Span], sound: Sound) -> Skipped | None:
    """Return a caution for a level change with the background or at once,
    which is the recording.
    """
    change = find_level_change(speech, sound)
    if change is None:
        return None
    code = "level_changes" if change.with_room else "voice_steps"
    by = max(round(abs(change.voice_db)), 1)
    return Skipped.because(Reason.POOR_SIGNAL, code, at=round(change.at, 1), by=by)


def _without_voice(speech: Sequence[Span], sound: Sound) -> tuple[Span, ...]:
    """Return spans of at least half a second without voiced sound, between the first and last
    speech.
    """
    first, last = speech[0][0], speech[-1][1]
    unvoiced = spans.spans_of(
        ~np.isfinite(sound.f0_hz) & np.isfinite(sound.level_db), step=sound.step
    )
    return tuple(
        (start, end)
        for start, end in unvoiced
        if first < start and end < last and end - start >= _LEAST_QUIET_SECONDS
    )


def _silences(speech: Sequence[Span], sound: Sound, poor_sound: Skipped | None) -> Skipped | None:
    """Return a caution if noise in the pauses, raised or near the voice, was detected as speech.

    Such noise has no pitch, and nobody speaks for half a second without any. Applied only if noise
    is known to be close, since a creaky voice is unvoiced for as long, too.
    """
    count = len(sound.f0_hz)
    spoken = spans.frames_inside(speech, step=sound.step, count=count)
    voiced = float(np.isfinite(sound.f0_hz[spoken]).mean()) if spoken.any() else 0.0
    if poor_sound is None or voiced < _LEAST_VOICED_SHARE:
        return None
    stretches = _without_voice(speech, sound)
    hidden = sum(2 * spans.overlap((start, end), speech) > end - start for start, end in stretches)
    if hidden < _LEAST_HIDDEN or hidden < _HIDDEN_SHARE * len(stretches):
        return None
    return Skipped.because(poor_sound.reason, "pauses_hidden")


def _gate(speech: Sequence[Span], sound: Sound) -> Skipped | None:
    """Return a caution for a noise gate or noise suppression, which empties pauses and removes soft
    sounds.
    """
    gaps = [(start + 0.05, end - 0.05) for start, end in spans.gaps(speech, at_least=0.25)]
    levels = [float(np.median(levels_in(gap, sound))) for gap in gaps]
    if len(levels) < _LEAST_GATED_GAPS:
        return None
    if float(np.mean([level <= _NOTHING_DB for level in levels])) < _GATED_SHARE:
        return None
    return Skipped.because(Reason.AUTOMATIC_GAIN, "pauses_empty")


def _level_rise_db(sound: Sound, start: float, end: float) -> float:
    """Return how much louder (dB) the last tenth of a second is than the first.

    0 if the level falls back in between, which is a breath before the next word.
    """
    heard = levels_in((start + _ECHO_SECONDS, end), sound)
    level = heard[: max(len(heard) - round(_BREATH_SECONDS / sound.step), 1)]
    edge = max(min(10, len(level) // 3), 1)
    before = float(np.median(level[:edge]))
    rise = float(np.median(level[-edge:])) - before
    lowest = float(np.percentile(heard[len(heard) // 2 :], _FLOOR_PERCENT))
    return 0.0 if lowest < before + rise * _STAYS_UP - _WAVERS_DB else rise


def _fluency(words: Sequence[Word]) -> Skipped | None:
    """Return a caution for many repeated sounds and words, on which the fluency measures were not
    tested.

    Only the fact that the measures were not tested on such speech is stored.
    """
    letters = spelled_letters(words)
    repeats = sum(
        _is_repeated(left, right)
        for index, (left, right) in enumerate(itertools.pairwise(words))
        if index not in letters
    ) + sum(_has_sound_repetition(word.text) for word in words)
    if repeats < _LEAST_REPEATS or repeats * 100 < _REPEATS_PER_100_WORDS * len(words):
        return None
    return Skipped.because(Reason.OUTSIDE_TESTED_SPEECH, "speech_untested")


def _is_repeated(word: Word, following: Word) -> bool:
    """Return whether a word is repeated at once, or is the broken-off beginning of the next one."""
    text, after = plain(word.text), plain(following.text)
    if not text or following.start - word.end >= 1.0:
        return False
    is_broken_off = word.text.rstrip(",.").endswith("-") or (
        len(text) == 1 and text not in ONE_LETTER_WORDS
    )
    return text == after or (is_broken_off and after.startswith(text))


def _has_sound_repetition(text: str) -> bool:
    """Return whether a word has written sound repetitions, as in "b-b-but" or "I-I"."""
    if is_spelled(text):
        return False
    parts = [part for part in plain(text).split("-") if part]
    return len(parts) >= 2 and all(parts[-1].startswith(part) for part in parts[:-1])
