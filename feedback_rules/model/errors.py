"""Errors of rules, contexts and reports, with codes."""

from __future__ import annotations

from analysis.sentences import ENGLISH, Reader
from feedback_rules.model.problems import RuleProblem


class RuleError(Exception):
    """Known problem in a rule document, with its file and line if known.

    `plain` is pydantic's own message, which is more specific than our sentence; for command lines.
    """

    code = "E301"

    def __init__(
        self, problem: RuleProblem, *, name: str = "", line: int | None = None, plain: str = ""
    ) -> None:
        self.problem, self.name, self.line, self.plain = problem, name, line, plain
        super().__init__(self.said_to(ENGLISH))

    def said_to(self, reader: Reader) -> str:
        """Return location and problem; only English readers get pydantic's English message."""
        plain = self.plain if reader is ENGLISH else ""
        return f"{self.before}{plain or self.problem.said_to(reader)}"

    @property
    def before(self) -> str:
        """Return the prefix with file and line, as far as they are known."""
        if self.line is not None:
            return f"{self.name}:{self.line}: "
        return f"{self.name}: " if self.name else ""
