"""Training talks of the head, with their recording conditions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench import voices
from bench.fillers.conditions import TRAINING
from bench.fillers.flowing import digest_of, flowing_talk
from bench.fillers.pieces import VoicePiece, pieces_of
from bench.fillers.recordings import LabelledRecording, lessons, loose_fillers, recordings
from bench.fillers.talks import FillerTalk, LooseFiller, of_voice, with_fillers_of_others

SEED = 12
FOLDS = 5
_CONDITIONS_EACH = 2
_LEAST_HOST_SECONDS = 6.0
_BROKEN_OFF = 0.25
_NOTES = 0.3
_FRENCH = "ipezf"
"""First letters of the voices that read French: French ones and those of related languages."""


def lesson_talks(media: Path, language: str) -> Iterator[FillerTalk]:
    """Yield every talk of a language in its own conditions; deterministic."""
    for talk in plain_talks(media, language):
        random = np.random.default_rng(number_of(talk.name))
        names = list(TRAINING)
        for index in random.choice(len(names), _CONDITIONS_EACH, replace=False):
            yield TRAINING[names[index]](talk, random)


def plain_talks(media: Path, language: str) -> Iterator[FillerTalk]:
    """Yield talks of synthetic voices, of people, and of people with inserted fillers of others."""
    spoken = [ready for voice in voices_of(language) if (ready := spoken_by(voice, language))]
    for pieces in spoken:
        for number, often in enumerate((0.5, 0.25)):
            yield talk_of_voice(
                pieces, f"{pieces[0].voice}_{language}_{number}", often, cuts=_BROKEN_OFF
            )
        name = f"{pieces[0].voice}_{language}_alone"
        yield of_voice(pieces, name=name, seed=number_of(name), often=0.8, traps=0.4, alone=True)
        yield flowing_by(pieces[0].voice, language)
    people = [one for one in recordings(media) if one.language == language]
    hosts = [talk for person in people for talk in lessons(person)]
    yield from hosts
    loose = _loose(people, spoken)
    for host in hosts:
        near = [one for one in loose if fold_of(one.group) == fold_of(*host.groups)]
        if host.seconds >= _LEAST_HOST_SECONDS and "noise" not in host.name and near:
            for number in range(2):
                name = f"{host.name}_um{number}"
                yield with_fillers_of_others(
                    host, near, name=name, seed=number_of(name), cuts=_BROKEN_OFF
                )
            name = f"{host.name}_alone"
            yield with_fillers_of_others(
                host, near, name=name, seed=number_of(name), alone=True, notes=_NOTES
            )
    for number, pieces in enumerate(spoken):
        # A voice with fillers of other voices, so that no voice is recognised by its fillers.
        name = f"{pieces[0].voice}_{language}_others"
        bare = of_voice(pieces, name=name, seed=number_of(name), often=0.0, traps=0.15)
        others = [
            one
            for one in loose
            if one.group != pieces[0].voice and fold_of(one.group) == fold_of(pieces[0].voice)
        ]
        if number % 2 == 0 and others:
            yield with_fillers_of_others(bare, others, name=name, seed=number_of(name) + 1)


def fold_of(*groups: str) -> int:
    """Return the group of the speakers, of FOLDS; all speakers of one talk are in one group."""
    return number_of(min(groups)) % FOLDS


def talk_of_voice(
    pieces: Sequence[VoicePiece], name: str, often: float, *, cuts: float = 0.0
) -> FillerTalk:
    """Return a talk of this voice in an order determined by its name."""
    return of_voice(pieces, name=name, seed=number_of(name), often=often, cuts=cuts)


def voices_of(language: str) -> tuple[str, ...]:
    """Return the synthetic voices used for a language."""
    return tuple(
        voice
        for voice in voices.names()
        if language == "en" or voice[0] in _FRENCH or number_of(voice) % 3 == 0
    )


def spoken_by(voice: str, language: str) -> tuple[VoicePiece, ...]:
    """Return the cached pieces of a voice; empty if there are too few for a talk."""
    ready = tuple(piece for piece in pieces_of(voice, language) if piece.path.is_file())
    kinds = {piece.kind for piece in ready}
    return ready if kinds == {"part", "filler", "trap"} else ()


def flowing_by(voice: str, language: str) -> FillerTalk:
    """Return the talk of a voice with its fillers within phrases."""
    return flowing_talk(voice, language, number_of(f"fluent {voice}"))


def named_of(voice: str, language: str) -> str:
    """Return a key of the pieces of a voice, which changes with them."""
    said = "".join(one.path.name for one in spoken_by(voice, language))
    return said + digest_of(voice, language, number_of(f"fluent {voice}"))


def speak() -> None:
    """Synthesise all pieces of the synthetic voices that are not cached."""
    for language in ("en", "fr"):
        for voice in voices_of(language):
            for piece in pieces_of(voice, language):
                piece.sound()
            flowing_by(voice, language)


def loose_of(people: Sequence[LabelledRecording], language: str) -> list[LooseFiller]:
    """Return fillers without their talk, as many human as synthetic ones."""
    return _loose(people, [spoken_by(voice, language) for voice in voices_of(language)])


def _loose(
    people: Sequence[LabelledRecording], spoken: Sequence[Sequence[VoicePiece]]
) -> list[LooseFiller]:
    """Return fillers, the human ones repeated to equal the synthetic ones in number."""
    synthetic = [
        LooseFiller(piece.word, piece.voice, piece.sound())
        for pieces in spoken
        for piece in pieces
        if piece.kind == "filler"
    ]
    real = loose_fillers(people)
    return synthetic + real * (len(synthetic) // max(len(real), 1)) if real else synthetic


def number_of(name: str) -> int:
    """Return a seed derived from a name."""
    return int.from_bytes(hashlib.sha256(f"{SEED} {name}".encode()).digest()[:4])
