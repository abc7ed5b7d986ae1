"""REFI-QDA projects of other tools: codes, coders, texts, codings and memos come in."""

from __future__ import annotations

from coach.research.exports.importing.refi.archive import NotRefi, is_refi
from coach.research.exports.importing.refi.load import load_refi

__all__ = ["NotRefi", "is_refi", "load_refi"]
