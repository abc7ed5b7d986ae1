"""Cross-validation of the head: one head per group of speakers left out, and the final one."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from analysis.backends.speech.filler_head import FillerHead, read_head
from bench.fillers.frames import frames
from bench.fillers.head import RECIPE, Lesson, lesson, save, train
from bench.fillers.lessons import SEED, fold_of, lesson_talks, named_of, voices_of
from bench.fillers.pieces import folder
from bench.fillers.talks import FillerTalk

EVERYBODY = -1
"""Instead of a group of speakers: the head trained on all."""
LANGUAGES = {"tiny.en": {"en": 1}, "whisper-base": {"fr": 1, "en": 3}}
"""Step through the talks of a language: every n-th is used for training."""


class HeadTrainer:
    """Heads of one encoder, each trained when first needed, and cached."""

    def __init__(self, media: Path, encoder: str) -> None:
        self._media, self._encoder = media, encoder
        self._lessons: list[tuple[int, Lesson]] = []
        self._fingerprint = ""

    def head(self, left_out: int) -> FillerHead:
        """Return the head trained without this group of speakers."""
        self._load()
        place = folder() / "heads" / self._encoder / f"{self._fingerprint}_{left_out}.npz"
        if not place.is_file():
            taught = [one for fold, one in self._lessons if fold != left_out]
            save(train(taught, seed=SEED), place)
        return read_head(place)

    def numbers(self) -> tuple[int, float, int]:
        """Return the number of lessons, the hours of sound and the frames of fillers."""
        self._load()
        hours = sum(len(one.frames) for _, one in self._lessons) * 0.02 / 3600
        positive = sum(int((one.labels > 0).sum()) for _, one in self._lessons)
        return len(self._lessons), hours, positive

    def _load(self) -> None:
        """Load all lessons; their recordings and settings are the key of the cache."""
        if self._lessons:
            return
        self._fingerprint = self._named()
        place = folder() / "lessons" / f"{self._encoder}_{self._fingerprint}.npz"
        if not place.is_file():
            made = [
                (fold_of(*talk.groups), lesson(talk, frames(talk, self._encoder)))
                for talk in self._talks()
            ]
            _keep(made, place)
        with np.load(place) as archive:
            ends = np.cumsum(archive["lengths"])
            whole, labels = archive["frames"], archive["labels"]
            self._lessons = [
                (int(fold), Lesson(whole[end - size : end], labels[end - size : end]))
                for fold, end, size in zip(archive["folds"], ends, archive["lengths"], strict=True)
            ]

    def _talks(self) -> Iterator[FillerTalk]:
        for language, each in LANGUAGES[self._encoder].items():
            yield from itertools.islice(lesson_talks(self._media, language), 0, None, each)

    def _named(self) -> str:
        """Return a key of the recordings and of the phrases of the voices."""
        named = hashlib.sha256(f"{RECIPE} {SEED} {LANGUAGES[self._encoder]}".encode())
        named.update((self._media / "MANIFEST.csv").read_bytes())
        for language in LANGUAGES[self._encoder]:
            for voice in voices_of(language):
                named.update(named_of(voice, language).encode())
        return named.hexdigest()[:16]


def _keep(made: Sequence[tuple[int, Lesson]], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        place,
        folds=np.array([fold for fold, _ in made]),
        lengths=np.array([len(one.frames) for _, one in made]),
        frames=np.concatenate([one.frames for _, one in made]),
        labels=np.concatenate([one.labels for _, one in made]),
    )
