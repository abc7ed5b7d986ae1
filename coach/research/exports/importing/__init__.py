"""A bundle loaded into an empty study: the same tables, texts and codings, for replication."""

from __future__ import annotations

from coach.research.exports.importing.load import load_bundle
from coach.research.exports.importing.reading import NotABundle

__all__ = ["NotABundle", "load_bundle"]
