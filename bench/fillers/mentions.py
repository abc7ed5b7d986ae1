"""Talks in which an um is spoken of, beside talks in which it is said: synthetic voices."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from bench import voices
from bench.fillers.pieces import folder
from bench.fillers.talks import VOICE_LEVEL, levelled, quiet
from bench.sounds import kept, write_wave
from bench.voices import PhonemePart

SPOKEN_OF = {
    "en": (
        "You say | um | before every number.",
        "The word | um | is short.",
        "Try to avoid saying | uh | when you think.",
        "Every | um | in this talk was counted.",
        "Listeners hear an | uh | and they wait.",
        "He said | um | and then he stopped.",
        "Instead of | um | try a silence.",
        "Count each | uh | on the page.",
    ),
    "fr": (
        "Vous dites | euh | avant chaque chiffre.",
        "Le mot | euh | est très court.",
        "Comptez les | euh | de cette page.",
        "Chaque | euh | est une hésitation.",
        "Il a dit | euh | puis il s'est tu.",
        "On entend un | euh | et on attend.",
    ),
}
SAID = {
    "en": (
        "We tried the | um | second method first.",
        "They said | um | that the river was low.",
        "I want to say | uh | thank you to everyone.",
        "Every | um | morning we measured the water.",
        "It was an | uh | important result.",
        "The word | um | order was wrong.",
        "So | um | we started again.",
        "Instead of | uh | the bridge we took the boat.",
    ),
    "fr": (
        "On a pris le | euh | deuxième chemin.",
        "Il a dit | euh | que c'était trop tard.",
        "Les | euh | gens du village sont venus.",
        "Je voudrais dire | euh | merci à tous.",
        "C'est un | euh | bon résultat.",
        "Alors | euh | nous avons recommencé.",
    ),
}
_VOICES = {"en": ("af_bella", "am_adam", "bf_emma"), "fr": ("ff_siwis", "pm_alex", "zf_xiaoyi")}
_SOUNDS = {
    "um": ("ˈʌm", "ˈʌːːm"),
    "uh": ("ˈʌ", "ˈʌːː"),
    "euh": ("ˈøː", "ˈøːː"),
}
"""Phonemes of a filler that is spoken of, and of one that is said, which is longer."""
_PAUSE_SECONDS = 0.7


@dataclass(frozen=True, slots=True)
class MentionTalk:
    """Talk, the spans of its fillers, and whether they are only spoken of."""

    path: Path
    language: str
    spans: tuple[Span, ...]
    is_spoken_of: bool


def mention_talks() -> Iterator[MentionTalk]:
    """Yield two talks of each voice; synthesised unless cached."""
    for is_spoken_of, sentences in ((True, SPOKEN_OF), (False, SAID)):
        for language, some in sentences.items():
            for voice in _VOICES[language]:
                yield _talk(some, voice, language, is_spoken_of=is_spoken_of)


def _talk(
    sentences: tuple[str, ...], voice: str, language: str, *, is_spoken_of: bool
) -> MentionTalk:
    named = hashlib.sha256(repr((sentences, voice, _SOUNDS)).encode()).hexdigest()[:24]
    place = folder() / "mentions" / named
    parts, spans = [quiet(0.5)], []
    at = len(parts[0]) / SAMPLE_RATE_HZ
    for number, sentence in enumerate(sentences):
        whole = kept(
            place.with_name(f"{named}_{number}.npy"),
            partial(_spoken, sentence, voice, language, is_spoken_of=is_spoken_of),
        )
        (start, end), sound = whole[:2], whole[2:]
        spans.append((at + float(start), at + float(end)))
        parts += [sound, quiet(_PAUSE_SECONDS)]
        at += len(sound) / SAMPLE_RATE_HZ + _PAUSE_SECONDS
    path = place.with_suffix(".wav")
    if not path.is_file():
        write_wave(path, levelled(np.concatenate(parts), VOICE_LEVEL), SAMPLE_RATE_HZ)
    return MentionTalk(path, language, tuple(spans), is_spoken_of)


def _spoken(text: str, voice: str, language: str, *, is_spoken_of: bool) -> FloatArray:
    """Return the sound of a sentence, after the two times of its filler."""
    before, filler, after = (part.strip() for part in text.split("|"))
    gap = PhonemePart(" " if is_spoken_of else ", ")
    breath = [
        PhonemePart(voices.phonemes_of(before, voice=voice, language=language)),
        gap,
        PhonemePart(_SOUNDS[filler][0 if is_spoken_of else 1], is_marked=True),
        gap,
        PhonemePart(voices.phonemes_of(after, voice=voice, language=language)),
    ]
    said = voices.say_marked(breath, voice=voice)
    sound = resample_poly(said.audio, SAMPLE_RATE_HZ, voices.RATE_HZ).astype(np.float32)
    return np.concatenate([np.array(said.spans[0], np.float32), sound])
