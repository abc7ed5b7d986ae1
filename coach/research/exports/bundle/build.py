"""Steps of building a bundle; each leaves files, so that another worker can continue after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from coach.research.exports.bundle.annotations import write_annotations
from coach.research.exports.bundle.guard import BundleProblem, problems_before, problems_in
from coach.research.exports.bundle.guard.problem import AGREEMENT_NEEDED
from coach.research.exports.bundle.package import (
    datapackage,
    file_names,
    manifest,
    write_json,
    write_readme,
    write_sums,
)
from coach.research.exports.bundle.privacy import privacy_report
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.bundle.texts import write_documents, write_interviews, write_qda
from coach.research.exports.bundle.writing import write_table
from coach.research.exports.zipping import zip_files

Counts = dict[str, int]


class ExportRefused(Exception):
    """Refusal of an export that contains disallowed data; nothing was exported."""

    def __init__(self, problems: list[BundleProblem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStep:
    """One step: its name, its share of the work, and the function that writes its files."""

    name: str
    share: float
    run: Callable[[Included, Path, Counts], None]


def _tables(names: tuple[str, ...], included: Included, folder: Path, counts: Counts) -> None:
    for table in TABLES:
        if table.name in names:
            counts[table.name] = write_table(table, included, folder)


def _step(name: str, share: float, *tables: str) -> BuildStep:
    return BuildStep(name=name, share=share, run=partial(_tables, tables))


def _words(included: Included, folder: Path, _counts: Counts) -> None:
    write_documents(included, folder)
    write_interviews(included, folder)
    write_qda(included, folder)


def _annotations(included: Included, folder: Path, _counts: Counts) -> None:
    write_annotations(included, folder)


def _described(included: Included, folder: Path, counts: Counts) -> None:
    """Write the describing files last, since they refer to all others."""
    write_readme(included, folder)
    write_json(folder / "privacy.json", privacy_report(included))
    write_json(folder / "export_manifest.json", manifest(included, dict(sorted(counts.items()))))
    write_json(folder / "datapackage.json", datapackage(included, folder))


_PEOPLE = ("participants", "consents", "questions", "answers")
_TAKES = ("rehearsals", "metrics", "measurements")
_FEEDBACK = (
    *("feedback_items", "feedback_evidence", "coach_reviews", "desk_times", "corrections"),
    *("item_opinions", "rubric_criteria", "rubric_scores", "outcomes"),
)
_CODING = (
    *("interviews", "interview_turns", "codes", "codebook_versions", "coders", "rounds", "shares"),
    *("codings", "take_codings", "take_shares", "take_adjudications", "take_memos"),
    *("adjudications", "memos", "themes", "theme_memos", "agreement", "exclusions"),
)

_BETWEEN = (
    *("events", "viewings", "practice", "exercise_answers", "talk_answers"),
    *("slides", "key_messages"),
)
_NAMED = {*_PEOPLE, *_TAKES, *_BETWEEN, *_FEEDBACK, *_CODING}


def _coding(included: Included, folder: Path, counts: Counts) -> None:
    """Write the coding tables, and every table without a step of its own."""
    others = tuple(table.name for table in TABLES if table.name not in _NAMED)
    _tables((*_CODING, *others), included, folder, counts)


STEPS = (
    _step("people", 0.02, *_PEOPLE),
    _step("takes", 0.3, *_TAKES),
    _step("events", 0.15, *_BETWEEN),
    _step("feedback", 0.1, *_FEEDBACK),
    BuildStep(name="coding", share=0.1, run=_coding),
    BuildStep(name="words", share=0.1, run=_words),
    BuildStep(name="annotations", share=0.15, run=_annotations),
    BuildStep(name="described", share=0.03, run=_described),
)
CHECKED = "checked"
"""The last step; its findings stop the export."""


def steps_after(done: list[str]) -> Iterator[BuildStep]:
    """Yield the remaining steps."""
    return (step for step in STEPS if step.name not in done)


def known_problems(included: Included, *, has_agreement: bool) -> list[BundleProblem]:
    """Return the problems that are known before any file is written.

    The files are checked all the same, so that a refusal names everything at once.
    """
    problems = problems_before(included)
    report = privacy_report(included)
    if report["people_under_k"] and not has_agreement:
        small = f"{report['people_under_k']}"
        problems.append(BundleProblem(AGREEMENT_NEEDED, "privacy.json", small))
    return problems


def pack(
    included: Included, folder: Path, target: Path, known: Sequence[BundleProblem] = ()
) -> None:
    """Check all files, then build the archive. Raises Refused, also for known problems."""
    problems = [*known, *problems_in(included, folder)]
    if problems:
        raise ExportRefused(problems)
    write_sums(folder)
    # The descriptor first, so that a reader of the stream has it early.
    names = file_names(folder)
    names.sort(key=lambda name: (name != "datapackage.json", name))
    zip_files(target, folder, [*names, "SHA256SUMS"])


def build(included: Included, folder: Path, target: Path, *, has_agreement: bool) -> Counts:
    """Run all steps in one go, for the command line. Raises Refused."""
    counts: Counts = {}
    known = known_problems(included, has_agreement=has_agreement)
    for step in STEPS:
        step.run(included, folder, counts)
    pack(included, folder, target, known)
    return counts
