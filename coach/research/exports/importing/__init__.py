"""Import of a bundle into an empty study, for replication: the same tables, texts and codings."""

from __future__ import annotations

from coach.research.exports.importing.load import load_bundle
from coach.research.exports.importing.reading import NotABundle

__all__ = ["NotABundle", "load_bundle"]
