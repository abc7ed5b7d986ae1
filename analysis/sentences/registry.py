"""Registry of message codes and their sentences; meaning and values of a code never change."""

from __future__ import annotations

from typing import Final

from analysis.sentences.form import Sentence
from analysis.sentences.of_files import SENTENCES as FILES
from analysis.sentences.of_hearing import SENTENCES as HEARING
from analysis.sentences.of_parts import SENTENCES as PARTS
from analysis.sentences.of_samples import SENTENCES as SAMPLES
from analysis.sentences.of_seeing import SENTENCES as SEEING

SENTENCES: Final[dict[str, Sentence]] = {**PARTS, **HEARING, **SEEING, **FILES, **SAMPLES}
CODES: Final = (*PARTS, *HEARING, *SEEING, *FILES, *SAMPLES)
"""Codes of all modules, with duplicates; a test rejects a code used by two modules."""
