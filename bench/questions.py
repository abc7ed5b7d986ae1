"""Benchmark `questions`: cost of a session of three answers, in seconds for each second of media.

The answers are read by synthetic voices. Each is analysed like an answer on the site, and its
sentences are compared with the question.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import django

from analysis import pipeline
from analysis.metrics import FAMILIES
from analysis.ports import Options
from analysis.results import Report
from analysis.similarity import rank
from bench.sounds import write_wave
from bench.voices import RATE_HZ, Phrase, speak

Nearest = Callable[[str, Report, str], float | None]
_PAUSE = 0.6
_ANSWERS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "You said 40%. Where does that figure come from?": (
            "Well, that is a fair question.",
            "Um, we asked every member in the spring, on paper.",
            "Four hundred people answered, and forty percent of them said that they cycle.",
            "It is our own survey, so it says nothing about the rest of the town.",
            "We will ask again next year.",
        ),
        "What surprised you most while you were preparing this?": (
            "I expected the weather to matter.",
            "It hardly does.",
            "What surprised me most was how many people give up because of one crossing.",
            "You know, they named it again and again.",
            "So we counted the cars there, and now the town is rebuilding it.",
        ),
        "Frankly, why should any of us care?": (
            "Because you pay for it.",
            "Uh, every parking space costs the town about as much as a small flat.",
            "Each person who cycles leaves room for somebody who has to drive.",
            "That is why I would like you to look at the plan before the vote on Monday.",
        ),
    },
    "fr": {
        "Vous avez dit « 40 % ». D’où vient ce chiffre ?": (
            "C’est une bonne question.",
            "Nous avons interrogé tous les membres au printemps.",
            "Quatre cents personnes ont répondu, et quarante pour cent viennent à vélo.",
            "C’est notre propre enquête, elle ne dit donc rien du reste de la ville.",
        ),
        "Qu’est-ce qui vous a le plus surpris pendant la préparation ?": (
            "Je pensais que la météo comptait beaucoup.",
            "En fait, presque pas.",
            "Ce qui m’a surpris, c’est que tant de gens renoncent à cause d’un seul carrefour.",
            "Nous y avons compté les voitures, et la ville le refait.",
        ),
        "Franchement, en quoi cela nous concerne-t-il ?": (
            "Parce que vous le payez.",
            "Chaque place de stationnement coûte autant qu’un petit appartement.",
            "Chaque personne à vélo laisse de la place à celles qui doivent conduire.",
            "Regardez donc le plan avant le vote de lundi.",
        ),
    },
}
_VOICES = {"en": "af_heart", "fr": "ff_siwis"}


def main(arguments: Sequence[str]) -> int:
    """Analyse three answers in each language and print what they cost."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    django.setup()
    from coach.questions.results import nearest_start  # noqa: PLC0415  # needs Django
    from coach.questions.services import MEASURED  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m bench questions", description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder for the recordings of the answers")
    chosen = parser.parse_args(arguments)
    skip = frozenset(FAMILIES) - MEASURED
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for language in _ANSWERS:
            rank("warm up", ["one", "two"], language)
            _print_session(language, folder, skip, nearest_start)
    return 0


def _print_session(language: str, folder: Path, skip: frozenset[str], nearest: Nearest) -> None:
    media = wall = processor = compared = 0.0
    for number, (question, answer) in enumerate(_ANSWERS[language].items(), start=1):
        path = folder / f"answer-{language}-{number}.wav"
        media += _write(path, answer, language)
        began, spent = time.perf_counter(), _processor_seconds()
        report = pipeline.analyse(path, options=Options(language=language, skip=skip))
        wall += time.perf_counter() - began
        processor += _processor_seconds() - spent
        began = time.perf_counter()
        start = nearest(question, report, language)
        compared += time.perf_counter() - began
        print(f"{question}\n  nearest: {_sentence_at(report, start)}")
    print(
        f"{language}: {media:.0f} s of media, {wall:.1f} s ({wall / media:.2f} x), "
        f"{processor:.1f} s of processor ({processor / media:.2f} x), compared in {compared:.2f} s"
    )


def _write(path: Path, sentences: Sequence[str], language: str) -> float:
    phrases = [Phrase(each, pause=_PAUSE) for each in sentences]
    spoken = speak(phrases, voice=_VOICES[language], language=language, lead=1.5)
    write_wave(path, spoken.audio, RATE_HZ)
    return len(spoken.audio) / RATE_HZ


def _sentence_at(report: Report, start: float | None) -> str:
    if start is None:
        return "-"
    end = min((e.end for e in report.events_of("sentence") if e.start >= start - 0.05), default=0.0)
    return " ".join(word.text for word in report.words if start <= word.start < end)


def _processor_seconds() -> float:
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in own)
