"""Validation of a rule's document, with each problem at its field."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from coach.curation.approval_checks import (
    NO_CARD,
    error_words,
    is_of_case,
    no_card,
    problem_words,
    why_case_fails,
)
from coach.curation.editor.fields import Path
from feedback_rules.evaluate import failing_cases
from feedback_rules.explain import problems_of, with_clean_spaces
from feedback_rules.loader import as_written
from feedback_rules.model import Rule, RuleError, wording_problems
from feedback_rules.model.problems import problem_of

_PLACEHOLDER = re.compile(r"\{\w*\}")
_MESSAGE = ("message", "en")
"""The path of a whole message; problems at deeper paths belong to a form field."""
_FIELDS = {("source",), ("severity",)}
"""Other paths whose problems belong to a form field."""
_WORDED = (
    "claim",
    "claim_near",
    "figure",
    "why",
    "suggestion",
    "certainty",
    "comparison",
    "counterfactual",
)


@dataclass(slots=True, kw_only=True)
class Check:
    """The result of a validation: the rule, or None if it is invalid, and every problem."""

    rule: Rule | None = None
    at: dict[Path, list[str]] = field(default_factory=dict)
    """The problems by their path in the document."""
    general: list[str] = field(default_factory=list)
    """The problems of the whole rule, such as missing cases or the length of its card."""
    cases: dict[int, str] = field(default_factory=dict)
    """The reasons of failing cases, by index."""

    @property
    def count(self) -> int:
        """The number of problems."""
        return sum(map(len, self.at.values())) + len(self.general) + len(self.cases)

    def add(self, path: Path, problem: str) -> None:
        """Add a problem at a path, once."""
        found = self.at.setdefault(path, [])
        if problem not in found:
            found.append(problem)


def check(document: dict[str, Any]) -> Check:
    """Return every problem that blocks the approval of a document."""
    made = Check()
    try:
        made.rule = with_clean_spaces(Rule.model_validate(document))
    except ValidationError as error:
        for each in error.errors():
            problem = problem_of(each, as_written(each["loc"]))
            made.add(problem.place, problem_words(problem))
        return made
    except RuleError as error:
        made.general.append(error_words(error))
        return made
    _check_words(made.rule, made)
    _check_cases(made.rule, made)
    _check_rest(made.rule, made)
    return made


def _check_words(rule: Rule, made: Check) -> None:
    for language, message in (("en", rule.message.en), ("fr", rule.message.fr)):
        texts: dict[Path, str] = {(name,): getattr(message, name) for name in _WORDED}
        texts |= {("why_for", aim): text for aim, text in message.why_for.items()}
        texts["exercise", "text"] = message.exercise.text
        for path, text in texts.items():
            filled = _PLACEHOLDER.sub("some", text)
            for problem in wording_problems(filled, "en" if language == "en" else "fr"):
                made.add(("message", language, *path), problem_words(problem))


def _check_cases(rule: Rule, made: Check) -> None:
    for index, case in enumerate(rule.cases):
        alone = failing_cases(rule.model_copy(update={"cases": (case,)}))
        if any(map(is_of_case, alone)):
            made.cases[index] = why_case_fails(rule, case)


def _check_rest(rule: Rule, made: Check) -> None:
    """Add the linter's problems, except those of single words and cases."""
    for problem in problems_of(rule):
        if is_of_case(problem):
            continue
        words = no_card() if problem.code == NO_CARD else problem_words(problem)
        if problem.place[:1] in _FIELDS or len(problem.place) > len(_MESSAGE):
            made.add(problem.place, words)
        elif words not in made.general:
            made.general.append(words)
