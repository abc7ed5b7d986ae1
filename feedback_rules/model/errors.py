"""What can be wrong with rules, contexts and reports, as coded errors."""

from __future__ import annotations

from analysis.sentences import ENGLISH, Reader
from feedback_rules.model.problems import Problem


class RuleError(Exception):
    """Something in a rule document that we can name, with its file and line where known.

    `plain`: what pydantic says of it, which names more than our sentence; for command lines.
    """

    code = "E301"

    def __init__(
        self, problem: Problem, *, name: str = "", line: int | None = None, plain: str = ""
    ) -> None:
        self.problem, self.name, self.line, self.plain = problem, name, line, plain
        super().__init__(self.said_to(ENGLISH))

    def said_to(self, reader: Reader) -> str:
        """Where, and what is wrong; what pydantic says is English, so others get our sentence."""
        plain = self.plain if reader is ENGLISH else ""
        return f"{self.before}{plain or self.problem.said_to(reader)}"

    @property
    def before(self) -> str:
        """File and line, as far as they are known."""
        if self.line is not None:
            return f"{self.name}:{self.line}: "
        return f"{self.name}: " if self.name else ""
