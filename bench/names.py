"""Benchmark `names`: planted names and numbers in ten scripts, found, missed and wrongly proposed.

The corpus (`bench/names.yml`) was written for it, and the rules were not fitted to it.
"""

from __future__ import annotations

import argparse
import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import django
import yaml

from coach.research.coding.interviews.redaction import matching
from coach.research.coding.interviews.redaction.matching import KnownNames

CORPUS: Final = Path(__file__).with_name("names.yml")
_PLANTED: Final = re.compile(r"\[\[([^|]+)\|([^\]]+)\]\]")


def _inside(mark: str) -> Callable[[str], str]:
    return lambda name: name[:1] + mark + name[1:] if len(name) > 1 else name


def _without_accents(name: str) -> str:
    parts = unicodedata.normalize("NFD", name)
    kept = "".join(each for each in parts if unicodedata.combining(each) < 200)
    return unicodedata.normalize("NFC", kept)


WRITTEN: Final[dict[str, Callable[[str], str]]] = {
    "as written": lambda name: name,
    "in capitals": str.upper,
    "in small letters": str.lower,
    "without accents": _without_accents,
    "decomposed": lambda name: unicodedata.normalize("NFD", name),
    "soft hyphen inside": _inside("\u00ad"),
    "zero-width space inside": _inside("\u200b"),
    "last part alone": lambda name: name.split()[-1],
}
"""Ways of writing a known name."""


@dataclass(slots=True)
class Tally:
    """What was found of one kind in one script, with what was missed."""

    found: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def planted(self) -> int:
        """Return how many were planted."""
        return self.found + len(self.missed)


@dataclass(slots=True)
class NamesResult:
    """Tallies by kind and script, and the wrong proposals by script."""

    tallies: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    wrong: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    rest: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Words that still stood after their name was accepted, by way of writing."""
    accepted: Counter[str] = field(default_factory=Counter)


def measure() -> NamesResult:
    """Return what the redaction page would propose in the corpus."""
    result = NamesResult()
    for part in yaml.safe_load(CORPUS.read_text(encoding="utf-8")):
        _known_in(part, result)
        _unknown_in(part, result)
    return result


def _variants(name: str) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for how, write in WRITTEN.items():
        if (words := write(name)) not in seen:
            seen.add(words)
            yield how, words


def _known_in(part: dict[str, Any], result: NamesResult) -> None:
    for name in part["people"]:
        names = {name}
        known = KnownNames(
            whole=frozenset(names),
            parts=frozenset(matching.parts_of(names) | matching.short_parts_of(names)),
        )
        for place, (how, words) in enumerate(_variants(name)):
            text = part["frames"][place % len(part["frames"])].format(words)
            start = text.index(words)
            _count(text, (start, start + len(words)), known, f"known, {how}", part, result)
            if how != "last part alone":
                result.accepted[how] += 1
                if (start, start + len(words)) not in matching.places_of(name, text):
                    result.rest[how].append(words)


def _unknown_in(part: dict[str, Any], result: NamesResult) -> None:
    people = set(part["people"])
    known = KnownNames(whole=frozenset(people), parts=frozenset(matching.parts_of(people)))
    for marked in part["texts"]:
        [planted] = _PLANTED.finditer(marked)
        text = _PLANTED.sub(lambda each: each[2], marked)
        span = (planted.start(), planted.start() + len(planted[2]))
        _count(text, span, known, planted[1], part, result)
    for text in part["plain"]:
        result.wrong[part["script"]] += [text[a:b] for a, b in _proposed(text, known)]


def _proposed(text: str, known: KnownNames) -> list[tuple[int, int]]:
    # It needs the settings, which `main` chooses.
    proposals = import_module("coach.research.coding.interviews.redaction.patterns").proposals
    return [(each.start, each.end) for each in proposals(text, known, [(0, len(text))])]


def _count(
    text: str,
    span: tuple[int, int],
    known: KnownNames,
    kind: str,
    part: dict[str, Any],
    result: NamesResult,
) -> None:
    """Count a planted name as found if proposals cover all its letters; others are wrong."""
    places = _proposed(text, known)
    covered = {at for start, end in places for at in range(start, end)}
    tally = result.tallies[kind, part["script"]]
    letters = [at for at in range(*span) if text[at].isalnum()]
    if all(at in covered for at in letters):
        tally.found += 1
    else:
        tally.missed.append(text[slice(*span)])
    outside = [text[a:b] for a, b in places if b <= span[0] or a >= span[1]]
    result.wrong[part["script"]] += outside


def main(arguments: Sequence[str]) -> int:
    """Print what was found, missed and wrongly proposed, kind by kind."""
    argparse.ArgumentParser(prog="python -m bench names", description=__doc__).parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    os.environ.setdefault("DATABASE_URL", "postgresql://nobody@localhost/none")  # never opened
    django.setup()
    print("\n".join(lines_of(measure())))
    return 0


def lines_of(result: NamesResult) -> list[str]:
    """Return the result as tables in Markdown."""
    kinds = list(dict.fromkeys(kind for kind, _script in result.tallies))
    total = list(result.tallies.values())
    planted, found = sum(each.planted for each in total), sum(each.found for each in total)
    n_wrong = sum(map(len, result.wrong.values()))
    lines = [
        f"{planted} planted, {found} found, {n_wrong} wrongly proposed.",
        "",
        "| kind | planted | found | missed |",
        "| --- | --- | --- | --- |",
    ]
    for kind in kinds:
        rows = [tally for (each, _s), tally in result.tallies.items() if each == kind]
        missed = ", ".join(words for row in rows for words in row.missed)
        lines.append(
            f"| {kind} | {sum(r.planted for r in rows)} | {sum(r.found for r in rows)} | {missed} |"
        )
    lines += ["", "| script | planted | found | wrongly proposed |", "| --- | --- | --- | --- |"]
    for script in dict.fromkeys(script for _kind, script in result.tallies):
        rows = [tally for (_k, each), tally in result.tallies.items() if each == script]
        wrong = result.wrong[script]
        lines.append(
            f"| {script} | {sum(r.planted for r in rows)} | {sum(r.found for r in rows)} | "
            f"{len(wrong)}{': ' + ', '.join(wrong) if wrong else ''} |"
        )
    lines += ["", "| accepted once, written elsewhere | places | still there |"]
    lines += ["| --- | --- | --- |"]
    for how, count in result.accepted.items():
        rest = result.rest[how]
        lines.append(f"| {how} | {count} | {len(rest)}{': ' + ', '.join(rest) if rest else ''} |")
    return lines
