"""The interface's languages: from marked sentences to a catalogue that Django reads.

`python -m coach.lib.catalogues` extracts, checks and compiles with what pip installs (Babel).
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOCALES = ROOT / "locale"
DOMAIN = "django"
LANGUAGES = ("fr",)
"""What has a catalogue; English is what the sentences are written in."""


def catalogue_of(language: str) -> Path:
    """Where people write the sentences of a language."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def compiled_of(language: str) -> Path:
    """What Django reads; made from the catalogue, never kept in the repository."""
    return catalogue_of(language).with_suffix(".mo")
