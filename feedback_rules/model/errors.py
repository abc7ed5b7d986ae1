"""What can be wrong with rules, contexts and reports, as coded errors."""

from __future__ import annotations

from feedback_rules.model.problems import Problem


class RuleError(Exception):
    """Something in a rule document that we can name, with its file and line where known.

    `plain`: what pydantic says of it, which names more than our sentence; for command lines.
    """

    code = "E301"

    def __init__(
        self, problem: Problem, *, name: str = "", line: int | None = None, plain: str = ""
    ) -> None:
        self.problem, self.name, self.line = problem, name, line
        super().__init__(f"{self.before}{plain or problem}")

    @property
    def before(self) -> str:
        """File and line, as far as they are known."""
        if self.line is not None:
            return f"{self.name}:{self.line}: "
        return f"{self.name}: " if self.name else ""
