"""Training talks in which a synthetic voice says its fillers within its phrases.

Pieces that are spoken separately and joined are never short and never run into the next word, as
many real fillers do. The voice's own durations locate the fillers.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.signal import resample_poly

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench import voices
from bench.fillers.material import FILLERS, LIKE_FILLERS, SENTENCES, SHORT_FILLERS
from bench.fillers.pieces import folder
from bench.fillers.talks import LONGEST_SECONDS, VOICE_LEVEL, Filler, FillerTalk, levelled, quiet
from bench.voices import PhonemePart

_RECIPE = 1
_ENOUGH_SECONDS = 21.0
_WITH_COMMA = 0.5
"""Share of fillers set off by a comma; the others run on."""
_SPEEDS = (0.85, 1.25)


@dataclass(frozen=True, slots=True)
class _Habit:
    """Probability of a filler at the start of a sentence, inside a part and between parts; share of
    short ones.
    """

    opening: float
    inside: float
    between: float
    short: float


_HABITS: Mapping[str, _Habit] = {
    "en": _Habit(opening=0.3, inside=0.35, between=0.5, short=0.6),
    "fr": _Habit(opening=0.2, inside=0.2, between=0.35, short=0.4),
}
"""Habits by language; fewer in French, whose sentences are full of words that sound like fillers.
"""


def flowing_talk(voice: str, language: str, seed: int) -> FillerTalk:
    """Return a talk of one voice, at most a window long; synthesised unless cached."""
    name = f"{voice}_{language}_fluent"
    place = folder() / "flowing" / f"{digest_of(voice, language, seed)}.npz"
    if not place.is_file():
        sound, fillers = _spoken(voice, language, np.random.default_rng(seed))
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, sound=sound.astype(np.float16), fillers=np.array(fillers))
        part.replace(place)
    with np.load(place) as kept:
        sound = levelled(kept["sound"].astype(np.float32), VOICE_LEVEL)
        spans = [(float(start), float(end)) for start, end in kept["fillers"].reshape(-1, 2)]
    found = tuple(Filler("", start, end) for start, end in spans)
    return FillerTalk(name, "voice", language, frozenset({voice}), sound, found)


def digest_of(voice: str, language: str, seed: int) -> str:
    """Return the cache key of such a talk."""
    named = repr((_RECIPE, voice, language, seed))
    return hashlib.sha256(named.encode()).hexdigest()[:32]


def _spoken(
    voice: str, language: str, random: np.random.Generator
) -> tuple[FloatArray, list[tuple[float, float]]]:
    """Return the sound, and the spans of its fillers in seconds."""
    parts = [quiet(random.uniform(0.2, 0.8))]
    samples, fillers = len(parts[0]), []
    for sentence in _sentences(language, random):
        speed = float(random.uniform(*_SPEEDS))
        breath = list(_worded(sentence.split("|"), voice, language, random))
        said = voices.say_marked(breath, voice=voice, speed=speed)
        sound = resample_poly(said.audio, SAMPLE_RATE_HZ, voices.RATE_HZ).astype(np.float32)
        at = samples / SAMPLE_RATE_HZ
        fillers += [(at + start, at + end) for start, end in said.spans]
        parts += [sound, quiet(random.uniform(0.0, 0.7))]
        samples += len(sound) + len(parts[-1])
        if samples > _ENOUGH_SECONDS * SAMPLE_RATE_HZ:
            break
    whole = np.concatenate(parts)[: int(LONGEST_SECONDS * SAMPLE_RATE_HZ)]
    return whole, [one for one in fillers if one[1] <= len(whole) / SAMPLE_RATE_HZ]


def _sentences(language: str, random: np.random.Generator) -> Iterator[str]:
    """Return the sentences in random order; every other one is full of words that sound like
    fillers.
    """
    usual, like = SENTENCES[language], LIKE_FILLERS[language]
    mixed = itertools.zip_longest(
        (like[index] for index in random.permutation(len(like))),
        (usual[index] for index in random.permutation(len(usual))),
    )
    return (sentence for pair in mixed for sentence in pair if sentence is not None)


def _worded(
    parts: Sequence[str], voice: str, language: str, random: np.random.Generator
) -> Iterator[PhonemePart]:
    """Yield the parts of one phrase; the fillers are marked."""
    habit = _HABITS[language]
    if random.random() < habit.opening:
        yield _filler(language, random)
        yield _gap(random)
    for number, part in enumerate(parts):
        words = part.split()
        is_cut = len(words) > 2 and random.random() < habit.inside
        cut = int(random.integers(1, len(words))) if is_cut else len(words)
        is_last = number == len(parts) - 1
        for some, is_inside in ((words[:cut], is_cut), (words[cut:], False)):
            if not some:
                continue
            yield PhonemePart(voices.phonemes_of(" ".join(some), voice=voice, language=language))
            if is_inside or (not is_last and random.random() < habit.between):
                yield _gap(random)
                yield _filler(language, random)
                yield _gap(random)
            else:
                yield PhonemePart("." if is_last else " ")


def _filler(language: str, random: np.random.Generator) -> PhonemePart:
    short, usual = SHORT_FILLERS[language], FILLERS[language]
    if random.random() < _HABITS[language].short:
        return PhonemePart(short[int(random.random() * len(short))], is_marked=True)
    return PhonemePart(usual[int(random.integers(len(usual)))][1], is_marked=True)


def _gap(random: np.random.Generator) -> PhonemePart:
    return PhonemePart(", " if random.random() < _WITH_COMMA else " ")
