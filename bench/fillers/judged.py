"""Test set of filled pauses: human and constructed recordings by condition."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from bench.fillers.conditions import JUDGING
from bench.fillers.fluent import VOICES, fluent_talk
from bench.fillers.lessons import fold_of, loose_of, number_of, spoken_by, talk_of_voice
from bench.fillers.pieces import folder
from bench.fillers.recordings import LabelledRecording, lessons, recordings
from bench.fillers.talks import Filler, FillerTalk, with_ends, with_fillers_of_others
from bench.listening.noises import SOUNDS, sounding
from bench.sounds import write_wave

CLEAN, NOISE, TELEPHONE = "clean", "noise 8 dB", "telephone"
SECOND, SLOW, INSERTED, FRENCH = (
    "second language",
    "slow",
    "read, fillers put in",
    "French",
)
FRENCH_MADE = "French, synthetic voices"
ALONE = "read, fillers alone in silences"
ENDS = "read, fillers before the first word and after the last"
FLUENT = "synthetic voices, fillers in the text"
OTHER = "other sounds between phrases"
_MADE_VOICES = {
    "en": (
        "em_alex",
        "jf_alpha",
        "zm_yunyang",
        "hf_beta",
        "if_sara",
        "pm_santa",
    ),
    "fr": (
        "ff_siwis",
        "if_sara",
        "pm_alex",
        "em_santa",
        "zf_xiaoyi",
        "bf_lily",
        "am_puck",
        "hf_alpha",
        "jf_nezumi",
        "zm_yunxi",
    ),
}
"""Voices of the talks: English with accents; for French one French voice and others that can read
it.
"""
_LEFT_OUT = re.compile(
    r"asterisk|lucier|tempo_0|two_cities|hvb_(agent_0002|agent_0091|agent_010|agent_a7|caller_0002|"
    r"caller_0091)|arctic|gcp|libri|librivox|pauses_a|jfk|allsstar_108|sppas_fr_NH|sb_spk|mary|beckett|ami_EN2001e|"
    r"mfa_(english_fast|exaggerated|hes|long|registershift|surround|whatscalled|whisper)|falsetto"
)
"""Recordings left out: without fillers, of speakers included elsewhere, or too short; they only
take time.
"""
_HOSTS, LEAST_HOST_SECONDS = 5, 12.0
_BETWEEN_SECONDS, _BETWEEN_LEVEL = 5.0, 0.7
_RESTS = ((0.6, 1.5), (1.5, 3.5), (4.0, 6.0))
"""Seconds of silence between an added filler and the words."""


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """Sound file with its labels, and the group of speakers to leave out in training."""

    name: str
    condition: str
    language: str
    path: Path
    seconds: float
    fillers: tuple[Filler, ...]
    least: int
    most: int
    is_timed: bool
    is_recorded: bool
    """Whether the fillers are a person's own, in their original position."""
    may_teach: bool
    """Whether its licence allows fitting the weights of the evidence on it."""
    fold: int

    @property
    def is_unchanged(self) -> bool:
        """Return whether it is an unmodified recording of a person."""
        return self.is_recorded and " " not in self.name


def judged(media: Path) -> Iterator[JudgedFile]:
    """Yield the whole test set; deterministic."""
    people = [one for one in recordings(media) if one.most is not None]
    for person in people:
        if not _LEFT_OUT.search(person.name):
            yield recorded(person)
    for person in people:
        if person.is_timed and person.fillers and condition_of(person) == CLEAN:
            yield from _changed(person)
    yield from _inserted(people)
    yield from _alone(people)
    yield from _at_the_ends(people)
    yield from _fluent()
    yield from _sounded(people)
    for language, names in _MADE_VOICES.items():
        for voice in names:
            pieces = spoken_by(voice, language)
            if pieces:
                talk = talk_of_voice(pieces, f"{voice}_{language}_judged", 0.6)
                condition = FRENCH_MADE if language == "fr" else SECOND
                yield made(talk, condition, fold_of(voice))


def condition_of(person: LabelledRecording) -> str:
    """Return the condition of a recording of a person."""
    if person.language == "fr":
        return FRENCH
    if person.name.startswith("hvb"):
        return TELEPHONE
    if person.name.startswith("allsstar"):
        return SECOND
    return SLOW if "tempo_0" in person.name else CLEAN


def recorded(person: LabelledRecording) -> JudgedFile:
    known = (*person.fillers, *person.roughly)
    return JudgedFile(
        name=person.name,
        condition=condition_of(person),
        language=person.language,
        path=person.truth.path,
        seconds=len(person.sound()) / SAMPLE_RATE_HZ,
        fillers=tuple(sorted(known, key=lambda one: one.start)),
        least=person.least or 0,
        most=person.most or 0,
        is_timed=person.is_timed,
        is_recorded=True,
        may_teach=person.may_teach,
        fold=fold_of(person.speaker),
    )


