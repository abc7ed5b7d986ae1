"""What can be wrong with rules, contexts and reports, as coded errors with a sentence."""

from __future__ import annotations


class RuleError(Exception):
    """Something in a rule document that we can name, with its file and line where known."""

    code = "E301"

    def __init__(self, sentence: str, *, name: str = "", line: int | None = None) -> None:
        place = f"{name}:{line}: " if line is not None else f"{name}: " if name else ""
        super().__init__(f"{place}{sentence}")
        self.sentence = sentence
        self.name = name
        self.line = line
