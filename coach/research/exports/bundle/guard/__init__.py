"""Final checks of a bundle: disallowed content is searched for in the files themselves."""

from __future__ import annotations

from coach.research.exports.bundle.guard.inspect import problems_before, problems_in
from coach.research.exports.bundle.guard.problem import Problem

__all__ = ["Problem", "problems_before", "problems_in"]
