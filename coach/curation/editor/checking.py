"""What is wrong with a document, in words, each beside the field that it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from coach.curation.editor.fields import Path
from coach.curation.proof import NO_CARD, no_card, why_case_fails
from feedback_rules.evaluate import failing_cases
from feedback_rules.explain import problems_of, with_clean_spaces
from feedback_rules.loader import as_written
from feedback_rules.model import Rule, RuleError, wording_problems

_PLACEHOLDER = re.compile(r"\{\w*\}")
_CASE = "case "
_WORDED = (
    "claim", "figure", "why", "suggestion", "certainty", "comparison", "counterfactual",
)  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Check:
    """A document as it stands: the rule where it is one, and every problem."""

    rule: Rule | None = None
    at: dict[Path, list[str]] = field(default_factory=dict)
    """Problems that belong to a place in the document."""
    general: list[str] = field(default_factory=list)
    """Problems of the rule as a whole: missing cases, the length of its card."""
    cases: dict[int, str] = field(default_factory=dict)
    """Cases that do not hold, and why not."""

    @property
    def count(self) -> int:
        """How many problems there are."""
        return sum(map(len, self.at.values())) + len(self.general) + len(self.cases)

    def add(self, path: Path, problem: str) -> None:
        """Note a problem at a place, once."""
        found = self.at.setdefault(path, [])
        if problem not in found:
            found.append(problem)


def check(document: dict[str, Any]) -> Check:
    """Everything that keeps a document from being approved."""
    made = Check()
    try:
        made.rule = with_clean_spaces(Rule.model_validate(document))
    except ValidationError as error:
        for each in error.errors():
            made.add(as_written(each["loc"]), _in_words(each["type"], each["msg"]))
        return made
    except RuleError as error:
        made.general.append(error.sentence)
        return made
    _check_words(made.rule, made)
    _check_cases(made.rule, made)
    _check_rest(made.rule, made)
    return made


def _in_words(kind: str, message: str) -> str:
    words = {
        "missing": _("This is needed."),
        "string_too_short": _("This is needed."),
        "too_short": _("At least one is needed."),
        "float_type": _("Write a number, such as 5 or 0.2."),
        "float_parsing": _("Write a number, such as 5 or 0.2."),
        "int_type": _("Write a whole number."),
        "int_parsing": _("Write a whole number."),
        "int_from_float": _("Write a whole number."),
        "model_type": _("Write second, second, how sure, the word: 12.5 12.9 0.9 and"),
        "literal_error": _("Choose one from the list."),
        "enum": _("Choose one from the list."),
    }
    plain = message.removeprefix("Value error, ").removeprefix("Input should be ")
    return words.get(kind) or f"{plain[:1].upper()}{plain[1:]}."


def _check_words(rule: Rule, made: Check) -> None:
    for language, message in (("en", rule.message.en), ("fr", rule.message.fr)):
        texts: dict[Path, str] = {(name,): getattr(message, name) for name in _WORDED}
        texts |= {("why_for", aim): text for aim, text in message.why_for.items()}
        texts["exercise", "text"] = message.exercise.text
        for path, text in texts.items():
            filled = _PLACEHOLDER.sub("some", text)
            for problem in wording_problems(filled, "en" if language == "en" else "fr"):
                made.add(("message", language, *path), f"{problem}.")


def _check_cases(rule: Rule, made: Check) -> None:
    for index, case in enumerate(rule.cases):
        alone = failing_cases(rule.model_copy(update={"cases": (case,)}))
        if any(problem.startswith(_CASE) for problem in alone):
            made.cases[index] = why_case_fails(rule, case)


def _check_rest(rule: Rule, made: Check) -> None:
    """What the linter says beyond single words and single cases."""
    told = {problem.rstrip(".") for problems in made.at.values() for problem in problems}
    for problem in problems_of(rule):
        if problem.startswith(_CASE):
            continue
        if problem.startswith(NO_CARD):
            made.general += [no_card()] if no_card() not in made.general else []
            continue
        place, _colon, rest = problem.partition(": ")
        if place.startswith("message.") and rest:
            made.add(tuple(place.split(".")), f"{rest}.")
        elif place == "source":
            made.add(("source",), f"{rest}.")
        elif rest not in told:
            made.general.append(f"{problem[:1].upper()}{problem[1:]}.")
