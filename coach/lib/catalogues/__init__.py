"""Message catalogues of the interface: from marked sentences to the compiled file that Django
reads.

`python -m coach.lib.catalogues` extracts, checks and compiles with Babel, which pip installs.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOCALES = ROOT / "locale"
DOMAIN = "django"
LANGUAGES = ("fr",)
"""What has a catalogue; English is what the sentences are written in."""


def catalogue_of(language: str) -> Path:
    """Return the path of a language's catalogue (`.po`), which translators edit."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def compiled_of(language: str) -> Path:
    """Return the path of a language's compiled catalogue (`.mo`), which is never committed."""
    return catalogue_of(language).with_suffix(".mo")
