"""Import of other tools' REFI-QDA projects: codes, coders, texts, codings and memos."""

from __future__ import annotations

from coach.research.exports.importing.refi.archive import NotRefi, is_refi
from coach.research.exports.importing.refi.load import load_refi

__all__ = ["NotRefi", "is_refi", "load_refi"]
