"""Synthesised voices, and talks put together from words at fixed times: no model, no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from analysis.backends.media.audio import read_audio
from analysis.backends.media.probe import read_media
from analysis.pipeline.assembly import _collect
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Limits, Options, Sound, Span
from analysis.results import AudioInfo, Event, Language, MediaInfo, Report, Skipped, Word
from analysis.talk import spans
from analysis.talk.languages import language_data
from analysis.talk.sentences import sentence_ranges
from analysis.talk.talk import Talk
from analysis.tidy import tidy_events, tidy_question
from bench.listening.synthetic_voice import say

STEP = 0.01
QUESTIONS = (
    "Thank you. How deep was the lake where you measured?",
    "And did you ask the people of the village what they think?",
    "Why did the fish not move in the first year of your study?",
    "Could you show us the second picture once more?",
)

UMS = Path(__file__).with_name("ums_of_others.flac")
PIECES: tuple[Span, ...] = (
    (0.0, 0.653),
    (0.953, 1.375),
    (1.675, 2.343),
    (2.643, 3.21),
    (3.51, 4.061),
    (4.361, 4.95),
    (5.25, 5.717),
    (6.017, 6.82),
    (7.12, 7.573),
    (7.873, 8.531),
)


def said(
    phrases: Sequence[str],
    voice: str = "en-us",
    *,
    pause: float = 0.7,
    words_a_minute: int = 130,
    melody: int = 50,
) -> FloatArray:
    """The phrases in a synthetic voice, at half the full level in a quiet room."""
    spoken = say(phrases, voice=voice, pause=pause, words_a_minute=words_a_minute, melody=melody)
    return in_a_room(0.5 * spoken.audio)


def in_a_room(sound: FloatArray) -> FloatArray:
    """The sound with the faint noise of a quiet room, as any microphone has it."""
    noise = 0.0005 * np.random.default_rng(1).standard_normal(len(sound))
    heard: FloatArray = (sound + noise).astype(np.float32)
    return heard


def voice(seconds: float, *, hz: float | FloatArray = 120.0, gain: float = 0.2) -> FloatArray:
    """A vowel: harmonics of a steady or moving pitch through two resonances."""
    count = int(seconds * SAMPLE_RATE_HZ)
    pitch = np.broadcast_to(np.asarray(hz, dtype=np.float64), count)
    phase = 2 * np.pi * np.cumsum(pitch) / SAMPLE_RATE_HZ
    sound = np.zeros(count)
    for harmonic in range(1, 30):
        at = harmonic * pitch
        weight = np.exp(-(((at - 600) / 300) ** 2)) + 0.5 * np.exp(-(((at - 1200) / 300) ** 2))
        sound += np.where(at < 7500, weight + 0.02, 0.0) * np.sin(harmonic * phase)
    scaled: FloatArray = (gain * sound / max(np.abs(sound).max(), 1e-9)).astype(np.float32)
    return scaled


def silence(seconds: float) -> FloatArray:
    """Nothing at all."""
    return np.zeros(int(seconds * SAMPLE_RATE_HZ), dtype=np.float32)


def noise(seconds: float, *, gain: float = 0.01, seed: int = 7) -> FloatArray:
    """White noise of a fixed level."""
    random = np.random.default_rng(seed)
    return (gain * random.standard_normal(int(seconds * SAMPLE_RATE_HZ))).astype(np.float32)


def media(seconds: float) -> MediaInfo:
    """What probing would say of a sound file."""
    return MediaInfo(
        sha256="0" * 64,
        duration=seconds,
        container="wav",
        audio=AudioInfo(codec="pcm", sample_rate_hz=SAMPLE_RATE_HZ, channels=1),
    )


def words(text: str, *, start: float = 0.0, each: float = 0.3, gap: float = 0.0) -> list[Word]:
    """The words of a text at a steady pace. `|` in the text is a pause of one second."""
    found: list[Word] = []
    at = start
    for part in text.split():
        if part == "|":
            at += 1.0
            continue
        found.append(Word(text=part, start=round(at, 3), end=round(at + each, 3), probability=0.9))
        at += each + gap
    return found


def speech_of(spoken: Sequence[Word]) -> tuple[Span, ...]:
    """Voice activity that fits the words."""
    return spans.merged(((word.start, word.end) for word in spoken), closer_than=0.099)


def sound_of(
    speech: Sequence[Span],
    seconds: float,
    *,
    semitones: FloatArray | None = None,
    level_db: FloatArray | None = None,
    floor_db: float = -60.0,
) -> Sound:
    """Series as a microphone would give them: voiced in speech, quiet elsewhere."""
    count = int(seconds / STEP)
    inside = spans.frames_inside(speech, step=STEP, count=count)
    tune = np.zeros(count) if semitones is None else semitones[:count]
    level = np.full(count, -20.0) if level_db is None else level_db[:count]
    return Sound(
        step=STEP,
        f0_hz=np.where(inside, 120.0 * 2 ** (tune / 12), np.nan).astype(np.float32),
        level_db=np.where(inside, level, floor_db).astype(np.float32),
        flux=np.full(count, 1.3, dtype=np.float32),
        clipped=np.zeros(count, dtype=np.float32),
        timbre=np.zeros((count, 13), dtype=np.float32),
    )


def talk_of(
    spoken: Sequence[Word],
    *,
    seconds: float | None = None,
    language: str = "en",
    speech: Sequence[Span] | None = None,
    sound: Sound | None = None,
    fillers: Sequence[Event] = (),
    cautions: Mapping[str, Skipped] | None = None,
    absent: Mapping[str, Skipped] | None = None,
) -> Talk:
    """A talk of exactly these words."""
    length = seconds or (spoken[-1].end + 1.0 if spoken else 10.0)
    regions = tuple(speech) if speech is not None else speech_of(spoken)
    return Talk(
        media=media(length),
        options=Options(language=language),
        language=Language(code=language, source="given"),
        speech=regions,
        words=tuple(spoken),
        filled_pauses=tuple(fillers),
        sentences=sentence_ranges(spoken, language_data(language)),
        sound=sound if sound is not None else sound_of(regions, length),
        cautions=cautions or {},
        absent=absent or {},
    )


def filled_pause(start: float, *, probability: float = 0.95) -> Event:
    """An um of 0.4 s."""
    return Event(
        kind="filled_pause", start=start, end=start + 0.4, probability=probability, label="um"
    )


def report_of(talk: Talk) -> Report:
    """What `assemble` makes of a talk."""
    found = _collect(talk)
    duration = talk.media.duration
    return Report(
        media=talk.media,
        language=talk.language,
        speech=talk.speech,
        words=talk.words,
        events=tidy_events(found.events, duration),
        measurements=found.measurements,
        skipped=found.skipped,
        tracks=found.tracks,
        gaze_zero=found.gaze_zero,
        camera_question=tidy_question(found.camera_question, duration),
    )


def decoded(path: Path, work: Path) -> FloatArray:
    raw = work / "decoded.f32"
    read_media(path, audio_path=raw, limits=Limits(), progress=lambda _share: None)
    return np.array(read_audio(raw))


def cut(sound: FloatArray, span: Span) -> FloatArray:
    return sound[round(span[0] * SAMPLE_RATE_HZ) : round(span[1] * SAMPLE_RATE_HZ)]
