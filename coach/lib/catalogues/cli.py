"""`python -m coach.lib.catalogues`: what is done with the sentences of other languages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from coach.lib.catalogues import LANGUAGES, catalogue_of
from coach.lib.catalogues.checking import problems_of
from coach.lib.catalogues.extracting import extract_all
from coach.lib.catalogues.files import compile_all, read, update, write
from coach.lib.catalogues.wording import slips


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code, 0 for success."""
    parser = argparse.ArgumentParser(prog="python -m coach.lib.catalogues", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    updating = commands.add_parser("update", help="bring the catalogues in step with the code")
    updating.add_argument(
        "--from", dest="others", nargs="*", type=Path, default=[], help="take sentences from these"
    )
    commands.add_parser("check", help="say what is missing, fuzzy or wrong")
    commands.add_parser("compile", help="make what Django reads")
    commands.add_parser("wording", help="list wording to make plainer, in texts and documents")
    given = parser.parse_args(arguments)
    if given.command == "compile":
        compile_all()
        return 0
    if given.command == "wording":
        return _check_wording()
    return _update(given.others) if given.command == "update" else _check()


def _update(others: Sequence[Path]) -> int:
    wanted = extract_all()
    for language in LANGUAGES:
        fresh = update(language, wanted, others)
        write(fresh, catalogue_of(language))
        open_ones = sum(not (each.string and all(each.string)) for each in fresh if each.id)
        print(f"{language}: {len(fresh)} sentences, {open_ones} to translate")
    return 0


def _check() -> int:
    wanted = extract_all()
    problems = [
        f"{language}: {problem}"
        for language in LANGUAGES
        for problem in problems_of(read(catalogue_of(language), language), wanted)
    ]
    print("\n".join(problems) or "Every sentence is translated.", file=sys.stderr)
    return 1 if problems else 0


def _check_wording() -> int:
    found = slips()
    for slip in found:
        print(
            f"{slip.place}: “{slip.passage}” ({slip.habit.name}); write: {slip.habit.instead}",
            file=sys.stderr,
        )
    return 1 if found else 0