def _changed(person: LabelledRecording) -> Iterator[JudgedFile]:
    """Yield the same fillers through a telephone, in noise and slowed down."""
    for talk in lessons(person):
        for condition, change in JUDGING.items():
            if condition != CLEAN and talk.fillers and "noise" not in talk.name:
                name = f"{talk.name} {condition}"
                talk_now = change(talk, np.random.default_rng(number_of(name)))
                yield made(talk_now, condition, fold_of(person.speaker), is_recorded=True)


def _inserted(people: list[LabelledRecording]) -> Iterator[JudgedFile]:
    """Yield read talks with other people's fillers before and after phrases, in every condition."""
    for number, host in enumerate(_hosts(people)[:_HOSTS]):
        fold = fold_of(*host.groups)
        loose = [one for one in loose_of(people, "en") if fold_of(one.group) == fold]
        if not loose:
            continue
        name = f"{host.name}_judged"
        whole = with_fillers_of_others(host, loose, name=name, seed=number_of(name), share=0.9)
        conditions = [CLEAN, list(JUDGING)[1 + number % (len(JUDGING) - 1)]]
        for condition in conditions:
            changed = JUDGING[condition](whole, np.random.default_rng(number_of(name + condition)))
            yield made(changed, INSERTED if condition == CLEAN else condition, fold)


def _alone(people: list[LabelledRecording]) -> Iterator[JudgedFile]:
    """Yield the same with seconds of silence around each filler, as in a search for words.

    Twice, with other fillers and silences; the second time slowed or through a telephone as well.
    """
    changes = [name for name in JUDGING if name != NOISE]
    for number, host in enumerate(_hosts(people)):
        fold = fold_of(*host.groups)
        loose = [one for one in loose_of(people, "en") if fold_of(one.group) == fold]
        for turn, condition in enumerate((CLEAN, changes[number % len(changes)]) if loose else ()):
            name = f"{host.name}_alone_judged{turn}"
            seed = number_of(name)
            whole = with_fillers_of_others(host, loose, name=name, seed=seed, share=0.9, alone=True)
            yield made(JUDGING[condition](whole, np.random.default_rng(seed + 1)), ALONE, fold)


def _at_the_ends(people: list[LabelledRecording]) -> Iterator[JudgedFile]:
    """Yield talks with a filler in the silence before, and one in the silence after."""
    for host in _hosts(people):
        fold = fold_of(*host.groups)
        loose = [one for one in loose_of(people, "en") if fold_of(one.group) == fold]
        for number, rest in enumerate(_RESTS if loose else ()):
            name = f"{host.name}_ends_judged{number}"
            seed = number_of(name)
            whole = with_ends(host, loose, name=name, seed=seed, rest=rest)
            quiet_room = JUDGING[CLEAN](whole, np.random.default_rng(seed + 1))
            yield made(quiet_room, ENDS, fold)


def _fluent() -> Iterator[JudgedFile]:
    """Yield fluent talks, never used for training: only the line of a filler is known."""
    for voice in VOICES:
        talk = fluent_talk(voice)
        heard = JUDGING[CLEAN](talk, np.random.default_rng(number_of(talk.name)))
        yield replace(made(heard, FLUENT, fold_of(voice)), may_teach=False)


def _hosts(people: list[LabelledRecording]) -> list[FillerTalk]:
    return [
        talk
        for person in people
        if person.language == "en" and person.most == 0 and condition_of(person) == CLEAN
        for talk in lessons(person)
        if talk.seconds >= LEAST_HOST_SECONDS
    ]


def _sounded(people: list[LabelledRecording]) -> Iterator[JudgedFile]:
    """Yield talks interrupted by applause, chords or a telephone, none of which is an *um*."""
    hosts = _hosts(people)
    for number, name in enumerate(SOUNDS):
        host = hosts[number % len(hosts)]
        half = len(host.sound) // 2
        between = _BETWEEN_LEVEL * sounding(name, _BETWEEN_SECONDS)
        level = np.abs(host.sound).max() / max(np.abs(between).max(), 1e-9)
        sound = np.concatenate([host.sound[:half], level * between, host.sound[half:]])
        talk = replace(host, name=f"{host.name} {name}", sound=sound.astype(np.float32), fillers=())
        yield made(talk, OTHER, fold_of(*host.groups))


def made(talk: FillerTalk, condition: str, fold: int, *, is_recorded: bool = False) -> JudgedFile:
    """Return a constructed talk, written to a file for analysis."""
    name = f"{talk.name} {condition}"
    path = _write(talk.sound, f"{name}_{hashlib.sha256(talk.sound.tobytes()).hexdigest()[:10]}")
    count = len(talk.fillers)
    return JudgedFile(
        name=name,
        condition=condition,
        language=talk.language,
        path=path,
        seconds=talk.seconds,
        fillers=talk.fillers,
        least=count,
        most=count,
        is_timed=True,
        is_recorded=is_recorded,
        may_teach=True,  # Made of training recordings and of synthetic voices.
        fold=fold,
    )


def _write(sound: FloatArray, name: str) -> Path:
    path = folder() / "judged" / f"{name.replace(' ', '_').replace(',', '')}.wav"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_wave(path, sound, SAMPLE_RATE_HZ)
    return path
