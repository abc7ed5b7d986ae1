"""What may not leave: looked for in the files themselves, whoever wrote them and however."""

from __future__ import annotations

from coach.research.exports.bundle.guard.inspect import problems_before, problems_in
from coach.research.exports.bundle.guard.problem import Problem

__all__ = ["Problem", "problems_before", "problems_in"]
