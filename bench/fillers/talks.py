"""Talks with known fillers: phrases of one voice, or a recording with
inserted fillers of others.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from bench.fillers.pieces import VoicePiece

LONGEST_SECONDS = 27.5
"""Longest talk: one window of the recogniser."""
_GAPS = ((0.25, 0.0, 0.0), (0.35, 0.03, 0.25), (0.4, 0.3, 0.9))
"""Probability, and least and most seconds, of the silences around a part."""
_REST_SECONDS = (0.8, 2.5)
"""Seconds of silence on either side of a sound in a search for words."""
_CUT_SECONDS = (0.12, 0.35)
"""Length of a broken-off beginning, at most half of the word."""
_CHORD = (1.0, 1.19, 1.26, 1.5, 2.0)
_JOIN_SAMPLES = 80
VOICE_LEVEL = 0.06


@dataclass(frozen=True, slots=True)
class Filler:
    """Filled pause with known times."""

    word: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class FillerTalk:
    """Sound of at most a window with all its fillers. `groups` are all its speakers."""

    name: str
    kind: str
    language: str
    groups: frozenset[str]
    sound: FloatArray
    fillers: tuple[Filler, ...]
    unsure: tuple[Span, ...] = ()
    """Spans in which fillers are unknown."""
    condition: str = "clean"

    @property
    def seconds(self) -> float:
        return len(self.sound) / SAMPLE_RATE_HZ


@dataclass(slots=True)
class _GrowingTalk:
    parts: list[FloatArray] = field(default_factory=list)
    fillers: list[Filler] = field(default_factory=list)
    samples: int = 0
    alone: bool = False
    """Whether fillers are surrounded by seconds of silence."""

    @property
    def seconds(self) -> float:
        return self.samples / SAMPLE_RATE_HZ

    def is_full(self, spare: float) -> bool:
        """Return whether this many more seconds, and the silences, would no longer
        fit in a window.
        """
        rests = 2 * _REST_SECONDS[1] if self.alone else 0.0
        return self.seconds > LONGEST_SECONDS - spare - rests

    def add(self, sound: FloatArray, word: str = "") -> None:
        """Append a sound, and record its times if it is a filler."""
        start = self.seconds
        self.parts.append(sound)
        self.samples += len(sound)
        if word:
            self.fillers.append(Filler(word, start, self.seconds))

    def add_between(self, sound: FloatArray, word: str, random: np.random.Generator) -> None:
        """Append a short sound before a pause, or between two silences."""
        if self.alone:
            self.rest(random)
        self.add(sound, word)
        self.pause(random)

    def pause(self, random: np.random.Generator) -> None:
        """Append a silence of natural length."""
        if self.alone:
            self.rest(random)
            return
        chance = random.random()
        for share, least, most in _GAPS:
            if chance < share:
                self.add(quiet(random.uniform(least, most)))
                return
            chance -= share

    def rest(self, random: np.random.Generator) -> None:
        """Append a silence as in a search for words."""
        self.add(quiet(random.uniform(*_REST_SECONDS)))

    def sound(self) -> FloatArray:
        """Return everything joined."""
        return np.concatenate(self.parts)


def quiet(seconds: float) -> FloatArray:
    """Return digital silence; room noise is added later to the whole."""
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), dtype=np.float32)


def levelled(sound: FloatArray, level: float) -> FloatArray:
    """Return the sound with soft edges, at this root mean square of its loud parts."""
    loud = np.abs(sound) > 0.02 * max(float(np.abs(sound).max()), 1e-6)
    usual = float(np.sqrt(np.mean(sound[loud] ** 2))) if loud.any() else 1.0
    scaled: FloatArray = (sound * np.float32(level / max(usual, 1e-6))).astype(np.float32)
    edge = min(_JOIN_SAMPLES, len(scaled) // 4)
    scaled[:edge] *= np.linspace(0, 1, edge, dtype=np.float32)
    scaled[len(scaled) - edge :] *= np.linspace(1, 0, edge, dtype=np.float32)
    return scaled


def of_voice(
    pieces: Sequence[VoicePiece],
    *,
    name: str,
    seed: int,
    often: float = 0.45,
    traps: float = 0.25,
    cuts: float = 0.0,
    alone: bool = False,
) -> FillerTalk:
    """Return a talk of one synthetic voice with its own fillers before, inside and after phrases.

    Probabilities before each part: `often` of a filler, `traps` of a similar sound, `cuts` of a
    broken-off and repeated part. `alone`: fillers and traps are surrounded by seconds of silence.
    """
    random = np.random.default_rng(seed)
    growing = _GrowingTalk(alone=alone)
    growing.add(quiet(random.uniform(0.2, 0.8)))
    fillers = [piece for piece in pieces if piece.kind == "filler"]
    false = [piece for piece in pieces if piece.kind == "trap"]
    sentences = [
        list(parts)
        for _, parts in itertools.groupby(
            (piece for piece in pieces if piece.kind == "part"), key=lambda piece: piece.sentence
        )
    ]
    for index in random.permutation(len(sentences)):
        for part in sentences[index]:
            if random.random() < often:
                _say_filler(growing, fillers, random)
            if random.random() < traps:
                _say_trap(growing, false, random)
            _say_part(growing, part, random, cuts)
            if growing.is_full(4):
                break
        if random.random() < often / 2:
            _say_filler(growing, fillers, random)
        growing.add(quiet(random.uniform(0.2, 0.8)))
        if growing.is_full(4):
            break
    voice = pieces[0].voice
    return FillerTalk(
        name,
        "voice",
        pieces[0].language,
        frozenset({voice}),
        growing.sound(),
        tuple(growing.fillers),
    )


def _say_filler(
    growing: _GrowingTalk, fillers: Sequence[VoicePiece], random: np.random.Generator
) -> None:
    filler = fillers[int(random.integers(len(fillers)))]
    growing.add_between(levelled(filler.sound(), _level(random, -7, 2)), filler.word, random)


def _say_trap(
    growing: _GrowingTalk, traps: Sequence[VoicePiece], random: np.random.Generator
) -> None:
    trap = traps[int(random.integers(len(traps)))]
    sound = note(random) if growing.alone and random.random() < 0.5 else trap.sound()
    growing.add_between(levelled(sound, _level(random, -5, 2)), "", random)


def note(random: np.random.Generator) -> FloatArray:
    """Return a note or chord of harmonic tones, struck or swelling, as long as
    one or two fillers.
    """
    seconds = random.uniform(0.2, 1.5)
    time = np.arange(int(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    root, falls = 80.0 * 2 ** random.uniform(0, 2.7), random.uniform(0.5, 2.0)
    chord = random.permutation(_CHORD)[: int(random.integers(1, len(_CHORD) + 1))]
    sound = np.zeros(len(time))
    for ratio in chord:
        for harmonic in range(1, 12):
            phase = 2 * np.pi * (root * ratio * harmonic * time + random.random())
            sound += np.sin(phase) / harmonic**falls
    rises = np.minimum(time / random.uniform(0.005, 0.15), 1.0)
    shaped: FloatArray = (sound * rises * np.exp(-random.uniform(0, 4) * time)).astype(np.float32)
    return shaped / np.float32(max(float(np.abs(shaped).max()), 1e-6))


def _say_part(
    growing: _GrowingTalk, part: VoicePiece, random: np.random.Generator, cuts: float
) -> None:
    if cuts and random.random() < cuts:
        _break_off(growing, levelled(part.sound(), _level(random, -2, 2)), random)
    growing.add(levelled(part.sound(), _level(random, -2, 2)))
    if random.random() < 0.6:
        growing.pause(random)


def _break_off(growing: _GrowingTalk, sound: FloatArray, random: np.random.Generator) -> None:
    """Add the beginning of a part that is repeated at once or after a pause."""
    count = min(round(random.uniform(*_CUT_SECONDS) * SAMPLE_RATE_HZ), len(sound) // 2)
    part = sound[:count].copy()
    edge = min(_JOIN_SAMPLES, count)
    part[count - edge :] *= np.linspace(1, 0, edge, dtype=np.float32)
    growing.add(part)
    growing.pause(random)


def _level(random: np.random.Generator, least_db: float, most_db: float) -> float:
    return VOICE_LEVEL * float(10 ** (random.uniform(least_db, most_db) / 20))


@dataclass(frozen=True, slots=True)
class LooseFiller:
    """Filler without its talk, ready for insertion."""

    word: str
    group: str
    sound: FloatArray


def with_fillers_of_others(
    host: FillerTalk,
    loose: Sequence[LooseFiller],
    *,
    name: str,
    seed: int,
    share: float = 0.7,
    cuts: float = 0.0,
    alone: bool = False,
    notes: float = 0.0,
) -> FillerTalk:
    """Return a recording with fillers of others inserted before and after its phrases.

    `share` of the positions get one; before `cuts` of the phrases the phrase is broken off once.
    `alone`: they are surrounded by seconds of silence. Before `notes` of them is a note of an
    instrument, which is as steady as an *um*.
    """
    random = np.random.default_rng(seed)
    speech = find_speech(host.sound, progress=lambda _share: None)
    level = float(np.sqrt(np.mean(host.sound[np.abs(host.sound) > 0.005] ** 2)))
    growing = _GrowingTalk(alone=alone)
    groups, last = set(host.groups), 0.0
    unsure: list[Span] = []
    for at in _places(speech, host):
        if random.random() > share or growing.is_full(2):
            continue
        unsure += _moved(host, growing, last, at)
        growing.add(_cut(host.sound, last, at))
        piece = loose[int(random.integers(len(loose)))]
        if notes and random.random() < notes:
            growing.add_between(levelled(note(random), level), "", random)
        growing.pause(random)
        sound = levelled(piece.sound, level * float(10 ** (random.uniform(-6, 2) / 20)))
        growing.add(sound, piece.word)
        growing.pause(random)
        groups.add(piece.group)
        last = at
        begins = next((start for start, _ in speech if start >= at - 0.05), None)
        if begins is not None and cuts and random.random() < cuts and not _says(host, begins):
            _break_off(growing, _cut(host.sound, begins, begins + 2 * _CUT_SECONDS[1]), random)
    rest = min(host.seconds, last + max(LONGEST_SECONDS - growing.seconds, 0.0))
    unsure += _moved(host, growing, last, rest)
    growing.add(_cut(host.sound, last, rest))
    return _inserted(replace(host, name=name, groups=frozenset(groups)), growing, unsure)


def _inserted(host: FillerTalk, growing: _GrowingTalk, unsure: Sequence[Span]) -> FillerTalk:
    return replace(
        host,
        kind="inserted",
        sound=growing.sound(),
        fillers=tuple(sorted(growing.fillers, key=lambda filler: filler.start)),
        unsure=tuple(unsure),
    )


def with_ends(
    host: FillerTalk, loose: Sequence[LooseFiller], *, name: str, seed: int, rest: Span
) -> FillerTalk:
    """Return a recording with an *um* long before the first word, and one long after the last.

    `rest` is the least and most seconds of silence in between.
    """
    random = np.random.default_rng(seed)
    level = float(np.sqrt(np.mean(host.sound[np.abs(host.sound) > 0.005] ** 2)))
    growing, groups = _GrowingTalk(), set(host.groups)

    def say() -> None:
        piece = loose[int(random.integers(len(loose)))]
        sound = levelled(piece.sound, level * float(10 ** (random.uniform(-8, 2) / 20)))
        growing.add(sound, piece.word)
        groups.add(piece.group)

    growing.add(quiet(random.uniform(0.3, 2.0)))
    say()
    growing.add(quiet(random.uniform(*rest)))
    unsure = _moved(host, growing, 0.0, host.seconds)
    growing.add(host.sound)
    growing.add(quiet(random.uniform(*rest)))
    say()
    growing.add(quiet(random.uniform(0.3, 2.0)))
    return _inserted(replace(host, name=name, groups=frozenset(groups)), growing, unsure)


def _says(host: FillerTalk, at: float) -> bool:
    """Return whether one of the host's own fillers begins near this time."""
    known = [*((one.start, one.end) for one in host.fillers), *host.unsure]
    return any(start < at + 2 * _CUT_SECONDS[1] and end > at for start, end in known)


def _places(speech: Sequence[Span], host: FillerTalk) -> list[float]:
    """Return positions before, between and after phrases; none inside the host's fillers."""
    gaps = [(left[1] + right[0]) / 2 for left, right in itertools.pairwise(speech)]
    ends = [max(speech[0][0] - 0.02, 0.0), speech[-1][1] + 0.02] if speech else []
    return sorted(
        at
        for at in [*gaps, *ends]
        if not any(one.start - 0.05 < at < one.end + 0.05 for one in host.fillers)
    )


def _moved(host: FillerTalk, growing: _GrowingTalk, first: float, last: float) -> list[Span]:
    """Add the host's own fillers of this part at their new times; return its uncertain spans."""
    shift = growing.seconds - first
    for one in host.fillers:
        if first <= one.start and one.end <= last:
            growing.fillers.append(replace(one, start=one.start + shift, end=one.end + shift))
    return [
        (max(start, first) + shift, min(end, last) + shift)
        for start, end in host.unsure
        if end > first and start < last
    ]


def _cut(sound: FloatArray, first: float, last: float) -> FloatArray:
    return sound[int(first * SAMPLE_RATE_HZ) : int(last * SAMPLE_RATE_HZ)]
